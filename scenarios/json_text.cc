#include "scenarios/json_text.h"

#include <cstdint>
#include <iterator>
#include <type_traits>
#include <variant>

#include <fmt/format.h>

#include "scenarios/utf8.h"

namespace kafkasim::scenarios {
namespace {

void AppendAscii(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
        out += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
      } else {
        out += c;
      }
  }
}

}  // namespace

void AppendJsonString(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    if (static_cast<unsigned char>(text.front()) < 0x80) {
      AppendAscii(out, text.front());
      text.remove_prefix(1);
      continue;
    }
    const std::size_t length = CharacterLength(text);
    if (length == 0) {
      out += "\uFFFD";
      text.remove_prefix(1);
    } else {
      out += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  out += '"';
}

void AppendJsonValue(std::string& out, const sim::FieldValue& value) {
  std::visit(
      [&out](const auto& v) {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, bool>) {
          out += v ? "true" : "false";
        } else if constexpr (std::is_same_v<T, std::int64_t>) {
          fmt::format_to(std::back_inserter(out), "{}", v);
        } else if constexpr (std::is_same_v<T, std::string>) {
          AppendJsonString(out, v);
        } else {
          out += '[';
          for (std::size_t i = 0; i < v.size(); ++i) {
            if (i > 0) out += ',';
            AppendJsonString(out, v[i]);
          }
          out += ']';
        }
      },
      value);
}

void AppendJsonFields(std::string& out, const std::vector<sim::Field>& fields) {
  out += '{';
  bool first = true;
  for (const sim::Field& field : fields) {
    if (!first) out += ',';
    first = false;
    AppendJsonString(out, field.name);
    out += ':';
    AppendJsonValue(out, field.value);
  }
  out += '}';
}

}  // namespace kafkasim::scenarios
