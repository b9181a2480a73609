// The process and its calls. What it sends: admin_requests.cc.
#include "client/admin.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "broker/channels.h"
#include "client/call_events.h"
#include "sim/check.h"

namespace kafkasim::client {

using broker::BrokerId;

namespace {

NetworkConfig NetworkOfAdmin(const AdminConfig& config) {
  constexpr int64_t kMaxInFlight = 1;  // as KafkaAdminClient has it
  return {.request_timeout = sim::Millis(config.request_timeout_ms),
          .retry_backoff = {sim::Millis(config.retry_backoff_ms),
                            sim::Millis(config.retry_backoff_max_ms)},
          .reconnect_backoff = {sim::Millis(config.reconnect_backoff_ms),
                                sim::Millis(config.reconnect_backoff_max_ms)},
          .metadata_max_age = sim::Millis(config.metadata_max_age_ms),
          .max_in_flight = kMaxInFlight};
}

constexpr uint32_t kWakeTimer = 0;
static_assert(kWakeTimer != RawRequests::kTimerKind);

}  // namespace

Admin::Admin(ClientOptions options, const AdminConfig& config)
    : options_(std::move(options)),
      config_(config),
      connection_(options_.bootstrap, NetworkOfAdmin(config)) {}

std::unique_ptr<sim::Process> Admin::Clone() const { return std::make_unique<Admin>(*this); }

void Admin::OnRequest(sim::Context&, const sim::RequestIn&) {
  KAFKASIM_CHECK(false, "nobody sends requests to a client");
}

void Admin::OnCommand(sim::Context& context, const sim::PayloadRef& command) {
  auto call = std::static_pointer_cast<const Call>(command);
  if (const auto* forget = std::get_if<ForgetCalls>(&call->operation())) {
    calls_.Mutable().Forget(forget->up_to);
    return;
  }
  CallResult& result = calls_.Mutable().Add(call->id(), Name(call->operation()));
  result.state = CallState::kOpen;
  result.started = context.now();
  if (context.tracing()) EmitCallStarted(context, *call, options_.names.get());
  if (const auto* raw = std::get_if<RawRequest>(&call->operation())) {
    result.requests = 1;
    raw_.Send(context, call->id(), *raw);
    return;
  }
  if (!std::holds_alternative<AdminCall>(call->operation())) {
    Finish(context, call->id(), {},
           ClientError(Exception::kIllegalArgument, ErrorClass::kMisuse,
                       fmt::format("an admin has no {}", Name(call->operation()))));
    return;
  }
  sim::Duration timeout = sim::Millis(config_.default_api_timeout_ms);
  const auto* fence = std::get_if<FenceProducers>(&std::get<AdminCall>(call->operation()).what);
  if (fence != nullptr && fence->timeout.has_value()) timeout = *fence->timeout;
  tasks_.emplace_back(std::move(call), context.now() + timeout);
  if (tasks_.back().NeedsMetadata()) connection_.metadata().RequestUpdateNow();
  Pump(context);
}

void Admin::OnResponse(sim::Context& context, const sim::ResponseIn& response) {
  if (std::optional<RawRequests::Done> done = raw_.OnResponse(context, response)) {
    FinishRaw(context, {std::move(*done)});
    return;
  }
  CompletedRequests completed;
  connection_.OnResponse(context, response, completed);
  OnCompleted(context, completed);
}

void Admin::OnDisconnect(sim::Context& context, sim::ProcessId peer, sim::Channel channel) {
  FinishRaw(context, raw_.OnDisconnect(context, peer, channel));
  if (channel != broker::kClientChannel) return;
  CompletedRequests completed;
  connection_.OnDisconnect(context, peer, channel, completed);
  OnCompleted(context, completed);
}

void Admin::OnTimer(sim::Context& context, uint32_t kind, uint64_t argument) {
  CompletedRequests completed;
  if (kind == RawRequests::kTimerKind) {
    const auto given_up = raw_.OnTimer(context, CallId(static_cast<int64_t>(argument)));
    if (!given_up.has_value()) return;
    FinishRaw(context, given_up->done);
    if (given_up->channel == broker::kClientChannel) {
      connection_.OnDisconnect(context, given_up->peer, given_up->channel, completed);
    }
  } else {
    timer_ = {};
    timer_at_ = sim::kEndOfTime;
    connection_.OnTime(context, completed);
  }
  OnCompleted(context, completed);
}

void Admin::OnCompleted(sim::Context& context, const CompletedRequests& completed) {
  for (const Completed& request : completed) {
    const auto at = std::find_if(under_way_.begin(), under_way_.end(), [&](const UnderWay& asked) {
      return asked.number == request.token;
    });
    if (at == under_way_.end()) continue;
    const UnderWay asked = std::move(*at);
    under_way_.erase(at);
    const auto task = std::find_if(tasks_.begin(), tasks_.end(), [&](const AdminTask& open) {
      return open.call()->id() == asked.call;
    });
    if (task != tasks_.end()) TakeAnswer(context, *task, asked, request);
  }
  Pump(context);
}

void Admin::Pump(sim::Context& context) {
  if (!tasks_.empty()) connection_.Poll(context);
  for (AdminTask& task : tasks_) Continue(context, task);
  std::vector<AdminTask> finished;
  for (AdminTask& task : std::exchange(tasks_, {})) {
    (task.finished() ? finished : tasks_).push_back(std::move(task));
  }
  for (const AdminTask& task : finished) {
    calls_.Mutable().Mutable(task.call()->id()).requests = task.requests;
    Finish(context, task.call()->id(), task.value(), task.error());
  }
  if (!tasks_.empty()) connection_.Poll(context);  // a key may have asked for metadata
  ArmTimer(context);
}

void Admin::Continue(sim::Context& context, AdminTask& task) {
  ClientMetadata& metadata = connection_.metadata();
  while (!task.finished()) {
    if (context.now() >= task.deadline()) {
      task.Fail(
          ClientError(Exception::kTimeout, ErrorClass::kRetriable,
                      fmt::format("{} was not done in time", Name(task.call()->operation()))));
      return;
    }
    if (task.NeedsMetadata() && (metadata.image() == nullptr || metadata.update_requested())) {
      return;
    }
    if (!task.StageIsSettled()) break;
    task.NextStage(metadata.image().get(), context.now(), config_);
  }
  if (!task.finished()) SendKeys(context, task);
}

void Admin::ArmTimer(sim::Context& context) {
  const sim::Time now = context.now();
  sim::Time next = connection_.NextWake(now, /*polls=*/!tasks_.empty());
  for (const AdminTask& task : tasks_) {
    next = std::min(next, task.deadline());
    for (const AdminKey& key : task.keys()) {
      if (key.answer != nullptr || key.request != 0) continue;
      if (key.retry_at > now) {
        next = std::min(next, key.retry_at);
        continue;
      }
      // It could not be sent: its broker, or every one, is being left alone.
      for (const BrokerId broker : connection_.metadata().nodes()) {
        if (key.broker != broker::kNoBroker && key.broker != broker) continue;
        const sim::Time retry = connection_.RetryAt(broker).value_or(sim::kEndOfTime);
        if (retry > now) next = std::min(next, retry);
      }
    }
  }
  if (next == timer_at_) return;
  context.CancelTimer(timer_);
  timer_ = {};
  timer_at_ = next;
  if (next != sim::kEndOfTime) timer_ = context.SetTimer(next - now, kWakeTimer);
}

void Admin::FinishRaw(sim::Context& context, const std::vector<RawRequests::Done>& done) {
  for (const RawRequests::Done& raw : done) {
    CallValue value;
    if (raw.error.ok()) value = RawResponse{raw.response};
    Finish(context, raw.call, std::move(value), raw.error);
  }
}

void Admin::Finish(sim::Context& context, CallId call, CallValue value, const ApiError& error) {
  CallResult& result = calls_.Mutable().Mutable(call);
  result.state = CallState::kDone;
  result.finished = context.now();
  result.error = error;
  result.value = std::move(value);
  if (context.tracing()) EmitCallFinished(context, result, options_.names.get());
}

void Admin::OnCrash(sim::CrashKind) {
  calls_.Mutable().LoseOpenCalls();
  connection_ = ClusterConnection(options_.bootstrap, NetworkOfAdmin(config_));
  raw_.Drop();
  tasks_.clear();
  under_way_.clear();
  timer_ = {};
  timer_at_ = sim::kEndOfTime;
}

void Admin::OnRestart(sim::Context&) {}

void Admin::UnderWay::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(number);
  out.Add(call);
  out.Add(finds_coordinator);
  out.Add(static_cast<uint32_t>(keys.size()));
  for (const size_t key : keys) out.Add(static_cast<uint64_t>(key));
}

void Admin::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(connection_);
  out.Add(raw_);
  out.AddAll(tasks_);
  out.AddAll(under_way_);
  out.Add(next_request_);
  out.Add(calls_);
  out.Add(timer_at_);
}

}  // namespace kafkasim::client
