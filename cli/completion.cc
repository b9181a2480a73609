#include "cli/completion.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "cli/examples.h"
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kafkasim::cli {
namespace {

using Words = std::vector<std::string>;

Words ExampleNames() {
  Words names;
  for (const Example& example : Examples()) names.emplace_back(example.name);
  return names;
}

std::vector<const CLI::App*> CommandsOf(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

Words NamesOf(const std::vector<const CLI::App*>& commands) {
  Words names;
  for (const CLI::App* command : commands) names.push_back(command->get_name());
  return names;
}

// The words of which one may stand behind an option or as an argument; empty: anything.
Words ChoicesOf(std::string_view name) {
  if (name == "--color") return {"auto", "always", "never"};
  if (name == "--isolation") return {"read_committed", "read_uncommitted"};
  return {};
}

// What the arguments of a command may be, besides files.
Words ArgumentsOf(const CLI::App& command) {
  const std::string& name = command.get_name();
  if (name == "schema") return {"scenario", "trace", "result", "faults"};
  if (name == "completion") return {"bash", "zsh", "fish"};
  if (name == "help") return NamesOf(CommandsOf(*command.get_parent()));
  const bool takes_examples = name == "run" || name == "explore" || name == "fuzz" ||
                              name == "log" || name == "explain" || name == "show" ||
                              name == "copy";
  if (takes_examples) return ExampleNames();
  return NamesOf(CommandsOf(command));
}

bool TakesFiles(const CLI::App& command) {
  const auto options = command.get_options();
  return std::any_of(options.begin(), options.end(), [](const CLI::Option* option) {
    return option->get_positional() &&
           (option->get_type_name() == "FILE" || option->get_type_name() == "PATH");
  });
}

bool TakesValue(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

Words OptionsOf(const CLI::App& command) {
  Words options;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_snames()) options.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  }
  return options;
}

// Every command with the words that lead to it: "run", "examples list".
struct Found {
  std::string path{};
  const CLI::App* command = nullptr;
};

std::vector<Found> AllCommands(const CLI::App& program) {
  std::vector<Found> all;
  for (const CLI::App* command : CommandsOf(program)) {
    all.push_back({command->get_name(), command});
    for (const CLI::App* part : CommandsOf(*command)) {
      all.push_back({command->get_name() + " " + part->get_name(), part});
    }
  }
  return all;
}

// Text between single quotes of a shell, square brackets and colons taken out of the way of zsh.
std::string ShellQuoted(std::string_view text, std::string_view escaped = "") {
  std::string quoted;
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      if (escaped.find(c) != std::string_view::npos) quoted += '\\';
      quoted += c;
    }
  }
  return quoted;
}

std::string ZshOption(const CLI::Option& option) {
  std::string text;
  const auto add = [&](const std::string& name) {
    const Words choices = ChoicesOf(name);
    text += fmt::format(" \\\n        '{}[{}]", name, ShellQuoted(option.get_description(), "[]:"));
    if (TakesValue(option)) {
      text += fmt::format(":{}:", ShellQuoted(option.get_type_name(), ":"));
      if (!choices.empty()) text += fmt::format("({})", fmt::join(choices, " "));
    }
    text += "'";
  };
  for (const std::string& name : option.get_snames()) add("-" + name);
  for (const std::string& name : option.get_lnames()) add("--" + name);
  return text;
}

}  // namespace

std::string BashCompletion(const CLI::App& program) {
  std::string cases;
  for (const Found& found : AllCommands(program)) {
    cases += fmt::format(
        "    '{}')\n      options='{}'\n      words='{}'\n      files={}\n      ;;\n", found.path,
        fmt::join(OptionsOf(*found.command), " "), fmt::join(ArgumentsOf(*found.command), " "),
        TakesFiles(*found.command) ? "yes" : "");
  }
  return fmt::format(
      R"(# Completion of kafkasim for bash: source <(kafkasim completion bash)
_kafkasim() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}
  local path='' word options='{0}' words='{1}' files=''
  case $previous in
    --color) COMPREPLY=($(compgen -W '{2}' -- "$current")); return ;;
    --isolation) COMPREPLY=($(compgen -W '{3}' -- "$current")); return ;;
  esac
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    [[ $word == -* ]] && continue
    if [[ -z $path || $path == examples ]]; then path="${{path:+$path }}$word"; else break; fi
  done
  case $path in
{4}  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
    return
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [[ -z $files ]] || COMPREPLY+=($(compgen -f -- "$current"))
}}
complete -o filenames -F _kafkasim kafkasim
)",
      fmt::join(OptionsOf(program), " "), fmt::join(NamesOf(CommandsOf(program)), " "),
      fmt::join(ChoicesOf("--color"), " "), fmt::join(ChoicesOf("--isolation"), " "), cases);
}

std::string ZshCompletion(const CLI::App& program) {
  std::string commands;
  std::string cases;
  for (const Found& found : AllCommands(program)) {
    const CLI::App& command = *found.command;
    if (found.path.find(' ') == std::string::npos) {
      commands += fmt::format("    '{}:{}'\n", command.get_name(),
                              ShellQuoted(command.get_description(), ":"));
    }
    cases += fmt::format("    '{}')\n      _arguments", found.path);
    for (const CLI::Option* option : command.get_options()) cases += ZshOption(*option);
    const Words words = ArgumentsOf(command);
    std::string arguments = fmt::format("compadd -- {}", fmt::join(words, " "));
    if (TakesFiles(command)) {
      arguments = words.empty() ? "_files" : "_files; " + arguments;
    }
    cases += fmt::format(" \\\n        '*: :{{{}}}' ;;\n", arguments);
  }
  return fmt::format(R"(#compdef kafkasim
# Completion of kafkasim for zsh: put it as _kafkasim into a folder of $fpath.
_kafkasim() {{
  local -a commands
  commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local name=$words[2]
  shift words; (( CURRENT-- ))
  if [[ $name == examples ]]; then
    if (( CURRENT == 2 )); then
      compadd -- list show copy
      return
    fi
    name="examples $words[2]"
    shift words; (( CURRENT-- ))
  fi
  case $name in
{}  esac
}}
if [[ $funcstack[1] == _kafkasim ]]; then
  _kafkasim "$@"
else
  compdef _kafkasim kafkasim
fi
)",
                     commands, cases);
}

std::string FishCompletion(const CLI::App& program) {
  std::string text =
      "# Completion of kafkasim for fish: put it into ~/.config/fish/completions/kafkasim.fish.\n"
      "complete -c kafkasim -f\n";
  for (const Found& found : AllCommands(program)) {
    const CLI::App& command = *found.command;
    const std::size_t blank = found.path.find(' ');
    const std::string seen = fmt::format("__fish_seen_subcommand_from {}", command.get_name());
    const std::string before =
        blank == std::string::npos
            ? "__fish_use_subcommand"
            : fmt::format("__fish_seen_subcommand_from {}", found.path.substr(0, blank));
    text += fmt::format("complete -c kafkasim -n '{}' -a {} -d '{}'\n", before, command.get_name(),
                        ShellQuoted(command.get_description()));
    const Words words = ArgumentsOf(command);
    if (!words.empty() && CommandsOf(command).empty()) {
      text += fmt::format("complete -c kafkasim -n '{}' -a '{}'\n", seen, fmt::join(words, " "));
    }
    if (TakesFiles(command)) text += fmt::format("complete -c kafkasim -n '{}' -F\n", seen);
    for (const CLI::Option* option : command.get_options()) {
      if (option->get_positional()) continue;
      text += fmt::format("complete -c kafkasim -n '{}'", seen);
      for (const std::string& name : option->get_snames()) text += " -s " + name;
      for (const std::string& name : option->get_lnames()) text += " -l " + name;
      if (TakesValue(*option)) text += " -x";
      const Words choices =
          option->get_lnames().empty() ? Words{} : ChoicesOf("--" + option->get_lnames().front());
      if (!choices.empty()) text += fmt::format(" -a '{}'", fmt::join(choices, " "));
      text += fmt::format(" -d '{}'\n", ShellQuoted(option->get_description()));
    }
  }
  return text;
}

}  // namespace kafkasim::cli
