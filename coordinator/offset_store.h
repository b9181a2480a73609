// The offsets of the groups of one partition of __consumer_offsets: what is committed, and what
// open transactions are about to commit (class OffsetMetadataManager, KIP-98 and KIP-447; Kafka 4.4
// development line).
//
// Changes count from the moment their record or marker is in the log. A reader that asks for no
// stable offsets sees only what is replicated: the store remembers what was there before each
// change that the high watermark has not passed (Kafka's timeline data structures).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <absl/container/btree_map.h>

#include "broker/ids.h"
#include "coordinator/group_log_record.h"
#include "sim/cow.h"
#include "sim/fingerprint.h"

namespace kafkasim::coordinator {

using GroupOffsets = absl::btree_map<broker::PartitionId, OffsetAndMetadata>;

// What a marker did to one pending offset.
struct EndedOffset {
  std::string group_id{};
  broker::PartitionId partition{};
  broker::Offset offset{};
  bool materialised = false;  // else it was aborted, or an offset committed later stays
};

class OffsetStore {
 public:
  struct OfGroup {
    GroupOffsets committed{};
    absl::btree_map<broker::ProducerId, GroupOffsets> pending{};  // none of them is empty

    void AppendTo(sim::CanonicalBytes& out) const;
  };

  // ---- Looking ----
  // Null if the group has neither committed nor pending offsets.
  [[nodiscard]] const OfGroup* Find(const std::string& group_id) const;
  // The committed offsets of a group as of all records below `high_watermark`.
  [[nodiscard]] GroupOffsets Replicated(const std::string& group_id,
                                        broker::Offset high_watermark) const;
  // Whether an open transaction holds this offset.
  [[nodiscard]] bool IsPending(const std::string& group_id,
                               const broker::PartitionId& partition) const;
  template <typename Visitor>
  void ForEachGroup(Visitor visit) const {
    for (const auto& [group_id, offsets] : groups_) visit(group_id, *offsets);
  }

  // ---- Changing ----
  // `value.record_offset` is set. Changes below `high_watermark` need not be remembered.
  void Commit(const std::string& group_id, const broker::PartitionId& partition,
              OffsetAndMetadata value, broker::Offset high_watermark);
  void AddPending(broker::ProducerId producer_id, const std::string& group_id,
                  const broker::PartitionId& partition, OffsetAndMetadata value);
  // A tombstone removes the committed offset and all pending ones.
  void Remove(const std::string& group_id, const broker::PartitionId& partition,
              broker::Offset record_offset, broker::Offset high_watermark);
  // A marker, at `marker_offset`: COMMIT moves the pending offsets of the producer to the committed
  // ones, each unless the committed one has a later record; ABORT drops them.
  std::vector<EndedOffset> EndTransaction(broker::ProducerId producer_id, bool committed,
                                          broker::Offset marker_offset,
                                          broker::Offset high_watermark);
  // Forgets what was there before changes that are replicated by now.
  void Forget(broker::Offset high_watermark);

  void AppendTo(sim::CanonicalBytes& out) const;

 private:
  // What a committed offset was before a change that is not replicated yet.
  struct Before {
    broker::Offset changed_at{};  // of the record or marker
    std::string group_id{};
    broker::PartitionId partition{};
    std::optional<OffsetAndMetadata> value{};

    void AppendTo(sim::CanonicalBytes& out) const;
  };

  [[nodiscard]] OfGroup& Mutable(const std::string& group_id);
  void Remember(const std::string& group_id, const broker::PartitionId& partition,
                broker::Offset changed_at, broker::Offset high_watermark);
  void DropIfEmpty(const std::string& group_id);

  absl::btree_map<std::string, sim::Cow<OfGroup>> groups_;  // those with any offset
  std::vector<Before> before_;                              // oldest first
};

}  // namespace kafkasim::coordinator
