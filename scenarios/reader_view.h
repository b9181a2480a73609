// What a reader from the start of a log would be given, found out as a consumer does: by what the
// leader returns below its bound, and by the list of aborted transactions that comes with it.

#pragma once

#include <cstddef>
#include <vector>

#include "broker/messages_data.h"
#include "broker/partition_log.h"
#include "scenarios/snapshot.h"

namespace kafkasim::scenarios {

// The places in `view.entries` of the records that a reader of this isolation level is given.
std::vector<std::size_t> PlacesGiven(const PartitionView& view, const broker::PartitionLog& log,
                                     broker::IsolationLevel level);

}  // namespace kafkasim::scenarios
