// kafkasim validate: loads scenarios without running them, with every error in them.

#include <cstddef>
#include <memory>
#include <optional>

#include "cli/command.h"
#include "cli/glyphs.h"
#include "cli/line.h"
#include "cli/scenario_input.h"
#include "cli/scenario_paths.h"
#include "cli/terminal_text.h"
#include <CLI/App.hpp>
#include <fmt/format.h>

#include "scenarios/assembly.h"

namespace kafkasim::cli {
namespace {

void PrintValid(const std::string& path, const scenarios::Scenario& scenario, Screen& screen) {
  const Look& look = screen.out_look;
  Line line(look, GlyphsOf(look).good, Role::kGood);
  line.Add(" ").Add(path).Add("  ");
  line.Add(Counted(scenario.steps.size(), "step"), Role::kFaint);
  if (!scenario.variants.empty()) {
    line.Add(", " + Counted(scenario.variants.size(), "variant"), Role::kFaint);
  }
  const int room = look.width - line.width() - 2;
  if (room >= 16) {
    line.Add("  ").Add(Abbreviate(SafeText(scenario.title, look.unicode), room, look.unicode),
                       Role::kFaint);
  }
  screen.out << line;
}

// Whether every variant can be put together, as it is before a run. Prints why one cannot.
bool CanRun(const scenarios::Scenario& scenario, Screen& screen) {
  for (std::size_t i = 0; i < scenario.RunCount(); ++i) {
    const scenarios::AssemblyResult assembled =
        scenarios::Assemble(scenarios::ForVariant(scenario, i), std::nullopt);
    if (assembled.errors.empty()) continue;
    PrintErrors(*scenario.source, assembled.errors, screen);
    return false;
  }
  return true;
}

ExitCode Validate(const std::vector<std::string>& arguments, bool quiet, Screen& screen) {
  const auto paths = ScenarioPaths(arguments, screen);
  if (!paths) return ExitCode::kUsage;
  ExitCode worst = ExitCode::kHolds;
  for (const std::string& path : *paths) {
    const std::optional<scenarios::Scenario> scenario = LoadScenario(path, screen);
    if (!scenario || !CanRun(*scenario, screen)) {
      worst = ExitCode::kUsage;
    } else if (!quiet) {
      PrintValid(path, *scenario, screen);
    }
  }
  return worst;
}

Action DeclareValidate(CLI::App& app) {
  struct Arguments {
    std::vector<std::string> paths{};
    bool quiet = false;
  };
  auto arguments = std::make_shared<Arguments>();
  app.add_option("path", arguments->paths,
                 "Scenario files, folders of them, or - for standard input.")
      ->type_name("PATH")
      ->required();
  app.add_flag("-q,--quiet", arguments->quiet, "Only the errors.");
  return
      [arguments](Screen& screen) { return Validate(arguments->paths, arguments->quiet, screen); };
}

}  // namespace

Command ValidateCommand() {
  return {.name = "validate",
          .summary = "Find every error in scenario files, without running them",
          .about =
              "Errors are printed as FILE:LINE:COLUMN: error: MESSAGE, so that editors jump "
              "there.",
          .examples = {{"kafkasim validate zombie.yaml", "while you write it"},
                       {"kafkasim validate scenarios", "everything below a folder"}},
          .declare = DeclareValidate};
}

}  // namespace kafkasim::cli
