// Actions about consumer groups as calls to client processes.

#pragma once

#include <optional>

#include "client/call.h"
#include "scenarios/group_operations.h"
#include "scenarios/moment.h"

namespace kafkasim::scenarios {

// nullopt if somebody whom it names does not exist now.
std::optional<client::Operation> GroupCallOf(const Subscribe& subscribe, const Moment& moment);
std::optional<client::Operation> GroupCallOf(const CommitSync& commit, const Moment& moment);
std::optional<client::Operation> GroupCallOf(const CommitAsync& commit, const Moment& moment);
std::optional<client::Operation> GroupCallOf(const Committed& committed, const Moment& moment);
// With `of`: the positions of that consumer, and its group metadata, at this moment.
std::optional<client::Operation> GroupCallOf(const SendOffsets& send, const Moment& moment);

}  // namespace kafkasim::scenarios
