// The signs that pictures are made of, and how ASCII spells them.
#pragma once

#include <string_view>

#include "cli/look.h"

namespace kafkasim::cli {

struct Glyphs {
  std::string_view good;           // in front of what held
  std::string_view bad;            // in front of what failed
  std::string_view doubt;          // in front of what nobody can say
  std::string_view fault;          // in front of a crash or a lost message
  std::string_view commit_marker;  // on a log
  std::string_view abort_marker;
  std::string_view flag;     // points at the offset of a high watermark
  std::string_view pointer;  // points down at an offset
  std::string_view ellipsis;
  std::string_view arrow;
  std::string_view dot;    // between parts of a line
  std::string_view voice;  // the bar beside what the script says
  std::string_view rule;   // of a horizontal line
};

inline const Glyphs& GlyphsOf(const Look& look) {
  static constexpr Glyphs kUnicode{.good = "✓",
                                   .bad = "✘",
                                   .doubt = "?",
                                   .fault = "↯",
                                   .commit_marker = "✔C",
                                   .abort_marker = "✘A",
                                   .flag = "▲",
                                   .pointer = "▼",
                                   .ellipsis = "…",
                                   .arrow = "→",
                                   .dot = "·",
                                   .voice = "▌",
                                   .rule = "─"};
  static constexpr Glyphs kAscii{.good = "+",
                                 .bad = "x",
                                 .doubt = "?",
                                 .fault = "!",
                                 .commit_marker = "C!",
                                 .abort_marker = "A!",
                                 .flag = "^",
                                 .pointer = "v",
                                 .ellipsis = "...",
                                 .arrow = "->",
                                 .dot = "-",
                                 .voice = "|",
                                 .rule = "-"};
  return look.unicode ? kUnicode : kAscii;
}

}  // namespace kafkasim::cli
