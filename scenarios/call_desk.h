// Calls that a script has begun and that are under way: gives their parts to the clients when they
// are due, and knows when all of a call has returned.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "client/call.h"
#include "scenarios/client_call.h"
#include "scenarios/moment.h"
#include "sim/ids.h"
#include "sim/time.h"
#include "sim/trace.h"

namespace kafkasim::scenarios {

class CallDesk {
 public:
  CallDesk(Moment& moment, sim::Observer& observer) : moment_(moment), observer_(observer) {}

  // Begins an action; what is due at once is given at once. Returns its number.
  std::size_t Begin(sim::ProcessId actor, std::vector<PlannedCall> plan, sim::EventId cause);

  // When the next part of any action is due.
  std::optional<sim::Time> NextDue() const;
  // Gives what is due now.
  void GiveDue();

  // Whether every part has returned.
  bool IsDone(std::size_t action);
  // The same without taking note of it, for a look from outside.
  bool HasReturned(std::size_t action) const;
  // Whether a part will never return, because its process crashed. To be asked after IsDone.
  bool IsLost(std::size_t action) const;
  // When its last part was or will be given.
  sim::Time LastDue(std::size_t action) const;
  CallSummary SummaryOf(std::size_t action) const;
  sim::ProcessId ActorOf(std::size_t action) const { return actions_[action].actor; }
  // The ids of the parts given so far: the field `call` of their events.
  const std::vector<client::CallId>& CallsOf(std::size_t action) const {
    return actions_[action].calls;
  }

 private:
  struct Begun {
    sim::ProcessId actor{};
    sim::Time began{};
    sim::EventId cause = sim::kNoEvent;
    std::vector<PlannedCall> plan{};
    std::size_t given = 0;     // parts of the plan that the client has
    std::size_t returned = 0;  // of those, from the first on
    std::vector<client::CallId> calls{};
    bool refused = false;  // the process was down
  };

  void GiveDue(Begun& action);

  Moment& moment_;
  sim::Observer& observer_;
  std::vector<Begun> actions_;
  std::vector<std::size_t> unfinished_;  // actions with parts still to be given
  std::int64_t next_call_ = 1;
};

}  // namespace kafkasim::scenarios
