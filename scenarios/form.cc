#include "scenarios/form.h"

#include <limits>

#include "scenarios/notation.h"

namespace kafkasim::scenarios {
namespace {

constexpr std::int64_t kMostOfAnInteger = std::numeric_limits<std::int64_t>::max();

bool IsWord(std::string_view text) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  if (text.empty() || !letter(text[0])) return false;
  for (char c : text) {
    if (!letter(c) && c != '-' && !(c >= '0' && c <= '9')) return false;
  }
  return true;
}

}  // namespace

Form<std::string> TextForm() {
  Schema schema;
  schema.types = {"string", "number", "boolean"};
  return Defined("text", NotationForm<std::string>("text", std::move(schema),
                                                   [](const std::string& text, Mark, Reader&) {
                                                     return std::optional<std::string>(text);
                                                   }));
}

Form<std::string> WordForm(std::string description) {
  Schema schema;
  schema.description = std::move(description);
  schema.pattern = "^[A-Za-z_][A-Za-z0-9_-]*$";
  return NotationForm<std::string>(
      "a name", std::move(schema),
      [](const std::string& text, Mark mark, Reader& reader) -> std::optional<std::string> {
        if (IsWord(text)) return text;
        reader.Error(
            mark, "a name has letters, digits, _ and -, and begins with a letter: " + Quote(text));
        return std::nullopt;
      });
}

Form<bool> BooleanForm() {
  return Form<bool>{TypeSchema("boolean"),
                    [](const Node& node, Reader& reader) -> std::optional<bool> {
                      const std::optional<bool> value = node.AsBoolean();
                      if (!value) reader.Expected(node, "true or false");
                      return value;
                    }};
}

Form<std::int64_t> IntegerForm(std::int64_t minimum, std::int64_t maximum, std::string what) {
  Schema schema;
  schema.types = {"integer"};
  schema.minimum = minimum;
  if (maximum != kMostOfAnInteger) schema.maximum = maximum;
  return Form<std::int64_t>{
      std::make_shared<const Schema>(std::move(schema)),
      [minimum, maximum, what](const Node& node, Reader& reader) -> std::optional<std::int64_t> {
        const std::optional<std::int64_t> value = node.AsInteger();
        if (value && minimum <= *value && *value <= maximum) return value;
        const std::string bounds =
            maximum == kMostOfAnInteger
                ? std::to_string(minimum) + " or more"
                : "from " + std::to_string(minimum) + " to " + std::to_string(maximum);
        reader.Expected(node, what + " (" + bounds + ")");
        return std::nullopt;
      }};
}

Form<std::int64_t> OffsetForm() { return IntegerForm(0, kMostOfAnInteger, "an offset"); }

Form<std::int64_t> CountForm() { return IntegerForm(1, 10'000'000, "a number"); }

Form<std::int64_t> DurationForm() {
  Schema schema;
  schema.pattern = "^[0-9]+(\\.[0-9]+)?(us|ms|s|min|h|d)$";
  schema.description = "A duration: 60s, 1.5ms, 10min.";
  return Defined("duration", NotationForm<std::int64_t>("a duration such as 60s", std::move(schema),
                                                        ParseDuration));
}

}  // namespace kafkasim::scenarios
