// Where a command gets its scenario from, and which runs of it were asked for. Whatever is wrong is
// printed on the way; the caller then ends with ExitCode::kUsage.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include <CLI/App.hpp>

#include "scenarios/run.h"
#include "scenarios/scenario.h"
#include "scenarios/source.h"

namespace kafkasim::cli {

// The arguments that all commands on one scenario have.
struct ScenarioArguments {
  std::string file{};     // a file, "-", or the name of an example
  std::string variant{};  // empty: not asked for
  std::string seed{};     // checked; empty: the scenario's own
};

void AddScenarioArguments(CLI::App& app, ScenarioArguments& arguments);

// The scenario in the file of that name; from standard input for "-"; or, if there is no such file,
// the example of that name.
[[nodiscard]] std::optional<scenarios::Scenario> LoadScenario(const std::string& name,
                                                              Screen& screen);

// What stands on standard input, `what` being the kind of text: "scenario". If that is a terminal,
// it is said. At most one byte more than a text may have, so that its loader sees that it is too
// large.
[[nodiscard]] std::string ReadStandardInput(std::string_view what, Screen& screen);

// Prints which example may be meant by a name that none has.
void PrintExampleHint(const std::string& name, Screen& screen);

// The variants of `scenario`, each ready to run: all of them, or only the one called `name`.
[[nodiscard]] std::optional<std::vector<scenarios::Scenario>> ChooseVariants(
    const scenarios::Scenario& scenario, const std::string& name, Screen& screen);

// The one run that a picture is made of: the variant asked for, or the first one, which is then
// said on standard error. Runs to `until`, or to the end, with its trace.
struct OneRun {
  scenarios::Scenario scenario{};
  scenarios::RunResult result{};
};
[[nodiscard]] std::optional<OneRun> RunForPicture(const ScenarioArguments& arguments,
                                                  std::optional<sim::Time> until, Screen& screen);

// Prints the errors of a scenario that cannot be run.
void PrintErrors(const scenarios::Source& source, const std::vector<scenarios::Diagnostic>& errors,
                 Screen& screen);

// Prints a report of the loader with its places and the word error set apart.
void PrintReport(const std::string& report, Screen& screen);

// Prints "kafkasim: error: ..." and what was probably meant, if anything.
void PrintError(const std::string& message, const std::string& suggestion, Screen& screen);

}  // namespace kafkasim::cli
