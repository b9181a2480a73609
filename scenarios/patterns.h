// What an expectation or a fault is compared with: numbers, records, log entries, transaction-log
// records and messages. A field left out matches anything.

#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/mark.h"
#include "scenarios/references.h"

namespace kafkasim::scenarios {

// `6`, or `{at_least: 9000, at_most: 10500}`. An exact number has both bounds equal.
struct NumberPattern {
  std::int64_t at_least = std::numeric_limits<std::int64_t>::min();
  std::int64_t at_most = std::numeric_limits<std::int64_t>::max();
  Mark mark{};

  bool Matches(std::int64_t value) const { return at_least <= value && value <= at_most; }
  bool exact() const { return at_least == at_most; }
};

// The producer behind a record, a marker or a piece of producer state: an actor, or a bare id.
struct ProducerName {
  std::string actor;               // empty if an id was written
  std::optional<std::int64_t> id;  // set if an id was written
  Mark mark{};
};

// One offset of a log, or one record that a reader was given.
// Short form: `[actor:][key=]value [@offset] [eEPOCH] [ceEPOCH] [sSEQUENCE] [xTIMES]`, where value
// may hold `*` for any run of characters, or is COMMIT or ABORT for a marker.
struct EntryPattern {
  enum class Kind { kRecord, kCommit, kAbort };

  Kind kind = Kind::kRecord;
  std::optional<ProducerName> producer;  // who wrote it, or whose transaction the marker ends
  std::optional<std::string> key;
  std::optional<std::string> value;  // `*` stands for any run of characters
  std::optional<std::int64_t> offset;
  std::optional<std::int64_t> epoch;              // producer epoch
  std::optional<std::int64_t> coordinator_epoch;  // markers only
  std::optional<std::int64_t> sequence;           // records only
  std::optional<bool> transactional;              // records only
  std::int64_t times = 1;                         // so many entries in a row look like this
  std::string text;                               // as written, for messages
  Mark mark{};
};

// One decoded record of `__transaction_state`.
// Short form: `STATE [partitions...] [eEPOCH] [pidID]`; TOMBSTONE for a deleted id.
struct TransactionRecordPattern {
  std::string state;  // canonical upper case: PREPARE_COMMIT; or TOMBSTONE
  std::optional<std::vector<PartitionName>> partitions;  // in any order
  std::optional<std::int64_t> producer_id;
  std::optional<std::int64_t> epoch;
  std::string text;
  Mark mark{};
};

// Messages on the network: the requests, or the answers, of one API.
struct MessagePattern {
  enum class Direction { kRequest, kAnswer };

  Direction direction = Direction::kRequest;
  std::string api;  // Kafka's API name: EndTxn
  std::optional<ProcessName> from;
  std::optional<ProcessName> to;
  std::optional<PartitionName> partition;       // the message concerns this partition
  std::optional<std::string> transactional_id;  // the message concerns this transactional id
  Mark mark{};
};

}  // namespace kafkasim::scenarios
