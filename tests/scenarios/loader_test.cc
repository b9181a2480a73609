// Files as they come: awkward, broken, hostile. What is wrong with a scenario is in
// scenario_errors_test.cc.

#include "scenarios/loader.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/scenarios/loading.h"

namespace kafkasim::scenarios {
namespace {

std::string Repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

std::string ErrorsOfText(const std::string& text) { return LoadScenarioText("f", text).Report(); }

TEST(Loading, AcceptsAGoodFile) {
  const LoadResult result = LoadScenarioText("f", FileWith("  - old: flush\n"));
  EXPECT_EQ(result.Report(), "");
  ASSERT_TRUE(result.scenario.has_value());
  EXPECT_EQ(result.scenario->source, result.source);
}

TEST(Loading, AcceptsAByteOrderMarkAndCrLf) {
  std::string text = "\xEF\xBB\xBF";
  for (char c : FileWith("  - wait: 1s\n  - old: flsh\n")) {
    if (c == '\n') text += '\r';
    text += c;
  }
  EXPECT_EQ(ErrorsOfText(text),
            "f:9:10: error: unknown verb 'flsh'\n"
            "    - old: flsh\n"
            "           ^\n"
            "  did you mean 'flush'?\n");
}

TEST(Loading, RefusesAnEmptyFile) {
  EXPECT_EQ(ErrorsOfText(""), "f:1:1: error: the file is empty\n");
  EXPECT_EQ(ErrorsOfText("# nothing\n"),
            "f:1:1: error: the file is empty\n"
            "  # nothing\n"
            "  ^\n");
}

TEST(Loading, RefusesWhatIsNoMapping) {
  EXPECT_EQ(ErrorsOfText("hello"),
            "f:1:1: error: expected a mapping for a scenario, found 'hello'\n"
            "  hello\n"
            "  ^\n");
  EXPECT_EQ(ErrorsOfText("- a\n"),
            "f:1:1: error: expected a mapping for a scenario, found a list\n"
            "  - a\n"
            "  ^\n");
}

TEST(Loading, RefusesABinaryFile) {
  EXPECT_EQ(ErrorsOfText(std::string("title: x\n\x7F"
                                     "ELF\0\1",
                                     15)),
            "f:2:1: error: this is no text: a scenario is a file in UTF-8\n"
            "   ELF  \n"
            "  ^\n");
  EXPECT_EQ(ErrorsOfText("title: caf\xE9\n"),
            "f:1:11: error: this is no text: a scenario is a file in UTF-8\n"
            "  title: caf\xEF\xBF\xBD\n"
            "            ^\n");
}

TEST(Loading, RefusesALongLine) {
  const std::string report = ErrorsOfText("title: x\nabout: " + std::string(20'000, 'y'));
  EXPECT_EQ(report.substr(0, 57), "f:2:1: error: the line is longer than 10000 characters\n  ");
}

TEST(Loading, RefusesAnAliasBombAtItsFirstAnchor) {
  EXPECT_EQ(ErrorsOfText("a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n"),
            "f:1:4: error: anchors and aliases are not part of the language: '&a'\n"
            "  a: &a [x, x]\n"
            "     ^\n");
}

TEST(Loading, ReportsErrorsOfTheYamlTogetherWithThoseOfTheScenario) {
  EXPECT_EQ(ErrorsOfText("title: x\ntitle: y\nstep: []\nsteps: []\n"),
            "f:2:1: error: duplicate key 'title'; the first one is at 1:1\n"
            "  title: y\n"
            "  ^\n"
            "f:3:1: error: unknown key 'step' in a scenario\n"
            "  step: []\n"
            "  ^\n"
            "  did you mean 'steps'?\n"
            "2 errors\n");
}

TEST(Loading, ShowsTheFirstFiftyOfManyErrors) {
  const std::string report = ErrorsOf(Repeated("  - old: nothing_such\n", 100));
  EXPECT_NE(report.find("\n100 errors, of which the first 50 are shown\n"), std::string::npos);
  EXPECT_NE(report.find("f:57:10:"), std::string::npos);
  EXPECT_EQ(report.find("f:58:10:"), std::string::npos);
}

// Each would keep a careless loader busy or overflow its stack.
TEST(Loading, AnswersQuicklyWhateverTheFile) {
  const std::string hostile[] = {
      std::string(900'000, '['),
      Repeated("[\n", 400'000),
      Repeated("- ", 400'000),
      Repeated("-\n ", 300'000),
      Repeated("{a: ", 200'000),
      Repeated("? ", 400'000),
      Repeated("a: ", 300'000),
      Repeated("- - - -\n", 100'000),
      "a: \"" + std::string(900'000, 'x'),
      Repeated("a: 1\n", 150'000),
      Repeated("'", 900'000),
      Repeated("\xC3\xA9", 400'000),
      Repeated("k: |\n  x\n", 100'000),
      Repeated("#", 900'000),
      std::string(1'000'001, 'x'),
      std::string(10'000'000, ' '),
      Repeated("steps: [*a]\n", 80'000),
      Repeated("%YAML 1.2\n", 90'000),
      Repeated("---\n", 200'000),
  };
  for (const std::string& text : hostile) {
    const LoadResult result = LoadScenarioText("f", text);
    EXPECT_FALSE(result.scenario.has_value()) << text.substr(0, 20);
    EXPECT_FALSE(result.errors.empty()) << text.substr(0, 20);
    EXPECT_LT(result.Report().size(), 20'000u) << text.substr(0, 20);
  }
}

class LoadingFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    directory_ = std::filesystem::temp_directory_path() /
                 ("kafkasim_loader_test_" + std::to_string(::getpid()));
    std::filesystem::create_directories(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string Write(const std::string& name, const std::string& text) {
    const std::string path = directory_ / name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  std::filesystem::path directory_;
};

TEST_F(LoadingFiles, ReadsTheFile) {
  const std::string path = Write("good.yaml", FileWith("  - old: flush\n"));
  const LoadResult result = LoadScenarioFile(path);
  EXPECT_TRUE(result.scenario.has_value()) << result.Report();
  EXPECT_EQ(result.source->name(), path);
}

TEST_F(LoadingFiles, RefusesAMissingFileAndADirectory) {
  EXPECT_EQ(LoadScenarioFile("/no/such/file.yaml").Report(),
            "/no/such/file.yaml: error: there is no such file\n");
  EXPECT_EQ(LoadScenarioFile(directory_).Report(),
            directory_.string() + ": error: this is a directory; a scenario is a file\n");
}

TEST_F(LoadingFiles, RefusesALargeFileBySizeAlone) {
  const std::string path = Write("large.yaml", std::string(10'000'000, 'x'));
  EXPECT_EQ(
      LoadScenarioFile(path).Report(),
      path +
          ":1:1: error: the file is too large: 10000000 bytes; a scenario has at most 1000000\n");
}

TEST_F(LoadingFiles, DoesNotReadAnEndlessDeviceToItsEnd) {
  const LoadResult result = LoadScenarioFile("/dev/zero");
  ASSERT_EQ(result.errors.size(), 1u);
  EXPECT_FALSE(result.scenario.has_value());
}

}  // namespace
}  // namespace kafkasim::scenarios
