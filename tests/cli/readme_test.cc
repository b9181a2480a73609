// What README.md shows is what the program prints: each block that starts with a `$ ./kafkasim`
// line is run and compared. A line `...` in a block stands for any number of lines, and at the end
// of a line for its rest. The C++ and CMake that it shows are files of the tests.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"
#include "tests/source_directory.h"

namespace kafkasim::cli {
namespace {

struct Block {
  size_t line = 0;  // of the command in README.md
  std::vector<std::string> arguments;
  std::vector<std::string> output;
};

std::vector<std::string> Words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::vector<std::string> Lines(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// The blocks of README.md that show output: their command is not the last line.
std::vector<Block> ShownRuns() {
  std::ifstream readme(SourceDirectory() / "README.md");
  std::vector<Block> blocks;
  bool in_block = false;
  size_t number = 0;
  const std::string prompt = "$ ./kafkasim ";
  for (std::string line; std::getline(readme, line);) {
    ++number;
    if (line.starts_with("```")) {
      in_block = false;
    } else if (line.starts_with(prompt)) {
      blocks.push_back(
          {.line = number, .arguments = Words(line.substr(prompt.size())), .output = {}});
      in_block = true;
    } else if (in_block) {
      blocks.back().output.push_back(line);
    }
  }
  std::erase_if(blocks, [](const Block& block) { return block.output.empty(); });
  return blocks;
}

// A line that ends with `...` stands for all that begin so: times of this machine.
bool LineMatches(const std::string& shown, const std::string& actual) {
  if (!shown.ends_with(" ...")) return shown == actual;
  return actual.starts_with(shown.substr(0, shown.size() - 3));
}

// Whether `actual` from line `a` on looks like `shown` from line `s` on.
bool Matches(const std::vector<std::string>& shown, size_t s,
             const std::vector<std::string>& actual, size_t a) {
  for (; s < shown.size(); ++s, ++a) {
    if (shown[s] == "...") {
      for (size_t skip = a; skip <= actual.size(); ++skip) {
        if (Matches(shown, s + 1, actual, skip)) return true;
      }
      return false;
    }
    if (a >= actual.size() || !LineMatches(shown[s], actual[a])) return false;
  }
  return a == actual.size();
}

std::string TextOfFile(const std::filesystem::path& name) {
  std::ifstream in(SourceDirectory() / name);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The blocks of README.md in this language.
std::vector<std::string> BlocksIn(const std::string& language) {
  const std::string readme = TextOfFile("README.md");
  const std::string top = "\n```" + language + "\n";
  std::vector<std::string> blocks;
  for (size_t at = readme.find(top); at != std::string::npos; at = readme.find(top, at + 1)) {
    const size_t begin = at + top.size();
    blocks.push_back(readme.substr(begin, readme.find("\n```\n", begin) + 1 - begin));
  }
  return blocks;
}

TEST(Readme, ShowsAPropertyThatIsTested) {
  EXPECT_THAT(BlocksIn("cpp"),
              ::testing::ElementsAre(TextOfFile("tests/scenarios/readme_property_test.cc")));
}

TEST(Readme, ShowsAProjectThatIsConfigured) {
  EXPECT_THAT(BlocksIn("cmake"),
              ::testing::ElementsAre(TextOfFile("tests/subproject/CMakeLists.txt")));
}

TEST(Readme, ShowsWhatTheProgramPrints) {
  const std::vector<Block> blocks = ShownRuns();
  ASSERT_GE(blocks.size(), 3u);
  std::filesystem::current_path(SourceDirectory());
  for (const Block& block : blocks) {
    const ProgramResult result = RunProgram(block.arguments);
    EXPECT_TRUE(Matches(block.output, 0, Lines(result.out), 0))
        << "README.md:" << block.line << " shows something else than\n"
        << result.out << result.err;
  }
}

}  // namespace
}  // namespace kafkasim::cli
