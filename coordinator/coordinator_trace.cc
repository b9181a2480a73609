#include "coordinator/coordinator_trace.h"

#include <fmt/format.h>

#include "coordinator/events.h"

namespace kafkasim::coordinator {

namespace {

using broker::PartitionId;
using broker::PointEffect;
using sim::Field;

Field Text(std::string_view name, std::string_view value) { return {name, std::string(value)}; }
Field Number(std::string_view name, int64_t value) { return {name, value}; }

std::string ExplainMarkerError(const MarkerEntry& entry, broker::ErrorCode error) {
  using broker::ErrorCode;
  switch (error) {
    case ErrorCode::kNetworkException:
      return "the connection broke before an answer came";
    case ErrorCode::kNotLeaderOrFollower:
      return "the broker does not lead the partition any more";
    case ErrorCode::kNotEnoughReplicas:
      return "fewer replicas are in sync than min.insync.replicas";
    case ErrorCode::kNotEnoughReplicasAfterAppend:
      return "the marker was appended, but too few replicas are left in sync";
    case ErrorCode::kInvalidProducerEpoch:
      return fmt::format("the partition has seen a newer epoch of producer {} than {}",
                         entry.producer_id, entry.producer_epoch);
    case ErrorCode::kTransactionCoordinatorFenced:
      return fmt::format("the partition has seen a newer coordinator than the one of epoch {}",
                         entry.coordinator_epoch);
    default:
      return std::string(Name(error));
  }
}

}  // namespace

std::vector<std::string> PartitionNames(const broker::PartitionList& partitions,
                                        const broker::ClusterImage& names) {
  std::vector<std::string> texts;
  texts.reserve(partitions.size());
  for (const PartitionId& partition : partitions) texts.push_back(names.NameOf(partition));
  return texts;
}

PointEffect RecordPoint(const sim::EventKind& kind, const std::string& transactional_id,
                        const TransactionValue& value, const PartitionId& txn_partition,
                        broker::CoordinatorEpoch epoch, const broker::ClusterImage& names) {
  return {
      &kind,
      {Text("transactional_id", transactional_id), Text("state", UpperName(value.state)),
       Number("producer_id", value.producer_id.value()),
       Number("producer_epoch", value.producer_epoch.value()),
       Field{"partitions", PartitionNames(value.partitions, names)},
       Text("partition", names.NameOf(txn_partition)), Number("coordinator_epoch", epoch.value())}};
}

PointEffect RecordFailedPoint(const std::string& transactional_id, TransactionState state,
                              const PartitionId& txn_partition, broker::ErrorCode log_error,
                              const broker::ClusterImage& names) {
  const std::string partition = names.NameOf(txn_partition);
  return {&events::kTransactionRecordFailed,
          {Text("transactional_id", transactional_id), Text("error", Name(log_error)),
           Text("state", UpperName(state)), Text("partition", partition),
           Text("reason", fmt::format("{} answered {}, so {} stays as it was", partition,
                                      Name(log_error), transactional_id))}};
}

PointEffect StatePoint(const std::string& transactional_id, TransactionState from,
                       const TransactionValue& now) {
  return {&events::kTransactionState,
          {Text("transactional_id", transactional_id), Text("from", UpperName(from)),
           Text("to", UpperName(now.state)), Number("producer_id", now.producer_id.value()),
           Number("producer_epoch", now.producer_epoch.value())}};
}

PointEffect ProducerIdAssignedPoint(const std::string& transactional_id,
                                    broker::ProducerId producer_id, broker::ProducerEpoch epoch) {
  return {&events::kProducerIdAssigned,
          {Text("transactional_id", transactional_id), Number("producer_id", producer_id.value()),
           Number("producer_epoch", epoch.value())}};
}

PointEffect FencedPoint(const TransactionMetadata& metadata, broker::ProducerEpoch new_epoch,
                        std::string_view reason) {
  const TransactionValue& now = metadata.value;
  return {&events::kTransactionFenced,
          {Text("transactional_id", metadata.transactional_id),
           Number("producer_id", now.producer_id.value()),
           Number("producer_epoch", now.producer_epoch.value()),
           Number("new_epoch", new_epoch.value()), Text("reason", reason)}};
}

PointEffect TimedOutPoint(const TransactionMetadata& metadata, int64_t now_ms) {
  const TransactionValue& now = metadata.value;
  return {&events::kTransactionTimedOut,
          {Text("transactional_id", metadata.transactional_id),
           Number("producer_id", now.producer_id.value()),
           Number("producer_epoch", now.producer_epoch.value()),
           Number("start_ms", now.start_timestamp_ms), Number("timeout_ms", now.timeout_ms),
           Text("reason", fmt::format("open for {} ms, longer than its timeout of {} ms",
                                      now_ms - now.start_timestamp_ms, now.timeout_ms))}};
}

PointEffect MarkersSentPoint(const MarkerEntry& entry, broker::BrokerId broker,
                             const broker::ClusterImage& names) {
  return {&events::kMarkersSent,
          {Text("transactional_id", entry.transactional_id), Number("broker", broker.value()),
           Text("type", entry.committed ? "COMMIT" : "ABORT"),
           Number("producer_id", entry.producer_id.value()),
           Number("producer_epoch", entry.producer_epoch.value()),
           Field{"partitions", PartitionNames(entry.partitions, names)},
           Number("coordinator_epoch", entry.coordinator_epoch.value())}};
}

PointEffect MarkerFailedPoint(const sim::EventKind& kind, const MarkerEntry& entry,
                              broker::BrokerId broker, const PartitionId& partition,
                              broker::ErrorCode error, const broker::ClusterImage& names) {
  return {&kind,
          {Text("transactional_id", entry.transactional_id), Number("broker", broker.value()),
           Text("marked_partition", names.NameOf(partition)), Text("error", Name(error)),
           Text("reason", ExplainMarkerError(entry, error))}};
}

PointEffect RefusedPoint(Refusal refusal, broker::ErrorCode error, const Asked& asked,
                         const TransactionMetadata* metadata) {
  const bool fenced = ErrorOf(refusal) == broker::ErrorCode::kProducerFenced;
  return {fenced ? &events::kProducerFenced : &events::kRequestRefused,
          {Text("api", Name(asked.api)), Text("transactional_id", asked.transactional_id),
           Text("error", Name(error)), Text("reason", Explain(refusal, asked, metadata)),
           Number("producer_id", asked.producer_id.value()),
           Number("producer_epoch", asked.producer_epoch.value())}};
}

}  // namespace kafkasim::coordinator
