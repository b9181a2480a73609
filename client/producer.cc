// The process around the application's thread and the sender. Calls: producer_calls.cc.
#include "client/producer.h"

#include <algorithm>
#include <utility>

#include "broker/channels.h"
#include "client/call_events.h"
#include "sim/check.h"

namespace kafkasim::client {

Producer::Producer(ClientOptions options, ProducerConfig config)
    : options_(std::move(options)),
      config_(std::make_shared<const ProducerConfig>(std::move(config))),
      sender_(options_, config_) {
  KAFKASIM_CHECK(config_->enable_idempotence.has_value(), "a producer's config is finished");
}

std::unique_ptr<sim::Process> Producer::Clone() const { return std::make_unique<Producer>(*this); }

void Producer::OnRequest(sim::Context&, const sim::RequestIn&) {
  KAFKASIM_CHECK(false, "nobody sends requests to a client");
}

void Producer::OnResponse(sim::Context& context, const sim::ResponseIn& response) {
  CompletedRequests completed;
  sender_.connection().OnResponse(context, response, completed);
  sender_.OnCompleted(context, completed);
  Pump(context);
}

void Producer::OnDisconnect(sim::Context& context, sim::ProcessId peer, sim::Channel channel) {
  if (channel != broker::kClientChannel) return;
  CompletedRequests completed;
  sender_.connection().OnDisconnect(context, peer, channel, completed);
  sender_.OnCompleted(context, completed);
  Pump(context);
}

void Producer::OnTimer(sim::Context& context, uint32_t, uint64_t) {
  timer_ = {};
  timer_at_ = sim::kEndOfTime;
  CompletedRequests completed;
  sender_.connection().OnTime(context, completed);
  sender_.OnCompleted(context, completed);
  Pump(context);
}

void Producer::OnCommand(sim::Context& context, const sim::PayloadRef& command) {
  auto call = std::static_pointer_cast<const Call>(command);
  if (const auto* forget = std::get_if<ForgetCalls>(&call->operation())) {
    calls_.Mutable().Forget(forget->up_to);
    return;
  }
  calls_.Mutable().Add(call->id(), Name(call->operation()));
  waiting_.push_back(std::move(call));
  Pump(context);
}

void Producer::OnCrash(sim::CrashKind) {
  calls_.Mutable().LoseOpenCalls();
  sender_ = Sender(options_, config_);
  waiting_.clear();
  blocking_.reset();
  timer_ = {};
  timer_at_ = sim::kEndOfTime;
}

void Producer::OnRestart(sim::Context&) {}

// Lets both threads run until neither can go on.
void Producer::Pump(sim::Context& context) {
  for (bool progress = true; progress && context.alive();) {
    sender_.Run(context, Demand());
    progress = DeliverOutcomes(context);
    if (blocking_.has_value() && ContinueBlocking(context)) progress = true;
    while (!blocking_.has_value() && !waiting_.empty() && context.alive()) {
      const CallRef call = std::move(waiting_.front());
      waiting_.erase(waiting_.begin());
      Begin(context, call);
      progress = true;
    }
  }
  ArmTimer(context);
}

Sender::Demand Producer::Demand() const {
  if (!blocking_.has_value()) return {};
  return {.flushing = blocking_->on == Blocking::On::kFlush,
          .metadata = blocking_->on == Blocking::On::kMetadata};
}

// Hands what happened to records to the sends that wait for them.
bool Producer::DeliverOutcomes(sim::Context& context) {
  const std::vector<RecordsOutcome> outcomes = sender_.TakeOutcomes();
  for (const RecordsOutcome& outcome : outcomes) {
    const RecordsOf& records = outcome.records;
    CallResult& result = calls_.Mutable().Mutable(records.call);
    if (outcome.what == RecordsOutcome::What::kSent) {
      ++result.requests;
      continue;
    }
    auto& sent = std::get<SentRecords>(result.value);
    for (int32_t i = 0; i < records.count; ++i) {
      if (outcome.what == RecordsOutcome::What::kFailed) {
        FailRecord(records.call, records.first + i, outcome.error);
        continue;
      }
      RecordMetadata& record = sent.records[static_cast<size_t>(records.first + i)];
      record.done = true;
      if (outcome.base_offset != broker::kNoOffset) record.offset = outcome.base_offset + i;
      ++sent.acknowledged;
    }
    FinishSendIfComplete(context, records.call);
  }
  return !outcomes.empty();
}

void Producer::ArmTimer(sim::Context& context) {
  sim::Time next = sender_.NextWake(context.now(), Demand());
  if (blocking_.has_value()) next = std::min(next, blocking_->deadline);
  if (next == timer_at_) return;
  context.CancelTimer(timer_);
  timer_ = {};
  timer_at_ = next;
  if (next != sim::kEndOfTime) timer_ = context.SetTimer(next - context.now(), 0);
}

void Producer::Blocking::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(call->id());
  out.Add(on);
  out.Add(deadline);
  out.Add(flush_up_to);
  out.Add(next_record);
}

void Producer::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(sender_);
  out.Add(static_cast<uint32_t>(waiting_.size()));
  for (const CallRef& call : waiting_) out.Add(call->fingerprint());
  out.Add(blocking_);
  out.Add(calls_);
  out.Add(timer_at_);
}

}  // namespace kafkasim::client
