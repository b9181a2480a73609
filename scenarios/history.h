// What a run has shown so far and the world does not remember: who was handed which producer id,
// which event wrote an entry, what each reader was given, the trace itself. Fed by the events of
// the run; the pictures and the why-engine read it.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <absl/container/btree_map.h>

#include "broker/ids.h"
#include "scenarios/name_table.h"
#include "sim/ids.h"
#include "sim/time.h"
#include "sim/trace.h"

namespace kafkasim::scenarios {

// An event, and when it was.
struct Happening {
  sim::EventId event = sim::kNoEvent;
  sim::Time at{};

  friend bool operator==(const Happening&, const Happening&) = default;
};

// One record as a consumer's application was given it.
struct DeliveredRecord {
  broker::PartitionId partition{};
  broker::Offset offset{0};
  std::optional<std::string> key{};
  std::optional<std::string> value{};
  broker::ProducerId producer_id = broker::kNoProducerId;
  broker::ProducerEpoch epoch = broker::kNoProducerEpoch;
  bool transactional = false;
  sim::Time at{};
};

class History {
 public:
  // Takes note of an event; with `keep` it becomes part of the trace below. Events have to come in
  // the order of their numbers, without a gap from the first one on.
  void Add(const sim::TraceEvent& event, const NameTable& names, bool keep);
  void AddDelivered(sim::ProcessId reader, DeliveredRecord record);

  // The actor who holds or held this producer id at this epoch. If nobody had exactly this epoch
  // (a marker carries the epoch after the fence, which nobody owns): who held it last before. ""
  // if nobody did.
  std::string_view OwnerOf(broker::ProducerId producer, broker::ProducerEpoch epoch) const;
  // Every actor who ever held the id, in the order of having it.
  std::vector<std::string_view> OwnersOf(broker::ProducerId producer) const;
  // The transactional id behind a producer id; "" if none.
  std::string_view TransactionalIdOf(broker::ProducerId producer) const;

  // The event that appended the entry at this offset on a leader; nullopt if it was not seen.
  std::optional<Happening> AppendOf(const broker::PartitionId& partition,
                                    broker::Offset offset) const;
  // Who sent the batch with this offset; "" if not known or if no actor did.
  std::string_view WriterOf(const broker::PartitionId& partition, broker::Offset offset) const;
  // The arguments of a client's call, on one line; "" if the trace was not kept.
  std::string_view ArgumentsOf(sim::ProcessId actor, std::int64_t call) const;
  // What the consumer's application has been given, in order.
  const std::vector<DeliveredRecord>& DeliveredTo(sim::ProcessId reader) const;

  std::uint64_t event_count() const { return causes_.size(); }
  // The trace, if it was kept: event number n is at n - 1.
  const std::vector<sim::TraceEvent>& trace() const { return trace_; }
  // Null if the trace was not kept or has no such event.
  const sim::TraceEvent* Find(sim::EventId event) const;
  // The step of the script that led to an event; kNoEvent if none did.
  sim::EventId StepBehind(sim::EventId event) const;
  // The event and what led to it, the cause of causes first. Empty without a trace.
  std::vector<const sim::TraceEvent*> Causes(sim::EventId event) const;

 private:
  struct Ownership {
    broker::ProducerEpoch epoch{0};
    std::string actor{};
  };
  // A batch on a leader; the key in appended_ is its base offset.
  struct Appended {
    broker::Offset last_offset{0};
    Happening happening{};
    std::string writer{};
  };
  struct Origin {
    sim::EventId cause = sim::kNoEvent;
    sim::ProcessId actor = sim::kNoProcess;
    sim::EventId step = sim::kNoEvent;
  };

  void NoteIdentity(const sim::TraceEvent& event, const NameTable& names);
  void NoteAppend(const sim::TraceEvent& event, const NameTable& names, std::string_view first,
                  std::string_view last);
  // The first actor met on the way from an event to its causes.
  std::string_view ActorBehind(sim::EventId event, const NameTable& names) const;
  const Appended* FindAppend(const broker::PartitionId& partition, broker::Offset offset) const;

  absl::btree_map<broker::ProducerId, std::vector<Ownership>> owners_;
  absl::btree_map<broker::ProducerId, std::string> transactional_ids_;
  absl::btree_map<std::pair<broker::PartitionId, broker::Offset>, Appended> appended_;
  absl::btree_map<sim::ProcessId, std::vector<DeliveredRecord>> delivered_;
  absl::btree_map<std::pair<sim::ProcessId, std::int64_t>, std::string> arguments_;
  std::vector<Origin> causes_{};  // of event n at n - 1
  std::vector<sim::TraceEvent> trace_{};
};

}  // namespace kafkasim::scenarios
