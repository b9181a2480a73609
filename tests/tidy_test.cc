// Tests the tree itself: who includes whom, what would break determinism, names and sizes.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/source_directory.h"

namespace {

namespace fs = std::filesystem;
using ::testing::IsEmpty;

const fs::path& kRoot = kafkasim::SourceDirectory();

// What each folder may include, besides itself.
const std::map<std::string, std::set<std::string>> kMayInclude = {
    {"sim", {}},
    {"broker", {"sim"}},
    {"coordinator", {"broker", "sim"}},
    {"client", {"broker", "sim"}},
    {"scenarios", {"client", "coordinator", "broker", "sim"}},
    {"cli", {"scenarios", "client", "coordinator", "broker", "sim"}},
};

struct SourceFile {
  std::string name;    // from the root, "sim/rng.h"
  std::string folder;  // "sim"
  std::vector<std::string> lines;
};

// All .h and .cc files of the modules and the tests, by name.
std::vector<SourceFile> Sources() {
  std::vector<SourceFile> files;
  for (const char* folder :
       {"sim", "broker", "coordinator", "client", "scenarios", "cli", "tests"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
      const fs::path& path = entry.path();
      if (path.extension() != ".h" && path.extension() != ".cc") continue;
      SourceFile file{path.lexically_relative(kRoot).string(), folder, {}};
      std::ifstream in(path);
      for (std::string line; std::getline(in, line);) file.lines.push_back(line);
      files.push_back(std::move(file));
    }
  }
  std::sort(files.begin(), files.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.name < b.name; });
  return files;
}

std::string Where(const SourceFile& file, size_t index) {
  return file.name + ":" + std::to_string(index + 1) + ": " + file.lines[index];
}

// The lines that `pattern` matches outside of comments.
std::vector<std::string> Matches(const SourceFile& file, const std::regex& pattern) {
  std::vector<std::string> found;
  for (size_t i = 0; i < file.lines.size(); ++i) {
    const std::string code = file.lines[i].substr(0, file.lines[i].find("//"));
    if (std::regex_search(code, pattern)) found.push_back(Where(file, i));
  }
  return found;
}

TEST(Tidy, IncludesPointDownOnly) {
  const std::regex include("^#include \"([a-z_]+)/");
  std::vector<std::string> wrong;
  for (const SourceFile& file : Sources()) {
    if (file.folder == "tests") continue;
    const std::set<std::string>& allowed = kMayInclude.at(file.folder);
    for (size_t i = 0; i < file.lines.size(); ++i) {
      std::smatch match;
      if (!std::regex_search(file.lines[i], match, include)) continue;
      const std::string target = match[1];
      if (!kMayInclude.count(target) && target != "tests") continue;
      if (target != file.folder && !allowed.count(target)) wrong.push_back(Where(file, i));
    }
  }
  EXPECT_THAT(wrong, IsEmpty());
}

TEST(Tidy, NothingDependsOnTheProcessOrTheMachine) {
  const std::regex banned(
      "unordered_(map|set|multi)|(flat|node)_hash_(map|set)|absl::Hash\\b|random_device|BitGen|"
      "_distribution\\b|std::shuffle|\\brand\\(|(system|steady|high_resolution)_clock|absl::Now|"
      "\\btime\\((nullptr|NULL|0)\\)|std::format\\b");
  const std::regex threads("std::(j?thread|async)\\b");
  std::vector<std::string> wrong;
  for (const SourceFile& file : Sources()) {
    if (file.name == "tests/tidy_test.cc" || file.name.starts_with("tests/bench/")) continue;
    if (file.name == "cli/stopwatch.cc") continue;
    for (const std::string& line : Matches(file, banned)) wrong.push_back(line);
    if (file.folder == "cli" || file.name == "sim/search/workers.cc") continue;
    for (const std::string& line : Matches(file, threads)) wrong.push_back(line);
  }
  EXPECT_THAT(wrong, IsEmpty());
}

TEST(Tidy, FilesAreShort) {
  std::vector<std::string> wrong;
  for (const SourceFile& file : Sources()) {
    if (file.lines.size() <= 400) continue;
    wrong.push_back(file.name + " has " + std::to_string(file.lines.size()) + " lines");
  }
  EXPECT_THAT(wrong, IsEmpty());
}

TEST(Tidy, HeadersOpenWithWhatTheyModel) {
  std::vector<std::string> wrong;
  for (const SourceFile& file : Sources()) {
    if (!file.name.ends_with(".h")) continue;
    const auto first = std::find_if(
        file.lines.begin(), file.lines.end(),
        [](const std::string& line) { return !line.empty() && line != "#pragma once"; });
    if (first == file.lines.end() || !first->starts_with("//")) wrong.push_back(file.name);
  }
  EXPECT_THAT(wrong, IsEmpty());
}

TEST(Tidy, FilesAreNamedByTheirConcept) {
  const std::regex vague("(utils?|common|helpers?|manager|misc)[^/]*$");
  const std::regex kafkas("(producer_state|transaction_state|transaction|replica)_manager[^/]*$");
  std::vector<std::string> wrong;
  for (const SourceFile& file : Sources()) {
    if (!std::regex_search(file.name, vague)) continue;
    if (!std::regex_search(file.name, kafkas)) wrong.push_back(file.name);
  }
  EXPECT_THAT(wrong, IsEmpty());
}

TEST(Tidy, TheTopLevelHoldsOnlyWhatIsKnown) {
  const std::set<std::string> known = {
      "CMakeLists.txt", "CMakePresets.json", "README.md", "broker",    "build", "cli",  "client",
      "cmake",          "coordinator",       "kafkasim",  "notebooks", "sim",   "test", "tests",
      "scenarios"};
  std::vector<std::string> wrong;
  for (const auto& entry : fs::directory_iterator(kRoot)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(".") && !known.count(name)) wrong.push_back(name);
  }
  EXPECT_THAT(wrong, IsEmpty());
}

TEST(Tidy, TheCommandsOfTheReadmeExist) {
  std::ifstream in(kRoot / "README.md");
  const std::string readme{std::istreambuf_iterator<char>(in), {}};
  for (const char* command : {"kafkasim", "test"}) {
    EXPECT_THAT(readme, ::testing::HasSubstr(std::string("./") + command));
    const fs::perms perms = fs::status(kRoot / command).permissions();
    EXPECT_NE(perms & fs::perms::owner_exec, fs::perms::none) << command;
  }
}

}  // namespace
