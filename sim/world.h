// The world: the whole simulation as one value. Copy it to fork a run, fingerprint it to recognise
// a state, step it to go on. Nothing else changes it, and the same world stepped twice gives the
// same bytes of trace.
//
// The timed policy takes the next event by (time, sequence); latencies are fixed (least == most) or
// drawn from the seed within their bounds. Choices() and Take() let a search decide instead.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/context.h"
#include "sim/cow.h"
#include "sim/event_queue.h"
#include "sim/network.h"
#include "sim/process.h"
#include "sim/rng.h"
#include "sim/time.h"
#include "sim/trace.h"

namespace kafkasim::sim {

// Owns a process and copies it whole. The pointer is there because processes differ in type.
class ProcessBox {
 public:
  ProcessBox() = default;
  explicit ProcessBox(std::unique_ptr<Process> process) : process_(std::move(process)) {}
  ProcessBox(const ProcessBox& other)
      : process_(other.process_ == nullptr ? nullptr : other.process_->Clone()) {}
  ProcessBox(ProcessBox&&) noexcept = default;
  ProcessBox& operator=(ProcessBox other) noexcept {
    process_ = std::move(other.process_);
    return *this;
  }
  ~ProcessBox() = default;

  Process& operator*() { return *process_; }
  const Process& operator*() const { return *process_; }
  void AppendTo(CanonicalBytes& out) const { process_->AppendTo(out); }

 private:
  std::unique_ptr<Process> process_;
};

// One thing that can happen next: a message at the front of its link, or a timer.
struct Choice {
  Time at{};
  uint64_t sequence = 0;
  bool is_timed = false;  // not before `at`: a timer, or the timeout of a request
  ProcessId process{};    // who will act
  Route route{};          // of a message
  PayloadRef payload{};   // of a message; null for a broken connection and for timed ones
};

class World {
 public:
  struct Options {
    uint64_t seed = 0;
    Duration least_latency = Millis(1);
    Duration most_latency = Millis(1);
  };

  explicit World(const Options& options);

  // --- Building ---------------------------------------------------------------------------------
  // Names are unique and kept for the trace.
  ProcessId AddProcess(std::string name, std::unique_ptr<Process> process);
  // `watcher` will be told (OnReachability) whenever `peer` stops or starts being reachable for it:
  // an idealised failure detector that stands for heartbeats.
  void WatchReachability(ProcessId watcher, ProcessId peer);
  void SetLatency(const LinkLatency& latency) { network_.Mutable().latencies.push_back(latency); }
  // A request on this channel whose answer a fault takes away will time out (OnTimeout). No other
  // one is timed, so that requests which wait long at their server cost nothing.
  void SetTimeout(const ChannelTimeout& timeout) { network_.Mutable().timeouts.push_back(timeout); }
  // Starts all processes. Once, before the first step.
  void Start(Observer* observer);

  // --- Looking ----------------------------------------------------------------------------------
  [[nodiscard]] Time now() const { return now_; }
  [[nodiscard]] size_t process_count() const { return processes_.size(); }
  [[nodiscard]] const Process& process(ProcessId id) const { return **Slot(id).box; }
  [[nodiscard]] Life life(ProcessId id) const { return Slot(id).life; }
  [[nodiscard]] std::string_view name(ProcessId id) const {
    return (*names_)[static_cast<size_t>(id.value())];
  }
  [[nodiscard]] std::optional<ProcessId> FindProcess(std::string_view name) const;
  [[nodiscard]] const Network& network() const { return *network_; }
  // When the next event is due; nullopt if nothing is.
  [[nodiscard]] std::optional<Time> NextEventAt();
  // How many times each rule has matched so far; ids of finished rules stay listed.
  [[nodiscard]] const MessageRule* FindRule(uint32_t id) const;
  // One more random number, without drawing it: equal only for worlds that drew equally often.
  [[nodiscard]] uint64_t NextDraw() const;
  void AppendTo(CanonicalBytes& out) const { Append(out, TimerOrder::kAsSet); }
  [[nodiscard]] Fingerprint fingerprint() const { return FingerprintOf(*this); }
  // For a search that chooses among what is due at the same time itself: without the order in
  // which such timers were set.
  void AppendUnordered(CanonicalBytes& out) const { Append(out, TimerOrder::kNone); }

  // --- Going on ---------------------------------------------------------------------------------
  // Takes the next event. False if there is none.
  bool Step(Observer* observer);
  // Takes every event up to and including `until`, then sets the clock to it.
  void RunUntil(Time until, Observer* observer);
  // Messages that can arrive, and what is timed.
  enum class ChoiceKind : uint8_t { kAny, kMessage, kTimed };
  // All that can happen now, or all of a kind, in the order of (time, sequence).
  [[nodiscard]] std::vector<Choice> Choices(ChoiceKind kind = ChoiceKind::kAny) const;
  // Takes this choice next, whatever its time; the clock never goes back.
  void Take(const Choice& choice, Observer* observer);
  // Gives an order to a process from outside. A paused one gets it when it resumes, a crashed one
  // never (false).
  bool Command(ProcessId id, PayloadRef command, Observer* observer, EventId cause = kNoEvent);
  // Puts an event of whoever drives the run into the trace. Changes nothing else.
  EventId Note(const EventKind& kind, std::vector<Field> fields, Observer* observer,
               EventId cause = kNoEvent);

  // --- Faults -----------------------------------------------------------------------------------
  // Each returns false, and does nothing, if the process is not in a state for it. `cause` is the
  // event that asked for it.
  bool Crash(ProcessId id, CrashKind kind, Observer* observer, EventId cause = kNoEvent);
  bool Restart(ProcessId id, Observer* observer, EventId cause = kNoEvent);
  bool Pause(ProcessId id, Observer* observer, EventId cause = kNoEvent);
  bool Resume(ProcessId id, Observer* observer, EventId cause = kNoEvent);
  // One direction: what `from` sends does not reach `to` until the link heals. Nothing is lost, as
  // TCP sends again, unless the client gives up the connection meanwhile.
  bool Cut(ProcessId from, ProcessId to, Observer* observer, EventId cause = kNoEvent);
  bool Heal(ProcessId from, ProcessId to, Observer* observer, EventId cause = kNoEvent);
  uint32_t AddRule(MessageRule rule);
  // Ends a rule: it matches nothing more, and what it holds goes on its way.
  void EndRule(uint32_t id, Observer* observer);
  // Loses what a rule holds, and goes on holding.
  void DropHeld(uint32_t id, Observer* observer);
  // The same for the message at the front of one link, without a rule. False if there is none that
  // carries anything, or if it is held already (HoldFront, DropFront) or not (ReleaseFront).
  bool HoldFront(const Route& route, Observer* observer);
  bool ReleaseFront(const Route& route, Observer* observer);
  // `reset`: the connection breaks as well, so that the client knows at once.
  bool DropFront(const Route& route, bool reset, Observer* observer);

 private:
  friend class Context;

  struct ProcessSlot {
    Cow<ProcessBox> box;
    Life life = Life::kRunning;
    uint32_t restarts = 0;
    uint64_t next_correlation = 1;
    std::vector<PayloadRef> commands;  // given while paused
    // What a handler sent after a fault had paused its process in the middle.
    struct Outgoing {
      bool is_request = true;
      ReplyTo to{};
      PayloadRef payload{};
    };
    std::vector<Outgoing> outbox;
  };

  struct Timer {
    ProcessId owner = kNoProcess;
    uint32_t kind = 0;
    uint64_t argument = 0;
    uint64_t sequence = 0;  // 0 = free
    Time at{};
    uint64_t due = 0;          // fired while its owner was paused: its place among those that wait
    EventId cause = kNoEvent;  // of setting it; for the trace only
  };

  [[nodiscard]] const ProcessSlot& Slot(ProcessId id) const {
    return processes_[static_cast<size_t>(id.value())];
  }
  ProcessSlot& Slot(ProcessId id) { return processes_[static_cast<size_t>(id.value())]; }

  enum class TimerOrder : uint8_t { kAsSet, kNone };
  void Append(CanonicalBytes& out, TimerOrder order) const;

  // Runs one handler of a process and settles what a fault in its middle demands.
  template <typename Handler>
  void Run(ProcessId id, EventId cause, Observer* observer, Handler handler);
  // An event that was just recorded, and what it is answered with; nothing if nobody watches.
  struct Emission {
    EventId event = kNoEvent;
    Reaction reaction = Reaction::kGoOn;
  };
  Emission EmitEvent(const EventKind& kind, ProcessId actor, EventId cause,
                     std::vector<Field> fields, Observer* observer, PayloadRef payload = {});

  // Sending (world_network.cc).
  Reaction SendRequest(ProcessId client, ProcessId server, Channel channel,
                       CorrelationId correlation, PayloadRef payload, EventId cause,
                       Observer* observer);
  Reaction SendResponse(ProcessId server, const ReplyTo& to, PayloadRef payload, EventId cause,
                        Observer* observer);
  void CloseConnection(ProcessId client, ProcessId server, Channel channel);
  void BreakConnection(ProcessId server, const ReplyTo& to);
  void SendDisconnect(const Connection& broken);
  void Break(const Route& route);
  Reaction Enqueue(const Route& route, Message message, EventId cause, Observer* observer);
  bool ApplyRules(const Route& route, Message& message, Duration& latency, Observer* observer);
  void SendCopies(const MessageRule& rule, const Route& route, const Message& message,
                  Duration latency);
  void ScheduleTimeout(const MessageRule& rule, const Route& route, const Message& message);
  void Schedule(uint32_t link_slot, Message& message, Time at);
  // Messages of this link that are due and no longer blocked go on now.
  void Wake(uint32_t link_slot);
  void WakeLinksTo(ProcessId id);
  void StrikeBeforeHandling(const Route& route, Message message, const Emission& arrival,
                            Observer* observer);
  void Lose(const Route& route, const Message& message, std::string_view why, Observer* observer);
  // The slot of the link whose front is a message that carries something.
  [[nodiscard]] std::optional<uint32_t> FindFront(const Route& route) const;
  Emission ReportMessage(const EventKind& kind, const Route& route, const Message& message,
                         Observer* observer) {
    return observer == nullptr ? Emission{} : EmitMessage(kind, route, message, observer);
  }
  Emission EmitMessage(const EventKind& kind, const Route& route, const Message& message,
                       Observer* observer);

  // Delivering.
  [[nodiscard]] bool IsBlocked(const Link& link, const Message& message) const;
  void Deliver(uint32_t link_slot, Observer* observer);
  void DeliverRequest(const Route& route, const Message& message, Observer* observer);
  void DeliverResponse(const Route& route, const Message& message, Observer* observer);
  void DeliverTimeout(const Route& route, const Message& message, Observer* observer);
  void Fire(uint32_t timer_slot, Observer* observer);
  [[nodiscard]] bool IsStale(const QueueEntry& entry) const;
  // Counts a cancelled timer; when they make up half of the queue, it is cleared of them.
  void NoteCancelled();
  void TakeEntry(const QueueEntry& entry, Observer* observer);

  // Faults.
  void DropLinksTo(ProcessId id, Observer* observer);
  void BreakConnectionsOf(ProcessId id);
  void TellWatchers(ProcessId id, Observer* observer);
  [[nodiscard]] bool Reachable(ProcessId watcher, ProcessId peer) const;

  Time now_{};
  uint64_t next_sequence_ = 1;
  uint64_t next_event_ = 1;
  uint32_t next_rule_ = 1;
  RngStreams rng_;
  std::shared_ptr<const std::vector<std::string>> names_;  // of the processes
  std::vector<ProcessSlot> processes_;
  struct Watch {
    ProcessId watcher{};
    ProcessId peer{};
    bool reachable = true;
    uint32_t restarts = 0;  // of the peer, when it was reachable last
  };
  std::vector<Watch> watches_;
  Cow<Network> network_;
  EventQueue queue_;
  std::vector<Timer> timers_;
  std::vector<uint32_t> free_timers_;
  size_t cancelled_ = 0;  // since the queue was last cleared of stale entries
};

}  // namespace kafkasim::sim
