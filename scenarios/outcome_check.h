// What a call brought, against what stands beside the action: `returns:` and `fails:`.

#pragma once

#include <string>
#include <vector>

#include "client/exception.h"
#include "scenarios/client_call.h"
#include "scenarios/mismatch.h"
#include "scenarios/moment.h"
#include "scenarios/outcomes.h"

namespace kafkasim::scenarios {

// How many claims an outcome makes; without any, the call has to succeed.
std::size_t CountClaims(const Outcome& outcome);

// "ProducerFencedException (PRODUCER_FENCED)": what is written of it.
std::string FailureName(const Failure& failure);

// Whether this error is the failure; at most one mismatch.
std::vector<Mismatch> CheckFailure(const Failure& failure, const client::ApiError& error);

struct CheckedAction {
  Mark where{};  // the place of the action
  // Verbs that are raw requests in short fail with an error in the answer; of a request that is
  // written out any answer is as good as another.
  bool answer_must_be_none = false;
};

// `summary` must be of a call that is done or lost.
std::vector<Mismatch> CheckOutcome(const Outcome& outcome, const CallSummary& summary,
                                   const Moment& moment, const CheckedAction& action);

}  // namespace kafkasim::scenarios
