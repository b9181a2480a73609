// Claims about consumer groups: scenarios/group_claims.h.
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run_scenario.h"

namespace kafkasim::scenarios {
namespace {

using testing::SizeIs;

// Seven records; a member has read four of them and committed that.
RunResult Claim(const std::string& claims) {
  const std::optional<Scenario> scenario = Load(R"(title: A group
cluster: {brokers: 3}
topics:
  orders: {partitions: 2, replicas: 3}
actors:
  p: {producer: {}}
  t: {producer: {transactional.id: pay-1}}
  member:
    consumer:
      group.id: billing
      subscribe: [orders]
      enable.auto.commit: false
      auto.offset.reset: earliest
      isolation.level: read_committed
steps:
  - p: {send: {to: orders-0, values: [a, b, c, d, e]}}
  - t: init_transactions
  - t: begin_transaction
  - t: {send: {to: orders-0, values: [f, g]}}
  - member: {poll: {timeout: 10s, max_records: 4}}
  - member: {poll: {timeout: 1s, max_records: 4}}
  - member: {poll: {timeout: 1s, max_records: 4}}
  - member: commit_sync
  - expect:
      groups:
        billing: )" + claims + "\n");
  return scenario.has_value() ? Run(*scenario) : RunResult{};
}

void ExpectFailure(const RunResult& result, std::string_view what, std::string_view expected,
                   std::string_view actual) {
  ASSERT_THAT(result.failures, SizeIs(1)) << Complaints(result);
  EXPECT_EQ(result.failures[0].what, what);
  EXPECT_EQ(result.failures[0].expected, expected);
  EXPECT_EQ(result.failures[0].actual, actual);
}

TEST(GroupClaims, HoldWhatTheCoordinatorKnows) {
  const RunResult result = Claim(
      "{state: STABLE, generation: 1, members: 1, assignment: {member: [orders-1, orders-0]}, "
      "committed: {orders-0: 5, orders-1: 0}, pending: {orders-0: none}, "
      "lag: {orders-0: {high_watermark: 2, last_stable_offset: 0, records: 0}}}");
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
  EXPECT_EQ(result.claims, 10u);
}

TEST(GroupClaims, SayWhatIsOtherwise) {
  ExpectFailure(Claim("{state: EMPTY}"), "group billing state", "EMPTY", "STABLE");
  ExpectFailure(Claim("{generation: 2}"), "group billing generation", "2", "1");
  ExpectFailure(Claim("{members: 2}"), "group billing members", "2", "1");
  ExpectFailure(Claim("{committed: {orders-0: 4}}"), "group billing committed orders-0", "4", "5");
  ExpectFailure(Claim("{committed: {orders-0: none}}"), "group billing committed orders-0", "none",
                "5");
  ExpectFailure(Claim("{pending: {orders-0: 5}}"), "group billing pending orders-0", "5", "none");
  ExpectFailure(Claim("{assignment: {member: [orders-0]}}"), "group billing assignment",
                "[member [orders-0]]", "[member [orders-0, orders-1]]");
  ExpectFailure(Claim("{lag: {orders-0: {high_watermark: 0}}}"),
                "group billing orders-0 lag to the high watermark", "0", "2");
  ExpectFailure(Claim("absent"), "group billing", "absent", "STABLE");
}

TEST(GroupClaims, KnowNothingOfAGroupThatNobodyJoined) {
  const RunResult result = Claim("{state: STABLE}\n        shipping: absent");
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
  ExpectFailure(Claim("{state: STABLE}\n        shipping: {state: EMPTY}"), "group shipping",
                "known", "absent");
}

TEST(GroupClaims, AStateThatThereIsNotIsRefused) {
  const LoadResult loaded = LoadScenarioText("test.yaml", std::string(kStage) +
                                                              "  - expect: {groups: {g: {state: "
                                                              "STABEL}}}\n");
  EXPECT_FALSE(loaded.scenario.has_value());
  EXPECT_THAT(loaded.Report(), testing::HasSubstr("did you mean 'STABLE'"));
}

}  // namespace
}  // namespace kafkasim::scenarios
