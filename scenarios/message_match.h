// Messages of the language's patterns: requests or answers of one API, on their way from one
// process to another.

#pragma once

#include <optional>
#include <string>

#include "scenarios/moment.h"
#include "scenarios/patterns.h"
#include "sim/network.h"
#include "sim/trace.h"

namespace kafkasim::scenarios {

// Whether `event` (sent or delivered) is about a message that the pattern means. `leader of` and
// `coordinator of` are looked up at this moment.
bool MatchesMessage(const MessagePattern& pattern, const sim::TraceEvent& event,
                    const Moment& moment);

// The criteria of a network rule for these messages, with the processes of this moment. nullopt if
// one of them does not exist now (no leader).
std::optional<sim::MessageRule> RuleFor(const MessagePattern& pattern, const Moment& moment);

// "request EndTxn from old to broker-1", for people.
std::string PatternText(const MessagePattern& pattern);

}  // namespace kafkasim::scenarios
