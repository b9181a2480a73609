// The events behind an answer: what led to what, as sentences.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <absl/container/btree_set.h>

#include "scenarios/findings.h"
#include "scenarios/moment.h"
#include "sim/ids.h"

namespace kafkasim::scenarios {

// Collects chains of causes of several events; without a kept trace it stays empty.
//
// Followers fetch all the time. Such a fetch leads somewhere only if the follower sent it because
// it had just stored something; behind any other fetch the chain would wander off into the past.
class CauseChain {
 public:
  explicit CauseChain(const Moment& moment) : moment_(moment) {}

  // The event and all that led to it.
  void AddCausesOf(sim::EventId event);
  // What let the last stable offset, or the high watermark, of a partition rise above `offset`.
  void AddRise(std::string_view partition, std::int64_t offset, bool last_stable_offset);

  // The last crash of a process.
  void AddCrash(sim::ProcessId process);

  // In the order of time; what matters to people. How a coordinator's own topic was written and
  // replicated is left out, and that a message left where its arrival is told.
  std::vector<CauseLine> Lines() const;

 private:
  const Moment& moment_;
  absl::btree_set<sim::EventId> events_;
};

}  // namespace kafkasim::scenarios
