// Answers that a service gives some time after it has done what was asked: the time that it takes.
#pragma once

#include <cstdint>
#include <utility>

#include <absl/container/btree_map.h>

#include "sim/context.h"
#include "sim/payload.h"
#include "sim/process.h"

namespace kafkasim::client {

class DelayedAnswers {
 public:
  // The service's own OnTimer has to come back with the argument.
  void Give(sim::Context& context, const sim::ReplyTo& to, sim::PayloadRef answer,
            sim::Duration latency) {
    if (latency <= sim::Duration{}) {
      context.Reply(to, std::move(answer));
      return;
    }
    const uint64_t number = next_++;
    waiting_.emplace(number, Waiting{.to = to, .answer = std::move(answer)});
    context.SetTimer(latency, 0, number);
  }

  void OnTimer(sim::Context& context, uint64_t number) {
    const auto due = waiting_.find(number);
    if (due == waiting_.end()) return;
    const Waiting waiting = due->second;
    waiting_.erase(due);
    context.Reply(waiting.to, waiting.answer);
  }

  void Clear() { waiting_.clear(); }

  void AppendTo(sim::CanonicalBytes& out) const {
    out.Add(next_);
    out.Add(static_cast<uint32_t>(waiting_.size()));
    for (const auto& [number, waiting] : waiting_) {
      out.Add(number);
      out.Add(waiting.to);
      out.Add(waiting.answer->fingerprint());
    }
  }

 private:
  struct Waiting {
    sim::ReplyTo to{};
    sim::PayloadRef answer{};
  };

  absl::btree_map<uint64_t, Waiting> waiting_;
  uint64_t next_ = 1;
};

}  // namespace kafkasim::client
