#include "cli/look.h"

#include <map>
#include <string>

#include <gtest/gtest.h>

namespace kafkasim::cli {
namespace {

constexpr StreamFacts kTerminal{.is_terminal = true, .columns = 120};
constexpr StreamFacts kPipe{.is_terminal = false, .columns = 0};

Environment With(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](std::string_view name) -> std::optional<std::string> {
    const auto found = variables.find(std::string(name));
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
}

bool Color(const LookOptions& options, const StreamFacts& stream,
           std::map<std::string, std::string> variables) {
  return DecideLook(options, stream, With(std::move(variables))).color;
}

TEST(Color, IsForTerminalsOnly) {
  EXPECT_TRUE(Color({}, kTerminal, {{"TERM", "xterm-256color"}}));
  EXPECT_FALSE(Color({}, kPipe, {{"TERM", "xterm-256color"}}));
}

TEST(Color, AnExplicitFlagBeatsTheEnvironment) {
  EXPECT_TRUE(Color({.color = ColorChoice::kAlways}, kPipe, {{"NO_COLOR", "1"}}));
  EXPECT_FALSE(Color({.color = ColorChoice::kNever}, kTerminal, {{"FORCE_COLOR", "1"}}));
}

TEST(Color, NoColorBeatsForceColor) {
  EXPECT_FALSE(Color({}, kTerminal, {{"NO_COLOR", "1"}, {"FORCE_COLOR", "1"}}));
  EXPECT_TRUE(Color({}, kTerminal, {{"NO_COLOR", ""}}));
}

TEST(Color, IsForcedIntoAPipe) {
  EXPECT_TRUE(Color({}, kPipe, {{"CLICOLOR_FORCE", "1"}}));
  EXPECT_TRUE(Color({}, kPipe, {{"FORCE_COLOR", "3"}}));
  EXPECT_FALSE(Color({}, kPipe, {{"CLICOLOR_FORCE", "0"}}));
  EXPECT_TRUE(Color({}, kTerminal, {{"TERM", "dumb"}, {"CLICOLOR_FORCE", "1"}}));
}

TEST(Color, ADumbTerminalHasNone) { EXPECT_FALSE(Color({}, kTerminal, {{"TERM", "dumb"}})); }

bool Unicode(const LookOptions& options, std::map<std::string, std::string> variables) {
  return DecideLook(options, kTerminal, With(std::move(variables))).unicode;
}

TEST(Unicode, FollowsTheLocale) {
  EXPECT_TRUE(Unicode({}, {{"LANG", "en_US.UTF-8"}}));
  EXPECT_TRUE(Unicode({}, {{"LANG", "C.utf8"}}));
  EXPECT_FALSE(Unicode({}, {{"LANG", "C"}}));
  EXPECT_FALSE(Unicode({}, {}));
  EXPECT_FALSE(Unicode({}, {{"LC_ALL", "POSIX"}, {"LANG", "en_US.UTF-8"}}));
  EXPECT_TRUE(Unicode({}, {{"LC_ALL", ""}, {"LC_CTYPE", "C.UTF-8"}, {"LANG", "C"}}));
  EXPECT_FALSE(Unicode({.ascii = true}, {{"LANG", "en_US.UTF-8"}}));
}

TEST(Width, IsTheTerminalsAndEightyInAPipe) {
  EXPECT_EQ(DecideLook({}, kTerminal, With({})).width, 120);
  EXPECT_EQ(DecideLook({}, kPipe, With({{"COLUMNS", "200"}})).width, 80);
  EXPECT_EQ(DecideLook({}, {.is_terminal = true}, With({{"COLUMNS", "200"}})).width, 200);
  EXPECT_EQ(DecideLook({.width = 100}, kPipe, With({})).width, 100);
}

TEST(Width, HasALeastValue) {
  EXPECT_EQ(DecideLook({}, {.is_terminal = true, .columns = 3}, With({})).width, kLeastWidth);
}

}  // namespace
}  // namespace kafkasim::cli
