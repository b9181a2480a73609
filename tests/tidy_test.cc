// Tests the tree itself: who includes whom, what would break determinism, names and sizes.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <absl/strings/ascii.h>
#include <absl/strings/str_join.h>

#include "tests/source_directory.h"

namespace {

namespace fs = std::filesystem;
using ::testing::IsEmpty;
using ::testing::SizeIs;

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

bool IsPartOfName(char letter) {
  return absl::ascii_isalnum(static_cast<unsigned char>(letter)) || letter == '_';
}

// Whether `code` has `word` where a name begins: "rand(" in "::rand(7)", not in "Operand(7)".
bool HasWord(std::string_view code, std::string_view word) {
  for (size_t at = code.find(word); at != code.npos; at = code.find(word, at + 1)) {
    if (at == 0 || !IsPartOfName(code[at - 1])) return true;
  }
  return false;
}

// The lines that have one of `words` outside of comments.
std::vector<std::string> LinesWith(const SourceFile& file, const std::vector<std::string>& words) {
  std::vector<std::string> found;
  for (size_t i = 0; i < file.lines.size(); ++i) {
    const std::string code = file.lines[i].substr(0, file.lines[i].find("//"));
    if (std::any_of(words.begin(), words.end(),
                    [&](const std::string& word) { return HasWord(code, word); })) {
      found.push_back(Where(file, i));
    }
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
      if (!file.lines[i].starts_with("#include")) continue;
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
  const std::vector<std::string> banned = {"unordered_",
                                           "flat_hash_",
                                           "node_hash_",
                                           "Hash<",
                                           "random_device",
                                           "BitGen",
                                           "discrete_distribution",
                                           "uniform_int_distribution",
                                           "uniform_real_distribution",
                                           "bernoulli_distribution",
                                           "shuffle(",
                                           "rand(",
                                           "system_clock",
                                           "steady_clock",
                                           "Now(",
                                           "high_resolution_clock",
                                           "time(nullptr)",
                                           "time(NULL)",
                                           "time(0)",
                                           "std::format("};
  const std::vector<std::string> threads = {"std::thread", "std::jthread", "std::async"};
  std::vector<std::string> wrong;
  for (const SourceFile& file : Sources()) {
    if (file.name == "tests/tidy_test.cc" || file.name.starts_with("tests/bench/")) continue;
    // It tells people how fast the program is.
    if (file.name == "cli/stopwatch.cc") continue;
    for (const std::string& line : LinesWith(file, banned)) wrong.push_back(line);
    const bool has_threads = file.folder == "cli" || file.name.starts_with("sim/search/workers.") ||
                             file.name == "tests/sim/workers_test.cc";
    if (has_threads) continue;
    for (const std::string& line : LinesWith(file, threads)) wrong.push_back(line);
  }
  EXPECT_THAT(wrong, IsEmpty());
}

// What `line` declares at the left margin: the name of a type, a function or a constant; "" if
// nothing. Aliases are left out: the same one may stand in many files.
std::string DeclaredName(const std::string& line) {
  static const std::regex type("^(struct|class|enum class|enum) (\\w+)[^;]*$");
  static const std::regex other("^[\\w:<>,*& ]*?[ *&>](\\w+)(\\(| = |\\{|\\[).*");
  if (line.empty() || !IsPartOfName(line.front()) || line.starts_with("TEST") ||
      line.starts_with("RC_GTEST") || line.starts_with("using ") ||
      line.starts_with("namespace ") || line.starts_with("INSTANTIATE_")) {
    return "";
  }
  std::smatch match;
  if (std::regex_match(line, match, type)) return match[2];
  return std::regex_match(line, match, other) ? match[1].str() : "";
}

// The folder whose files may be compiled together: "broker", "tests/broker".
std::string UnitOf(const SourceFile& file) {
  if (file.folder != "tests") return file.folder;
  return fs::path(file.name).parent_path().generic_string();
}

// Whether a header may be read together with the files of this unit: those of "broker" with
// "tests/broker", too.
bool IsReadIn(const std::string& unit, const SourceFile& header) {
  return UnitOf(header) == unit || "tests/" + UnitOf(header) == unit;
}

bool IsTypeOrConstant(const std::string& line) {
  return line.starts_with("struct ") || line.starts_with("class ") ||
         line.starts_with("enum class ") || line.starts_with("inline const");
}

// A build may read several files of a folder at once: what they keep for themselves must have names
// of its own, other than what the folder's headers declare.
TEST(Tidy, HelpersOfAFolderHaveNamesOfTheirOwn) {
  const std::vector<SourceFile> sources = Sources();
  std::map<std::string, std::map<std::string, std::set<std::string>>> named;
  for (const SourceFile& file : sources) {
    if (!file.name.ends_with(".cc")) continue;
    bool unnamed = false;
    for (const std::string& line : file.lines) {
      if (line == "namespace {") unnamed = true;
      if (line == "}  // namespace") unnamed = false;
      const std::string name = unnamed ? DeclaredName(line) : "";
      if (!name.empty()) named[UnitOf(file)][name].insert(file.name);
    }
  }
  EXPECT_THAT(named, SizeIs(::testing::Gt(10)));
  for (auto& [unit, names] : named) {
    for (const SourceFile& file : sources) {
      if (!file.name.ends_with(".h") || !IsReadIn(unit, file)) continue;
      for (const std::string& line : file.lines) {
        if (!IsTypeOrConstant(line)) continue;
        const auto at = names.find(DeclaredName(line));
        if (at != names.end()) at->second.insert(file.name);
      }
    }
  }
  std::vector<std::string> wrong;
  for (const auto& [unit, names] : named) {
    for (const auto& [name, files] : names) {
      if (files.size() > 1) wrong.push_back(name + " in " + absl::StrJoin(files, ", "));
    }
  }
  EXPECT_THAT(wrong, IsEmpty());
}

// For the same reason an alias in a function must not have the name of one that stands at the left
// margin of another file.
TEST(Tidy, AliasesInFunctionsHideNoneOfTheirFolder) {
  static const std::regex alias("^( *)using (\\w+) = .*");
  const std::vector<SourceFile> sources = Sources();
  std::map<std::string, std::set<std::string>> of_files;
  const auto for_each = [&](const auto& visit) {
    for (const SourceFile& file : sources) {
      if (!file.name.ends_with(".cc")) continue;
      for (size_t i = 0; i < file.lines.size(); ++i) {
        std::smatch match;
        if (std::regex_match(file.lines[i], match, alias)) {
          visit(file, i, match[1].length() == 0, match[2].str());
        }
      }
    }
  };
  for_each([&](const SourceFile& file, size_t, bool at_margin, const std::string& name) {
    if (at_margin) of_files[UnitOf(file)].insert(name);
  });
  EXPECT_THAT(of_files, SizeIs(::testing::Gt(5)));
  std::vector<std::string> wrong;
  for_each([&](const SourceFile& file, size_t i, bool at_margin, const std::string& name) {
    if (!at_margin && of_files[UnitOf(file)].contains(name)) wrong.push_back(Where(file, i));
  });
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
