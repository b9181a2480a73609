// What a stream can show: colours, characters beyond ASCII, columns. Decided once from the flags
// and the environment, by the conventions that terminal programs share.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace kafkasim::cli {

inline constexpr int kDefaultWidth = 80;
inline constexpr int kLeastWidth = 40;
inline constexpr int kGreatestWidth = 1000;

struct Look {
  bool color = false;
  bool unicode = true;
  int width = kDefaultWidth;
};

enum class ColorChoice { kAuto, kAlways, kNever };

// What the user asked for on the command line.
struct LookOptions {
  ColorChoice color = ColorChoice::kAuto;
  bool ascii = false;
  int width = 0;  // 0: the terminal's
};

// What is known of a stream.
struct StreamFacts {
  bool is_terminal = false;
  int columns = 0;  // of the terminal; 0: not known
};

// An environment variable's value, or nullopt if it is not set.
using Environment = std::function<std::optional<std::string>(std::string_view name)>;

// Colour: an explicit flag, then NO_COLOR (not empty), then CLICOLOR_FORCE or FORCE_COLOR (not
// empty and not 0), then TERM=dumb, then whether the stream is a terminal. Unicode: the locale's
// encoding is UTF-8. Width: the flag, the terminal's, COLUMNS on a terminal, else 80.
[[nodiscard]] Look DecideLook(const LookOptions& options, const StreamFacts& stream,
                              const Environment& environment);

// The process's own environment, and the facts of file descriptor 1 or 2.
[[nodiscard]] std::optional<std::string> ProcessEnvironment(std::string_view name);
[[nodiscard]] StreamFacts FactsOf(int file_descriptor);

}  // namespace kafkasim::cli
