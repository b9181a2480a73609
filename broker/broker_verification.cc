// The stage before the append of a transactional batch: ask the coordinator
// (ReplicaManager.maybeSendPartitionsToTransactionCoordinator, KIP-890).
#include <algorithm>
#include <string>
#include <utility>

#include "broker/broker.h"
#include "broker/broker_timers.h"
#include "broker/channels.h"
#include "broker/events.h"

namespace kafkasim::broker {

namespace {

// The coordinator's answer as a reason not to append the batch.
absl::Status RefusalOf(ErrorCode error, const RecordBatch& batch) {
  const bool unreachable = error == ErrorCode::kNetworkException ||
                           error == ErrorCode::kCoordinatorNotAvailable ||
                           error == ErrorCode::kNotCoordinator;
  return KafkaError(error, fmt::format("the coordinator {} producer {}, epoch {}",
                                       unreachable ? "could not be asked about" : "did not confirm",
                                       batch.producer_id, batch.producer_epoch));
}

}  // namespace

VerificationRequest Broker::TakeGuards(sim::Context& context, PendingProduce& produce) {
  const auto& request = BodyOf<ProduceRequest>(*produce.request);
  VerificationRequest asked{.transactional_id = *request.transactional_id,
                            .operation = OperationOfProduce(request.version)};
  produce.parts.assign(request.partitions.size(), {});
  for (size_t i = 0; i < request.partitions.size(); ++i) {
    const RecordBatch& batch = *request.partitions[i].batch;
    const PartitionId& id = request.partitions[i].partition;
    if (!batch.transactional || !batch.has_producer_id() || !Knows(id)) continue;
    sim::Cow<Partition>* replica = replicas_.FindMutable(id);
    if (replica == nullptr) {
      produce.parts[i].refusal = KafkaError(ErrorCode::kNotLeaderOrFollower, "no replica here");
      continue;
    }
    const absl::StatusOr<VerificationGuard> guard =
        replica->Mutable().MaybeStartTransactionVerification(
            batch, asked.operation == TransactionOperation::kAddPartition, Surroundings(context));
    if (!guard.ok()) {
      produce.parts[i].refusal = guard.status();
    } else if (*guard != kNoVerificationGuard) {
      produce.parts[i].guard = *guard;
      asked.producer_id = batch.producer_id;
      asked.producer_epoch = batch.producer_epoch;
      asked.partitions.push_back(id);
    }
  }
  return asked;
}

void Broker::TraceVerification(sim::Context& context, const VerificationRequest& asked) {
  const bool adds = asked.operation == TransactionOperation::kAddPartition;
  for (const PartitionId& id : asked.partitions) {
    context.Emit(events::kVerificationAsked,
                 {{"partition", image().NameOf(id)},
                  {"transactional_id", asked.transactional_id},
                  {"producer_id", asked.producer_id.value()},
                  {"producer_epoch", int64_t{asked.producer_epoch.value()}},
                  {"mode", std::string(adds ? "add" : "verify")}});
  }
}

void Broker::StartVerification(sim::Context& context, PendingProduce produce) {
  VerificationRequest asked = TakeGuards(context, produce);
  if (asked.partitions.empty()) {
    AppendProduce(context, produce.reply_to, BodyOf<ProduceRequest>(*produce.request), &produce);
    return;
  }
  if (context.tracing()) TraceVerification(context, asked);
  if (!context.alive()) return;
  asked.ticket = produces_.Mutable().Add(std::move(produce)).ticket;
  const BrokerId coordinator = CoordinatorOf(kTransactionStateTopic, asked.transactional_id);
  if (coordinator == kNoBroker) {
    VerificationOutcome nobody{.ticket = asked.ticket};
    for (const PartitionId& id : asked.partitions) {
      nobody.errors.push_back({.partition = id, .error = ErrorCode::kCoordinatorNotAvailable});
    }
    TakeVerification(context, nobody);
    return;
  }
  TakeVerifications(context, verification_.Mutable().Enqueue(coordinator, std::move(asked)));
  SendVerification(context, coordinator);
}

void Broker::SendVerification(sim::Context& context, BrokerId coordinator) {
  std::optional<AddPartitionsToTxnRequest> request =
      verification_.Mutable().TakeRequest(coordinator);
  if (!request.has_value()) return;
  context.SendRequest(ProcessOf(coordinator), kVerificationChannel,
                      MakeMessage(std::move(*request)));
  *verification_.Mutable().TimerOf(coordinator) =
      context.SetTimer(GivenUpAfter(sim::Millis(config_->request_timeout_ms)),
                       static_cast<uint32_t>(BrokerTimer::kVerificationExpiry),
                       static_cast<uint64_t>(coordinator.value()));
}

void Broker::TakeVerifications(sim::Context& context, TransactionVerification::Outcomes outcomes) {
  for (const VerificationOutcome& outcome : outcomes) {
    if (!context.alive()) return;
    TakeVerification(context, outcome);
  }
}

void Broker::TakeVerification(sim::Context& context, const VerificationOutcome& outcome) {
  if ((outcome.ticket & ServiceVerification::kTicket) != 0) {
    TakeServiceVerification(context, outcome);
    return;
  }
  PendingProduce* produce = produces_.Mutable().Find(outcome.ticket);
  const auto& request = BodyOf<ProduceRequest>(*produce->request);
  bool concurrent = false;
  for (size_t i = 0; i < request.partitions.size(); ++i) {
    PendingProduce::Part& part = produce->parts[i];
    if (part.guard == kNoVerificationGuard) continue;
    const auto error =
        std::find_if(outcome.errors.begin(), outcome.errors.end(),
                     [&](const auto& e) { return e.partition == request.partitions[i].partition; });
    if (error != outcome.errors.end()) {
      part.refusal = RefusalOf(error->error, *request.partitions[i].batch);
    }
    const ErrorCode code = CodeOf(part.refusal);
    concurrent = concurrent || code == ErrorCode::kConcurrentTransactions;
    if (!context.tracing()) continue;
    context.Emit(events::kVerificationAnswered,
                 {{"partition", image().NameOf(request.partitions[i].partition)},
                  {"transactional_id", *request.transactional_id},
                  {"producer_id", request.partitions[i].batch->producer_id.value()},
                  {"error", std::string(Name(code))}});
    if (!context.alive()) return;
  }
  // The end of the transaction before may still be under way; asking again is cheaper than sending
  // the batch again.
  const sim::Duration waited = context.now() - produce->started;
  const bool may_retry =
      OperationOfProduce(request.version) == TransactionOperation::kAddPartition &&
      waited < sim::Millis(std::min(config_->add_partitions_retry_backoff_max_ms,
                                    config_->request_timeout_ms));
  if (concurrent && may_retry) {
    produce->retry =
        context.SetTimer(sim::Millis(config_->add_partitions_retry_backoff_ms),
                         static_cast<uint32_t>(BrokerTimer::kVerificationRetry), produce->ticket);
    return;
  }
  const PendingProduce verified = produces_.Mutable().Take(outcome.ticket);
  AppendProduce(context, verified.reply_to, request, &verified);
}

void Broker::RetryVerification(sim::Context& context, uint32_t ticket) {
  StartVerification(context, produces_.Mutable().Take(ticket));
}

}  // namespace kafkasim::broker
