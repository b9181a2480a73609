// Liveness as drain, and the claims that an author makes of a search: scenarios/drain.h and
// scenarios/explore_judge.h.
#include "scenarios/drain.h"

#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <fmt/format.h>

#include "scenarios/explore.h"
#include "scenarios/explore_judge.h"
#include "tests/scenarios/run_scenario.h"

namespace kafkasim::scenarios {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

// One producer, one record a transaction, two transactions.
std::string TwoTransactions(std::string_view version, std::string_view explore) {
  return fmt::format(R"(title: A test
cluster:
  brokers: 1
  config:
    transaction.version: {}
    transaction.state.log.num.partitions: 1
    transaction.state.log.replication.factor: 1
    transaction.state.log.min.isr: 1
    offsets.topic.replication.factor: 1
    offsets.topic.num.partitions: 1
topics:
  orders: {{partitions: 1, replicas: 1}}
actors:
  shop:
    application:
      producer: {{transactional.id: pay-1, linger.ms: 0, delivery.timeout.ms: 40000}}
      program:
      - init_transactions
      - times: 2
        do:
        - begin_transaction
        - send: {{to: orders-0, value: paid}}
        - commit_transaction
explore: {}
steps:
- say: The search plays the program alone.
)",
                     version, explore);
}

struct Searched {
  sim::SearchResult result{};
  std::vector<std::string> never{};

  [[nodiscard]] std::uint64_t StatesThatRecover(Recovery recovery) const {
    return result.situations[ExploreJudge::kRecoveries + static_cast<std::size_t>(recovery)];
  }
};

Searched SearchText(const std::string& text) {
  const std::optional<Scenario> scenario = Load(text);
  if (!scenario.has_value()) return {};
  const ExplorationResult prepared = PrepareExploration(*scenario, {});
  EXPECT_THAT(prepared.errors, IsEmpty());
  Searched searched{.result = Explore(*prepared.exploration, {})};
  searched.never = NeverMade(*prepared.exploration, searched.result);
  return searched;
}

auto Named(std::string_view name) {
  return Field(&sim::SearchFinding::violation, Field(&sim::Violation::name, std::string(name)));
}

TEST(Drain, WithoutDisturbancesAllEndsAtOnce) {
  const Searched searched = SearchText(TwoTransactions("2", "{drain: 3min, until: 10s}"));
  EXPECT_THAT(searched.result.found, IsEmpty());
  EXPECT_EQ(searched.StatesThatRecover(Recovery::kAtOnce), searched.result.states);
}

// An answer that never comes is missed when the request has timed out.
TEST(Drain, ALostAnswerCostsATimeout) {
  const Searched searched = SearchText(
      TwoTransactions("2", "{losses: 1, strike: {answer: EndTxn}, drain: 3min, until: 10s}"));
  EXPECT_THAT(searched.result.found, IsEmpty());
  EXPECT_GT(searched.StatesThatRecover(Recovery::kByTimeout), 0u);
  EXPECT_EQ(searched.StatesThatRecover(Recovery::kAtOnce) +
                searched.StatesThatRecover(Recovery::kByTimeout),
            searched.result.states);
}

// KIP-890's hanging transaction: the application gives up and aborts, and then the Produce arrives,
// in the epoch that is still the right one.
std::string LateProduce(std::string_view version, bool verified) {
  std::string text =
      TwoTransactions(version, "{holds: 1, strike: {request: Produce}, drain: 3min, until: 2min}");
  const auto replace = [&](std::string_view what, std::string_view by) {
    text.replace(text.find(what), what.size(), by);
  };
  replace("delivery.timeout.ms: 40000", "delivery.timeout.ms: 30000");
  replace("- times: 2", "- times: 1");
  replace("explore:",
          "      on_error: {TransactionAbortableException: [abort_transaction, stop]}\nexplore:");
  if (!verified) {
    replace("    transaction.version",
            "    transaction.partition.verification.enable: false\n    transaction.version");
  }
  return text;
}

TEST(Drain, AHangingTransactionNeedsAnOperator) {
  const Searched searched = SearchText(LateProduce("1", /*verified=*/false));
  EXPECT_THAT(searched.result.found, Contains(Named(kOperatorNeeded)));
  EXPECT_GT(searched.StatesThatRecover(Recovery::kByOperator), 0u);
  EXPECT_EQ(searched.StatesThatRecover(Recovery::kNotInTime), 0u);
}

TEST(Drain, VerifiedThereIsNone) {
  for (const std::string_view version : {"1", "2"}) {
    const Searched searched = SearchText(LateProduce(version, /*verified=*/true));
    EXPECT_TRUE(searched.result.exhausted());
    EXPECT_THAT(searched.result.found, IsEmpty());
    EXPECT_GT(searched.result.moves[static_cast<std::size_t>(sim::MoveKind::kRelease)], 0u);
  }
}

TEST(ClaimsOfASearch, WhatHoldsInTheEndIsAskedOfEachState) {
  const std::string_view right =
      "{finally: {orders-0: {log: [paid, COMMIT, paid, COMMIT]}}, "
      "drain: 1min, until: 10s}";
  EXPECT_THAT(SearchText(TwoTransactions("2", right)).result.found, IsEmpty());
  const std::string_view wrong =
      "{finally: {orders-0: {log: [paid, COMMIT]}}, drain: 1min, "
      "until: 10s}";
  const Searched searched = SearchText(TwoTransactions("2", wrong));
  ASSERT_THAT(searched.result.found, ElementsAre(Named(kFinallyBroken)));
  EXPECT_THAT(searched.result.found[0].path, IsEmpty()) << "it is wrong from the start";
}

TEST(ClaimsOfASearch, WhatAlwaysHoldsIsAskedOfEachState) {
  const auto with = [](std::string_view bound) {
    return fmt::format("{{always: {{orders-0: {{log_end_offset: {}}}}}, until: 10s}}", bound);
  };
  EXPECT_THAT(SearchText(TwoTransactions("2", with("{at_most: 4}"))).result.found, IsEmpty());
  const Searched searched = SearchText(TwoTransactions("2", with("{at_most: 1}")));
  ASSERT_THAT(searched.result.found, ElementsAre(Named(kAlwaysBroken)));
  EXPECT_EQ(searched.result.found[0].violation.what,
            "orders-0 log_end_offset: expected at most 1, found 2");
}

TEST(ClaimsOfASearch, ASituationThatIsNeverReachedIsSaid) {
  const Searched searched = SearchText(
      TwoTransactions("2",
                      "{reach: {decided: {transactions: {pay-1: {state: PREPARE_COMMIT}}}, "
                      "aborted: {transactions: {pay-1: {state: COMPLETE_ABORT}}}}, until: 10s}"));
  EXPECT_GT(searched.result.situations[0], 0u);
  EXPECT_EQ(searched.result.situations[1], 0u);
  EXPECT_THAT(searched.never, ElementsAre("aborted"));
}

TEST(ClaimsOfASearch, WhatOnlyARunKnowsCannotBeAsked) {
  for (const std::string_view claims :
       {"orders-0: {log: [{value: paid, by: shop}]}", "orders-0: {producers: {shop: absent}}",
        "count: {request: EndTxn, equals: 2}"}) {
    const LoadResult loaded = LoadScenarioText(
        "test.yaml", TwoTransactions("2", fmt::format("{{always: {{{}}}}}", claims)));
    EXPECT_THAT(loaded.Report(), HasSubstr("a search keeps no history")) << claims;
  }
  EXPECT_THAT(
      LoadScenarioText("test.yaml", TwoTransactions("2", "{finally: {orders-0: {log: []}}}"))
          .Report(),
      HasSubstr("drain and finally belong together"));
}

}  // namespace
}  // namespace kafkasim::scenarios
