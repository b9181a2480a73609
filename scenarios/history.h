// What a run has shown so far and the world does not remember: who was handed which producer id,
// which event opened a transaction or wrote an entry, what each reader was given, the trace itself.
// Fed by the events of the run; the pictures and the why-engine read it.

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
};

// One record as a consumer's application was given it.
struct DeliveredRecord {
  broker::PartitionId partition;
  broker::Offset offset{0};
  std::optional<std::string> key;
  std::optional<std::string> value;
  sim::Time at{};
};

class History {
 public:
  // Takes note of an event. `keep` also keeps it for Find(), Causes() and trace output.
  void Add(const sim::TraceEvent& event, const NameTable& names, bool keep);
  void AddDelivered(sim::ProcessId reader, DeliveredRecord record);

  // The actor who holds or held this producer id at this epoch; if none ever had exactly this epoch
  // (markers carry epochs that nobody owns), whoever held the id last before. "" if nobody did.
  std::string_view OwnerOf(broker::ProducerId producer, broker::ProducerEpoch epoch) const;
  // Every actor who ever held the id, in that order.
  std::vector<std::string_view> OwnersOf(broker::ProducerId producer) const;
  // The transactional id behind a producer id; "" if none.
  std::string_view TransactionalIdOf(broker::ProducerId producer) const;
  // Who wrote the batch without a producer id that begins at `base_offset`. "" if not known.
  std::string_view WriterOf(const broker::PartitionId& partition, broker::Offset base_offset) const;

  // The event that appended the entry at this offset on the leader; nullopt if not seen.
  std::optional<Happening> AppendOf(const broker::PartitionId& partition,
                                    broker::Offset offset) const;
  // What the consumer's application has been given, in order.
  const std::vector<DeliveredRecord>& DeliveredTo(sim::ProcessId reader) const;

  // The trace, if it was kept: event number n is at n - 1.
  const std::vector<sim::TraceEvent>& trace() const { return trace_; }
  const sim::TraceEvent* Find(sim::EventId event) const;
  // The event and what led to it, the cause of causes first. Empty without a trace.
  std::vector<const sim::TraceEvent*> Causes(sim::EventId event) const;

 private:
  struct Ownership {
    broker::ProducerEpoch epoch{0};
    std::string actor;
  };
  // Entries of a partition by base offset.
  struct Appended {
    Happening happening;
    std::string writer;  // of a batch without a producer id
  };

  absl::btree_map<broker::ProducerId, std::vector<Ownership>> owners_;
  absl::btree_map<broker::ProducerId, std::string> transactional_ids_;
  absl::btree_map<std::pair<broker::PartitionId, broker::Offset>, Appended> appended_;
  absl::btree_map<sim::ProcessId, std::vector<DeliveredRecord>> delivered_;
  std::vector<std::pair<sim::EventId, sim::ProcessId>> causes_;  // of each event: cause and actor
  std::vector<sim::TraceEvent> trace_;
};

}  // namespace kafkasim::scenarios
