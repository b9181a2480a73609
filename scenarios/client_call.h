// Actions of the language as calls to client processes, and what came of them.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "client/call.h"
#include "client/call_result.h"
#include "scenarios/moment.h"
#include "scenarios/operations.h"
#include "sim/ids.h"
#include "sim/time.h"

namespace kafkasim::scenarios {

// One client call of an action, due so long after the action began.
struct PlannedCall {
  sim::Duration after{};
  client::Operation operation{};
};

// The calls that an action is made of: one, except for sends at a rate or an interval, which are a
// call a record. nullopt if a process that it is addressed to does not exist now.
std::optional<std::vector<PlannedCall>> PlanCalls(const Operation& operation, const Moment& moment);

// What came of all calls of an action together.
struct CallSummary {
  bool done = false;         // every call has returned
  bool lost = false;         // the process crashed meanwhile
  client::ApiError error{};  // the first one
  client::CallValue value{};
};
CallSummary Summarize(const std::vector<client::CallId>& calls, sim::ProcessId actor,
                      const Moment& moment);

}  // namespace kafkasim::scenarios
