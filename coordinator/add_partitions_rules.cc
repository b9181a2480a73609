#include "coordinator/add_partitions_rules.h"

namespace kafkasim::coordinator {

AddPartitionsDecision DecideAddPartitions(const TransactionMetadata& metadata,
                                          broker::ProducerId producer_id,
                                          broker::ProducerEpoch epoch,
                                          const broker::PartitionList& partitions) {
  if (metadata.pending.has_value()) {
    return {AddPartitionsAction::kRefuse, Refusal::kChangePending};
  }
  if (const std::optional<Refusal> refusal = CheckVerification(metadata, producer_id, epoch)) {
    return {AddPartitionsAction::kRefuse, *refusal};
  }
  if (metadata.value.state == TransactionState::kOngoing &&
      ContainsAll(metadata.value.partitions, partitions)) {
    return {AddPartitionsAction::kAlreadyIn};
  }
  return {AddPartitionsAction::kAdd};
}

std::optional<Refusal> CheckVerification(const TransactionMetadata& metadata,
                                         broker::ProducerId producer_id,
                                         broker::ProducerEpoch epoch) {
  const TransactionValue& now = metadata.value;
  if (producer_id != now.producer_id) return Refusal::kOtherProducerId;
  if (epoch != now.producer_epoch) return Refusal::kOtherEpoch;
  if (IsPrepared(now.state)) return Refusal::kStillEnding;
  return std::nullopt;
}

}  // namespace kafkasim::coordinator
