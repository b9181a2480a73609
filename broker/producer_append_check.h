// The rules by which a partition leader admits a batch of a producer: epochs, sequence numbers,
// verification, markers. Follows Kafka's ProducerAppendInfo and the producer half of
// UnifiedLog.analyzeAndValidateProducerState (KIP-98, KIP-360, KIP-890, KIP-1228), Kafka 4.4
// development line. Pure: nothing is changed; the log publishes the batch afterwards.
#pragma once

#include <absl/status/status.h>

#include "broker/bugs.h"
#include "broker/ids.h"
#include "broker/log_append.h"
#include "broker/producer_state_entry.h"
#include "broker/record_batch.h"
#include "broker/verification_state.h"

namespace kafkasim::broker {

// What a batch is held against.
struct AppendCheck {
  const ProducerStateEntry* entry = nullptr;             // null: the producer is not known here
  const VerificationStateEntry* verification = nullptr;  // null: nothing is being verified
  Offset offset{0};                                      // where the batch would be stored
  bool verification_enabled = true;  // transaction.partition.verification.enable
  Bugs bugs{};
};

// Validates `batch`, which has a producer id and is no duplicate, in Kafka's order:
//   INVALID_PRODUCER_EPOCH        its epoch is older than the last seen one; a marker of
//                                 transaction.version 2 must even be newer, unless it repeats one
//                                 whose transaction is closed here, or has epoch 32767
//   INVALID_TXN_STATE             transactional, without an open transaction of its epoch, and not
//                                 verified under the guard given (not asked of markers)
//   OUT_OF_ORDER_SEQUENCE_NUMBER  clients only: a gap, a new epoch that does not begin at 0, a
//                                 sequence above one still being verified, or a TV2 client that is
//                                 unknown here and does not begin at 0
//   INVALID_TXN_STATE             not transactional while the producer has an open transaction
//   TRANSACTION_COORDINATOR_FENCED  a marker of an older coordinator epoch than the last one
// Replication is never refused. A marker by a coordinator must state its transaction version;
// leaving it out is a bug.
[[nodiscard]] absl::Status CheckAppend(const AppendCheck& check, const RecordBatch& batch,
                                       const AppendOptions& options);

// Validates what a leader demands of any batch before it looks at producers (LogValidator):
//   INVALID_RECORD  no records, or offsets that do not match their number; a control batch by a
//                   client, a base offset other than 0, or a producer id without base sequence; a
//                   record without key on a compacted topic
[[nodiscard]] absl::Status CheckRecords(const RecordBatch& batch, AppendOrigin origin,
                                        bool compacted);

}  // namespace kafkasim::broker
