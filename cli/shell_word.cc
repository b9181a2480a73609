#include "cli/shell_word.h"

#include <algorithm>
#include <string_view>

#include <absl/strings/ascii.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_replace.h>

namespace kafkasim::cli {

std::string ShellWord(const std::string& text) {
  const auto is_plain = [](char letter) {
    return absl::ascii_isalnum(static_cast<unsigned char>(letter)) ||
           std::string_view("-_./,:=@%+").find(letter) != std::string_view::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain)) return text;
  return absl::StrCat("'", absl::StrReplaceAll(text, {{"'", "'\\''"}}), "'");
}

}  // namespace kafkasim::cli
