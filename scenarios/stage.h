// The stage on which a script is played: the cluster, its clock, and everybody who watches it (the
// trace, the history, triggers, faults). The script moves time through it, and nothing else does.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <absl/container/btree_map.h>

#include "client/call.h"
#include "scenarios/assembly.h"
#include "scenarios/call_desk.h"
#include "scenarios/fault_desk.h"
#include "scenarios/findings.h"
#include "scenarios/moment.h"
#include "scenarios/patterns.h"
#include "scenarios/rule_watch.h"
#include "scenarios/run.h"
#include "scenarios/steps.h"
#include "scenarios/trace_digest.h"
#include "scenarios/trigger_watch.h"
#include "sim/trace.h"

namespace kafkasim::scenarios {

class Stage final : public sim::Observer {
 public:
  // Why nothing happens any more.
  enum class End { kNotYet, kUntil, kTooManyEvents };

  Stage(Assembly assembly, const RunOptions& options);
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  // Starts all processes.
  void Start();

  const Moment& moment() const { return moment_; }
  Moment TakeMoment() { return std::move(moment_); }
  sim::Time now() const { return moment_.world.now(); }
  End end() const { return end_; }
  bool over() const { return end_ != End::kNotYet; }

  // --- Time -------------------------------------------------------------------------------------
  // Takes the next event due at or before `limit`, with the faults that it triggers. False if there
  // is none or the run is over.
  bool Step(sim::Time limit);
  // Takes all events up to `time` and sets the clock to it, or to the end of the run.
  void RunTo(sim::Time time);
  // Whether something has changed since the last call that a claim could be about.
  bool TakeNews();

  // --- Acting -----------------------------------------------------------------------------------
  // Puts an event of the script into the trace, caused by the last step noted or by `cause`.
  sim::EventId Note(const sim::EventKind& kind, std::vector<sim::Field> fields,
                    sim::EventId cause = sim::kNoEvent);
  sim::EventId NoteStep(std::vector<sim::Field> fields);
  // Begins an action of an actor; returns its number for calls().
  std::size_t Begin(sim::ProcessId actor, std::vector<PlannedCall> plan);
  CallDesk& calls() { return calls_; }
  const CallDesk& calls() const { return calls_; }
  void Order(const FaultStep& fault, std::size_t step);

  // --- Watching ---------------------------------------------------------------------------------
  // From now on a `when:`; its faults strike once.
  void Arm(const When& when, std::size_t step);
  // From now on a point to wait for.
  std::size_t Watch(const Trigger& trigger) { return triggers_.Arm(trigger); }
  bool HasFired(std::size_t watch) const { return triggers_.FiredAt(watch).has_value(); }
  // Counts messages from now on; returns the counter's number.
  std::size_t CountMessages(const MessagePattern& pattern);
  std::int64_t Counted(std::size_t counter) const { return counters_[counter].count; }
  // Faults and triggers that had no occasion.
  std::vector<Inconclusive> Unfired() const;

  std::vector<Remark> StillHeld() const { return faults_.StillHeld(); }

  // The event by which a call returned; kNoEvent if it has not.
  sim::EventId ReturnOf(client::CallId call) const;

  const TraceDigest& digest() const { return digest_; }

  sim::Reaction OnEvent(const sim::TraceEvent& event) override;

 private:
  struct ArmedWhen {
    const When* when = nullptr;
    std::size_t step = 0;
    std::size_t watch = 0;
  };
  struct Counter {
    MessagePattern pattern{};
    std::int64_t count = 0;
  };
  // A fault to be carried out when the handler that triggered it is through.
  struct Pending {
    const FaultStep* fault = nullptr;
    std::size_t step = 0;
    sim::EventId cause = sim::kNoEvent;
  };
  // A poll that has returned: its records are to be taken down.
  struct FinishedCall {
    sim::ProcessId actor{};
    client::CallId call{};
  };

  // What has to be done between two handlers.
  void Settle();
  void TakeDelivered(const FinishedCall& call);
  sim::Reaction Fire(const ArmedWhen& armed, const sim::TraceEvent& event);
  void CountEvent(const sim::TraceEvent& event);
  void NoteHits();
  bool Advance(sim::Time limit);

  Moment moment_;
  FaultDesk faults_;
  CallDesk calls_;
  TriggerWatch triggers_;
  RuleWatch rules_;
  TraceDigest digest_;
  std::vector<ArmedWhen> whens_{};
  std::vector<Counter> counters_{};
  std::vector<Pending> pending_{};
  // For each process whether it is started again by itself after a crash, and how.
  std::vector<std::optional<FaultStep>> restarts_{};
  std::vector<FinishedCall> finished_{};
  absl::btree_map<client::CallId, sim::EventId> returns_;
  sim::EventId step_event_ = sim::kNoEvent;
  sim::Time until_ = sim::kEndOfTime;
  std::uint64_t events_left_ = 0;
  bool keep_trace_ = false;
  bool news_ = true;
  bool topics_changed_ = false;
  End end_ = End::kNotYet;
};

}  // namespace kafkasim::scenarios
