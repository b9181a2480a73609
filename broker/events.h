// Kinds of trace events of brokers and of the controller. Each comment names the fields;
// `partition` is a name such as "orders-0", offsets and epochs are numbers.
#pragma once

#include "sim/trace.h"

namespace kafkasim::broker::events {

using sim::EventKind;

// partition, base_offset, last_offset, leader_epoch, producer_id, producer_epoch, base_sequence,
// transactional, records (texts "key=value")
inline constexpr EventKind kAppended{"appended", "A leader appended a batch to its log."};
// partition, base_offset, last_offset, producer_id, producer_epoch, base_sequence
inline constexpr EventKind kDuplicate{"duplicate",
                                      "A leader recognised a repeated batch and appended nothing."};
// partition, error, reason, producer_id, producer_epoch, base_sequence
inline constexpr EventKind kAppendRefused{"append_refused", "A leader refused a batch."};
// partition, offset, type (COMMIT or ABORT), producer_id, producer_epoch, coordinator_epoch,
// first_offset (of the transaction that it ended here; -1 none)
inline constexpr EventKind kMarkerAppended{"marker_appended",
                                           "A leader appended an end-of-transaction marker."};
// the same fields
inline constexpr EventKind kMarkerReplicated{
    "marker_replicated", "All in-sync replicas have the marker; it is below the high watermark."};
// partition, error, reason, producer_id, producer_epoch, coordinator_epoch
inline constexpr EventKind kMarkerRefused{"marker_refused", "A leader refused a marker."};
// partition, first_offset, producer_id, producer_epoch
inline constexpr EventKind kTransactionOpened{
    "transaction_opened", "The first batch of a transaction reached a partition; it pins the LSO."};
// partition, from, to
inline constexpr EventKind kHighWatermark{"high_watermark",
                                          "The high watermark of a leader moved."};
// partition, from, to
inline constexpr EventKind kLastStableOffset{"last_stable_offset",
                                             "The last stable offset of a leader moved."};
// partition, leader, leader_epoch, base_offset, log_end_offset
inline constexpr EventKind kReplicated{"replicated", "A follower appended what it fetched."};
// partition, from (old end), to (new end), leader_epoch
inline constexpr EventKind kTruncated{"truncated", "A follower cut its log where it diverged."};
// partition, isr (texts), was (texts), reason
inline constexpr EventKind kIsrChanged{"isr_changed", "The set of in-sync replicas changed."};
// partition, leader, leader_epoch, clean
inline constexpr EventKind kLeaderElected{"leader_elected", "The controller chose a leader."};
// partition, error
inline constexpr EventKind kElectionRefused{"election_refused",
                                            "The controller did not change a leader when asked."};
// partition, leader_epoch, log_end_offset, high_watermark
inline constexpr EventKind kBecameLeader{"became_leader", "A broker began to lead a partition."};
// partition, leader, leader_epoch
inline constexpr EventKind kBecameFollower{"became_follower",
                                           "A broker began to follow a partition's leader."};
// broker
inline constexpr EventKind kBrokerFenced{"broker_fenced",
                                         "The controller's session with a broker ended."};
// broker
inline constexpr EventKind kBrokerRegistered{"broker_registered",
                                             "A broker registered with the controller."};
// partition, transactional_id, producer_id, producer_epoch, mode (verify or add)
inline constexpr EventKind kVerificationAsked{
    "verification_asked", "A leader asked the coordinator about a transaction before appending."};
// partition, transactional_id, producer_id, error
inline constexpr EventKind kVerificationAnswered{
    "verification_answered", "The coordinator answered a leader about a transaction."};

// partition, base_offset (of the new segment), leader (whether this broker leads the partition)
inline constexpr EventKind kSegmentRolled{"segment_rolled",
                                          "A log began a new segment because somebody said so."};
// partition, segments, log_start_offset, leader
inline constexpr EventKind kSegmentsDeleted{"segments_deleted",
                                            "A broker deleted the oldest segments of a log."};
// partition, from, to, reason, leader
inline constexpr EventKind kLogStartOffset{"log_start_offset",
                                           "The log start offset of a replica moved."};
// partition, from, to (the dirty part; both equal: there was nothing to clean), records_removed,
// markers_removed, leader
inline constexpr EventKind kCleaned{"cleaned", "The log cleaner compacted a log."};
// topic, partitions, replication_factor
inline constexpr EventKind kTopicCreated{"topic_created", "The controller created a topic."};
// topic
inline constexpr EventKind kTopicDeleted{"topic_deleted", "The controller deleted a topic."};

}  // namespace kafkasim::broker::events
