#include "cli/examples.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/loader.h"
#include "tests/source_directory.h"

namespace kafkasim::cli {
namespace {

namespace fs = std::filesystem;

const fs::path kScenarios = SourceDirectory() / "scenarios";

std::vector<std::string> FilesInTheTree() {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(kScenarios)) {
    if (entry.path().extension() == ".yaml") {
      files.push_back(entry.path().lexically_relative(kScenarios).replace_extension().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST(Examples, AreTheScenarioFilesByteForByte) {
  std::vector<std::string> names;
  for (const Example& example : Examples()) {
    names.emplace_back(example.name);
    std::ifstream file(kScenarios / (std::string(example.name) + ".yaml"), std::ios::binary);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), example.text) << example.name;
  }
  EXPECT_EQ(names, FilesInTheTree());
  EXPECT_FALSE(names.empty());
}

TEST(Examples, AreAllValid) {
  for (const Example& example : Examples()) {
    const scenarios::LoadResult loaded =
        scenarios::LoadScenarioText(std::string(example.name) + ".yaml", std::string(example.text));
    EXPECT_EQ(loaded.Report(), "");
  }
}

TEST(FindExample, TakesWhatNamesOnlyOne) {
  const std::string name = "lecture/12-commit-at-offset-5";
  const Example* example = FindExample(name);
  ASSERT_NE(example, nullptr);
  EXPECT_EQ(example->name, name);
  EXPECT_EQ(FindExample(name + ".yaml"), example);
  EXPECT_EQ(FindExample("12-commit-at-offset-5"), example);
  EXPECT_EQ(FindExample("12"), example);
  EXPECT_EQ(FindExample(""), nullptr);
  EXPECT_EQ(FindExample("no such example"), nullptr);
}

TEST(ClosestExample, KnowsAMisspeltName) {
  std::string name(Examples().front().name);
  std::swap(name[name.size() - 1], name[name.size() - 2]);
  EXPECT_EQ(ClosestExample(name), Examples().front().name);
  EXPECT_EQ(ClosestExample("qqqqqqqqqqqq"), "");
}

}  // namespace
}  // namespace kafkasim::cli
