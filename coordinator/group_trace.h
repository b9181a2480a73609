// How the group coordinator's protocol points are built from its state (group_events.h names their
// fields). Called only while somebody watches.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "broker/cluster_image.h"
#include "broker/ids.h"
#include "broker/record_batch.h"
#include "broker/service.h"
#include "coordinator/classic_group.h"
#include "coordinator/group_answers.h"
#include "coordinator/group_events.h"
#include "coordinator/offset_store.h"

namespace kafkasim::coordinator {

// kGroupRebalancing, kGroupGeneration, kGroupEmpty: group_id, generation, members, and `more`.
[[nodiscard]] broker::PointEffect GroupPoint(const sim::EventKind& kind, const ClassicGroup& group,
                                             std::vector<sim::Field> more);
// kMember...: group_id, member_id, and `more`.
[[nodiscard]] broker::PointEffect MemberPoint(const sim::EventKind& kind, const ClassicGroup& group,
                                              const std::string& member_id,
                                              std::vector<sim::Field> more);
[[nodiscard]] broker::PointEffect StablePoint(const ClassicGroup& group,
                                              const broker::ClusterImage& names);
// kOffsetsWritten, kOffsetsCommitted, kOffsetsPending: the offsets of a batch of commits.
[[nodiscard]] broker::PointEffect OffsetsPoint(const sim::EventKind& kind,
                                               const std::string& group_id,
                                               const broker::RecordBatch& batch,
                                               const broker::PartitionId& partition,
                                               const broker::ClusterImage& names);
// What a marker did: kOffsetsMaterialised and kOffsetsDropped of each group.
[[nodiscard]] std::vector<broker::PointEffect> EndedPoints(const std::vector<EndedOffset>& ended,
                                                           broker::ProducerId producer_id,
                                                           bool committed,
                                                           const broker::PartitionId& partition,
                                                           const broker::ClusterImage& names);
[[nodiscard]] broker::PointEffect ExpiredPoint(const std::string& group_id,
                                               std::vector<std::string> offsets,
                                               std::string_view reason);
// kGroupLoaded, kGroupUnloaded.
[[nodiscard]] broker::PointEffect GroupsPoint(const sim::EventKind& kind,
                                              const std::string& partition,
                                              broker::LeaderEpoch epoch,
                                              std::vector<std::string> groups);
[[nodiscard]] broker::PointEffect GroupRefusedPoint(const GroupRequest& request,
                                                    const ClassicGroup* group,
                                                    broker::ErrorCode error);

}  // namespace kafkasim::coordinator
