// What actors do with consumer groups: the calls of the Java consumer that are about its group, and
// the producer's sendOffsetsToTransaction. One struct per verb.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/mark.h"
#include "scenarios/references.h"

namespace kafkasim::scenarios {

// `orders-0: 5`: the next offset to be processed.
struct OffsetRow {
  PartitionName partition;
  std::int64_t offset = 0;
};

struct Subscribe {
  std::vector<Name> topics;
};
struct Unsubscribe {};
struct CommitSync {
  std::optional<std::vector<OffsetRow>> offsets;  // default: the positions
};
struct CommitAsync {
  std::optional<std::vector<OffsetRow>> offsets;
};
struct Committed {
  std::vector<PartitionName> partitions;  // empty = all assigned
};
struct SeekToCommitted {};
struct GroupMetadata {};
struct EnforceRebalance {};

// Of a producer: commits offsets inside its transaction. Either those of a consumer, its positions
// and who it is in its group at the moment of the step, or written out.
struct SendOffsets {
  std::optional<Name> of;
  std::optional<std::string> group;
  std::vector<OffsetRow> offsets;
  std::optional<std::int64_t> generation;  // with neither of these: the group id alone
  std::optional<std::string> member_id;
  std::optional<std::string> group_instance_id;
};

}  // namespace kafkasim::scenarios
