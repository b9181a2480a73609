// Transactions that a service wants to write for: the same questions to the transaction coordinator
// as a Produce request has (ReplicaManager.maybeSendPartitionToTransactionCoordinator, KIP-890),
// for one partition and without a second try.
#include <utility>

#include "broker/broker.h"
#include "broker/events.h"
#include "broker/service_run.h"

namespace kafkasim::broker {
namespace {

// What the question is about, as the batch that will be appended has it.
RecordBatch HeaderOf(const VerifyEffect& asked) {
  RecordBatch batch = MakeBatch({});
  batch.producer_id = asked.producer_id;
  batch.producer_epoch = asked.producer_epoch;
  batch.transactional = true;
  return batch;
}

}  // namespace

void Broker::VerifyForService(sim::Context& context, uint32_t service, const VerifyEffect& effect) {
  ServiceVerification verification{.service = service, .asked = effect};
  const bool adds = effect.operation == TransactionOperation::kAddPartition;
  if (!adds && !config_->transaction_partition_verification_enable) {
    TellVerified(context, verification, ErrorCode::kNone);
    return;
  }
  sim::Cow<Partition>* replica = replicas_.FindMutable(effect.partition);
  if (replica == nullptr) {
    TellVerified(context, verification, ErrorCode::kNotLeaderOrFollower);
    return;
  }
  const absl::StatusOr<VerificationGuard> guard =
      replica->Mutable().MaybeStartTransactionVerification(HeaderOf(effect), adds,
                                                           Surroundings(context));
  if (!guard.ok() || *guard == kNoVerificationGuard) {
    TellVerified(context, verification, CodeOf(guard.status()));
    return;
  }
  verification.guard = *guard;
  VerificationRequest asked{.transactional_id = effect.transactional_id,
                            .producer_id = effect.producer_id,
                            .producer_epoch = effect.producer_epoch,
                            .operation = effect.operation,
                            .partitions = {effect.partition}};
  if (context.tracing()) TraceVerification(context, asked);
  if (!context.alive()) return;
  const BrokerId coordinator = CoordinatorOf(kTransactionStateTopic, effect.transactional_id);
  if (coordinator == kNoBroker) {
    TellVerified(context, verification, ErrorCode::kCoordinatorNotAvailable);
    return;
  }
  asked.ticket = produces_.Mutable().AddOfService(std::move(verification)).ticket;
  TakeVerifications(context, verification_.Mutable().Enqueue(coordinator, std::move(asked)));
  SendVerification(context, coordinator);
}

void Broker::TakeServiceVerification(sim::Context& context, const VerificationOutcome& outcome) {
  const ServiceVerification verified = produces_.Mutable().TakeOfService(outcome.ticket);
  const ErrorCode error = outcome.errors.empty() ? ErrorCode::kNone : outcome.errors.front().error;
  if (context.tracing()) {
    context.Emit(events::kVerificationAnswered,
                 {{"partition", image().NameOf(verified.asked.partition)},
                  {"transactional_id", verified.asked.transactional_id},
                  {"producer_id", verified.asked.producer_id.value()},
                  {"error", std::string(Name(error))}});
    if (!context.alive()) return;
  }
  TellVerified(context, verified, error);
}

void Broker::TellVerified(sim::Context& context, const ServiceVerification& verified,
                          ErrorCode error) {
  RunService(context, verified.service,
             [&](Service& service, const ServiceContext& host, Effects& effects) {
               service.OnVerified(host, verified.asked.token, verified.guard, error, effects);
             });
}

}  // namespace kafkasim::broker
