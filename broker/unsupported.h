// What a broker answers to a request that nobody here serves.
#pragma once

#include "broker/message.h"
#include "sim/payload.h"

namespace kafkasim::broker {

// The answer of that API with UNSUPPORTED_VERSION; null if the API has no place for an error, in
// which case Kafka closes the connection.
[[nodiscard]] sim::PayloadRef UnsupportedAnswer(const Message& request);

}  // namespace kafkasim::broker
