// What a consumer keeps of each of its partitions: class SubscriptionState, Kafka 4.4 development
// line. The partitions are given by assign(), or by the group for the topics subscribed to.
//
// A partition has a position, or waits for one by the offset that the reset strategy names. After a
// change of leader a position is in doubt until the new leader has confirmed it (KIP-320).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "broker/ids.h"
#include "broker/messages_data.h"
#include "broker/messages_offsets.h"
#include "broker/messages_transaction.h"
#include "client/consumer_config.h"
#include "sim/fingerprint.h"
#include "sim/time.h"

namespace kafkasim::client {

// From where a partition was led when its position was looked at last.
struct LeaderAndEpoch {
  broker::BrokerId leader = broker::kNoBroker;
  broker::LeaderEpoch epoch = broker::kNoLeaderEpoch;

  friend constexpr bool operator==(const LeaderAndEpoch&, const LeaderAndEpoch&) = default;
};

struct AssignedPartition {
  broker::PartitionId partition{};
  std::optional<broker::Offset> position{};  // of the next record to deliver
  // Of the batch before the position; -1 if nothing was read since it was set.
  broker::LeaderEpoch offset_epoch = broker::kNoLeaderEpoch;
  LeaderAndEpoch current_leader{};
  bool awaits_validation = false;          // by current_leader
  OffsetReset reset = OffsetReset::kNone;  // earliest or latest: the position waits for it
  sim::Time retry_at{};                    // after an error: leave it alone until then
  bool pending_revocation = false;         // its position is being committed: it must not move
  // As the last fetch has told; -1 before.
  broker::Offset high_watermark = broker::kNoOffset;
  broker::Offset last_stable_offset = broker::kNoOffset;
  broker::Offset log_start_offset = broker::kNoOffset;

  [[nodiscard]] bool awaits_reset() const { return reset != OffsetReset::kNone; }
  [[nodiscard]] bool has_valid_position() const {
    return position.has_value() && !awaits_validation;
  }
  [[nodiscard]] bool HasSamePosition(const AssignedPartition& other) const {
    return position == other.position && offset_epoch == other.offset_epoch &&
           current_leader == other.current_leader;
  }
  void AppendTo(sim::CanonicalBytes& out) const;
};

class SubscriptionState {
 public:
  explicit SubscriptionState(const std::vector<broker::PartitionId>& assignment);

  // How it gets its partitions. Once by assign(), a consumer has to unsubscribe before it can
  // subscribe, and the other way round.
  enum class Type : uint8_t { kNone, kUserAssigned, kTopics };
  [[nodiscard]] Type type() const { return type_; }
  [[nodiscard]] bool has_auto_assigned() const { return type_ == Type::kTopics; }
  // The topics subscribed to, sorted.
  [[nodiscard]] const std::vector<broker::TopicId>& topics() const { return topics_; }
  void Subscribe(std::vector<broker::TopicId> topics);
  void Unsubscribe();
  // What the group gives; what was there before keeps its position.
  void AssignFromSubscribed(const broker::PartitionList& partitions);
  // Nothing is fetched or delivered until the next assignment.
  void MarkPendingRevocation();
  // Whether its records may be fetched and delivered.
  [[nodiscard]] bool IsFetchable(const AssignedPartition& partition) const;
  // The partitions, sorted.
  [[nodiscard]] broker::PartitionList Assigned() const;
  // Those without position that do not wait for a reset, sorted: the group may know one.
  [[nodiscard]] broker::PartitionList Initializing() const;
  // The positions to commit.
  [[nodiscard]] std::vector<broker::OffsetToCommit> AllConsumed() const;

  [[nodiscard]] const std::vector<AssignedPartition>& partitions() const { return partitions_; }
  [[nodiscard]] std::vector<AssignedPartition>& partitions() { return partitions_; }
  // Null if it is not assigned.
  [[nodiscard]] const AssignedPartition* Find(const broker::PartitionId& partition) const;
  [[nodiscard]] AssignedPartition* Find(const broker::PartitionId& partition);

  // The position is this offset; a reset that was wanted is not wanted any more. Nothing was read
  // there, so that there is nothing to validate.
  void Seek(AssignedPartition& partition, broker::Offset offset);
  // The position is behind a batch of this epoch, and valid.
  void MoveTo(AssignedPartition& partition, broker::Offset offset, broker::LeaderEpoch epoch);
  // The position is this offset, which was read at this epoch by whoever committed it: the leader
  // has to confirm it.
  void SeekUnvalidated(AssignedPartition& partition, broker::Offset offset,
                       broker::LeaderEpoch epoch);
  // The metadata's leader; a new one has to validate what was read from an older one.
  void OnLeader(AssignedPartition& partition, const LeaderAndEpoch& leader);
  void CompleteValidation(AssignedPartition& partition);
  // The position is not known until the offset of the strategy is.
  void RequestReset(AssignedPartition& partition, OffsetReset strategy);
  // The position is to be found as after an assignment.
  void Forget(AssignedPartition& partition);
  // The offset of a strategy has been found; counts only if it is still the one wanted.
  void OnResetOffset(AssignedPartition& partition, OffsetReset strategy, broker::Offset offset);
  // A partition without position and without a strategy gets the default one.
  void ResetInitializing(OffsetReset strategy);

  // LSO (read_committed) or high watermark minus position; nullopt while one is not known.
  [[nodiscard]] std::optional<int64_t> LagOf(const AssignedPartition& partition,
                                             broker::IsolationLevel isolation_level) const;

  void AppendTo(sim::CanonicalBytes& out) const;

 private:
  Type type_ = Type::kNone;
  std::vector<broker::TopicId> topics_;
  std::vector<AssignedPartition> partitions_;  // in the order of assignment
};

}  // namespace kafkasim::client
