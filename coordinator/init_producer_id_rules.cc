#include "coordinator/init_producer_id_rules.h"

#include "sim/check.h"

namespace kafkasim::coordinator {

namespace {

using broker::kNoProducerEpoch;

constexpr InitProducerIdDecision RefuseInit(Refusal refusal) {
  return {InitProducerIdAction::kRefuse, refusal};
}

bool IsKnown(const TransactionValue& now, const ProducerIdAndEpoch& expected) {
  return now.producer_epoch == kNoProducerEpoch || expected.producer_id == now.producer_id ||
         (expected.producer_id == now.prev_producer_id && IsEpochExhausted(expected.epoch));
}

InitProducerIdDecision DecideAtRest(const TransactionValue& now,
                                    const std::optional<ProducerIdAndEpoch>& expected) {
  if (IsEpochExhausted(now.producer_epoch)) {
    if (!expected.has_value() || expected->epoch == now.producer_epoch) {
      return {InitProducerIdAction::kRotateProducerId};
    }
    // Kafka tries to increment the epoch all the same and trips over its own check.
    return RefuseInit(Refusal::kExhaustedByAnotherEpoch);
  }
  const bool fits = !expected.has_value() || now.producer_epoch == kNoProducerEpoch ||
                    expected->epoch == now.producer_epoch ||
                    expected->epoch == now.last_producer_epoch;
  if (!fits) return RefuseInit(Refusal::kOtherEpoch);
  return {InitProducerIdAction::kBumpEpoch};
}

}  // namespace

InitProducerIdDecision DecideInitProducerId(const TransactionMetadata& metadata,
                                            const std::optional<ProducerIdAndEpoch>& expected) {
  if (metadata.pending.has_value()) return RefuseInit(Refusal::kChangePending);
  const TransactionValue& now = metadata.value;
  if (expected.has_value() && !IsKnown(now, *expected)) {
    return RefuseInit(Refusal::kReplacedProducerId);
  }
  switch (now.state) {
    case TransactionState::kPrepareCommit:
    case TransactionState::kPrepareAbort:
      return RefuseInit(Refusal::kStillEnding);
    case TransactionState::kEmpty:
    case TransactionState::kCompleteCommit:
    case TransactionState::kCompleteAbort:
      return DecideAtRest(now, expected);
    case TransactionState::kOngoing:
      return {InitProducerIdAction::kFenceAndAbort};
    case TransactionState::kDead:
    case TransactionState::kPrepareEpochFence:
      break;
  }
  KAFKASIM_CHECK(false, "a transactional id never rests in this state");
}

}  // namespace kafkasim::coordinator
