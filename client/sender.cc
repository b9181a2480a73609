// The sender's loop and the requests of the transaction manager. Batches: sender_produce.cc and
// sender_batches.cc.
#include "client/sender.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "client/events.h"
#include "sim/check.h"

namespace kafkasim::client {
namespace {

NetworkConfig NetworkOfProducer(const ProducerConfig& config) {
  return {.request_timeout = sim::Millis(config.request_timeout_ms),
          .retry_backoff = {sim::Millis(config.retry_backoff_ms),
                            sim::Millis(config.retry_backoff_max_ms)},
          .reconnect_backoff = {sim::Millis(config.reconnect_backoff_ms),
                                sim::Millis(config.reconnect_backoff_max_ms)},
          .metadata_max_age = sim::Millis(config.metadata_max_age_ms),
          .max_in_flight = config.max_in_flight_requests_per_connection};
}

AccumulatorConfig AccumulatorOf(const ProducerConfig& config) {
  return {.batch_size = config.batch_size,
          .linger = sim::Millis(config.linger_ms),
          .delivery_timeout = sim::Millis(config.delivery_timeout()),
          .retry_backoff = {sim::Millis(config.retry_backoff_ms),
                            sim::Millis(config.retry_backoff_max_ms)}};
}

}  // namespace

Sender::Sender(const ClientOptions& options, std::shared_ptr<const ProducerConfig> config)
    : config_(std::move(config)),
      connection_(options.bootstrap, NetworkOfProducer(*config_)),
      accumulator_(AccumulatorOf(*config_)),
      transactions_(config_->transactional_id, config_->transaction_timeout(),
                    sim::Millis(config_->retry_backoff_ms)) {}

void Sender::Run(sim::Context& context, const Demand& demand) {
  Step step = Step::kGoOn;
  while (step == Step::kGoOn && !closed_ && context.alive()) {
    wait_until_ = sim::kEndOfTime;
    if (demand.metadata || IsBusy()) connection_.Poll(context);
    step =
        idempotent() ? RunIdempotent(context, demand) : SendProduceData(context, demand.flushing);
    if (step != Step::kGoOn && closing_) step = Close(context);
    ReportChanges(context);
  }
}

// Sender.runOnce of a producer with a transaction manager.
Sender::Step Sender::RunIdempotent(sim::Context& context, const Demand& demand) {
  ResolveSequences();
  if (transactions_.is_fatal()) {
    AbortBatches(transactions_.last_error(), /*undrained_only=*/false);
    return Step::kNothing;
  }
  if (transactions_.is_abortable() &&
      transactions_.last_error().code == broker::ErrorCode::kTransactionalIdAuthorizationFailed) {
    AbortBatches(transactions_.last_error(), /*undrained_only=*/false);
    transactions_.BackToUninitialized();
    return Step::kGoOn;
  }
  BumpIdempotentEpochIfNeeded();
  transactions_.RequestIdIfNeeded();
  const Step step = SendTransactional(context);
  return step == Step::kNothing ? SendProduceData(context, demand.flushing) : step;
}

// Sender.run after close() was called: everything is sent and answered, then an open transaction is
// aborted, then the connections are closed. What would only begin or renew a producer id is
// dropped.
Sender::Step Sender::Close(sim::Context& context) {
  if (accumulator_.HasUndrained() || connection_.in_flight_count() > 0) return Step::kNothing;
  if (idempotent() && transactions_.has_ongoing_transaction()) {
    const bool requests_wait = selected_.has_value() || transactions_.has_pending_requests();
    if (requests_wait || transactions_.is_completing()) return Step::kNothing;
    if (transactions_.BeginAbort(connection_.transaction_version()).ok()) return Step::kGoOn;
    transactions_.FailForShutdown();
    AbortBatches(ClientError(Exception::kKafka, ErrorClass::kFatal, "the producer was closed"),
                 /*undrained_only=*/false);
  }
  connection_.Close(context);
  closed_ = true;
  return Step::kNothing;
}

Sender::Step Sender::SendTransactional(sim::Context& context) {
  if (under_way_.has_value()) return Step::kWait;
  if (!selected_.has_value()) {
    if (transactions_.is_abortable()) {
      AbortBatches(transactions_.last_error(), /*undrained_only=*/true);
    } else if (transactions_.is_aborting()) {
      AbortBatches(ClientError(Exception::kTransactionAborted, ErrorClass::kAbortable,
                               "the transaction was aborted before the record was sent"),
                   /*undrained_only=*/true);
    }
    selected_ = transactions_.NextRequest(accumulator_.HasIncomplete());
    if (!selected_.has_value()) return Step::kNothing;
    sleep_until_ = sim::Time{};
  }
  return SendTransactional(context, *selected_);
}

Sender::Step Sender::SendTransactional(sim::Context& context, TransactionRequest request) {
  const bool to_coordinator = transactions_.NeedsCoordinator(request);
  broker::BrokerId target = transactions_.CoordinatorOf(request);
  if (to_coordinator && target == broker::kNoBroker) {
    selected_.reset();
    transactions_.FindCoordinatorFor(std::move(request));
    return Step::kGoOn;
  }
  if (!to_coordinator) {
    const std::optional<broker::BrokerId> any = connection_.LeastLoaded(context.now());
    if (!any.has_value()) {
      for (broker::BrokerId node : connection_.metadata().nodes()) {
        WaitUntil(connection_.RetryAt(node).value_or(sim::kEndOfTime));
      }
      return Step::kWait;
    }
    target = *any;
  }
  if (sleep_until_ <= context.now() && !connection_.Ready(context, target)) {
    if (!connection_.IsDisconnected(target)) return Step::kWait;
    selected_.reset();
    if (!to_coordinator) connection_.metadata().RequestUpdate();
    transactions_.OnUnreachable(std::move(request));
    return Step::kGoOn;
  }
  if (to_coordinator) transactions_.OnCoordinatorReady(request);
  if (request.retry && sleep_until_ == sim::Time{}) {
    sleep_until_ = context.now() + request.backoff;
  }
  if (sleep_until_ > context.now()) {
    WaitUntil(sleep_until_);
    return Step::kWait;
  }
  under_way_request_ = next_request_++;
  connection_.Send(context, target, transactions_.MessageOf(request), under_way_request_);
  ++transactional_requests_;
  under_way_ = std::move(request);
  selected_.reset();
  return Step::kWait;
}

void Sender::OnCompleted(sim::Context& context, const CompletedRequests& completed) {
  for (const Completed& request : completed) {
    if (under_way_.has_value() && request.token == under_way_request_) {
      OnTransactional(context, request);
    } else {
      OnProduce(context, request);
    }
    ReportChanges(context);
  }
}

void Sender::OnTransactional(sim::Context& context, const Completed& completed) {
  TransactionRequest request = std::move(*under_way_);
  under_way_.reset();
  if (completed.how == Completed::How::kAnswered) {
    transactions_.OnResponse(std::move(request), *completed.response);
    if (transactions_.TakeSequenceReset()) {
      for (PartitionQueue& queue : accumulator_.queues()) queue.sequences = {};
    }
    return;
  }
  if (context.tracing()) {
    context.Emit(events::kRequestFailed,
                 {{"api", std::string(transactions_.MessageOf(request)->api())},
                  {"error", std::string(broker::Name(broker::ErrorCode::kNetworkException))},
                  {"reason", std::string(completed.how == Completed::How::kTimedOut
                                             ? "no answer within request.timeout.ms"
                                             : "the connection broke")},
                  {"retried", true}});
  }
  transactions_.OnDisconnected(std::move(request));
}

void Sender::ReportChanges(sim::Context& context) {
  for (const TransactionChange& change : transactions_.TakeChanges()) {
    if (!context.tracing()) continue;
    switch (change.what) {
      case TransactionChange::What::kState:
        context.Emit(events::kProducerState, {{"from", std::string(Name(change.from))},
                                              {"to", std::string(Name(change.to))},
                                              {"reason", change.reason}});
        break;
      case TransactionChange::What::kIdentity:
        context.Emit(events::kProducerIdentity,
                     {{"producer_id", change.now.producer_id.value()},
                      {"epoch", int64_t{change.now.epoch.value()}},
                      {"was_producer_id", change.was.producer_id.value()},
                      {"was_epoch", int64_t{change.was.epoch.value()}},
                      {"reason", change.reason}});
        break;
      case TransactionChange::What::kCoordinator:
        context.Emit(events::kCoordinatorFound,
                     {{"coordinator", int64_t{change.coordinator.value()}},
                      {"transactional_id", config_->transactional_id.value_or("")}});
        break;
      case TransactionChange::What::kGroupCoordinator:
        context.Emit(
            events::kGroupCoordinatorFound,
            {{"coordinator", int64_t{change.coordinator.value()}}, {"group_id", change.reason}});
        break;
    }
  }
}

bool Sender::IsBusy() const {
  return accumulator_.HasIncomplete() || selected_.has_value() || under_way_.has_value() ||
         transactions_.has_pending_requests() || connection_.in_flight_count() > 0;
}

sim::Time Sender::NextWake(sim::Time now, const Demand& demand) const {
  const auto later = [now](sim::Time time) { return time > now ? time : sim::kEndOfTime; };
  return std::min({later(connection_.NextWake(now, demand.metadata || IsBusy())),
                   later(wait_until_), later(accumulator_.NextExpiry())});
}

void Sender::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(connection_);
  out.Add(accumulator_);
  out.Add(transactions_);
  out.Add(next_request_);
  out.Add(selected_);
  out.Add(sleep_until_);
  out.Add(under_way_);
  out.Add(under_way_request_);
  out.Add(idempotent_bump_);
  out.Add(closing_);
  out.Add(closed_);
}

}  // namespace kafkasim::client
