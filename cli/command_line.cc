#include "cli/command_line.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "cli/help_text.h"
#include "cli/line.h"
#include "cli/option_checks.h"
#include "cli/version.h"
#include <CLI/CLI.hpp>  // the whole library in one place: its virtual functions are defined in it
#include <fmt/format.h>

#include "scenarios/spelling.h"

namespace kafkasim::cli {
namespace {

// How every command prints. They stand before and behind the name of a command.
void AddLookOptions(CLI::App& app, LookOptions& look) {
  static const std::vector<std::pair<std::string, ColorChoice>> kChoices{
      {"auto", ColorChoice::kAuto},
      {"always", ColorChoice::kAlways},
      {"never", ColorChoice::kNever}};
  app.add_option_function<std::string>(
         "--color",
         [&look](const std::string& word) {
           const auto choice = std::find_if(kChoices.begin(), kChoices.end(),
                                            [&](const auto& entry) { return entry.first == word; });
           if (choice != kChoices.end()) look.color = choice->second;
         },
         "Colours: auto, always or never. auto heeds NO_COLOR, CLICOLOR_FORCE, FORCE_COLOR and "
         "TERM, and has none where the output is no terminal.")
      ->type_name("WHEN")
      ->check(OneOf({"auto", "always", "never"}))
      ->group(kLookGroup);
  app.add_flag_callback(
         "--no-color", [&look] { look.color = ColorChoice::kNever; }, "The same as --color never.")
      ->group(kLookGroup);
  app.add_flag("--ascii", look.ascii, "Only ASCII characters; so it is without a UTF-8 locale.")
      ->group(kLookGroup);
  app.add_option("--width", look.width,
                 "Columns to print in. Default: the terminal's, 80 where there is none.")
      ->type_name("N")
      ->check(NumberBetween(kLeastWidth, kGreatestWidth))
      ->group(kLookGroup);
}

std::string PathOf(const CLI::App* app) {
  std::string path = app->get_name();
  for (const CLI::App* above = app->get_parent(); above != nullptr; above = above->get_parent()) {
    path.insert(0, above->get_name() + " ");
  }
  return path;
}

// What may be written at the level of `app`: options, and commands.
std::vector<std::string> OptionNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> CommandNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(sub->get_name());
  }
  return names;
}

// "FILE", "--offset"
std::string OptionName(const CLI::Option& option) {
  return option.get_positional() ? option.get_type_name() : "--" + option.get_lnames().front();
}

// What is missing of what `app` needs.
std::string MissingIn(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_required() && option->count() == 0) return OptionName(*option) + " is missing";
  }
  return "an argument is missing";
}

}  // namespace

CommandLine::CommandLine() : app_("", "kafkasim") {
  app_.set_help_flag("-h,--help", "Print this help.");
  app_.add_flag("--version", version_, "Print the version.");
  app_.require_subcommand(0, 1);
  AddLookOptions(app_, look_);
  declared_.reserve(64);  // options hold on to what is in it
  for (Command (*command)() :
       {RunCommand, CheckCommand, ValidateCommand, LogCommand, ExplainCommand, ExamplesCommand,
        TxnsCommand, BugsCommand, InvariantsCommand, ExploreCommand, LadderCommand, FuzzCommand,
        ReplayCommand, ExportCommand, SchemaCommand, CompletionCommand, VersionCommand}) {
    Declare(command(), app_);
  }
  DeclareHelp();
}

void CommandLine::Declare(Command command, CLI::App& parent) {
  CLI::App* app = parent.add_subcommand(command.name, command.summary);
  app->set_help_flag("-h,--help", "Print this help.");
  app->require_subcommand(0, 1);
  Action action = command.declare(*app);
  AddLookOptions(*app, look_);
  const std::vector<Command> parts = command.parts;
  declared_.push_back({app, std::move(command), std::move(action)});
  for (const Command& part : parts) Declare(part, *app);
}

void CommandLine::DeclareHelp() {
  help_ = app_.add_subcommand("help", "Print the help of a command.");
  help_->set_help_flag("-h,--help", "Print this help.");
  help_->add_option("command", help_words_, "A command.")->type_name("COMMAND");
  AddLookOptions(*help_, look_);
}

const CommandLine::Declared* CommandLine::Find(const CLI::App* app) const {
  const auto found = std::find_if(declared_.begin(), declared_.end(),
                                  [&](const Declared& declared) { return declared.app == app; });
  return found == declared_.end() ? nullptr : &*found;
}

const CommandLine::Declared* CommandLine::Given() const {
  const CLI::App* app = &app_;
  while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
  return Find(app);
}

ExitCode CommandLine::Help(const Declared* declared, Screen& screen) const {
  if (declared != nullptr) {
    screen.out << CommandHelp(declared->command, PathOf(declared->app), *declared->app,
                              screen.out_look);
    return ExitCode::kHolds;
  }
  std::vector<const Command*> commands;
  for (const Declared& each : declared_) {
    if (each.app->get_parent() == &app_) commands.push_back(&each.command);
  }
  screen.out << ProgramHelp(commands, app_, screen.out_look);
  return ExitCode::kHolds;
}

ExitCode CommandLine::HelpOn(const std::vector<std::string>& words, Screen& screen) const {
  const CLI::App* app = &app_;
  for (const std::string& word : words) {
    const std::vector<std::string> names = CommandNames(*app);
    if (std::find(names.begin(), names.end(), word) == names.end()) {
      return WrongUsage(fmt::format("there is no command '{}'", word),
                        scenarios::ClosestTo(word, names), screen);
    }
    app = app->get_subcommand(word);
  }
  return Help(Find(app), screen);
}

ExitCode CommandLine::WrongUsage(const std::string& message, const std::string& suggestion,
                                 Screen& screen) const {
  const Declared* given = Given();
  const std::string path = given == nullptr ? "kafkasim" : PathOf(given->app);
  const Look& look = screen.err_look;
  Line line(look, path + ": ");
  screen.err << line.Add("error: ", Role::kError).Add(message).Wrap(look.width, 2);
  if (!suggestion.empty()) {
    screen.err << Line(look, "  did you mean '").Add(suggestion, Role::kStrong).Add("'?");
  }
  screen.err << Line(look, fmt::format("  '{} --help' says more", path), Role::kFaint);
  return ExitCode::kUsage;
}

// Words are left over: a misspelt command or option, or one argument too many.
ExitCode CommandLine::Unexpected(Screen& screen) const {
  const Declared* given = Given();
  const CLI::App& app = given == nullptr ? app_ : *given->app;
  const std::vector<std::string> left = app_.remaining(true);
  const std::string word = left.empty() ? "" : left.front();
  if (word.starts_with("-")) {
    const std::string name = word.substr(0, word.find('='));
    return WrongUsage(fmt::format("there is no option '{}'", name),
                      scenarios::ClosestTo(name, OptionNames(app)), screen);
  }
  const std::vector<std::string> names = CommandNames(app);
  if (names.empty()) {
    return WrongUsage(fmt::format("one argument too many: '{}'", word), "", screen);
  }
  std::string suggestion = scenarios::ClosestTo(word, names);
  std::error_code ignored;
  if (given == nullptr && suggestion.empty() && std::filesystem::exists(word, ignored)) {
    const bool folder = std::filesystem::is_directory(word, ignored);
    suggestion = fmt::format("kafkasim {} {}", folder ? "check" : "run", word);
  }
  return WrongUsage(fmt::format("there is no command '{}'", word), suggestion, screen);
}

ExitCode CommandLine::Run(std::vector<std::string> arguments, Screen& screen,
                          const StreamFacts& out, const StreamFacts& err,
                          const Environment& environment) {
  const bool nothing_said = arguments.empty();
  const auto decide_looks = [&] {
    screen.out_look = DecideLook(look_, out, environment);
    screen.err_look = DecideLook(look_, err, environment);
  };
  try {
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
    app_.parse(arguments);
  } catch (const CLI::CallForHelp&) {
    decide_looks();
    return help_->parsed() ? Help(nullptr, screen) : Help(Given(), screen);
  } catch (const CLI::ExtrasError&) {
    decide_looks();
    return Unexpected(screen);
  } catch (const CLI::RequiredError&) {
    decide_looks();
    return WrongUsage(MissingIn(Given() == nullptr ? app_ : *Given()->app), "", screen);
  } catch (const CLI::ArgumentMismatch& error) {
    decide_looks();
    const std::string message = error.what();
    return WrongUsage(message.substr(0, message.find(':')) + " needs a value", "", screen);
  } catch (const CLI::ParseError& error) {
    decide_looks();
    return WrongUsage(error.what(), "", screen);
  }
  decide_looks();
  if (version_) {
    screen.out << "kafkasim " << kVersion << '\n';
    return ExitCode::kHolds;
  }
  if (help_->parsed()) return HelpOn(help_words_, screen);
  if (const Declared* given = Given()) return given->action(screen);
  if (!nothing_said) return WrongUsage("a command is missing", "", screen);
  std::vector<const Command*> commands;
  for (const Declared& each : declared_) {
    if (each.app->get_parent() == &app_) commands.push_back(&each.command);
  }
  screen.err << ShortHelp(commands, screen.err_look);
  return ExitCode::kUsage;
}

}  // namespace kafkasim::cli
