// kafkasim schema, completion and version: what the program says about itself.

#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/completion.h"
#include "cli/option_checks.h"
#include "cli/result_json.h"
#include "cli/text_table.h"
#include "cli/version.h"
#include <CLI/App.hpp>
#include <fmt/format.h>

#include "scenarios/fault_catalog.h"
#include "scenarios/scenario_schema.h"
#include "scenarios/trace_log.h"

namespace kafkasim::cli {
namespace {

void PrintCatalog(const std::vector<scenarios::CatalogEntry>& catalog, const std::string& heading,
                  Screen& screen) {
  const Look& look = screen.out_look;
  TextTable table(look, {{.heading = heading}, {.heading = "what it is", .least = 24}});
  for (const scenarios::CatalogEntry& entry : catalog) {
    table.AddRow({Line(look, entry.name, Role::kVoice), Line(look, entry.description)});
    for (const scenarios::CatalogEntry::Key& key : entry.keys) {
      table.AddNote(Line(look, key.name + ": " + key.description, Role::kFaint));
    }
  }
  screen.out << table.Lines(look.width);
}

// The faults, and the points at which `when:` lets one strike.
void PrintFaults(Screen& screen) {
  PrintCatalog(scenarios::FaultCatalog(), "fault", screen);
  screen.out << '\n';
  PrintCatalog(scenarios::PointCatalog(), "when", screen);
}

Action DeclareSchema(CLI::App& app) {
  auto name = std::make_shared<std::string>();
  app.add_option("name", *name, "scenario, trace, result or faults.")
      ->type_name("NAME")
      ->required()
      ->check(OneOf({"scenario", "trace", "result", "faults"}));
  return [name](Screen& screen) {
    if (*name == "faults") {
      PrintFaults(screen);
      return ExitCode::kHolds;
    }
    screen.out << (*name == "scenario" ? scenarios::ScenarioSchema()
                   : *name == "trace"  ? scenarios::TraceSchema()
                                       : ResultSchema());
    return ExitCode::kHolds;
  };
}

Action DeclareCompletion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  app.add_option("shell", *shell, "bash, zsh or fish.")
      ->type_name("SHELL")
      ->required()
      ->check(OneOf({"bash", "zsh", "fish"}));
  const CLI::App* program = app.get_parent();
  return [shell, program](Screen& screen) {
    screen.out << (*shell == "bash"  ? BashCompletion(*program)
                   : *shell == "zsh" ? ZshCompletion(*program)
                                     : FishCompletion(*program));
    return ExitCode::kHolds;
  };
}

Action DeclareVersion(CLI::App& /*app*/) {
  return [](Screen& screen) {
    screen.out << fmt::format("kafkasim {}\nfollows Apache Kafka {}\ntrace schema {}\n", kVersion,
                              kKafkaRelease, scenarios::kTraceSchemaVersion);
    return ExitCode::kHolds;
  };
}

}  // namespace

Command SchemaCommand() {
  return {.name = "schema",
          .summary = "Print the JSON Schema of scenario files, traces or results; or the faults",
          .about =
              "Editors with a YAML language server complete and check scenario files by the "
              "first one; name it in the first line of a file as\n"
              "# yaml-language-server: $schema=kafkasim-scenario.json",
          .examples = {{"kafkasim schema scenario > kafkasim-scenario.json", "for an editor"},
                       {"kafkasim schema trace", "the lines of run --ndjson"},
                       {"kafkasim schema result", "the document of run --json"},
                       {"kafkasim schema faults",
                        "the faults of the language, and the points at which they can strike"}},
          .declare = DeclareSchema};
}

Command CompletionCommand() {
  return {.name = "completion",
          .summary = "Print the script for completion in bash, zsh or fish",
          .about = "",
          .examples = {{"source <(kafkasim completion bash)", "for this shell; or in ~/.bashrc"},
                       {"kafkasim completion zsh > ~/.zfunc/_kafkasim", "in a folder of $fpath"},
                       {"kafkasim completion fish > ~/.config/fish/completions/kafkasim.fish", ""}},
          .declare = DeclareCompletion};
}

Command VersionCommand() {
  return {.name = "version",
          .summary = "Print the version, and the Kafka release that is followed",
          .declare = DeclareVersion};
}

}  // namespace kafkasim::cli
