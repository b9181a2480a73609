// One transactional id as a coordinator of transaction.version 1 or 2 has to treat it, for tests
// that hold the real coordinator against it: the tables of answers of KIP-98, KIP-360, KIP-664 and
// KIP-890 as plain conditions. Records are written at once, markers are on their way until
// MarkersAreWritten().
//
// Of the code under test it uses the names of errors only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <set>

#include "broker/error_code.h"

namespace kafkasim::coordinator {

struct TransactionModel {
  enum class State : std::uint8_t {
    kUnknown,
    kEmpty,
    kOngoing,
    kPrepareCommit,
    kPrepareAbort,
    kCompleteCommit,
    kCompleteAbort,
  };
  // What a request is answered; producer id and epoch where the answer has them.
  struct Answer {
    broker::ErrorCode error = broker::ErrorCode::kNone;
    std::int64_t producer_id = -1;
    std::int64_t epoch = -1;

    friend bool operator==(const Answer&, const Answer&) = default;
    friend std::ostream& operator<<(std::ostream& out, const Answer& answer) {
      return out << broker::Name(answer.error) << " (" << answer.producer_id << ", " << answer.epoch
                 << ")";
    }
  };

  static constexpr std::int64_t kLastUsable = 32766;
  static constexpr std::int64_t kTimeoutMs = 60'000;
  static constexpr std::int64_t kSweepMs = 10'000;

  std::int64_t version = 2;
  State state = State::kUnknown;
  std::int64_t producer_id = -1;
  std::int64_t epoch = -1;
  std::int64_t last_epoch = -1;   // in memory only
  std::int64_t previous_id = -1;  // before the last record
  std::int64_t next_id = -1;      // taken over at COMPLETE
  std::set<std::int32_t> partitions{};
  std::int64_t started_ms = -1;
  std::int64_t now_ms = 0;
  std::int64_t fresh_id = 7;  // the next one that is handed out

  [[nodiscard]] bool markers_are_due() const {
    return state == State::kPrepareCommit || state == State::kPrepareAbort;
  }
  [[nodiscard]] bool complete() const {
    return state == State::kCompleteCommit || state == State::kCompleteAbort;
  }

  // InitProducerId of an instance that knows nothing.
  Answer Init() {
    if (markers_are_due()) return {broker::ErrorCode::kConcurrentTransactions};
    if (state == State::kOngoing) return FenceAndAbort();
    if (state == State::kUnknown) return Create();
    if (epoch >= kLastUsable) return Initialise(fresh_id++, 0, -1);
    return Initialise(producer_id, epoch + 1, -1);
  }

  // InitProducerId of one that was producer `id` with epoch `e` (KIP-360).
  Answer InitAgain(std::int64_t id, std::int64_t e) {
    if (markers_are_due()) return {broker::ErrorCode::kConcurrentTransactions};
    if (state == State::kUnknown) return Create();
    const bool known = id == producer_id || (id == previous_id && e >= kLastUsable);
    if (!known) return {broker::ErrorCode::kProducerFenced};
    if (state == State::kOngoing) return FenceAndAbort();
    if (epoch >= kLastUsable) {
      if (e != epoch) return {broker::ErrorCode::kUnknownServerError};
      return Initialise(fresh_id++, 0, epoch);
    }
    if (e == epoch) return Initialise(producer_id, epoch + 1, epoch);
    if (e == last_epoch) return Initialise(producer_id, epoch, last_epoch);
    return {broker::ErrorCode::kProducerFenced};
  }

  broker::ErrorCode Add(std::int64_t id, std::int64_t e, const std::set<std::int32_t>& added) {
    if (state == State::kUnknown) return broker::ErrorCode::kInvalidProducerIdMapping;
    if (markers_are_due()) return broker::ErrorCode::kConcurrentTransactions;
    if (id != producer_id) return broker::ErrorCode::kInvalidProducerIdMapping;
    if (e != epoch) return broker::ErrorCode::kProducerFenced;
    if (state == State::kOngoing &&
        std::includes(partitions.begin(), partitions.end(), added.begin(), added.end())) {
      return broker::ErrorCode::kNone;
    }
    if (state != State::kOngoing) started_ms = now_ms;
    state = State::kOngoing;
    previous_id = producer_id;
    partitions.insert(added.begin(), added.end());
    return broker::ErrorCode::kNone;
  }

  [[nodiscard]] broker::ErrorCode Verify(std::int64_t id, std::int64_t e,
                                         std::int32_t partition) const {
    if (state == State::kUnknown) return broker::ErrorCode::kInvalidProducerIdMapping;
    if (id != producer_id) return broker::ErrorCode::kInvalidProducerIdMapping;
    if (e != epoch) return broker::ErrorCode::kProducerFenced;
    if (markers_are_due()) return broker::ErrorCode::kConcurrentTransactions;
    return state == State::kOngoing && partitions.contains(partition)
               ? broker::ErrorCode::kNone
               : broker::ErrorCode::kTransactionAbortable;
  }

  Answer End(std::int64_t id, std::int64_t e, bool commit) {
    if (state == State::kUnknown) return {broker::ErrorCode::kInvalidProducerIdMapping};
    return version == 2 ? EndInTV2(id, e, commit) : EndInTV1(id, e, commit);
  }

  void MarkersAreWritten() {
    if (!markers_are_due()) return;
    state = state == State::kPrepareCommit ? State::kCompleteCommit : State::kCompleteAbort;
    partitions.clear();
    previous_id = producer_id;
    if (next_id == -1) return;
    producer_id = next_id;
    next_id = -1;
    epoch = 0;
  }

  // The sweep ends what is open for longer than its timeout.
  void Wait(std::int64_t ms) {
    const std::int64_t until = now_ms + ms;
    std::int64_t sweep = (now_ms / kSweepMs + 1) * kSweepMs;
    for (; sweep <= until; sweep += kSweepMs) {
      now_ms = sweep;
      if (state == State::kOngoing && started_ms + kTimeoutMs < now_ms) (void)FenceAndAbort();
    }
    now_ms = until;
  }

  // Another coordinator reads the log.
  void Failover() { last_epoch = -1; }

 private:
  Answer Create() {
    producer_id = fresh_id++;
    return Initialise(producer_id, 0, -1);
  }
  Answer Initialise(std::int64_t id, std::int64_t e, std::int64_t last) {
    previous_id = producer_id;
    producer_id = id;
    epoch = e;
    last_epoch = last;
    state = State::kEmpty;
    partitions.clear();
    return {broker::ErrorCode::kNone, producer_id, epoch};
  }

  void Prepare(State decision) {
    state = decision;
    previous_id = producer_id;
  }
  // TV2: the decision takes the next epoch; after the last one, another producer id is next.
  void PrepareAndBump(State decision) {
    Prepare(decision);
    last_epoch = epoch;
    if (epoch >= kLastUsable) next_id = fresh_id++;
    ++epoch;
  }
  // A TV1 client that was fenced at 32767 has no epoch left to be fenced by.
  Answer FenceAndAbort() {
    if (version == 2) {
      PrepareAndBump(State::kPrepareAbort);
    } else {
      Prepare(State::kPrepareAbort);
      epoch = std::min(epoch + 1, kLastUsable + 1);
      last_epoch = -1;
    }
    return {broker::ErrorCode::kConcurrentTransactions};
  }

  Answer EndInTV1(std::int64_t id, std::int64_t e, bool commit) {
    if (id != producer_id) return {broker::ErrorCode::kInvalidProducerIdMapping};
    if (e != epoch) return {broker::ErrorCode::kProducerFenced};
    if (markers_are_due()) return {broker::ErrorCode::kConcurrentTransactions};
    if (state == State::kOngoing) {
      Prepare(commit ? State::kPrepareCommit : State::kPrepareAbort);
      return {};
    }
    const bool repeats = state == (commit ? State::kCompleteCommit : State::kCompleteAbort);
    return {repeats ? broker::ErrorCode::kNone : broker::ErrorCode::kInvalidTxnState};
  }

  Answer EndInTV2(std::int64_t id, std::int64_t e, bool commit) {
    if (markers_are_due()) return {broker::ErrorCode::kConcurrentTransactions};
    const bool overflow = id == previous_id && e == kLastUsable && epoch == 0;
    if (id != producer_id && !overflow) return {broker::ErrorCode::kInvalidProducerIdMapping};
    const bool retry = overflow || e + 1 == epoch;
    const bool current = !overflow && e == epoch;
    if (!current && !(retry && complete())) return {broker::ErrorCode::kProducerFenced};
    if (retry) {
      const bool repeats = state == (commit ? State::kCompleteCommit : State::kCompleteAbort);
      if (!repeats) return {broker::ErrorCode::kInvalidTxnState};
      return {broker::ErrorCode::kNone, producer_id, epoch};
    }
    const bool empty = state != State::kOngoing;
    if (empty && commit) return {broker::ErrorCode::kInvalidTxnState};
    PrepareAndBump(commit ? State::kPrepareCommit : State::kPrepareAbort);
    const Answer answer = next_id == -1 ? Answer{broker::ErrorCode::kNone, producer_id, epoch}
                                        : Answer{broker::ErrorCode::kNone, next_id, 0};
    if (empty) MarkersAreWritten();
    return answer;
  }
};

}  // namespace kafkasim::coordinator
