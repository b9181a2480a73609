// What stands beside an action: `returns:` and `fails:`.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "scenarios/mark.h"
#include "scenarios/operations.h"
#include "scenarios/patterns.h"

namespace kafkasim::scenarios {

// Of init_transactions; also what commit_transaction and abort_transaction leave the producer with.
struct ProducerIdentity {
  std::optional<NumberPattern> producer_id;
  std::optional<NumberPattern> epoch;
};

// Of send: where the records were written.
struct SendResult {
  std::optional<NumberPattern> offset;  // of the only record, or of the first
  std::optional<NumberPattern> count;   // how many records were acknowledged
  std::optional<PartitionName> partition;
};

// Of poll: exactly these records, in the order of delivery.
struct PollResult {
  std::optional<std::vector<EntryPattern>> records;
  std::optional<std::vector<std::int64_t>> offsets;  // the offsets of the records
  std::optional<NumberPattern> count;
};

// Of position (one partition), beginning_offsets, end_offsets, offsets_for_times, list_offsets,
// committed and seek_to_committed (-1: nothing is committed). `partition` is empty for a bare
// number, which then stands for the only partition asked about.
struct OffsetsResult {
  struct Row {
    std::optional<PartitionName> partition;
    NumberPattern offset;
  };
  std::vector<Row> rows;
};

// Of group_metadata: who the consumer is in its group, as far as it knows.
struct GroupResult {
  std::optional<std::string> group;
  std::optional<NumberPattern> generation;
  std::optional<std::string> member_id;
  std::optional<std::string> group_instance_id;
};

// Of raw: the fields of the response. `error` is Kafka's name of the error code, NONE for none.
struct RawResult {
  std::optional<std::string> error;
  std::vector<RawField> fields;
};

// Of administrators: exactly these rows, in this order, each with at least these fields.
struct AdminRow {
  std::vector<RawField> fields;
  Mark mark{};
};
struct AdminRows {
  std::vector<AdminRow> rows;
};

struct Returns {
  std::variant<ProducerIdentity, SendResult, PollResult, OffsetsResult, GroupResult, RawResult,
               AdminRows>
      what;
  Mark mark{};
};

// How a call fails: `fails: PRODUCER_FENCED`, `fails: IllegalStateException`, or both in a mapping.
struct Failure {
  std::optional<std::string> error;      // Kafka's error code name
  std::optional<std::string> exception;  // the Java client's exception
  Mark mark{};
};

// Neither: the action has to succeed. Never both.
struct Outcome {
  std::optional<Returns> returns;
  std::optional<Failure> fails;
};

}  // namespace kafkasim::scenarios
