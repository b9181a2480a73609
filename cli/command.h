// What a command of the program is: its words for the help, its options, what it does. Each command
// has a file of its own; command_line.h puts them together.
#pragma once

#include <functional>
#include <istream>
#include <ostream>
#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "cli/look.h"

namespace CLI {
class App;
}  // namespace CLI

namespace kafkasim::cli {

// The streams of the process and what they can show. Results go to `out`, messages to `err`.
struct Screen {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  Look out_look{};
  Look err_look{};
};

using Action = std::function<ExitCode(Screen& screen)>;

struct UsageExample {
  std::string command{};  // "kafkasim run zombie.yaml"
  std::string what{};     // "watch it"
};

struct Command {
  std::string name{};
  std::string summary{};  // one line, for the list of commands
  std::string about{};    // more, for the command's own help
  std::vector<UsageExample> examples{};
  // Declares arguments and options, and returns what is to be done once they have been read.
  std::function<Action(CLI::App& app)> declare{};
  std::vector<Command> parts{};  // `examples list`
};

// The commands in the order of the help.
[[nodiscard]] Command RunCommand();
[[nodiscard]] Command CheckCommand();
[[nodiscard]] Command ValidateCommand();
[[nodiscard]] Command LogCommand();
[[nodiscard]] Command ExplainCommand();
[[nodiscard]] Command ExamplesCommand();
[[nodiscard]] Command TxnsCommand();
[[nodiscard]] Command BugsCommand();
[[nodiscard]] Command InvariantsCommand();
[[nodiscard]] Command ExploreCommand();
[[nodiscard]] Command FuzzCommand();
[[nodiscard]] Command ReplayCommand();
[[nodiscard]] Command ExportCommand();
[[nodiscard]] Command LadderCommand();
[[nodiscard]] Command SchemaCommand();
[[nodiscard]] Command CompletionCommand();
[[nodiscard]] Command VersionCommand();

}  // namespace kafkasim::cli
