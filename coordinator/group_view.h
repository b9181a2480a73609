// What the group coordinator of a broker knows, and what its log says, for displays and
// expectations. Reads only.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "broker/ids.h"
#include "broker/service.h"
#include "coordinator/group_coordinator.h"
#include "coordinator/group_log_record.h"
#include "coordinator/group_state.h"

namespace kafkasim::broker {
class PartitionLog;
}

namespace kafkasim::coordinator {

struct GroupMemberView {
  std::string member_id{};
  std::optional<std::string> group_instance_id{};
  std::string client_id{};
  std::vector<broker::TopicId> topics{};  // that it subscribes to
  broker::PartitionList assignment{};
  bool awaits_join = false;  // its JoinGroup is not answered yet
  bool awaits_sync = false;
};

struct CommittedOffsetView {
  broker::PartitionId partition{};
  broker::Offset offset{};
  std::string metadata{};
  broker::Offset record_offset{};  // of its record in __consumer_offsets
};

// An offset that counts once the transaction of that producer commits.
struct PendingOffsetView {
  broker::ProducerId producer_id{};
  broker::PartitionId partition{};
  broker::Offset offset{};
  broker::Offset record_offset{};
};

// One group in a coordinator's memory.
struct GroupView {
  std::string group_id{};
  GroupState state = GroupState::kEmpty;
  int32_t generation_id = 0;
  std::string protocol_type{};                 // "": a simple group
  std::string protocol_name{};                 // "": none chosen
  std::string leader{};                        // "": none
  std::vector<GroupMemberView> members{};      // in the order in which they joined
  std::vector<std::string> pending_members{};  // told their id, not joined yet
  std::vector<CommittedOffsetView> offsets{};  // that count (see ReplicatedUpTo), by partition
  // By producer, then by partition. One whose COMMIT marker is written is pending no more; it
  // stands among the offsets when the marker is replicated.
  std::vector<PendingOffsetView> pending{};
  int32_t offsets_partition = -1;      // of __consumer_offsets
  broker::LeaderEpoch leader_epoch{};  // in which it is coordinated
};

// One partition of __consumer_offsets that a broker coordinates.
struct GroupPartitionView {
  int32_t offsets_partition = -1;
  broker::LeaderEpoch leader_epoch{};
  bool loading = false;
  int64_t groups = 0;
};

// One record or marker of a partition of __consumer_offsets.
struct GroupLogEntry {
  broker::Offset offset{};
  int64_t timestamp_ms = 0;
  broker::ProducerId producer_id = broker::kNoProducerId;  // of its transaction
  std::optional<broker::ControlType> marker{};             // set: a marker, and no record
  std::optional<GroupLogRecord> record{};
};

// The service as what it is; null if it is another one.
[[nodiscard]] const GroupCoordinator* AsGroupCoordinator(const broker::Service& service);

// Up to where a partition of __consumer_offsets is replicated: offsets count below that. Where
// nobody says, all count that are written.
using ReplicatedUpTo = std::function<broker::Offset(int32_t partition)>;

// All groups that are coordinated here, by partition and then by id.
[[nodiscard]] std::vector<GroupView> ViewGroups(const GroupCoordinator& coordinator,
                                                const ReplicatedUpTo& replicated = {});
// One group, with all offsets that are written; nullopt if it is not known or not coordinated here,
// or still being loaded.
[[nodiscard]] std::optional<GroupView> FindGroup(const GroupCoordinator& coordinator,
                                                 std::string_view group_id);
// By index.
[[nodiscard]] std::vector<GroupPartitionView> ViewGroupPartitions(
    const GroupCoordinator& coordinator);

// The records and markers of a partition of __consumer_offsets from the log's start to its end,
// those not replicated included. Records of unknown versions are left out.
[[nodiscard]] std::vector<GroupLogEntry> DecodeGroupLog(const broker::PartitionLog& log);

}  // namespace kafkasim::coordinator
