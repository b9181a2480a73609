// A process for tests of brokers: sends whatever request it is ordered to and keeps the answers.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "broker/channels.h"
#include "broker/message.h"
#include "sim/context.h"
#include "sim/process.h"

namespace kafkasim::broker {

// An order to a RawClient.
class SendOrder final : public sim::Payload {
 public:
  SendOrder(sim::ProcessId to, sim::Channel channel, sim::PayloadRef request)
      : to_(to), channel_(channel), request_(std::move(request)) {}

  [[nodiscard]] std::string_view api() const override { return "SendOrder"; }
  [[nodiscard]] bool Concerns(std::string_view, std::string_view) const override { return false; }
  void AppendTo(sim::CanonicalBytes& out) const override { request_->AppendTo(out); }
  [[nodiscard]] sim::ProcessId to() const { return to_; }
  [[nodiscard]] sim::Channel channel() const { return channel_; }
  [[nodiscard]] const sim::PayloadRef& request() const { return request_; }

 private:
  sim::ProcessId to_;
  sim::Channel channel_;
  sim::PayloadRef request_;
};

class RawClient final : public sim::Process {
 public:
  // One request that was sent, in the order of sending.
  struct Sent {
    sim::ProcessId to = sim::kNoProcess;
    sim::Channel channel{};
    sim::CorrelationId correlation{};
    sim::PayloadRef answer{};
    sim::Time answered_at{};
    bool disconnected = false;  // before the answer came
  };

  [[nodiscard]] const std::vector<Sent>& sent() const { return sent_; }

  [[nodiscard]] std::unique_ptr<sim::Process> Clone() const override {
    return std::make_unique<RawClient>(*this);
  }
  void AppendTo(sim::CanonicalBytes& out) const override {
    out.Add(static_cast<uint32_t>(sent_.size()));
    for (const Sent& sent : sent_) {
      out.Add(sent.correlation);
      out.Add(sent.answer != nullptr);
      if (sent.answer != nullptr) out.Add(sent.answer->fingerprint());
      out.Add(sent.disconnected);
    }
  }
  void OnRequest(sim::Context&, const sim::RequestIn&) override {}
  void OnResponse(sim::Context& context, const sim::ResponseIn& response) override {
    for (Sent& sent : sent_) {
      if (sent.correlation != response.correlation) continue;
      sent.answer = response.payload;
      sent.answered_at = context.now();
    }
  }
  void OnDisconnect(sim::Context&, sim::ProcessId peer, sim::Channel channel) override {
    for (Sent& sent : sent_) {
      if (sent.to == peer && sent.channel == channel && sent.answer == nullptr) {
        sent.disconnected = true;
      }
    }
  }
  void OnTimer(sim::Context&, uint32_t, uint64_t) override {}
  void OnCommand(sim::Context& context, const sim::PayloadRef& command) override {
    const auto& order = static_cast<const SendOrder&>(*command);
    sent_.push_back(
        {.to = order.to(),
         .channel = order.channel(),
         .correlation = context.SendRequest(order.to(), order.channel(), order.request())});
  }
  void OnCrash(sim::CrashKind) override { sent_.clear(); }
  void OnRestart(sim::Context&) override {}

 private:
  std::vector<Sent> sent_;
};

}  // namespace kafkasim::broker
