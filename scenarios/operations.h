// What actors do: the calls of the Java producer and consumer, of administrators
// (admin_operations.h), and raw requests. One struct per verb (those about groups in
// group_operations.h); Operation is any of them.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scenarios/admin_operations.h"
#include "scenarios/group_operations.h"
#include "scenarios/mark.h"
#include "scenarios/references.h"

namespace kafkasim::scenarios {

struct InitTransactions {};
struct BeginTransaction {};
struct CommitTransaction {};
struct AbortTransaction {};
struct Flush {};
struct Close {
};  // of a producer or a consumer; an open transaction is aborted, as by Java's close()

// Sends records. The step is done when all of them are acknowledged or failed.
// The records are values[0..], or value-with-`{n}`-replaced `count` times, or one after another at
// `interval_us` for `for_us`. `{n}` in key and value counts from 0.
struct Send {
  Destination to;
  std::optional<std::string> key;
  // Templates, at least one; sent in order, each `count` times. None stands for a tombstone.
  std::vector<std::optional<std::string>> values;
  std::int64_t count = 1;                       // ignored if for_us is set
  std::int64_t interval_us = 0;                 // 0: all at once; from `every: 10ms`
  std::optional<std::int64_t> rate_per_second;  // from `rate: 150/s`; excludes interval_us
  std::optional<std::int64_t> for_us;           // with a rate or an interval: stop after this long
  std::optional<std::int64_t> timestamp_ms;
};

// One poll() of a consumer.
struct Poll {
  std::optional<std::int64_t> max_records;  // default: max.poll.records
  std::int64_t timeout_us = 1'000'000;      // how long to wait for the first record
};

struct Seek {
  PartitionName partition;
  std::int64_t offset = 0;
};
struct SeekToBeginning {
  std::vector<PartitionName> partitions;  // empty = all assigned
};
struct SeekToEnd {
  std::vector<PartitionName> partitions;  // empty = all assigned
};
struct Position {
  PartitionName partition;
};
struct BeginningOffsets {
  std::vector<PartitionName> partitions;  // empty = all assigned
};
struct EndOffsets {
  std::vector<PartitionName> partitions;  // empty = all assigned
};
struct OffsetsForTimes {
  std::vector<PartitionName> partitions;  // empty = all assigned
  std::int64_t timestamp_ms = 0;
};

// A field of a raw request, named as in Kafka's protocol but in snake_case. Which fields an API has
// and of what type they are stands in api_catalog.h.
struct RawField {
  using Value = std::variant<bool, std::int64_t, std::string, std::vector<PartitionName>,
                             std::vector<std::string>, std::vector<std::int64_t>>;
  std::string name;
  Value value;
  Mark mark{};
};

// Any request with any content, also what no client would send.
struct RawRequest {
  std::string api;
  ProcessName to;                       // a broker, `leader of ...` or `coordinator of ...`
  std::optional<std::int64_t> version;  // default: the newest version
  std::vector<RawField> fields;         // those written; the rest has Kafka's defaults

  const RawField* Find(std::string_view name) const;
};

using Operation =
    std::variant<InitTransactions, BeginTransaction, Send, Flush, CommitTransaction,
                 AbortTransaction, SendOffsets, Close, Poll, Seek, SeekToBeginning, SeekToEnd,
                 Position, BeginningOffsets, EndOffsets, Subscribe, Unsubscribe, CommitSync,
                 CommitAsync, Committed, SeekToCommitted, GroupMetadata, EnforceRebalance,
                 RawRequest, OffsetsForTimes, AdminCall>;

}  // namespace kafkasim::scenarios
