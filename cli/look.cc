#include "cli/look.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace kafkasim::cli {
namespace {

bool IsForced(const std::optional<std::string>& variable) {
  return variable.has_value() && !variable->empty() && *variable != "0" && *variable != "false";
}

bool WantsColor(const LookOptions& options, const StreamFacts& stream,
                const Environment& environment) {
  if (options.color != ColorChoice::kAuto) return options.color == ColorChoice::kAlways;
  if (!environment("NO_COLOR").value_or("").empty()) return false;
  if (IsForced(environment("CLICOLOR_FORCE")) || IsForced(environment("FORCE_COLOR"))) return true;
  if (environment("TERM").value_or("") == "dumb") return false;
  return stream.is_terminal;
}

// The locale of characters, as setlocale() would take it: the first of these that is set.
bool LocaleIsUtf8(const Environment& environment) {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string value = environment(name).value_or("");
    if (value.empty()) continue;
    std::transform(value.begin(), value.end(), value.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return value.find("utf-8") != std::string::npos || value.find("utf8") != std::string::npos;
  }
  return false;
}

int ScreenWidth(const LookOptions& options, const StreamFacts& stream,
                const Environment& environment) {
  int width = kDefaultWidth;
  if (options.width > 0) {
    width = options.width;
  } else if (stream.is_terminal) {
    const int columns = std::atoi(environment("COLUMNS").value_or("").c_str());
    if (stream.columns > 0) {
      width = stream.columns;
    } else if (columns > 0) {
      width = columns;
    }
  }
  return std::clamp(width, kLeastWidth, kGreatestWidth);
}

}  // namespace

Look DecideLook(const LookOptions& options, const StreamFacts& stream,
                const Environment& environment) {
  return Look{.color = WantsColor(options, stream, environment),
              .unicode = !options.ascii && LocaleIsUtf8(environment),
              .width = ScreenWidth(options, stream, environment)};
}

std::optional<std::string> ProcessEnvironment(std::string_view name) {
  const char* value = std::getenv(std::string(name).c_str());
  if (value == nullptr) return std::nullopt;
  return std::string(value);
}

StreamFacts FactsOf(int file_descriptor) {
  StreamFacts facts{.is_terminal = isatty(file_descriptor) != 0};
  winsize size{};
  if (facts.is_terminal && ioctl(file_descriptor, TIOCGWINSZ, &size) == 0) {
    facts.columns = size.ws_col;
  }
  return facts;
}

}  // namespace kafkasim::cli
