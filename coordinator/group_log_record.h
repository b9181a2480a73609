// The records of __consumer_offsets: what group coordinators write and load, and what displays
// decode (OffsetCommitKey and OffsetCommitValue, key version 1, value version 4; GroupMetadataKey
// and GroupMetadataValue, key version 2, value version 3; GroupCoordinatorRecordHelpers, Kafka 4.4
// development line).
//
// Kafka's fields in Kafka's order, as text (record_text.h):
//   1 partition=3:0 group=payments          v4 offset=5 leader_epoch=0 timestamp=412 metadata=
//   2 group=payments                        v3 type=8:consumer generation=1 protocol=5:range
//                                           leader=5:c-0-1 timestamp=300 members=1 ...
// A member is: id= instance= client= rebalance= session= topics= owned= owned_generation=
// assignment=. No value is a tombstone. Offsets of a transaction stand in a transactional batch;
// they count from its COMMIT marker on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "broker/cluster_image.h"
#include "broker/ids.h"
#include "broker/messages_group.h"
#include "broker/record_batch.h"
#include "coordinator/classic_group.h"
#include "sim/fingerprint.h"

namespace kafkasim::coordinator {

// What is committed for a partition (OffsetAndMetadata).
struct OffsetAndMetadata {
  broker::Offset offset = broker::kNoOffset;
  broker::LeaderEpoch leader_epoch = broker::kNoLeaderEpoch;
  std::string metadata{};
  int64_t commit_timestamp_ms = -1;
  // Of its record in __consumer_offsets: of two commits the later record wins, however their
  // transactions end. Not in the record itself.
  broker::Offset record_offset = broker::kNoOffset;

  friend bool operator==(const OffsetAndMetadata&, const OffsetAndMetadata&) = default;
  void AppendTo(sim::CanonicalBytes& out) const;
};

struct OffsetCommitRecord {
  std::string group_id{};
  broker::PartitionId partition{};
  std::optional<OffsetAndMetadata> value{};  // none: tombstone

  friend bool operator==(const OffsetCommitRecord&, const OffsetCommitRecord&) = default;
};

struct GroupMetadataRecord {
  struct Member {
    std::string member_id{};
    std::optional<std::string> group_instance_id{};
    std::string client_id{};
    int32_t rebalance_timeout_ms = 0;
    int32_t session_timeout_ms = 0;
    broker::MemberSubscription subscription{};  // of the chosen protocol
    broker::PartitionList assignment{};

    friend bool operator==(const Member&, const Member&) = default;
  };
  struct Value {
    std::string protocol_type{};
    int32_t generation = 0;
    std::optional<std::string> protocol{};
    std::optional<std::string> leader{};
    int64_t state_timestamp_ms = -1;
    std::vector<Member> members{};

    friend bool operator==(const Value&, const Value&) = default;
  };

  std::string group_id{};
  std::optional<Value> value{};  // none: tombstone

  friend bool operator==(const GroupMetadataRecord&, const GroupMetadataRecord&) = default;
};

using GroupLogRecord = std::variant<OffsetCommitRecord, GroupMetadataRecord>;

[[nodiscard]] broker::Record Encode(const OffsetCommitRecord& record, int64_t timestamp_ms);
[[nodiscard]] broker::Record Encode(const GroupMetadataRecord& record, int64_t timestamp_ms);
// nullopt if it is no record of this log, or of an unknown version, which a coordinator skips.
[[nodiscard]] std::optional<GroupLogRecord> DecodeGroupRecord(const broker::Record& record);

// A group as its record has it. A group without a protocol may have no members.
[[nodiscard]] GroupMetadataRecord RecordOf(const ClassicGroup& group);
// A group as a coordinator finds it in its log: EMPTY or STABLE, nobody waits.
[[nodiscard]] ClassicGroup GroupOf(const std::string& group_id,
                                   const GroupMetadataRecord::Value& value);

// For people, with the names of `names`: "payments orders-0 → 5", "payments generation 2, range:
// c-1 leads; c-1 [orders-0], c-2 []", "payments orders-0 tombstone".
[[nodiscard]] std::string Describe(const GroupLogRecord& record, const broker::ClusterImage& names);
// "[orders-0 orders-1]"
[[nodiscard]] std::string DescribePartitions(const broker::PartitionList& partitions,
                                             const broker::ClusterImage& names);

}  // namespace kafkasim::coordinator
