// From the arguments of the process to the command that does the work; wrong usage is answered
// here: one message, what was probably meant, where to read more, exit code 2.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/look.h"
#include <CLI/App.hpp>

namespace kafkasim::cli {

// The parser of the whole program with every command, and which command each of its parts is.
class CommandLine {
 public:
  CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  // Reads `arguments` (without the program's name) and does what they say. `screen` is given the
  // look that the arguments, the environment and the two streams lead to.
  ExitCode Run(std::vector<std::string> arguments, Screen& screen, const StreamFacts& out,
               const StreamFacts& err, const Environment& environment);

  [[nodiscard]] const CLI::App& app() const { return app_; }

 private:
  // A command that can be given, and what it does then.
  struct Declared {
    CLI::App* app = nullptr;
    Command command{};
    Action action{};
  };

  void Declare(Command command, CLI::App& parent);
  void DeclareHelp();
  [[nodiscard]] const Declared* Given() const;
  [[nodiscard]] const Declared* Find(const CLI::App* app) const;
  ExitCode Help(const Declared* declared, Screen& screen) const;
  ExitCode HelpOn(const std::vector<std::string>& words, Screen& screen) const;
  ExitCode WrongUsage(const std::string& message, const std::string& suggestion,
                      Screen& screen) const;
  ExitCode Unexpected(Screen& screen) const;

  CLI::App app_;
  LookOptions look_;
  bool version_ = false;
  std::vector<std::string> help_words_;
  CLI::App* help_ = nullptr;
  std::vector<Declared> declared_;
};

}  // namespace kafkasim::cli
