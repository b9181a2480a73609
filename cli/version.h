// Which kafkasim this is, and which Kafka it follows.
#pragma once

#include <string_view>

namespace kafkasim::cli {

extern const std::string_view kVersion;  // "0.1.0", the project's
inline constexpr std::string_view kKafkaRelease = "4.4 (development line)";

}  // namespace kafkasim::cli
