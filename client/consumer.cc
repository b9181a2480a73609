// The process around the application's thread. Calls: consumer_calls.cc.
#include "client/consumer.h"

#include <algorithm>
#include <utility>

#include "broker/channels.h"
#include "sim/check.h"

namespace kafkasim::client {
namespace {

NetworkConfig NetworkOfConsumer(const ConsumerConfig& config) {
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
                   std::vector<broker::PartitionId> assignment,
                   std::vector<broker::TopicId> subscription)
    : options_(std::move(options)),
      config_(std::make_shared<const ConsumerConfig>(std::move(config))),
      initial_(assignment),
      connection_(options_.bootstrap, NetworkOfConsumer(*config_)),
      subscriptions_(initial_) {
  if (config_->group_id.has_value()) group_.emplace(*config_);
  if (subscription.empty()) return;
  KAFKASIM_CHECK(group_.has_value() && assignment.empty(), "a subscription is that of a group");
  initial_.Subscribe(std::move(subscription));
  subscriptions_ = initial_;
}

std::vector<broker::PartitionId> Consumer::assignment() const {
  std::vector<broker::PartitionId> list;
  for (const AssignedPartition& assigned : subscriptions_.partitions()) {
    list.push_back(assigned.partition);
  }
  return list;
}

ConsumerGroupMetadata Consumer::group_metadata() const {
  return group_.has_value() ? group_->metadata() : ConsumerGroupMetadata{};
}

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
  CompletedRequests completed;
  connection_.OnDisconnect(context, peer, channel, completed);
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
    if (group_.has_value()) {
      if (group_->IsJoinAnswer(request) && (!blocking_.has_value() || in_listener())) {
        deferred_.push_back(request);
        continue;
      }
      if (WithGroup(context, [&](GroupIo& io) { return group_->OnCompleted(io, request); })) {
        continue;
      }
    }
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
  (pending_callback().has_value() ? nested_ : waiting_).push_back(std::move(call));
  Pump(context);
}

void Consumer::CompleteCallback(sim::Context& context, const ApiError& error) {
  KAFKASIM_CHECK(in_listener() && nested_.empty(), "a listener returns after its calls");
  group_->CompleteCallback(error);
  Pump(context);
}

void Consumer::OnCrash(sim::CrashKind) {
  calls_.Mutable().LoseOpenCalls();
  connection_ = ClusterConnection(options_.bootstrap, NetworkOfConsumer(*config_));
  subscriptions_ = initial_;
  fetcher_ = {};
  offset_fetcher_ = {};
  if (group_.has_value()) group_.emplace(*config_);
  deferred_.clear();
  validator_ = {};
  closed_ = false;
  waiting_.clear();
  nested_.clear();
  blocking_.reset();
  outer_.reset();
  timer_ = {};
  timer_at_ = sim::kEndOfTime;
}

void Consumer::OnRestart(sim::Context&) {}

// Lets the application run until it has to wait. Unlike a producer, a consumer does nothing while
// its application is not in a call, but for the heartbeats of a member of a group.
void Consumer::Pump(sim::Context& context) {
  while (context.alive()) {
    if (group_.has_value()) RunGroup(context);
    if (!blocking_.has_value() && outer_.has_value()) {
      blocking_ = std::exchange(outer_, std::nullopt);
    }
    if (in_listener()) {
      if (nested_.empty()) break;
      outer_ = std::exchange(blocking_, std::nullopt);
      BeginNext(context, nested_);
    } else if (blocking_.has_value()) {
      connection_.Poll(context);
      if (ContinueBlocking(context)) continue;
      connection_.Poll(context);  // it may have found that its metadata is no good
      if (group_.has_value()) {
        RunGroup(context);
        if (group_->TakeProgress()) continue;
      }
      if (!in_listener()) break;
    } else if (!waiting_.empty()) {
      BeginNext(context, waiting_);
    } else {
      break;
    }
  }
  ArmTimer(context);
}

void Consumer::BeginNext(sim::Context& context, std::vector<CallRef>& calls) {
  const CallRef call = std::move(calls.front());
  calls.erase(calls.begin());
  Begin(context, call);
}

void Consumer::RunGroup(sim::Context& context) {
  const bool in_call = blocking_.has_value() && !in_listener();
  const bool polling = in_call && !outer_.has_value() &&
                       std::holds_alternative<client::Poll>(blocking_->call->operation());
  WithGroup(context, [&](GroupIo& io) {
    if (in_call) {
      for (const Completed& request : std::exchange(deferred_, {})) {
        (void)group_->OnCompleted(io, request);
      }
    }
    group_->Run(io, polling);
    return true;
  });
  if (group_->seeks_coordinator()) connection_.Poll(context);
  for (const ConsumerGroup::AsyncResult& result : group_->TakeAsyncResults()) {
    Finish(context, result.call, {}, result.error);
  }
}

void Consumer::ArmTimer(sim::Context& context) {
  const sim::Time now = context.now();
  const bool polls = blocking_.has_value() || (group_.has_value() && group_->seeks_coordinator());
  sim::Time next = connection_.NextWake(now, polls);
  if (group_.has_value()) {
    using Thread = ConsumerGroup::Thread;
    const bool in_poll = blocking_.has_value() && !outer_.has_value() && !in_listener() &&
                         std::holds_alternative<client::Poll>(blocking_->call->operation());
    next = std::min(next, group_->NextWake(now, in_poll                 ? Thread::kInPoll
                                                : blocking_.has_value() ? Thread::kInCall
                                                                        : Thread::kAway));
  }
  if (blocking_.has_value() && !in_listener()) {
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
  out.Add(group_);
  out.Add(static_cast<uint32_t>(deferred_.size()));
  for (const Completed& request : deferred_) {
    out.Add(request.token);
    out.Add(request.how);
    out.Add(request.response != nullptr);
    if (request.response != nullptr) out.Add(request.response->fingerprint());
  }
  out.Add(validator_);
  out.Add(next_request_);
  out.Add(closed_);
  out.Add(static_cast<uint32_t>(waiting_.size()));
  for (const CallRef& call : waiting_) out.Add(call->fingerprint());
  out.Add(static_cast<uint32_t>(nested_.size()));
  for (const CallRef& call : nested_) out.Add(call->fingerprint());
  for (const std::optional<Blocking>* blocked : {&blocking_, &outer_}) {
    out.Add(blocked->has_value());
    if (!blocked->has_value()) continue;
    out.Add((*blocked)->call->id());
    out.Add((*blocked)->deadline);
    out.Add((*blocked)->stage);
    out.Add((*blocked)->error);
  }
  out.Add(calls_);
  out.Add(timer_at_);
}

}  // namespace kafkasim::client
