// How the coordinator's protocol points are built from its state (events.h names their fields).
// Called only while somebody watches.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "broker/cluster_image.h"
#include "broker/ids.h"
#include "broker/service.h"
#include "coordinator/marker_channel.h"
#include "coordinator/refusal.h"
#include "coordinator/transaction_metadata.h"

namespace kafkasim::coordinator {

[[nodiscard]] std::vector<std::string> PartitionNames(const broker::PartitionList& partitions,
                                                      const broker::ClusterImage& names);

// kTransactionRecordAppended or kTransactionRecordReplicated: `value` is what the record says.
[[nodiscard]] broker::PointEffect RecordPoint(const sim::EventKind& kind,
                                              const std::string& transactional_id,
                                              const TransactionValue& value,
                                              const broker::PartitionId& txn_partition,
                                              broker::CoordinatorEpoch epoch,
                                              const broker::ClusterImage& names);
[[nodiscard]] broker::PointEffect RecordFailedPoint(const std::string& transactional_id,
                                                    TransactionState state,
                                                    const broker::PartitionId& txn_partition,
                                                    broker::ErrorCode log_error,
                                                    const broker::ClusterImage& names);
[[nodiscard]] broker::PointEffect StatePoint(const std::string& transactional_id,
                                             TransactionState from, const TransactionValue& now);
[[nodiscard]] broker::PointEffect ProducerIdAssignedPoint(const std::string& transactional_id,
                                                          broker::ProducerId producer_id,
                                                          broker::ProducerEpoch epoch);
[[nodiscard]] broker::PointEffect FencedPoint(const TransactionMetadata& metadata,
                                              broker::ProducerEpoch new_epoch,
                                              std::string_view reason);
[[nodiscard]] broker::PointEffect TimedOutPoint(const TransactionMetadata& metadata,
                                                int64_t now_ms);
[[nodiscard]] broker::PointEffect MarkersSentPoint(const MarkerEntry& entry,
                                                   broker::BrokerId broker,
                                                   const broker::ClusterImage& names);
// kMarkerRetried or kMarkersGivenUp; `broker` did not write the marker of `partition`.
[[nodiscard]] broker::PointEffect MarkerFailedPoint(const sim::EventKind& kind,
                                                    const MarkerEntry& entry,
                                                    broker::BrokerId broker,
                                                    const broker::PartitionId& partition,
                                                    broker::ErrorCode error,
                                                    const broker::ClusterImage& names);
// kProducerFenced if the producer has been replaced, else kRequestRefused.
[[nodiscard]] broker::PointEffect RefusedPoint(Refusal refusal, broker::ErrorCode error,
                                               const Asked& asked,
                                               const TransactionMetadata* metadata);

}  // namespace kafkasim::coordinator
