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
  const Example& example = Examples().front();
  const std::string name(example.name);
  const std::string file = name.substr(name.rfind('/') + 1);
  EXPECT_EQ(FindExample(name), &example);
  EXPECT_EQ(FindExample(name + ".yaml"), &example);
  EXPECT_EQ(FindExample(file), &example);
  EXPECT_EQ(FindExample(file.substr(0, file.find('-'))), &example);
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
