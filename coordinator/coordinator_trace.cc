#include "coordinator/coordinator_trace.h"

#include <fmt/format.h>

#include "coordinator/events.h"

namespace kafkasim::coordinator {

namespace {

using broker::PartitionId;
using broker::PointEffect;
using sim::Field;
using sim::NumberField;
using sim::TextField;

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
      {TextField("transactional_id", transactional_id), TextField("state", UpperName(value.state)),
       NumberField("producer_id", value.producer_id.value()),
       NumberField("producer_epoch", value.producer_epoch.value()),
       Field{"partitions", PartitionNames(value.partitions, names)},
       TextField("partition", names.NameOf(txn_partition)),
       NumberField("coordinator_epoch", epoch.value())}};
}

PointEffect RecordFailedPoint(const std::string& transactional_id, TransactionState state,
                              const PartitionId& txn_partition, broker::ErrorCode log_error,
                              const broker::ClusterImage& names) {
  const std::string partition = names.NameOf(txn_partition);
  return {&events::kTransactionRecordFailed,
          {TextField("transactional_id", transactional_id), TextField("error", Name(log_error)),
           TextField("state", UpperName(state)), TextField("partition", partition),
           TextField("reason", fmt::format("{} answered {}, so {} stays as it was", partition,
                                           Name(log_error), transactional_id))}};
}

PointEffect StatePoint(const std::string& transactional_id, TransactionState from,
                       const TransactionValue& now) {
  return {
      &events::kTransactionState,
      {TextField("transactional_id", transactional_id), TextField("from", UpperName(from)),
       TextField("to", UpperName(now.state)), NumberField("producer_id", now.producer_id.value()),
       NumberField("producer_epoch", now.producer_epoch.value())}};
}

PointEffect ProducerIdAssignedPoint(const std::string& transactional_id,
                                    broker::ProducerId producer_id, broker::ProducerEpoch epoch) {
  return {&events::kProducerIdAssigned,
          {TextField("transactional_id", transactional_id),
           NumberField("producer_id", producer_id.value()),
           NumberField("producer_epoch", epoch.value())}};
}

PointEffect FencedPoint(const TransactionMetadata& metadata, broker::ProducerEpoch new_epoch,
                        std::string_view reason) {
  const TransactionValue& now = metadata.value;
  return {&events::kTransactionFenced,
          {TextField("transactional_id", metadata.transactional_id),
           NumberField("producer_id", now.producer_id.value()),
           NumberField("producer_epoch", now.producer_epoch.value()),
           NumberField("new_epoch", new_epoch.value()), TextField("reason", reason)}};
}

PointEffect TimedOutPoint(const TransactionMetadata& metadata, int64_t now_ms) {
  const TransactionValue& now = metadata.value;
  return {
      &events::kTransactionTimedOut,
      {TextField("transactional_id", metadata.transactional_id),
       NumberField("producer_id", now.producer_id.value()),
       NumberField("producer_epoch", now.producer_epoch.value()),
       NumberField("start_ms", now.start_timestamp_ms), NumberField("timeout_ms", now.timeout_ms),
       TextField("reason", fmt::format("open for {} ms, longer than its timeout of {} ms",
                                       now_ms - now.start_timestamp_ms, now.timeout_ms))}};
}

PointEffect MarkersSentPoint(const MarkerEntry& entry, broker::BrokerId broker,
                             const broker::ClusterImage& names) {
  return {
      &events::kMarkersSent,
      {TextField("transactional_id", entry.transactional_id), NumberField("broker", broker.value()),
       TextField("type", entry.committed ? "COMMIT" : "ABORT"),
       NumberField("producer_id", entry.producer_id.value()),
       NumberField("producer_epoch", entry.producer_epoch.value()),
       Field{"partitions", PartitionNames(entry.partitions, names)},
       NumberField("coordinator_epoch", entry.coordinator_epoch.value())}};
}

PointEffect MarkerFailedPoint(const sim::EventKind& kind, const MarkerEntry& entry,
                              broker::BrokerId broker, const PartitionId& partition,
                              broker::ErrorCode error, const broker::ClusterImage& names) {
  return {
      &kind,
      {TextField("transactional_id", entry.transactional_id), NumberField("broker", broker.value()),
       TextField("marked_partition", names.NameOf(partition)), TextField("error", Name(error)),
       TextField("reason", ExplainMarkerError(entry, error))}};
}

PointEffect RefusedPoint(Refusal refusal, broker::ErrorCode error, const Asked& asked,
                         const TransactionMetadata* metadata) {
  const bool fenced = ErrorOf(refusal) == broker::ErrorCode::kProducerFenced;
  return {fenced ? &events::kProducerFenced : &events::kRequestRefused,
          {TextField("api", Name(asked.api)), TextField("transactional_id", asked.transactional_id),
           TextField("error", Name(error)), TextField("reason", Explain(refusal, asked, metadata)),
           NumberField("producer_id", asked.producer_id.value()),
           NumberField("producer_epoch", asked.producer_epoch.value())}};
}

}  // namespace kafkasim::coordinator
