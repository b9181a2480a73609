// InitProducerId beyond the numbered cases: the request's own checks, versions, producer-id blocks,
// the epoch's life, and every cell of the table of stored states.
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "coordinator/events.h"
#include "coordinator/init_producer_id_rules.h"
#include "tests/coordinator/scripted_host.h"
#include "tests/coordinator/values.h"

namespace kafkasim::coordinator {
namespace {

using broker::ErrorCode;
using broker::InitProducerIdRequest;
using broker::InitProducerIdResponse;
using broker::ProducerEpoch;
using broker::ProducerId;

std::optional<InitProducerIdResponse> Ask(ScriptedHost& host,
                                          const InitProducerIdRequest& request) {
  return host.ReplyOf<InitProducerIdResponse>(host.Submit(broker::MakeMessage(request)));
}

ErrorCode ErrorOfRequest(const InitProducerIdRequest& request) {
  ScriptedHost host;
  const auto answer = Ask(host, request);
  EXPECT_EQ(host.log(0).log_end_offset(), broker::Offset(0)) << "a refused request writes nothing";
  return answer->error;
}

TEST(InitProducerId, ChecksTheRequestInKafkasOrder) {
  EXPECT_EQ(ErrorOfRequest({.transactional_id = "t", .producer_id = ProducerId(7)}),
            ErrorCode::kInvalidRequest);
  EXPECT_EQ(ErrorOfRequest({.transactional_id = "t", .producer_epoch = ProducerEpoch(0)}),
            ErrorCode::kInvalidRequest);
  EXPECT_EQ(ErrorOfRequest({.transactional_id = "", .enable_2pc = true}),
            ErrorCode::kInvalidRequest);
  EXPECT_EQ(
      ErrorOfRequest({.transactional_id = "t", .enable_2pc = true, .keep_prepared_txn = true}),
      ErrorCode::kTransactionalIdAuthorizationFailed);
  EXPECT_EQ(ErrorOfRequest(
                {.transactional_id = "t", .transaction_timeout_ms = 0, .keep_prepared_txn = true}),
            ErrorCode::kUnsupportedVersion);
  for (const int32_t timeout_ms : {0, -1, 900'001}) {
    EXPECT_EQ(ErrorOfRequest({.transactional_id = "t", .transaction_timeout_ms = timeout_ms}),
              ErrorCode::kInvalidTransactionTimeout);
  }
}

TEST(InitProducerId, TakesTheLongestTimeout) {
  ScriptedHost host;
  EXPECT_EQ(host.Init("t", -1, -1, 900'000)->error, ErrorCode::kNone);
  EXPECT_EQ(host.Find("t")->value.timeout_ms, 900'000);
}

TEST(InitProducerId, GivesTwoPhaseCommitItsEndlessTimeout) {
  ScriptedHost host;
  host.broker_config.transaction_two_phase_commit_enable = true;
  EXPECT_EQ(
      Ask(host, {.transactional_id = "t", .transaction_timeout_ms = 0, .enable_2pc = true})->error,
      ErrorCode::kNone);
  EXPECT_EQ(host.Find("t")->value.timeout_ms, kTwoPhaseCommitTimeoutMs);
}

TEST(InitProducerId, OfAnIdempotentProducerNeedsNoCoordinator) {
  ScriptedHost host(ScriptedHost::Options{.elect = false});
  const auto first = Ask(host, {});
  const auto second = Ask(host, {});
  EXPECT_EQ(first->producer_id, ProducerId(7));
  EXPECT_EQ(first->producer_epoch, ProducerEpoch(0));
  EXPECT_EQ(second->producer_id, ProducerId(8));
  EXPECT_TRUE(ViewTransactions(host.coordinator).empty());
}

TEST(InitProducerId, WaitsForTheFirstBlockOfProducerIds) {
  ScriptedHost host(ScriptedHost::Options{.with_producer_ids = false});
  EXPECT_EQ(host.Init("t")->error, ErrorCode::kCoordinatorLoadInProgress);
  EXPECT_EQ(host.Init("t")->producer_id, ProducerId(7));
}

TEST(InitProducerId, GoesOnWithTheNextBlock) {
  ScriptedHost host(ScriptedHost::Options{.producer_id_count = 2});
  EXPECT_EQ(host.Init("a")->producer_id, ProducerId(7));
  EXPECT_EQ(host.Init("b")->producer_id, ProducerId(8));
  EXPECT_EQ(host.Init("c")->producer_id, ProducerId(9));
}

TEST(InitProducerId, OldClientsHearInvalidProducerEpoch) {
  for (const auto& [version, error] :
       {std::pair{3, ErrorCode::kInvalidProducerEpoch}, {4, ErrorCode::kProducerFenced}}) {
    ScriptedHost host;
    ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone);
    EXPECT_EQ(Ask(host, {.version = static_cast<int16_t>(version),
                         .transactional_id = "t",
                         .producer_id = ProducerId(99),
                         .producer_epoch = ProducerEpoch(0)})
                  ->error,
              error);
  }
}

TEST(InitProducerId, ReportsWhatItHandsOut) {
  ScriptedHost host;
  (void)host.Init("t");
  (void)Ask(host, {});
  EXPECT_EQ(host.TextsOf(events::kProducerIdAssigned, "transactional_id"),
            (std::vector<std::string>{"t", ""}));
}

TEST(InitProducerId, DuringATransactionAnyEpochMayAbortIt) {
  ScriptedHost host = ScriptedHost::ForVersion(2);
  ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone);
  ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone);
  ASSERT_EQ(host.Add("t", 7, 1, host.OrdersList({0}), 4), ErrorCode::kNone);
  EXPECT_EQ(host.Init("t", 7, 0)->error, ErrorCode::kConcurrentTransactions);
  EXPECT_EQ(host.StateOf("t"), TransactionState::kCompleteAbort);
  EXPECT_EQ(host.Init("t", 7, 0)->error, ErrorCode::kProducerFenced);
}

TEST(InitProducerId, SharesTheEpochOfAFenceWithTheTimedOutOwnerOfTV2) {
  ScriptedHost host = ScriptedHost::ForVersion(2);
  ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone);
  ASSERT_EQ(host.Add("t", 7, 0, host.OrdersList({0}), 4), ErrorCode::kNone);
  host.AdvanceTo(sim::Time{} + sim::Seconds(70));
  ASSERT_EQ(host.EpochOf("t"), 1);
  const auto owner = host.Init("t", 7, 0);
  EXPECT_EQ(owner->error, ErrorCode::kNone);
  EXPECT_EQ(owner->producer_epoch, ProducerEpoch(1)) << "taken for a repeated request";
}

TEST(InitProducerId, AFailedRecordLeavesTheIdAsItWas) {
  ScriptedHost host;
  host.appends = ScriptedHost::Appends::kFail;
  EXPECT_EQ(host.Init("t")->error, ErrorCode::kCoordinatorNotAvailable);
  EXPECT_EQ(host.EpochOf("t"), -1);
  host.appends = ScriptedHost::Appends::kReplicate;
  const auto again = host.Init("t");
  EXPECT_EQ(again->producer_id, ProducerId(7)) << "the producer id was kept in memory";
  EXPECT_EQ(again->producer_epoch, ProducerEpoch(0));
}

// 4.9: a new id, a commit, an abort, a timeout, another instance.
TEST(EpochLife, OfTV1StaysThroughEndsAndOfTV2GrowsWithEach) {
  for (const int64_t version : {1, 2}) {
    ScriptedHost host = ScriptedHost::ForVersion(version);
    const int16_t end_version = version == 2 ? 5 : 4;
    const int16_t add_version = version == 2 ? 4 : 3;
    std::vector<int16_t> marker_epochs;
    host.markers = ScriptedHost::Markers::kHold;
    const auto answer = [&] {
      marker_epochs.push_back(
          host.marker_requests().at(0).request.markers.at(0).producer_epoch.value());
      host.AnswerMarkers(0);
    };
    std::vector<int16_t> epochs = {host.Init("t")->producer_epoch.value()};
    for (const bool commit : {true, false}) {
      ASSERT_EQ(host.Add("t", 7, epochs.back(), host.OrdersList({0}), add_version),
                ErrorCode::kNone);
      ASSERT_EQ(host.End("t", 7, epochs.back(), commit, end_version)->error, ErrorCode::kNone);
      answer();
      epochs.push_back(host.EpochOf("t"));
    }
    ASSERT_EQ(host.Add("t", 7, epochs.back(), host.OrdersList({0}), add_version), ErrorCode::kNone);
    host.AdvanceTo(sim::Time{} + sim::Seconds(70));
    answer();
    epochs.push_back(host.EpochOf("t"));
    epochs.push_back(host.Init("t")->producer_epoch.value());
    using Epochs = std::vector<int16_t>;
    EXPECT_EQ(epochs, version == 1 ? (Epochs{0, 0, 0, 1, 2}) : (Epochs{0, 1, 2, 3, 4}));
    EXPECT_EQ(marker_epochs, version == 1 ? (Epochs{0, 0, 1}) : (Epochs{1, 2, 3}));
  }
}

std::string Outcome(const InitProducerIdDecision& decision) {
  switch (decision.action) {
    case InitProducerIdAction::kBumpEpoch:
      return "bump";
    case InitProducerIdAction::kRotateProducerId:
      return "rotate";
    case InitProducerIdAction::kFenceAndAbort:
      return "fence";
    case InitProducerIdAction::kRefuse:
      return std::string(broker::Name(ErrorOf(decision.refusal)));
  }
  return "?";
}

TEST(InitProducerIdRules, EveryCellOfTheTable) {
  struct Row {
    TransactionState state;
    int16_t epoch;
    std::string without;
    std::string current;
    std::string last;
    std::string other;
    std::string other_id;
  };
  using enum TransactionState;
  const std::string fenced = "PRODUCER_FENCED";
  const std::string concurrent = "CONCURRENT_TRANSACTIONS";
  const std::string server = "UNKNOWN_SERVER_ERROR";
  const std::vector<Row> rows = {
      {kEmpty, 4, "bump", "bump", "bump", fenced, fenced},
      {kCompleteCommit, 4, "bump", "bump", "bump", fenced, fenced},
      {kCompleteAbort, 4, "bump", "bump", "bump", fenced, fenced},
      {kEmpty, 32766, "rotate", "rotate", server, server, fenced},
      {kCompleteCommit, 32767, "rotate", "rotate", server, server, fenced},
      {kOngoing, 4, "fence", "fence", "fence", "fence", fenced},
      {kPrepareCommit, 4, concurrent, concurrent, concurrent, concurrent, fenced},
      {kPrepareAbort, 4, concurrent, concurrent, concurrent, concurrent, fenced},
  };
  for (const Row& row : rows) {
    TransactionMetadata metadata{.transactional_id = "t"};
    metadata.value = MakeValue(row.state, 7, row.epoch);
    metadata.value.prev_producer_id = ProducerId(5);
    metadata.value.last_producer_epoch = ProducerEpoch(static_cast<int16_t>(row.epoch - 1));
    const auto outcome = [&](int64_t id, int epoch) {
      return Outcome(DecideInitProducerId(
          metadata,
          ProducerIdAndEpoch{ProducerId(id), ProducerEpoch(static_cast<int16_t>(epoch))}));
    };
    EXPECT_EQ(Outcome(DecideInitProducerId(metadata, std::nullopt)), row.without) << row.state;
    EXPECT_EQ(outcome(7, row.epoch), row.current) << row.state;
    EXPECT_EQ(outcome(7, row.epoch - 1), row.last) << row.state;
    EXPECT_EQ(outcome(7, row.epoch - 2), row.other) << row.state;
    EXPECT_EQ(outcome(6, row.epoch), row.other_id) << row.state;
    EXPECT_EQ(outcome(5, 3), fenced) << "the previous id only with its epochs used up";
    EXPECT_NE(outcome(5, 32766), row.epoch == 4 ? "bump" : fenced);
    metadata.pending = metadata.value;
    EXPECT_EQ(outcome(6, row.epoch), concurrent) << row.state;
  }
}

}  // namespace
}  // namespace kafkasim::coordinator
