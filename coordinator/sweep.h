// A periodic task that need not run when it would find nothing: the times at which it runs are the
// multiples of its interval since its start, as those of Kafka's scheduler, but only one is waited
// for, the first at which something can be found.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/fingerprint.h"
#include "sim/time.h"

namespace kafkasim::coordinator {

class Sweep {
 public:
  // Begins to count; nothing is waited for.
  void Start(sim::Time now, sim::Duration interval);

  // Something can be found at the first run after `now` whose clock shows more than `deadline_ms`.
  // The delay until then if a timer is to be set for it; nullopt if an earlier run is waited for.
  [[nodiscard]] std::optional<sim::Duration> Want(int64_t deadline_ms, sim::Time now);

  // A timer has fired: whether it is the one that is waited for, which it then no longer is. Timers
  // that an earlier one has overtaken are none.
  [[nodiscard]] bool IsDue(sim::Time now);

  void AppendTo(sim::CanonicalBytes& out) const;

 private:
  sim::Time started_{};
  sim::Duration interval_{};
  std::optional<sim::Time> next_;
};

}  // namespace kafkasim::coordinator
