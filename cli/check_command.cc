// kafkasim check: runs many scenarios, one line each.

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "cli/command.h"
#include "cli/glyphs.h"
#include "cli/option_checks.h"
#include "cli/scenario_input.h"
#include "cli/scenario_paths.h"
#include "cli/terminal_text.h"
#include "cli/verdict_view.h"
#include <CLI/App.hpp>
#include <fmt/format.h>

#include "scenarios/number_text.h"

namespace kafkasim::cli {
namespace {

using scenarios::RunResult;
using scenarios::Scenario;
using scenarios::Verdict;

constexpr int kWidestName = 64;

struct CheckArguments {
  std::vector<std::string> paths{};
  std::string seed{};
  bool quiet = false;
};

bool IsThere(const std::string& path) {
  std::error_code ignored;
  return path == "-" || std::filesystem::exists(path, ignored);
}

class Checker {
 public:
  Checker(const CheckArguments& arguments, Screen& screen)
      : arguments_(arguments), screen_(screen) {}

  ExitCode Do() {
    const auto paths = ScenarioPaths(arguments_.paths, screen_);
    if (!paths) return ExitCode::kUsage;
    for (const std::string& path : *paths) {
      name_width_ = std::max(name_width_, Line(screen_.out_look, path).width());
    }
    name_width_ = std::min(name_width_, kWidestName);
    for (const std::string& path : *paths) Check(path);
    PrintTotal(paths->size());
    return worst_;
  }

 private:
  void Check(const std::string& path) {
    const std::optional<Scenario> scenario = LoadScenario(path, screen_);
    if (!scenario) {
      CountInvalid(path);
      return;
    }
    for (std::size_t i = 0; i < scenario->RunCount(); ++i) {
      const Scenario variant = scenarios::ForVariant(*scenario, i);
      const RunResult result = scenarios::Run(variant, {.seed = SeedFromText(arguments_.seed)});
      if (!result.errors.empty()) {
        PrintErrors(*scenario->source, result.errors, screen_);
        CountInvalid(path);
        return;
      }
      Count(variant, result);
      Print(path, variant, result);
    }
  }

  void CountInvalid(const std::string& path) {
    ++invalid_;
    worst_ = WorseOf(worst_, ExitCode::kUsage);
    Line line(screen_.out_look, GlyphsOf(screen_.out_look).bad, Role::kError);
    line.Add(" ")
        .Add(path)
        .PadTo(name_width_ + 2)
        .Add("  ")
        .Add(IsThere(path) ? "not a valid scenario" : "not found", Role::kError);
    screen_.out << line;
  }

  void Count(const Scenario& scenario, const RunResult& result) {
    ++runs_;
    claims_ += result.claims;
    switch (JudgeFile(scenario, result)) {
      case Verdict::kHolds:
        return;
      case Verdict::kFails:
        ++failed_;
        worst_ = WorseOf(worst_, ExitCode::kFails);
        return;
      case Verdict::kNoVerdict:
        ++undecided_;
        worst_ = WorseOf(worst_, ExitCode::kNoVerdict);
        return;
    }
  }

  void Print(const std::string& path, const Scenario& scenario, const RunResult& result) {
    const Look& look = screen_.out_look;
    const Verdict verdict = JudgeFile(scenario, result);
    if (arguments_.quiet && verdict == Verdict::kHolds) return;
    Line line(look);
    AddVerdictSign(verdict, line);
    line.Add(" ").Add(path).PadTo(name_width_ + 2).Add("  ");
    if (result.caught) {
      line.PadTo(line.width() + 4).Add("caught");
    } else if (verdict == Verdict::kHolds) {
      const std::string claims = Counted(result.claims, "claim");
      line.PadTo(line.width() + 10 - DisplayWidth(claims)).Add(claims);
    } else {
      const bool not_caught = !scenario.bugs.empty() && verdict == Verdict::kFails;
      line.Add((not_caught ? "not caught: " : "") + VerdictWords(result), Role::kStrong);
    }
    if (!result.variant.empty()) line.Add("  " + result.variant);
    line.PadTo(name_width_ + 21);
    const int room = look.width - line.width() - 2;
    if (room >= 16) {
      line.Add("  ").Add(Abbreviate(SafeText(scenario.title, look.unicode), room, look.unicode),
                         Role::kFaint);
    }
    screen_.out << line;
    if (result.caught) return;
    for (const scenarios::FailedClaim& failure : result.failures) {
      Line detail(look, "    ");
      screen_.out << detail.Append(FailureLine(scenario, failure, look)).Wrap(look.width, 6);
    }
  }

  void PrintTotal(std::size_t files) {
    const Look& look = screen_.out_look;
    Line line(look);
    AddVerdictSign(worst_ == ExitCode::kHolds       ? Verdict::kHolds
                   : worst_ == ExitCode::kNoVerdict ? Verdict::kNoVerdict
                                                    : Verdict::kFails,
                   line);
    line.Add(" ").Add(Counted(files, "scenario"), Role::kStrong);
    line.Add(fmt::format(", {}, {}: ", Counted(runs_, "run"), Counted(claims_, "claim")));
    const long long held = runs_ - failed_ - undecided_;
    line.Add(held == runs_ && invalid_ == 0 ? "all hold"
                                            : fmt::format("{} hold", scenarios::Grouped(held)));
    if (failed_ > 0) line.Add(fmt::format(", {} fail", scenarios::Grouped(failed_)), Role::kError);
    if (undecided_ > 0) {
      line.Add(fmt::format(", {} without a verdict", scenarios::Grouped(undecided_)), Role::kDoubt);
    }
    if (invalid_ > 0)
      line.Add(fmt::format(", {} not valid", scenarios::Grouped(invalid_)), Role::kError);
    screen_.out << line;
  }

  const CheckArguments& arguments_;
  Screen& screen_;
  int name_width_ = 0;
  long long runs_ = 0;
  long long claims_ = 0;
  long long failed_ = 0;
  long long undecided_ = 0;
  long long invalid_ = 0;
  ExitCode worst_ = ExitCode::kHolds;
};

Action DeclareCheck(CLI::App& app) {
  auto arguments = std::make_shared<CheckArguments>();
  app.add_option("path", arguments->paths, "Scenario files, or folders of them.")
      ->type_name("PATH")
      ->required();
  app.add_option("--seed", arguments->seed, "Seed of all runs. Default: each scenario's own.")
      ->type_name("N")
      ->check(Seed());
  app.add_flag("-q,--quiet", arguments->quiet, "Only what does not hold, and the total.");
  return [arguments](Screen& screen) { return Checker(*arguments, screen).Do(); };
}

}  // namespace

Command CheckCommand() {
  return {.name = "check",
          .summary = "Run scenarios and say which ones hold, a line each",
          .about =
              "Folders are searched for .yaml files, in the order of their names. A scenario "
              "with a matrix has a line for each variant.",
          .examples = {{"kafkasim check scenarios", "everything below a folder"},
                       {"kafkasim check a.yaml b.yaml -q", "only what does not hold"}},
          .declare = DeclareCheck};
}

}  // namespace kafkasim::cli
