// The process around the application's thread. Calls: consumer_calls.cc.
#include "client/consumer.h"

#include <algorithm>
#include <utility>

#include "broker/channels.h"
#include "sim/check.h"

namespace kafkasim::client {
namespace {

NetworkConfig NetworkOf(const ConsumerConfig& config) {
  // A consumer does not limit the requests on a connection (ConsumerUtils).
  constexpr int64_t kMaxInFlight = 100;
  return {.request_timeout = sim::Millis(config.request_timeout_ms),
          .retry_backoff = {sim::Millis(config.retry_backoff_ms),
                            sim::Millis(config.retry_backoff_max_ms)},
          .reconnect_backoff = {sim::Millis(config.reconnect_backoff_ms),
                                sim::Millis(config.reconnect_backoff_max_ms)},
          .metadata_max_age = sim::Millis(config.metadata_max_age_ms),
          .max_in_flight = kMaxInFlight};
}

}  // namespace

Consumer::Consumer(ClientOptions options, ConsumerConfig config,
                   std::vector<broker::PartitionId> assignment)
    : options_(std::move(options)),
      config_(std::make_shared<const ConsumerConfig>(config)),
      assignment_(std::move(assignment)),
      connection_(options_.bootstrap, NetworkOf(config)),
      subscriptions_(assignment_) {}

std::optional<broker::Offset> Consumer::position(const broker::PartitionId& partition) const {
  const AssignedPartition* assigned = subscriptions_.Find(partition);
  return assigned == nullptr ? std::nullopt : assigned->position;
}

std::optional<int64_t> Consumer::lag(const broker::PartitionId& partition) const {
  const AssignedPartition* assigned = subscriptions_.Find(partition);
  return assigned == nullptr ? std::nullopt
                             : subscriptions_.LagOf(*assigned, config_->isolation_level);
}

std::unique_ptr<sim::Process> Consumer::Clone() const { return std::make_unique<Consumer>(*this); }

void Consumer::OnRequest(sim::Context&, const sim::RequestIn&) {
  KAFKASIM_CHECK(false, "nobody sends requests to a client");
}

void Consumer::OnResponse(sim::Context& context, const sim::ResponseIn& response) {
  CompletedRequests completed;
  connection_.OnResponse(context, response, completed);
  OnCompleted(context, completed);
}

void Consumer::OnDisconnect(sim::Context& context, sim::ProcessId peer, sim::Channel channel) {
  if (channel != broker::kClientChannel) return;
  CompletedRequests completed;
  connection_.OnDisconnect(context, peer, completed);
  OnCompleted(context, completed);
}

void Consumer::OnTimer(sim::Context& context, uint32_t, uint64_t) {
  timer_ = {};
  timer_at_ = sim::kEndOfTime;
  CompletedRequests completed;
  connection_.OnTime(context, completed);
  OnCompleted(context, completed);
}

void Consumer::OnCompleted(sim::Context& context, const CompletedRequests& completed) {
  for (const Completed& request : completed) {
    if (fetcher_.OnCompleted(context, *config_, request, subscriptions_)) continue;
    if (validator_.OnCompleted(context, *config_, request, connection_.metadata(),
                               subscriptions_)) {
      continue;
    }
    const bool taken = offset_fetcher_.OnCompleted(context, *config_, request,
                                                   connection_.metadata(), subscriptions_);
    KAFKASIM_CHECK(taken, "every request of a consumer is a fetch or asks for offsets or epochs");
  }
  Pump(context);
}

void Consumer::OnCommand(sim::Context& context, const sim::PayloadRef& command) {
  auto call = std::static_pointer_cast<const Call>(command);
  if (const auto* forget = std::get_if<ForgetCalls>(&call->operation())) {
    calls_.Mutable().Forget(forget->up_to);
    return;
  }
  calls_.Mutable().Add(call->id(), Name(call->operation()));
  waiting_.push_back(std::move(call));
  Pump(context);
}

void Consumer::OnCrash(sim::CrashKind) {
  calls_.Mutable().LoseOpenCalls();
  connection_ = ClusterConnection(options_.bootstrap, NetworkOf(*config_));
  subscriptions_ = SubscriptionState(assignment_);
  fetcher_ = {};
  offset_fetcher_ = {};
  validator_ = {};
  closed_ = false;
  waiting_.clear();
  blocking_.reset();
  timer_ = {};
  timer_at_ = sim::kEndOfTime;
}

void Consumer::OnRestart(sim::Context&) {}

// Lets the application run until it has to wait. Unlike a producer, a consumer does nothing while
// its application is not in a call.
void Consumer::Pump(sim::Context& context) {
  while (context.alive()) {
    if (blocking_.has_value()) {
      connection_.Poll(context);
      if (ContinueBlocking(context)) continue;
      connection_.Poll(context);  // it may have found that its metadata is no good
      break;
    }
    if (waiting_.empty()) break;
    const CallRef call = std::move(waiting_.front());
    waiting_.erase(waiting_.begin());
    Begin(context, call);
  }
  ArmTimer(context);
}

void Consumer::ArmTimer(sim::Context& context) {
  const sim::Time now = context.now();
  sim::Time next = connection_.NextWake(now, /*polls=*/blocking_.has_value());
  if (blocking_.has_value()) {
    next = std::min({next, blocking_->deadline,
                     offset_fetcher_.NextWake(now, connection_, subscriptions_),
                     validator_.NextWake(now, connection_, subscriptions_),
                     fetcher_.NextWake(now, connection_, subscriptions_)});
  }
  if (next == timer_at_) return;
  context.CancelTimer(timer_);
  timer_ = {};
  timer_at_ = next;
  if (next != sim::kEndOfTime) timer_ = context.SetTimer(next - now, 0);
}

void Consumer::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(connection_);
  out.Add(subscriptions_);
  out.Add(fetcher_);
  out.Add(offset_fetcher_);
  out.Add(validator_);
  out.Add(next_request_);
  out.Add(closed_);
  out.Add(static_cast<uint32_t>(waiting_.size()));
  for (const CallRef& call : waiting_) out.Add(call->fingerprint());
  out.Add(blocking_.has_value());
  if (blocking_.has_value()) {
    out.Add(blocking_->call->id());
    out.Add(blocking_->deadline);
  }
  out.Add(calls_);
  out.Add(timer_at_);
}

}  // namespace kafkasim::client
