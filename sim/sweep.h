// A periodic task that need not run when it would find nothing: the times at which it runs are the
// multiples of its interval since its start, as those of Kafka's scheduler, but only one is waited
// for, the first at which something can be found.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/fingerprint.h"
#include "sim/time.h"

namespace kafkasim::sim {

class Sweep {
 public:
  // Begins to count; nothing is waited for. The first run is `first` from now, if that is said, or
  // after one interval.
  void Start(Time now, Duration interval, std::optional<Duration> first = {});

  // Something can be found at the first run after `now` whose clock shows more than `deadline_ms`.
  // The delay until then if a timer is to be set for it; nullopt if an earlier run is waited for.
  [[nodiscard]] std::optional<Duration> Want(int64_t deadline_ms, Time now);

  // A timer has fired: whether it is the one that is waited for, which it then no longer is. Timers
  // that an earlier one has overtaken are none.
  [[nodiscard]] bool IsDue(Time now);

  void AppendTo(CanonicalBytes& out) const;

 private:
  Time started_{};
  Duration interval_{};
  std::optional<Time> next_;
};

}  // namespace kafkasim::sim
