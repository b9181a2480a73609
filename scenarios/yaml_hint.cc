#include "scenarios/yaml_hint.h"

#include <algorithm>
#include <cstddef>

namespace kafkasim::scenarios {
namespace {

constexpr std::string_view kBlanks = " \t";

std::string Quoted(std::string_view text) {
  if (text.find('"') != std::string_view::npos) return "";
  return '"' + std::string(text) + '"';
}

// `v{n}` inside of `{...}` or `[...]`: the brace would open another mapping.
std::optional<YamlHint> BraceInAWord(std::string_view line) {
  constexpr std::string_view kBeforeValue = " \t{[,:\"'";
  const std::size_t outer = line.find_first_of("{[");
  if (outer == std::string_view::npos) return std::nullopt;
  for (std::size_t i = outer + 1; i < line.size(); ++i) {
    if (line[i] != '{' || kBeforeValue.find(line[i - 1]) != std::string_view::npos) continue;
    const std::size_t begin = line.find_last_of(kBeforeValue, i - 1) + 1;
    const std::size_t close = std::min(line.find('}', i), line.size() - 1);
    return YamlHint{.problem = "a text with { in it has to be quoted here",
                    .suggestion = Quoted(line.substr(begin, close + 1 - begin))};
  }
  return std::nullopt;
}

// `say: x: y`: the second colon would begin another mapping.
std::optional<YamlHint> ColonInAText(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t-"), line.size()));
  const std::size_t first = line.find(": ");
  if (first == std::string_view::npos) return std::nullopt;
  std::string_view text = line.substr(first + 2);
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  const bool plain =
      !text.empty() && std::string_view("\"'{[|>").find(text[0]) == std::string_view::npos;
  if (!plain || text.find(": ") == std::string_view::npos) return std::nullopt;
  const std::string quoted = Quoted(text);
  return YamlHint{
      .problem = "a text with ': ' in it has to be quoted",
      .suggestion = quoted.empty() ? "" : std::string(line.substr(0, first)) + ": " + quoted};
}

}  // namespace

std::optional<YamlHint> HintFor(std::string_view line) {
  if (auto hint = BraceInAWord(line)) return hint;
  return ColonInAText(line);
}

}  // namespace kafkasim::scenarios
