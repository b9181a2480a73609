// Where the log of a replica starts, and its old segments (Partition.deleteRecordsOnLeader,
// lowWatermarkIfLeader; LogManager, LogCleaner).
#include <algorithm>

#include <fmt/format.h>

#include "broker/messages_topics.h"
#include "broker/partition.h"

namespace kafkasim::broker {

absl::StatusOr<Offset> Partition::DeleteRecords(Offset offset, const PartitionContext& context) {
  if (!is_leader()) {
    return KafkaError(ErrorCode::kNotLeaderOrFollower,
                      fmt::format("broker {} does not lead the partition", self_));
  }
  if (!log_.config().cleanup_policy.del) {
    return KafkaError(ErrorCode::kPolicyViolation,
                      "records of a topic that is compacted only are not deleted");
  }
  if (offset == DeleteRecordsRequest::kHighWatermark) offset = log_.high_watermark();
  if (offset < Offset(0)) {
    return KafkaError(ErrorCode::kOffsetOutOfRange, fmt::format("there is no offset {}", offset));
  }
  PassLogStartCheckpoints(context.now, context.config);
  const absl::StatusOr<bool> raised = log_.MaybeIncrementLogStartOffset(offset);
  if (!raised.ok()) return raised.status();
  return offset;
}

Offset Partition::LowWatermark(const ClusterImage& image) const {
  Offset lowest = log_.log_start_offset();
  for (const FollowerProgress& follower : followers_) {
    if (image.IsAlive(follower.broker)) lowest = std::min(lowest, follower.log_start_offset);
  }
  return lowest;
}

int Partition::DeleteOldSegments(const PartitionContext& context) {
  PassLogStartCheckpoints(context.now, context.config);
  return log_.DeleteOldSegments(context.now.millis());
}

CleaningResult Partition::Clean(const PartitionContext& context) {
  PassProducerExpiry(context.now, context.config);
  return log_.CleanNow(context.now.millis());
}

}  // namespace kafkasim::broker
