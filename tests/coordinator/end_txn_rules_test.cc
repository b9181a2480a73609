#include "coordinator/end_txn_rules.h"

#include <vector>

#include <gtest/gtest.h>

namespace kafkasim::coordinator {
namespace {

using broker::ErrorCode;
using broker::ProducerEpoch;
using broker::ProducerId;
using enum TransactionState;

constexpr ProducerId kPid{7};
constexpr int16_t kEpoch = 4;

TransactionMetadata InState(TransactionState state, int16_t epoch = kEpoch) {
  TransactionMetadata metadata{.transactional_id = "t"};
  metadata.value.producer_id = kPid;
  metadata.value.prev_producer_id = kPid;
  metadata.value.producer_epoch = ProducerEpoch(epoch);
  metadata.value.state = state;
  return metadata;
}

// A cell as Kafka's table and the reference write it.
std::string Cell(const EndTxnDecision& decision) {
  switch (decision.action) {
    case EndTxnAction::kPrepareCommit:
      return "-> PREPARE_COMMIT";
    case EndTxnAction::kPrepareAbort:
      return "-> PREPARE_ABORT";
    case EndTxnAction::kEmptyAbort:
      return "-> PREPARE_ABORT, empty";
    case EndTxnAction::kAlreadyEnded:
      return "NONE";
    case EndTxnAction::kRefuse:
      return std::string(broker::Name(ErrorOf(decision.refusal)));
  }
  return "?";
}

TEST(Conformance, Case52EveryCellOfEndTxnOfTV1) {
  struct Row {
    TransactionState state;
    std::string commit;
    std::string abort;
  };
  const std::vector<Row> rows = {
      {kEmpty, "INVALID_TXN_STATE", "INVALID_TXN_STATE"},
      {kOngoing, "-> PREPARE_COMMIT", "-> PREPARE_ABORT"},
      {kPrepareCommit, "CONCURRENT_TRANSACTIONS", "INVALID_TXN_STATE"},
      {kPrepareAbort, "INVALID_TXN_STATE", "CONCURRENT_TRANSACTIONS"},
      {kCompleteCommit, "NONE", "INVALID_TXN_STATE"},
      {kCompleteAbort, "INVALID_TXN_STATE", "NONE"},
  };
  for (const Row& row : rows) {
    const TransactionMetadata metadata = InState(row.state);
    const auto cell = [&](ProducerId pid, int16_t epoch, bool commit) {
      return Cell(DecideEndTxnTV1(metadata, pid, ProducerEpoch(epoch), commit));
    };
    EXPECT_EQ(cell(kPid, kEpoch, true), row.commit) << row.state;
    EXPECT_EQ(cell(kPid, kEpoch, false), row.abort) << row.state;
    // In every state: the producer id is compared first, then the epoch, and both must be equal.
    EXPECT_EQ(cell(ProducerId(8), kEpoch - 1, true), "INVALID_PRODUCER_ID_MAPPING") << row.state;
    EXPECT_EQ(cell(kPid, kEpoch - 1, true), "PRODUCER_FENCED") << row.state;
    EXPECT_EQ(cell(kPid, kEpoch + 1, false), "PRODUCER_FENCED") << row.state;
  }
}

TEST(Conformance, Case53EveryCellOfEndTxnOfTV2) {
  struct Row {
    TransactionState state;
    std::string commit_current;
    std::string commit_retry;
    std::string abort_current;
    std::string abort_retry;
  };
  const std::string its = "INVALID_TXN_STATE";
  const std::string fenced = "PRODUCER_FENCED";
  const std::string concurrent = "CONCURRENT_TRANSACTIONS";
  const std::string empty = "-> PREPARE_ABORT, empty";
  const std::vector<Row> rows = {
      {kEmpty, its, fenced, empty, fenced},
      {kOngoing, "-> PREPARE_COMMIT", fenced, "-> PREPARE_ABORT", fenced},
      {kPrepareCommit, fenced, concurrent, fenced, its},
      {kPrepareAbort, fenced, its, fenced, concurrent},
      {kCompleteCommit, its, "NONE", empty, its},
      {kCompleteAbort, its, its, empty, "NONE"},
  };
  for (const Row& row : rows) {
    const TransactionMetadata metadata = InState(row.state);
    const auto cell = [&](ProducerId pid, int16_t epoch, bool commit) {
      return Cell(DecideEndTxnTV2(metadata, pid, ProducerEpoch(epoch), commit));
    };
    EXPECT_EQ(cell(kPid, kEpoch, true), row.commit_current) << row.state;
    EXPECT_EQ(cell(kPid, kEpoch - 1, true), row.commit_retry) << row.state;
    EXPECT_EQ(cell(kPid, kEpoch, false), row.abort_current) << row.state;
    EXPECT_EQ(cell(kPid, kEpoch - 1, false), row.abort_retry) << row.state;
    // In every state: another producer id, and epochs further away, in both directions.
    EXPECT_EQ(cell(ProducerId(8), kEpoch, true), "INVALID_PRODUCER_ID_MAPPING") << row.state;
    EXPECT_EQ(cell(kPid, kEpoch - 2, false), fenced) << row.state;
    EXPECT_EQ(cell(kPid, kEpoch + 1, true), fenced) << row.state;
  }
}

TEST(Conformance, Case54EndTxnOfTV2WhereTheEpochsRunOut) {
  const TransactionMetadata prepared = InState(kPrepareCommit, 32767);
  EXPECT_EQ(Cell(DecideEndTxnTV2(prepared, kPid, ProducerEpoch(32766), true)),
            "CONCURRENT_TRANSACTIONS");
  TransactionMetadata rotated = InState(kCompleteCommit, 0);
  rotated.value.producer_id = ProducerId(8);
  EXPECT_EQ(Cell(DecideEndTxnTV2(rotated, kPid, ProducerEpoch(32766), true)), "NONE");
  EXPECT_EQ(Cell(DecideEndTxnTV2(rotated, kPid, ProducerEpoch(32766), false)), "INVALID_TXN_STATE");
  EXPECT_EQ(Cell(DecideEndTxnTV2(rotated, kPid, ProducerEpoch(32765), true)),
            "INVALID_PRODUCER_ID_MAPPING");
}

TEST(EndTxnRules, ARotatedIdThatRestsInNoCompletedStateTakesNoRetry) {
  TransactionMetadata ongoing = InState(kOngoing, 0);
  ongoing.value.producer_id = ProducerId(8);
  EXPECT_EQ(Cell(DecideEndTxnTV2(ongoing, kPid, ProducerEpoch(32766), true)), "PRODUCER_FENCED");
}

TEST(EndTxnRules, APendingChangeIsLookedAtLastByTV1AndFirstByTV2) {
  TransactionMetadata metadata = InState(kOngoing);
  metadata.pending = metadata.value;
  const auto tv1 = [&](ProducerId pid, int16_t epoch) {
    return Cell(DecideEndTxnTV1(metadata, pid, ProducerEpoch(epoch), true));
  };
  const auto tv2 = [&](ProducerId pid, int16_t epoch) {
    return Cell(DecideEndTxnTV2(metadata, pid, ProducerEpoch(epoch), true));
  };
  EXPECT_EQ(tv1(ProducerId(8), kEpoch), "INVALID_PRODUCER_ID_MAPPING");
  EXPECT_EQ(tv1(kPid, kEpoch - 1), "PRODUCER_FENCED");
  EXPECT_EQ(tv1(kPid, kEpoch), "CONCURRENT_TRANSACTIONS");
  EXPECT_EQ(tv2(ProducerId(8), kEpoch), "CONCURRENT_TRANSACTIONS");
  EXPECT_EQ(tv2(kPid, kEpoch - 1), "CONCURRENT_TRANSACTIONS");
}

}  // namespace
}  // namespace kafkasim::coordinator
