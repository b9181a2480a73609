// Records of __transaction_state: how a transactional id's value is written, and the only way it is
// loaded (class TransactionLog and its schemas TransactionLogKey and TransactionLogValue, Kafka 4.4
// development line).
//
// The key is the transactional id, the value one line of text with the schema's fields in its
// order, so that a dump of the log reads by itself:
//   v1 producer=7 prev=7 next=-1 epoch=1 timeout=60000 status=PrepareCommit partitions=[2:0,2:1]
//      updated=412 started=405 client=2
// Partitions are written as topic:index with the topic's number, where Kafka writes its name.
// Version 0, of transaction.version 0, has neither prev, next nor client. No value is a tombstone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <absl/container/btree_map.h>

#include "broker/cluster_image.h"
#include "broker/record_batch.h"
#include "coordinator/transaction_metadata.h"
#include "sim/fingerprint.h"

namespace kafkasim::coordinator {

// The version in which a cluster of this transaction.version writes its values.
[[nodiscard]] constexpr int16_t TransactionLogValueVersion(int64_t transaction_version) {
  return transaction_version >= 1 ? 1 : 0;
}

// A record as it is read: `value` is absent for a tombstone. last_producer_epoch is always -1.
struct TransactionLogRecord {
  std::string transactional_id;
  std::optional<TransactionValue> value;

  friend bool operator==(const TransactionLogRecord&, const TransactionLogRecord&) = default;
};

// The record of a change. Writing partitions of an EMPTY id is a bug.
[[nodiscard]] broker::Record EncodeTransaction(std::string_view transactional_id,
                                               const TransactionValue& value, int16_t value_version,
                                               int64_t timestamp_ms);
[[nodiscard]] broker::Record EncodeTombstone(std::string_view transactional_id,
                                             int64_t timestamp_ms);

// nullopt if it is no record of this log, or of an unknown version, which a coordinator skips.
[[nodiscard]] std::optional<TransactionLogRecord> DecodeTransaction(const broker::Record& record);

// The record for people, with the names of `names`: "PREPARE_COMMIT producer 7 epoch 1, partitions
// orders-0 orders-1, timeout 60000 ms", "tombstone".
[[nodiscard]] std::string DescribeTransaction(const TransactionLogRecord& record,
                                              const broker::ClusterImage& names);

// What loading makes of a log: the last record of each id wins, a tombstone removes it.
using LoadedTransactions = absl::btree_map<std::string, TransactionValue>;

// Applies one record to what was loaded before. The only code that turns the log into state.
void Replay(const broker::Record& record, LoadedTransactions& loaded);

}  // namespace kafkasim::coordinator
