// Conformance cases 55 and 56: transactions that time out and ids that expire; with exact times.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/events.h"
#include "sim/sweep.h"
#include "tests/coordinator/scripted_host.h"
#include "tests/coordinator/values.h"

namespace kafkasim::coordinator {
namespace {

using broker::ErrorCode;
using sim::Millis;
using sim::Seconds;
using sim::Time;
using ::testing::ElementsAre;
using enum TransactionState;

constexpr int64_t kDayMs = 86'400'000;

Time At(sim::Duration d) { return Time{} + d; }

TEST(Conformance, Case55OnlyAnOpenTransactionTimesOut) {
  ScriptedHost host = ScriptedHost::ForVersion(0);
  host.markers = ScriptedHost::Markers::kHold;
  for (const TransactionState state : kAllTransactionStates) {
    if (state == kDead || state == kPrepareEpochFence) continue;
    const bool has_partitions = state == kOngoing || IsPrepared(state);
    host.Store(std::string(Name(state)),
               MakeValue(state, 3, 4,
                         host.OrdersList(has_partitions ? std::vector<int32_t>{0}
                                                        : std::vector<int32_t>{})));
  }
  host.Elect(0, 1);
  host.AdvanceTo(At(Seconds(3'000)));
  EXPECT_THAT(host.TextsOf(events::kTransactionTimedOut, "transactional_id"),
              ElementsAre("Ongoing"));
  EXPECT_EQ(host.LogOf("Ongoing"), "ONGOING 3/4, PREPARE_ABORT 3/5");
  EXPECT_EQ(host.LogOf("PrepareCommit"), "PREPARE_COMMIT 3/4");
  EXPECT_EQ(host.LogOf("Empty"), "EMPTY 3/4");
}

TEST(Conformance, Case55APendingChangeIsLeftAlone) {
  ScriptedHost host = ScriptedHost::ForVersion(1);
  ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone);
  ASSERT_EQ(host.Add("t", 7, 0, host.OrdersList({0})), ErrorCode::kNone);
  host.appends = ScriptedHost::Appends::kHold;
  ASSERT_FALSE(host.Add("t", 7, 0, host.OrdersList({1})).has_value());
  host.AdvanceTo(At(Seconds(75)));
  EXPECT_TRUE(host.TextsOf(events::kTransactionTimedOut, "reason").empty());
  host.appends = ScriptedHost::Appends::kReplicate;
  host.Release();
  host.AdvanceTo(At(Seconds(79)));
  EXPECT_EQ(host.StateOf("t"), kOngoing);
  host.AdvanceTo(At(Seconds(80)));
  EXPECT_EQ(host.StateOf("t"), kCompleteAbort) << "the next sweep finds it";
}

TEST(TransactionTimeout, StrikesAtTheFirstSweepStrictlyAfterTheTimeout) {
  struct Case {
    int64_t added_ms;
    int64_t aborted_ms;
  };
  // Timeout 60 s, a sweep every 10 s since the start of the broker.
  for (const Case& c :
       {Case{0, 70'000}, {1, 70'000}, {9'999, 70'000}, {10'000, 80'000}, {10'001, 80'000}}) {
    ScriptedHost host = ScriptedHost::ForVersion(1);
    ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone);
    host.AdvanceTo(At(Millis(c.added_ms)));
    ASSERT_EQ(host.Add("t", 7, 0, host.OrdersList({0})), ErrorCode::kNone);
    host.AdvanceTo(At(Millis(c.aborted_ms) - sim::Micros(1)));
    EXPECT_EQ(host.StateOf("t"), kOngoing) << c.added_ms;
    host.AdvanceTo(At(Millis(c.aborted_ms)));
    EXPECT_EQ(host.StateOf("t"), kCompleteAbort) << c.added_ms;
  }
}

TEST(TransactionTimeout, LeavesATransactionThatIsExactlyAsOldAsItsTimeout) {
  ScriptedHost host = ScriptedHost::ForVersion(1);
  ASSERT_EQ(host.Init("older")->error, ErrorCode::kNone);
  ASSERT_EQ(host.Init("younger")->error, ErrorCode::kNone);
  ASSERT_EQ(host.Add("older", 7, 0, host.OrdersList({0})), ErrorCode::kNone);
  host.AdvanceTo(At(Seconds(10)));
  ASSERT_EQ(host.Add("younger", 8, 0, host.OrdersList({0})), ErrorCode::kNone);
  host.AdvanceTo(At(Seconds(70)));
  EXPECT_EQ(host.StateOf("older"), kCompleteAbort);
  EXPECT_EQ(host.StateOf("younger"), kOngoing);
  host.AdvanceTo(At(Seconds(80)));
  EXPECT_EQ(host.StateOf("younger"), kCompleteAbort);
}

TEST(TransactionTimeout, CountsFromTheFirstPartitionNotTheLast) {
  ScriptedHost host = ScriptedHost::ForVersion(1);
  ASSERT_EQ(host.Init("t", -1, -1, 5'000)->error, ErrorCode::kNone);
  ASSERT_EQ(host.Add("t", 7, 0, host.OrdersList({0})), ErrorCode::kNone);
  host.AdvanceTo(At(Millis(4'999)));
  ASSERT_EQ(host.Add("t", 7, 0, host.OrdersList({1})), ErrorCode::kNone);
  host.AdvanceTo(At(Seconds(10)));
  EXPECT_EQ(host.StateOf("t"), kCompleteAbort);
  EXPECT_THAT(host.TextsOf(events::kTransactionTimedOut, "reason"),
              ElementsAre("open for 10000 ms, longer than its timeout of 5000 ms"));
}

TEST(TransactionTimeout, RunsOnOverAFailover) {
  ScriptedHost host = ScriptedHost::ForVersion(1);
  ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone);
  ASSERT_EQ(host.Add("t", 7, 0, host.OrdersList({0})), ErrorCode::kNone);
  host.AdvanceTo(At(Seconds(55)));
  host.Crash();  // the sweeps count from 55 s on
  host.Elect(0, 1);
  host.AdvanceTo(At(Millis(64'999)));
  EXPECT_EQ(host.StateOf("t"), kOngoing);
  host.AdvanceTo(At(Seconds(65)));
  EXPECT_EQ(host.StateOf("t"), kCompleteAbort);
}

TEST(TransactionTimeout, NeverStrikesTwoPhaseCommit) {
  ScriptedHost host;
  TransactionValue value = MakeValue(kOngoing, 3, 4, host.OrdersList({0}));
  value.timeout_ms = kTwoPhaseCommitTimeoutMs;
  host.Store("t", value);
  host.Elect(0, 1);
  host.AdvanceTo(At(Millis(30 * kDayMs)));
  EXPECT_EQ(host.StateOf("t"), kOngoing);
}

TEST(TransactionTimeout, TriesAgainWhenTheRecordFails) {
  ScriptedHost host = ScriptedHost::ForVersion(1);
  ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone);
  ASSERT_EQ(host.Add("t", 7, 0, host.OrdersList({0})), ErrorCode::kNone);
  host.appends = ScriptedHost::Appends::kFail;
  host.AdvanceTo(At(Seconds(89)));
  EXPECT_EQ(host.TextsOf(events::kTransactionTimedOut, "reason").size(), 2u);
  EXPECT_EQ(host.EpochOf("t"), 1) << "bumped once only";
  host.appends = ScriptedHost::Appends::kReplicate;
  host.AdvanceTo(At(Seconds(90)));
  EXPECT_EQ(host.LogOf("t"), "EMPTY 7/0, ONGOING 7/0, PREPARE_ABORT 7/1, COMPLETE_ABORT 7/1");
}

TEST(TransactionTimeout, AQuietWorldSetsNoTimerThatFindsNothing) {
  ScriptedHost host = ScriptedHost::ForVersion(1);
  ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone);
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(host.Add("t", 7, 0, host.OrdersList({0})), ErrorCode::kNone);
    ASSERT_EQ(host.End("t", 7, 0, true, 4)->error, ErrorCode::kNone);
  }
  EXPECT_EQ(host.armed_timers(), 2u) << "one for the abort sweep, one for the expiry sweep";
  host.AdvanceTo(At(Seconds(100)));
  EXPECT_EQ(host.armed_timers(), 1u);
}

TEST(Conformance, Case56OnlyIdsAtRestExpireAndGetATombstone) {
  ScriptedHost host;
  host.markers = ScriptedHost::Markers::kHold;
  for (const TransactionState state : kAllTransactionStates) {
    if (state == kDead || state == kPrepareEpochFence) continue;
    TransactionValue value = MakeValue(state, 3, 4);
    if (state == kOngoing) value.timeout_ms = kTwoPhaseCommitTimeoutMs;
    if (state == kOngoing || IsPrepared(state)) value.partitions = host.OrdersList({0});
    host.Store(std::string(Name(state)), value);
  }
  host.Elect(0, 1);
  // Last used at 1 s: 7 days later at 604,801 s; the sweep is hourly.
  host.AdvanceTo(At(Seconds(608'400)) - Millis(1));
  EXPECT_EQ(ViewTransactions(host.coordinator).size(), 6u);
  host.AdvanceTo(At(Seconds(608'400)));
  EXPECT_THAT(host.TextsOf(events::kTransactionalIdExpired, "transactional_id"),
              ElementsAre("CompleteAbort", "CompleteCommit", "Empty"));
  EXPECT_EQ(ViewTransactions(host.coordinator).size(), 3u);
  EXPECT_EQ(host.LogOf("Empty"), "EMPTY 3/4, tombstone");
  EXPECT_EQ(host.LogOf("Ongoing"), "ONGOING 3/4");
  EXPECT_EQ(host.log(0).log_end_offset(), broker::Offset(9));
  EXPECT_EQ(host.log(0).FindBatch(broker::Offset(6))->records->size(), 3u) << "one batch for all";
}

TEST(Conformance, Case56AnIdIsKeptUntilTheLastMillisecond) {
  ScriptedHost host;
  TransactionValue value = MakeValue(kEmpty, 3, 4);
  value.last_update_timestamp_ms = 3'600'000;
  host.Store("due", value);
  value.last_update_timestamp_ms = 3'600'001;
  host.Store("later", value);
  host.Elect(0, 1);
  host.AdvanceTo(At(Millis(7 * kDayMs + 3'600'000)));
  EXPECT_FALSE(host.Find("due").has_value());
  EXPECT_TRUE(host.Find("later").has_value());
  host.AdvanceTo(At(Millis(7 * kDayMs + 2 * 3'600'000)));
  EXPECT_FALSE(host.Find("later").has_value());
}

TEST(Conformance, Case56AFailedTombstoneKeepsTheIdUsable) {
  ScriptedHost host;
  ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone);
  host.appends = ScriptedHost::Appends::kHold;
  host.AdvanceTo(At(Millis(7 * kDayMs)));
  ASSERT_EQ(host.held_appends(), 1u);
  EXPECT_EQ(host.Find("t")->pending, kDead);
  EXPECT_EQ(host.Init("t")->error, ErrorCode::kConcurrentTransactions);
  host.Release(ErrorCode::kNotEnoughReplicas);
  EXPECT_FALSE(host.Find("t")->pending.has_value());
  host.appends = ScriptedHost::Appends::kReplicate;
  EXPECT_EQ(host.Init("t")->producer_epoch, broker::ProducerEpoch(1));
}

TEST(IdExpiry, ForgetsTheProducerForGood) {
  ScriptedHost host;
  ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone);
  host.AdvanceTo(At(Millis(7 * kDayMs)));
  EXPECT_FALSE(host.Find("t").has_value());
  EXPECT_EQ(host.Add("t", 7, 0, host.OrdersList({0})), ErrorCode::kInvalidProducerIdMapping);
  EXPECT_EQ(host.Init("t")->producer_id, broker::ProducerId(8));
}

TEST(Sweep, RunsAtMultiplesOfItsIntervalOnly) {
  sim::Sweep sweep;
  sweep.Start(At(Millis(300)), Seconds(10));
  EXPECT_EQ(sweep.Want(0, At(Seconds(1))), Millis(9'300));
  EXPECT_EQ(sweep.Want(10'299, At(Seconds(1))), std::nullopt) << "10.3 s shows more than 10,299 ms";
  EXPECT_FALSE(sweep.IsDue(At(Seconds(10))));
  EXPECT_TRUE(sweep.IsDue(At(Millis(10'300))));
  EXPECT_FALSE(sweep.IsDue(At(Millis(10'300)))) << "once";
  EXPECT_EQ(sweep.Want(10'300, At(Millis(10'300))), Seconds(10))
      << "strictly more than the deadline";
}

TEST(Sweep, AnEarlierWantOvertakesALaterOne) {
  sim::Sweep sweep;
  sweep.Start(At({}), Seconds(10));
  EXPECT_EQ(sweep.Want(25'000, At(Seconds(1))), Seconds(29));
  EXPECT_EQ(sweep.Want(15'000, At(Seconds(1))), Seconds(19));
  EXPECT_EQ(sweep.Want(27'000, At(Seconds(1))), std::nullopt);
  EXPECT_TRUE(sweep.IsDue(At(Seconds(20))));
  EXPECT_FALSE(sweep.IsDue(At(Seconds(30)))) << "its timer was overtaken";
}

}  // namespace
}  // namespace kafkasim::coordinator
