// The digest of a stream of events, taken as they come, so that two runs can be compared without
// keeping either trace.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/fingerprint.h"
#include "sim/trace.h"

namespace kafkasim::scenarios {

// Every field of every event counts; of a payload only what its event says of it.
class TraceDigest {
 public:
  void Add(const sim::TraceEvent& event);
  sim::Fingerprint value() const { return value_; }
  std::uint64_t events() const { return events_; }

 private:
  sim::Fingerprint value_{};
  std::uint64_t events_ = 0;
};

// The 32 hexadecimal digits of the XXH3-128 of a file's bytes (`xxhsum -H2` prints the same).
std::string ContentDigest(std::string_view bytes);

}  // namespace kafkasim::scenarios
