// What a process may do while it handles an event: the sink of its effects.
//
// A fault may strike at a protocol point in the middle of a handler (see Reaction). After a crash
// there, alive() is false: sends and timers are ignored, and the process must not change its
// durable state any more. After a pause, sends wait until the process resumes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/ids.h"
#include "sim/payload.h"
#include "sim/process.h"
#include "sim/rng.h"
#include "sim/time.h"
#include "sim/trace.h"

namespace kafkasim::sim {

class World;

// An armed timer, to cancel it. Never part of a fingerprint.
struct TimerId {
  uint32_t slot = 0;
  uint64_t sequence = 0;  // 0 = none
};

class Context {
 public:
  Context(World& world, ProcessId self, EventId cause, Observer* observer)
      : world_(world), self_(self), cause_(cause), observer_(observer) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  [[nodiscard]] Time now() const;
  [[nodiscard]] ProcessId self() const { return self_; }
  [[nodiscard]] bool alive() const { return reaction_ != Reaction::kCrash; }
  [[nodiscard]] Reaction reaction() const { return reaction_; }
  [[nodiscard]] Rng& rng(RngStream stream);
  [[nodiscard]] std::string_view ProcessName(ProcessId process) const;

  // Sends a request on the current connection to `to`; the answer, if one comes, carries the id.
  CorrelationId SendRequest(ProcessId to, Channel channel, PayloadRef payload);
  void Reply(const ReplyTo& to, PayloadRef payload);
  // Breaks the connection on which a request came, instead of an answer: the client will notice.
  void BreakConnection(const ReplyTo& to);
  // Gives up the connection: its answers will be ignored, the next request opens a new one.
  void CloseConnection(ProcessId to, Channel channel);

  // OnTimer(kind, argument) will be called after `delay`, unless cancelled or the process crashes.
  // What it does then has the same cause as what is done now.
  TimerId SetTimer(Duration delay, uint32_t kind, uint64_t argument = 0);
  // Does nothing if the timer has fired or was cancelled.
  void CancelTimer(const TimerId& timer);

  // The process dies of its own fault, as if it crashed at this point: see alive().
  void Die() { reaction_ = Reaction::kCrash; }

  // True if somebody watches: only then is it worth to build an event.
  [[nodiscard]] bool tracing() const { return observer_ != nullptr; }
  // Records an event and returns its id. Later effects of this handler name it as their cause.
  // Call only if tracing().
  EventId Emit(const EventKind& kind, std::vector<Field> fields);
  // What the effects that follow are caused by.
  [[nodiscard]] EventId cause() const { return cause_; }
  void set_cause(EventId cause) { cause_ = cause; }

 private:
  friend class PartScope;

  World& world_;
  ProcessId self_;
  EventId cause_;
  Observer* observer_;
  Reaction reaction_ = Reaction::kGoOn;
  Part part_ = kWholeProcess;  // who acts
};

// While it lives, what the context is asked for is done for one part of the process: its timers and
// channels are its own. The process is told of them by kinds and channels from which PartOfTimer
// and PartOf get the part back.
class PartScope {
 public:
  PartScope(Context& context, Part part) : context_(context), outer_(context.part_) {
    context_.part_ = part;
  }
  PartScope(const PartScope&) = delete;
  PartScope& operator=(const PartScope&) = delete;
  ~PartScope() { context_.part_ = outer_; }

 private:
  Context& context_;
  Part outer_;
};

}  // namespace kafkasim::sim
