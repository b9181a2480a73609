// The script of a scenario: one struct per kind of step.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "broker/bugs.h"
#include "scenarios/expectations.h"
#include "scenarios/faults.h"
#include "scenarios/mark.h"
#include "scenarios/operations.h"
#include "scenarios/outcomes.h"
#include "scenarios/triggers.h"

namespace kafkasim::scenarios {

// `say: text` for the class.
struct Say {
  std::string text;
};

// `wait: 60s` of virtual time.
struct Wait {
  std::int64_t duration_us = 0;
};

// `wait_until: {marker: ABORT, partition: orders-0}` with `within: 70s` beside it, or
// `wait_until: 60s` since the start of the run. Not reached in time: the run fails.
struct WaitUntil {
  std::variant<Trigger, std::int64_t> what;  // a protocol point, or a virtual time in microseconds
  std::int64_t within_us = 60'000'000;       // for a protocol point
};

// `old: commit_transaction`. In the foreground the script goes on when the call has returned.
struct Action {
  Name actor;
  std::string verb;  // as written: commit_transaction
  Operation operation;
  bool background = false;
  std::optional<Name> handle;  // `as:`, for await
  Outcome outcome;             // in the background: checked by await, or at the end of the run
};

// `await: NAME`: the script goes on when that background action has returned.
struct Await {
  Name handle;
  Outcome outcome;
};

// `when: {...}` with `do: [faults]`. Armed when the script gets here; fires once.
struct When {
  Trigger trigger;
  std::vector<FaultStep> faults;
  bool optional = false;  // the run may end without it having fired
};

// `expect: {...}`; with `within: 70s` the run goes on until it holds, at most that long.
struct Expect {
  Expectations claims;
  std::optional<std::int64_t> within_us;
};

// An outcome that replaces the usual one in the variants that have the label.
struct VariantOutcome {
  Name label;
  Outcome outcome;
};

struct Step {
  std::variant<Say, Wait, WaitUntil, Action, Await, FaultStep, When, Expect> what;
  std::string because;               // the author's reason, printed when an expectation fails
  std::vector<broker::Bug> catches;  // its claims must fail while one of these bugs is on
  Mark mark{};

  // Used up by ForVariant() in scenario.h; empty in what it returns.
  std::vector<Name> only;          // labels of the variants that have this step; empty = all
  std::vector<VariantOutcome> in;  // of an action or an await
};

}  // namespace kafkasim::scenarios
