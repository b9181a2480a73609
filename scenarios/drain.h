// Liveness as drain: from a state, with every disturbance healed, time running and events in a fair
// order, does all that was open there come to its end?
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "scenarios/name_table.h"
#include "sim/search/space.h"
#include "sim/time.h"
#include "sim/trace.h"
#include "sim/world.h"

namespace kafkasim::scenarios {

enum class Recovery : uint8_t {
  kAtOnce,      // within a second
  kByTimeout,   // only when a request, a transaction or a session has timed out
  kByOperator,  // what is left is a hanging transaction, which kafka-transactions.sh can abort
  kNotInTime,   // something else is left
};
[[nodiscard]] std::string_view NameOf(Recovery recovery);  // "at once", "by a timeout", ...

struct Drained {
  Recovery recovery = Recovery::kAtOnce;
  sim::Duration took{};      // of virtual time, in steps of ten seconds
  std::string unfinished{};  // the first thing that does not end; "" if all does
  sim::World end;            // where it came to
};

// Open in a state are: transactions that have no outcome yet, log entries that read_committed does
// not get past, calls of producers that have not returned. What is begun later does not count.
// Healed are held messages, pauses, and crashes of those that the space lets come back.
[[nodiscard]] Drained Drain(const sim::World& state, const sim::SearchSpace& space,
                            const NameTable& names, sim::Duration limit,
                            sim::Observer* observer = nullptr);

}  // namespace kafkasim::scenarios
