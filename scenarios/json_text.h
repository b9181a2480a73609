// JSON written by hand: a trace has hundreds of thousands of lines, whose bytes must not depend on
// how a library likes to print.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/trace.h"

namespace kafkasim::scenarios {

// Appends `text` as a JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD, so that
// a line is valid JSON whatever a record holds.
void AppendJsonString(std::string& out, std::string_view text);
void AppendJsonValue(std::string& out, const sim::FieldValue& value);
// {"name":value,...} in the order given.
void AppendJsonFields(std::string& out, const std::vector<sim::Field>& fields);

}  // namespace kafkasim::scenarios
