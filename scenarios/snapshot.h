// What the pictures draw: partitions, transactions and actors at one moment of a run, with every
// number already found and every name already looked up. A pure function of the moment.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "broker/ids.h"
#include "broker/messages_data.h"
#include "client/exception.h"
#include "client/external_message.h"
#include "scenarios/entry_view.h"
#include "scenarios/group_snapshot.h"
#include "scenarios/history.h"
#include "scenarios/moment.h"
#include "sim/process.h"
#include "sim/time.h"

namespace kafkasim::scenarios {

// An open transaction on one partition: what holds the last stable offset if it is the first.
struct OpenTransactionView {
  std::int64_t producer_id = -1;
  std::int32_t epoch = -1;
  std::string actor{};
  std::string transactional_id{};
  std::int64_t first_offset = 0;
  bool ended = false;  // its marker is in the log but not below the high watermark yet
  std::int64_t marker_offset = -1;
  Happening opened{};
};

struct ProducerStateView {
  std::int64_t producer_id = -1;
  std::string actor{};
  std::int32_t epoch = -1;
  std::int32_t last_sequence = -1;
  std::int32_t coordinator_epoch = -1;
  std::int64_t open_since = -1;  // first offset of the open transaction
};

struct AbortedView {
  std::int64_t producer_id = -1;
  std::string actor{};
  std::int64_t first_offset = 0;
  std::int64_t last_offset = 0;  // of the marker
  std::int64_t last_stable_offset = 0;
};

// A replica, the leader's or another's.
struct ReplicaView {
  std::int32_t broker = -1;
  sim::Life life = sim::Life::kRunning;
  bool in_sync = false;
  std::int64_t log_start_offset = 0;
  std::int64_t log_end_offset = 0;
  std::int64_t high_watermark = 0;
};

struct PartitionView {
  broker::PartitionId id{};
  std::string name{};
  std::int32_t leader = -1;  // by the controller's metadata; -1 = none
  std::int32_t leader_epoch = -1;
  sim::Life leader_life = sim::Life::kRunning;
  std::int32_t seen_on = -1;  // the broker whose log this is
  sim::Life seen_on_life = sim::Life::kRunning;
  std::vector<std::int32_t> isr{};
  std::vector<ReplicaView> replicas{};
  std::int64_t log_start_offset = 0;
  std::int64_t log_end_offset = 0;
  std::int64_t high_watermark = 0;
  std::int64_t last_stable_offset = 0;
  std::vector<EntryView> entries{};
  std::vector<OpenTransactionView> open{};  // by first offset; the first one pins
  std::vector<ProducerStateView> producers{};
  std::vector<AbortedView> aborted{};
  // What a reader from the log start would be given by now: indices into `entries`.
  std::vector<std::size_t> read_committed{};
  std::vector<std::size_t> read_uncommitted{};

  // Whether there is a leader that could answer a reader.
  bool readable() const { return leader >= 0 && leader_life != sim::Life::kCrashed; }
  // High watermark and last stable offset are in the memory of the broker, and lost with it; what
  // the fields hold then means nothing.
  bool offsets_known() const { return seen_on_life != sim::Life::kCrashed; }
};

// A record of __transaction_state.
struct TransactionRecordView {
  std::int64_t offset = 0;
  std::string state{};  // "PREPARE_COMMIT"; "TOMBSTONE"
  std::int64_t producer_id = -1;
  std::int32_t epoch = -1;
  std::vector<std::string> partitions{};
  std::int64_t timeout_ms = 0;
  std::int64_t start_ms = -1;
  std::int64_t update_ms = -1;
};

struct TransactionView {
  std::string transactional_id{};
  std::int32_t partition = -1;    // of __transaction_state
  std::int32_t coordinator = -1;  // broker; -1 = none at this moment
  std::int32_t coordinator_epoch = -1;
  bool loaded = false;  // the coordinator has read its partition
  bool known = false;   // the coordinator knows this id; the fields below need that
  std::string state{};
  std::string pending_state{};  // "" if none
  std::int64_t producer_id = -1;
  std::int32_t epoch = -1;
  std::int32_t last_epoch = -1;
  std::int64_t timeout_ms = 0;
  std::int64_t start_ms = -1;
  std::vector<std::string> partitions{};
  std::vector<TransactionRecordView> records{};  // of this id in __transaction_state, oldest first
};

// Where an application is in its program.
struct ProgramView {
  std::string state{};    // as ProgramStates() has it
  std::int32_t line = 0;  // 0 = at none
  std::string text{};
  client::ApiError uncaught{};  // what ended it
};

struct ActorView {
  struct Position {
    std::string partition{};
    std::int64_t offset = 0;
  };

  std::string name{};
  ProcessRole role = ProcessRole::kProducer;
  sim::Life life = sim::Life::kRunning;
  std::string transactional_id{};
  std::string state{};            // a producer's: IN_TRANSACTION
  std::int64_t producer_id = -1;  // a producer's
  std::int32_t epoch = -1;
  broker::IsolationLevel isolation_level = broker::IsolationLevel::kReadUncommitted;
  std::vector<Position> positions{};         // a consumer's
  std::vector<DeliveredRecord> delivered{};  // to a consumer's application, in order
  bool produces = false;                     // it has a producer
  bool consumes = false;                     // it has a consumer
  std::optional<ProgramView> program{};      // an application's
  std::vector<client::Row> rows{};           // a store's
  std::int64_t refused = 0;                  // inserts, by a store
  std::int64_t calls = 0;                    // of an API
  std::vector<std::string> effects{};        // of an API
};

struct BrokerView {
  std::int32_t id = -1;
  sim::Life life = sim::Life::kRunning;
  bool fenced = false;  // the controller's session with it has ended
};

struct Snapshot {
  sim::Time at{};
  std::vector<BrokerView> brokers{};
  std::vector<PartitionView> partitions{};  // of the declared topics, in the order of the file
  std::vector<TransactionView>
      transactions{};                   // of every transactional id, in the order of the file
  std::vector<GroupSnapshot> groups{};  // that a running coordinator knows, by id
  std::vector<ActorView> actors{};      // in the order of the file
};

[[nodiscard]] Snapshot TakeSnapshot(const Moment& moment);

// How much of a partition is looked at: a long log takes its time.
enum class Detail { kNumbers, kEverything };

// One partition, internal ones included. `on_broker`: that broker's replica instead of the
// leader's. nullopt if there is no such replica; without a leader, the replica with the longest log
// is shown. kNumbers leaves out the entries, and so who reads what.
[[nodiscard]] std::optional<PartitionView> ViewPartition(
    const Moment& moment, const broker::PartitionId& partition,
    std::optional<std::int32_t> on_broker = std::nullopt, Detail detail = Detail::kEverything);

// What stands at some of the entries of a view: at the places that a reader gets.
[[nodiscard]] std::vector<EntryView> EntriesAt(const PartitionView& view,
                                               const std::vector<std::size_t>& places);

// One actor, by its name in the file; there must be such an actor.
[[nodiscard]] ActorView ViewActor(const Moment& moment, sim::ProcessId actor);

// One transactional id.
[[nodiscard]] TransactionView ViewTransaction(const Moment& moment,
                                              const std::string& transactional_id);

}  // namespace kafkasim::scenarios
