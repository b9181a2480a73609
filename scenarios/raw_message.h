// Raw requests of the language as Kafka's messages, and the answers as named fields.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/name_table.h"
#include "scenarios/operations.h"
#include "sim/payload.h"
#include "sim/time.h"

namespace kafkasim::scenarios {

// The message that `request` asks for; fields that are not written have Kafka's defaults.
[[nodiscard]] sim::PayloadRef MakeRawMessage(const RawRequest& request, const NameTable& names,
                                             sim::Time now);

// A field of an answer; a number or Kafka's name of an error.
struct AnswerField {
  std::string name{};
  std::string value{};
};

// What an answer says about what was asked, `error` first. An answer with several partitions has
// the first error of any.
[[nodiscard]] std::vector<AnswerField> ReadRawAnswer(const sim::Payload& answer);

// The value as it is compared with an AnswerField.
[[nodiscard]] std::string RawValueText(const RawField::Value& value);

}  // namespace kafkasim::scenarios
