# Configures the project of README.md that has kafkasim in a folder of its own, up to its build
# files. Run with cmake -P by ctest:
#
#   cmake -D SOURCE=<kafkasim> -D FOLDER=<to work in> -D GENERATOR=<...> -D COMPILER=<...> -P configure.cmake
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
file(CREATE_LINK ${SOURCE} ${FOLDER}/kafkasim SYMBOLIC)
file(COPY_FILE ${SOURCE}/tests/subproject/CMakeLists.txt ${FOLDER}/CMakeLists.txt)
file(COPY_FILE ${SOURCE}/tests/scenarios/readme_property_test.cc ${FOLDER}/enrichment_test.cc)
execute_process(
  COMMAND ${CMAKE_COMMAND} -S ${FOLDER} -B ${FOLDER}/build -G ${GENERATOR}
    -D CMAKE_CXX_COMPILER=${COMPILER}
  COMMAND_ERROR_IS_FATAL ANY)
