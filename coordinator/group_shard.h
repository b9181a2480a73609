// What a broker knows of the groups of one partition of __consumer_offsets, and of all partitions
// that it coordinates (GroupCoordinatorShard, CoordinatorRuntime.coordinators; Kafka 4.4
// development line). Volatile: it is rebuilt from the log whenever the broker is elected.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <absl/container/btree_map.h>

#include "broker/ids.h"
#include "broker/record_batch.h"
#include "coordinator/classic_group.h"
#include "coordinator/group_log_record.h"
#include "coordinator/offset_store.h"
#include "coordinator/sweep.h"
#include "sim/cow.h"
#include "sim/fingerprint.h"

namespace kafkasim::broker {
class PartitionLog;
}

namespace kafkasim::coordinator {

struct GroupShard {
  int32_t index = -1;  // of the partition
  broker::LeaderEpoch epoch = broker::kNoLeaderEpoch;
  bool loading = true;
  absl::btree_map<std::string, sim::Cow<ClassicGroup>> groups{};
  OffsetStore offsets{};
  int64_t member_ids = 0;           // handed out in this epoch
  Sweep expiry{};                   // of offsets and groups; counts from the load
  std::optional<sim::Time> wake{};  // the timer that is armed for the deadlines of members

  // Null if the group is not known.
  [[nodiscard]] const ClassicGroup* Find(const std::string& group_id) const;
  [[nodiscard]] ClassicGroup* FindMutable(const std::string& group_id);
  // A group without members that is not known yet.
  ClassicGroup& Create(const std::string& group_id, int64_t now_ms);
  // An id for a new member: "<prefix>-<leader epoch>-<number>", the prefix being the client id or
  // the instance id. Kafka draws a UUID. No id is ever given twice: a partition is led in an epoch
  // only once, and all ids of an epoch are numbered.
  [[nodiscard]] std::string NextMemberId(std::string_view prefix);

  // Applies a record at `offset`, of a transaction of `producer_id` if there is one. The only code
  // that turns the log into state.
  void Replay(const broker::Record& record, broker::Offset offset, broker::ProducerId producer_id,
              broker::Offset high_watermark);
  // All of a log, markers included, to its end.
  void Replay(const broker::PartitionLog& log);

  void AppendTo(sim::CanonicalBytes& out) const;
};

class GroupShards {
 public:
  // Where a group belongs, and whether this broker can speak for it.
  enum class Standing : uint8_t { kHere, kLoading, kElsewhere };
  struct Located {
    Standing standing = Standing::kElsewhere;
    int32_t index = -1;
  };

  // The topic and its number of partitions, which never changes: known from the first election.
  void SetTopic(broker::TopicId topic, int32_t partition_count);
  [[nodiscard]] broker::PartitionId TopicPartition(int32_t index) const { return {topic_, index}; }

  [[nodiscard]] Located Locate(std::string_view group_id) const;
  [[nodiscard]] Standing StandingOf(int32_t index) const;
  // Null if the partition is not coordinated here.
  [[nodiscard]] const GroupShard* Find(int32_t index) const;
  // It must be there.
  [[nodiscard]] GroupShard& Mutable(int32_t index);
  // All of them, by index.
  [[nodiscard]] const std::vector<sim::Cow<GroupShard>>& all() const { return all_; }

  // Begins to load a partition; what was known of it before is dropped.
  void StartLoading(int32_t index, broker::LeaderEpoch epoch);
  void Remove(int32_t index);

  void AppendTo(sim::CanonicalBytes& out) const;

 private:
  broker::TopicId topic_{-1};
  int32_t partition_count_ = 0;
  std::vector<sim::Cow<GroupShard>> all_;
};

}  // namespace kafkasim::coordinator
