// Generated scenarios: a cluster, topics, and applications that write, consume-transform-produce
// and read, with a mix of faults, all drawn from one seed. The text is a scenario file as people
// write them.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace kafkasim::scenarios {

// What is to be the same for every seed; the rest is drawn.
struct WorkloadShape {
  std::optional<std::int64_t> brokers{};     // 1 to 3
  std::optional<std::int64_t> partitions{};  // of each topic: 1 to 3
  std::optional<std::int64_t> producers{};   // applications that write: 1 to 4
  std::optional<std::int64_t> services{};    // consume-transform-produce: 0 to 4
  std::optional<std::int64_t> consumers{};   // applications that read: 0 to 4

  // "--brokers 3 --producers 2"; "" if everything is drawn.
  [[nodiscard]] std::string Text() const;
};

// The same text for the same arguments, on every machine.
[[nodiscard]] std::string MakeWorkload(std::uint64_t seed, const WorkloadShape& shape);

}  // namespace kafkasim::scenarios
