// Raw requests of the language as Kafka's messages, and the answers as named fields.

#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "broker/error_code.h"
#include "scenarios/name_table.h"
#include "scenarios/operations.h"
#include "sim/payload.h"
#include "sim/time.h"

namespace kafkasim::scenarios {

// The message that `request` asks for; fields that are not written have Kafka's defaults.
[[nodiscard]] sim::PayloadRef MakeRawMessage(const RawRequest& request, const NameTable& names,
                                             sim::Time now);

// A field of an answer as text.
struct AnswerField {
  std::string name{};
  std::string value{};
};

template <typename Number>
[[nodiscard]] AnswerField NumberField(std::string name, Number number) {
  return {.name = std::move(name), .value = fmt::format("{}", number)};
}

// What an answer says about what was asked. An answer with several partitions has the first error
// of any.
struct RawAnswer {
  broker::ErrorCode error = broker::ErrorCode::kNone;
  std::vector<AnswerField> fields{};  // beside the error
};
[[nodiscard]] RawAnswer ReadRawAnswer(const sim::Payload& answer);

// The value as it is compared with an AnswerField; partitions are sorted by their names.
[[nodiscard]] std::string RawValueText(const RawField::Value& value);

}  // namespace kafkasim::scenarios
