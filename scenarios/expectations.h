// What an `expect:` claims about the cluster at that moment. A field left out claims nothing; every
// claim carries the place it was written at.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/mark.h"
#include "scenarios/outcomes.h"
#include "scenarios/patterns.h"
#include "scenarios/references.h"

namespace kafkasim::scenarios {

// The log from its start to its end; or, if `complete` is false (`log: {5: COMMIT}`), single
// offsets: then each entry has its offset.
struct LogExpectation {
  bool complete = true;
  std::vector<EntryPattern> entries;
  Mark mark{};
};

// The state that a partition keeps of one producer.
struct ProducerStateExpectation {
  ProducerName producer;
  bool absent = false;  // `old: absent`: the partition knows nothing of it
  std::optional<NumberPattern> epoch;
  std::optional<NumberPattern> last_sequence;      // -1 = none at this epoch
  std::optional<NumberPattern> coordinator_epoch;  // -1 = no marker yet
  std::optional<NumberPattern> open_since;  // first offset of its open transaction, -1 = none
  Mark mark{};
};

// A row of the aborted-transaction index.
struct AbortedExpectation {
  std::optional<ProducerName> producer;
  std::optional<NumberPattern> first_offset;
  std::optional<NumberPattern> last_offset;
  Mark mark{};
};

// `orders-0: {...}` looks at the leader's replica, `orders-0 on broker-2: {...}` at that broker's.
struct PartitionExpectation {
  PartitionName partition;
  std::optional<std::int32_t> broker;
  std::optional<LogExpectation> log;
  std::optional<NumberPattern> log_start_offset;
  std::optional<NumberPattern> log_end_offset;
  std::optional<NumberPattern> high_watermark;
  std::optional<NumberPattern> last_stable_offset;
  std::optional<NumberPattern> leader;  // broker id, -1 = none
  std::optional<NumberPattern> leader_epoch;
  std::optional<Marked<std::vector<std::int32_t>>> isr;  // broker ids in any order
  // What a reader from the log start would be given by now.
  std::optional<Marked<std::vector<EntryPattern>>> read_committed;
  std::optional<Marked<std::vector<EntryPattern>>> read_uncommitted;
  std::vector<ProducerStateExpectation> producers;
  std::optional<Marked<std::vector<AbortedExpectation>>> aborted;  // the whole index, in order
  Mark mark{};
};

// What the coordinator holds in memory for a transactional id.
struct TransactionExpectation {
  Name transactional_id;
  bool absent = false;                               // `pay-1: absent`
  std::optional<Marked<std::string>> state;          // canonical: PREPARE_COMMIT
  std::optional<Marked<std::string>> pending_state;  // canonical, NONE for none
  std::optional<NumberPattern> producer_id;
  std::optional<NumberPattern> epoch;
  std::optional<NumberPattern> last_epoch;
  std::optional<NumberPattern> timeout_ms;
  std::optional<Marked<std::vector<PartitionName>>> partitions;  // in any order
  Mark mark{};
};

// The records of one transactional id in `__transaction_state`, oldest first, all of them.
struct TransactionLogExpectation {
  Name transactional_id;
  std::vector<TransactionRecordPattern> records;
  Mark mark{};
};

// Which broker coordinates a transactional id.
struct CoordinatorExpectation {
  Name transactional_id;
  std::optional<NumberPattern> partition;  // of __transaction_state
  std::optional<NumberPattern> broker;
  std::optional<NumberPattern> epoch;  // coordinator epoch
  Mark mark{};
};

// What the group coordinator holds in memory for a group.
struct GroupExpectation {
  struct PartitionOffset {
    PartitionName partition;
    std::optional<NumberPattern> offset;  // nullopt: `none`
    Mark mark{};
  };
  struct PartitionLag {
    PartitionName partition;
    std::optional<NumberPattern> to_high_watermark;
    std::optional<NumberPattern> to_last_stable_offset;
    std::optional<NumberPattern> records;
    Mark mark{};
  };
  struct Assignment {
    Name actor;  // the member's client.id
    std::vector<PartitionName> partitions;
  };

  Name group_id;
  bool absent = false;
  std::optional<Marked<std::string>> state;  // canonical: STABLE
  std::optional<NumberPattern> generation;
  std::optional<NumberPattern> members;
  std::optional<NumberPattern> coordinator;  // broker
  std::optional<Marked<std::vector<Assignment>>> assignment;
  std::vector<PartitionOffset> committed;
  std::vector<PartitionOffset> pending;
  std::vector<PartitionLag> lag;
  Mark mark{};
};

// What an actor itself believes.
struct ActorExpectation {
  struct PartitionPosition {
    PartitionName partition;
    NumberPattern offset;
  };

  // Column and value.
  using RowPattern = std::vector<std::pair<std::string, std::string>>;
  // `sum: {amount: 30.00}`, in millionths.
  struct ColumnSum {
    std::string column;
    std::int64_t millionths = 0;
    std::string text;
    Mark mark{};
  };

  Name actor;
  std::optional<Marked<std::string>> life;  // running, paused, crashed
  std::optional<Marked<std::string>>
      state;  // a producer's: READY, IN_TRANSACTION, FATAL_ERROR, ...
  std::optional<NumberPattern> producer_id;
  std::optional<NumberPattern> epoch;
  std::vector<PartitionPosition> position;  // a consumer's
  // Everything a consumer's application was ever given, in order.
  std::optional<Marked<std::vector<EntryPattern>>> delivered;
  std::optional<Marked<std::string>> program;  // an application's: see ProgramStates
  std::optional<Failure> error;                // what an application died of
  // A store's rows, in the order of their first insert; columns left out match anything.
  std::optional<Marked<std::vector<RowPattern>>> rows;
  std::vector<ColumnSum> sums;           // over all rows of a store
  std::optional<NumberPattern> refused;  // inserts that a store's unique constraint refused
  std::optional<NumberPattern> calls;    // that reached an API
  std::optional<NumberPattern> effects;  // those that did something
  Mark mark{};
};

// How many messages of a kind were sent since the run began.
struct CountExpectation {
  MessagePattern messages;
  NumberPattern number;  // from `equals`, `at_least`, `at_most`
  Mark mark{};
};

struct Expectations {
  std::vector<PartitionExpectation> partitions;
  std::vector<TransactionExpectation> transactions;
  std::vector<TransactionLogExpectation> transaction_logs;
  std::vector<CoordinatorExpectation> coordinators;
  std::vector<GroupExpectation> groups;
  std::vector<ActorExpectation> actors;
  std::vector<CountExpectation> counts;
  std::vector<Name> pending;  // handles of background actions that are not done yet
};

}  // namespace kafkasim::scenarios
