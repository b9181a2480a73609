#include "broker/producer_append_check.h"

#include <string_view>

#include <fmt/format.h>

#include "broker/error_code.h"
#include "sim/check.h"

namespace kafkasim::broker {
namespace {

constexpr int16_t kTransactionVersion2 = 2;

ProducerEpoch StoredEpoch(const AppendCheck& check) {
  return check.entry != nullptr ? check.entry->producer_epoch() : kNoProducerEpoch;
}

bool IsStale(const AppendCheck& check, const RecordBatch& batch) {
  const Bug tolerated = batch.is_control() ? Bug::kMarkersNotChecked : Bug::kLeaderIgnoresEpochs;
  return batch.producer_epoch < StoredEpoch(check) && !check.bugs.Has(tolerated);
}

absl::Status StaleEpoch(const RecordBatch& batch, ProducerEpoch stored) {
  return KafkaError(ErrorCode::kInvalidProducerEpoch,
                    fmt::format("epoch {} of producer {} is older than its last seen epoch {}",
                                batch.producer_epoch, batch.producer_id, stored));
}

absl::Status OutOfOrder(const RecordBatch& batch, std::string_view expected) {
  return KafkaError(ErrorCode::kOutOfOrderSequenceNumber,
                    fmt::format("producer {} epoch {} sent sequence {} where {}", batch.producer_id,
                                batch.producer_epoch, batch.base_sequence, expected));
}

// A transactional batch outside an open transaction of its epoch.
absl::Status CheckTransactionIsKnown(const AppendCheck& check, const RecordBatch& batch,
                                     VerificationGuard guard) {
  // The stale epoch is named first: it tells a producer that was aborted what happened to it
  // (KAFKA-19690).
  if (IsStale(check, batch)) return StaleEpoch(batch, StoredEpoch(check));
  if (!check.verification_enabled || batch.is_control()) return absl::OkStatus();
  const VerificationGuard expected =
      check.verification != nullptr ? check.verification->guard : kNoVerificationGuard;
  if (guard != kNoVerificationGuard && guard == expected) return absl::OkStatus();
  return KafkaError(
      ErrorCode::kInvalidTxnState,
      fmt::format("producer {} has no open transaction of epoch {} here, and the batch was "
                  "verified under guard {} where {} is wanted (0 = none)",
                  batch.producer_id, batch.producer_epoch, guard, expected));
}

absl::Status CheckSequence(const AppendCheck& check, const RecordBatch& batch) {
  const Sequence sequence = batch.base_sequence;
  const bool no_batches = check.entry == nullptr || check.entry->batches().empty();
  if (check.verification != nullptr) {
    // KAFKA-18202: without this a retried later batch could be taken for the first one.
    if (check.verification->supports_epoch_bump && no_batches && sequence != Sequence(0)) {
      return OutOfOrder(batch, "0 is due from a transaction.version 2 producer not known here");
    }
    if (sequence > check.verification->lowest_sequence) {
      return OutOfOrder(
          batch, fmt::format("{} is still being verified", check.verification->lowest_sequence));
    }
  }
  const ProducerEpoch stored = StoredEpoch(check);
  if (stored == kNoProducerEpoch) return absl::OkStatus();  // state lost or new: any sequence
  if (batch.producer_epoch != stored) {
    if (sequence == Sequence(0)) return absl::OkStatus();
    return OutOfOrder(batch, fmt::format("a new epoch after {} begins with 0", stored));
  }
  // Only a marker left (no batches): the last sequence counts as -1.
  const Sequence last = check.entry->last_sequence();
  const Sequence due = AddToSequence(last, 1);
  if (sequence == due) return absl::OkStatus();
  return OutOfOrder(batch, fmt::format("{} is due after {}", due, last));
}

absl::Status CheckData(const AppendCheck& check, const RecordBatch& batch, AppendOrigin origin) {
  if (IsStale(check, batch)) return StaleEpoch(batch, StoredEpoch(check));
  const bool in_order = batch.producer_epoch >= StoredEpoch(check);  // else a bug is on
  if (origin == AppendOrigin::kClient && in_order && !check.bugs.Has(Bug::kSequencesNotChecked)) {
    if (absl::Status status = CheckSequence(check, batch); !status.ok()) return status;
  }
  if (!batch.transactional && check.entry != nullptr) {
    if (const auto open = check.entry->current_txn_first_offset(); open.has_value()) {
      return KafkaError(ErrorCode::kInvalidTxnState,
                        fmt::format("producer {} sent a batch outside a transaction while its "
                                    "transaction from offset {} on is open",
                                    batch.producer_id, *open));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckMarkerEpoch(const AppendCheck& check, const RecordBatch& batch,
                              int16_t transaction_version) {
  const ProducerEpoch stored = StoredEpoch(check);
  if (batch.producer_epoch < stored) return StaleEpoch(batch, stored);
  if (transaction_version < kTransactionVersion2 || batch.producer_epoch > stored) {
    return absl::OkStatus();
  }
  // Under TV2 the coordinator raises the epoch before the marker, so an equal epoch is a marker
  // written before (KAFKA-19999), or the one of an exhausted epoch, which cannot be raised.
  if (check.entry == nullptr || !check.entry->current_txn_first_offset().has_value() ||
      batch.producer_epoch == kExhaustedEpoch) {
    return absl::OkStatus();
  }
  return KafkaError(
      ErrorCode::kInvalidProducerEpoch,
      fmt::format("marker of epoch {} for producer {} is not newer than its last seen epoch {}, "
                  "as transaction.version {} demands while a transaction is open",
                  batch.producer_epoch, batch.producer_id, stored, transaction_version));
}

absl::Status CheckMarker(const AppendCheck& check, const RecordBatch& batch,
                         int16_t transaction_version) {
  KAFKASIM_CHECK(transaction_version != kUnknownTransactionVersion,
                 "whoever writes a marker states its transaction version");
  if (check.bugs.Has(Bug::kMarkersNotChecked)) return absl::OkStatus();
  absl::Status status = CheckMarkerEpoch(check, batch, transaction_version);
  if (!status.ok()) return status;
  const CoordinatorEpoch stored =
      check.entry != nullptr ? check.entry->coordinator_epoch() : kNoCoordinatorEpoch;
  if (batch.marker->coordinator_epoch >= stored) return absl::OkStatus();
  return KafkaError(
      ErrorCode::kTransactionCoordinatorFenced,
      fmt::format("marker of coordinator epoch {} for producer {} is older than the last one, {}",
                  batch.marker->coordinator_epoch, batch.producer_id, stored));
}

absl::Status InvalidRecord(std::string_view message) {
  return KafkaError(ErrorCode::kInvalidRecord, message);
}

}  // namespace

absl::Status CheckAppend(const AppendCheck& check, const RecordBatch& batch,
                         const AppendOptions& options) {
  if (options.origin == AppendOrigin::kReplication) return absl::OkStatus();
  const bool ongoing =
      check.entry != nullptr && check.entry->HasOngoingTransaction(batch.producer_epoch);
  if (batch.transactional && !ongoing) {
    absl::Status status = CheckTransactionIsKnown(check, batch, options.guard);
    if (!status.ok()) return status;
  }
  return batch.is_control() ? CheckMarker(check, batch, options.transaction_version)
                            : CheckData(check, batch, options.origin);
}

absl::Status CheckRecords(const RecordBatch& batch, AppendOrigin origin, bool compacted) {
  const int64_t count = batch.is_control() ? 1 : static_cast<int64_t>(batch.records->size());
  if (count == 0 || count != int64_t{batch.last_offset_delta} + 1) {
    return InvalidRecord(fmt::format("the batch has {} records but spans {} offsets", count,
                                     int64_t{batch.last_offset_delta} + 1));
  }
  if (origin == AppendOrigin::kClient) {
    if (batch.is_control()) return InvalidRecord("a client may not write control records");
    if (batch.base_offset != Offset(0)) {
      return InvalidRecord(
          fmt::format("a producer's batch has base offset 0, this one {}", batch.base_offset));
    }
    if (batch.has_producer_id() && batch.base_sequence < Sequence(0)) {
      return InvalidRecord(fmt::format("base sequence {} of producer {} is negative",
                                       batch.base_sequence, batch.producer_id));
    }
  }
  if (compacted && !batch.is_control()) {
    for (const Record& record : *batch.records) {
      if (!record.key.has_value())
        return InvalidRecord("a compacted topic takes no record without key");
    }
  }
  return absl::OkStatus();
}

}  // namespace kafkasim::broker
