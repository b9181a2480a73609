// What accompanies a batch into a partition log, and what comes back: where the batch comes from,
// which transaction it was verified for, where it was stored. Kafka's AppendOrigin,
// VerificationGuard, LogAppendInfo and CompletedTxn (Kafka 4.4 development line).
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string_view>

#include "broker/ids.h"
#include "broker/record_batch.h"

namespace kafkasim::broker {

// Who appends, hence how much is checked.
enum class AppendOrigin : uint8_t {
  kClient,       // a produce request: everything, sequences included
  kCoordinator,  // markers, and records of the coordinators' own topics: everything but sequences
  kReplication,  // a follower, or a replay of the log: nothing, the leader has checked already
};
[[nodiscard]] std::string_view Name(AppendOrigin origin);  // "CLIENT"

// Identifies one verification of one transaction on one log, so that an answer of the coordinator
// that came too late cannot let a batch into the next transaction (KIP-890, part 1). 0 is Kafka's
// SENTINEL: nothing was verified, or nothing had to be.
using VerificationGuard = sim::StrongInt<struct VerificationGuardTag, uint64_t>;
inline constexpr VerificationGuard kNoVerificationGuard{0};

// The transaction.version of whoever ends a transaction (WriteTxnMarkers v2, KIP-1228).
inline constexpr int16_t kUnknownTransactionVersion = -1;

struct AppendOptions {
  AppendOrigin origin = AppendOrigin::kClient;
  // What MaybeStartTransactionVerification gave for this batch.
  VerificationGuard guard = kNoVerificationGuard;
  // For markers by a coordinator, which must state it: decides the epoch rule. Batches without a
  // marker do not look at it.
  int16_t transaction_version = kUnknownTransactionVersion;
};

// A transaction that a marker has just ended on this partition.
struct CompletedTxn {
  ProducerId producer_id = kNoProducerId;
  Offset first_offset{0};  // of its first data batch here
  Offset last_offset{0};   // of the marker
  bool aborted = false;

  friend constexpr bool operator==(const CompletedTxn&, const CompletedTxn&) = default;
};
std::ostream& operator<<(std::ostream& out, const CompletedTxn& txn);

// The outcome of an append by a leader.
struct AppendInfo {
  Offset first_offset{0};
  Offset last_offset{0};
  // The batch was in the log already; the offsets are those of then, nothing was appended.
  bool duplicate = false;
  // The batch is the first of its transaction here: it pins the last stable offset from now on.
  bool started_txn = false;
  // The batch is a marker and there was a transaction to end.
  std::optional<CompletedTxn> completed_txn{};
  RecordBatchRef batch{};  // as stored; null for a duplicate
};

}  // namespace kafkasim::broker
