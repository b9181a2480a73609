# Writes OUTPUT, a C++ source that holds every scenario file below FOLDER as text, by name, so that
# the program has its examples with it wherever it is copied. Run with cmake -P at build time.
#
#   cmake -D FOLDER=.../scenarios -D OUTPUT=.../embedded_scenarios.cc -P EmbedScenarios.cmake
file(GLOB_RECURSE names RELATIVE ${FOLDER} ${FOLDER}/*.yaml)
list(TRANSFORM names REPLACE "\\.yaml$" "")
list(SORT names)

set(entries "")
foreach(name IN LISTS names)
  file(READ ${FOLDER}/${name}.yaml text)
  string(APPEND entries "    {\"${name}\",\n     R\"~~~scenario(${text})~~~scenario\"},\n")
endforeach()

file(WRITE ${OUTPUT} "// Made by cmake/EmbedScenarios.cmake from the scenario files.
#include \"cli/examples.h\"

namespace kafkasim::cli {

const std::vector<Example>& Examples() {
  static const std::vector<Example> examples{
${entries}  };
  return examples;
}

}  // namespace kafkasim::cli
")
