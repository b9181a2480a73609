// A cluster recovers when a message between its own processes is lost, after the time that Kafka
// gives it.
#include <optional>

#include <gtest/gtest.h>

#include "client/events.h"
#include "run_scenario.h"

namespace kafkasim::scenarios {
namespace {

TEST(Recovery, AFollowerWhoseFetchIsLostFetchesAgain) {
  for (const char* lost : {"{request: Fetch, from: broker-1, to: broker-0}",
                           "{answer: Fetch, from: broker-0, to: broker-1}"}) {
    const RunResult result = RunSteps(std::string("  - drop: ") + lost + R"(
  - p: {send: {to: orders-0, value: a}}
  - p: {send: {to: orders-0, value: b}}
  - wait: 29s
  - p: {send: {to: orders-0, value: c}}
  - wait: 35s
  - expect: {orders-0: {isr: [0, 1, 2]}}
)");
    EXPECT_EQ(result.verdict, Verdict::kHolds) << lost << "\n" << Complaints(result);
  }
}

TEST(Recovery, AFollowerGivesUpAFetchThatIsHeld) {
  const RunResult result = RunSteps(R"(
  - hold: {request: Fetch, from: broker-1, to: broker-0}
    as: held
  - p: {send: {to: orders-0, value: a}}
  - wait: 35s
  - expect: {orders-0: {isr: [0, 1, 2]}}
  - release: held
  - p: {send: {to: orders-0, value: b}}
  - wait: 35s
  - expect: {orders-0: {isr: [0, 1, 2], high_watermark: 2}}
)");
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
}

TEST(Recovery, ABrokerLearnsOfAnElectionWhoseNewsWereLost) {
  const RunResult result = RunSteps(R"(
  - p: {send: {to: orders-0, value: a}}
  - drop: {request: UpdateMetadata, to: broker-1}
  - elect: {partition: orders-0, leader: 1}
  - wait: 5s
  - p: {send: {to: orders-0, value: b}}
    returns: {offset: 1}
)");
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
  EXPECT_LT(result.end->world.now(), sim::Time{8'000'000});
}

TEST(Recovery, ABrokerWhoseRegistrationIsLostRegistersAgainAndIsFencedFirst) {
  const RunResult result = RunSteps(R"(
  - drop: {request: BrokerRegistration}
  - crash: broker-0
  - wait: 1s
  - restart: broker-0
  - wait: 500ms
  - expect: {orders-0: {leader: 0}}
  - wait: 20s
  - p: {send: {to: orders-0, value: b}}
  - wait: 2s
  - expect: {orders-0: {leader: 1, isr: [0, 1, 2]}}
)");
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
}

TEST(Recovery, AClientWhoseOnlyKnownBrokerDiedAsksItsBootstrapServers) {
  const RunResult result = scenarios::Run(*Load(R"(
title: The known broker dies
cluster: {brokers: 3}
topics: {t: {partitions: 1, replicas: 3, leaders: [0], config: {min.insync.replicas: 1}}}
actors: {q: {producer: {}}}
steps:
  - crash: broker-1
  - crash: broker-2
  - wait: 12s
  - q: {send: {to: t-0, value: a}}
  - restart: broker-1
  - restart: broker-2
  - wait: 20s
  - crash: broker-0
  - wait: 15s
  - q: {send: {to: t-0, value: b}}
    returns: {offset: 1}
)"));
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
  EXPECT_LT(result.end->world.now(), sim::Time{52'000'000});
}

TEST(Recovery, AClientWhoseConnectionIsResetTriesAgainAtOnce) {
  const RunResult result = RunSteps(R"(
  - drop: {request: Produce, from: p, reset: true}
  - p: {send: {to: orders-0, value: a}}
    returns: {offset: 0}
)");
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
  EXPECT_LT(result.end->world.now(), sim::Time{2'000'000});
}

TEST(Recovery, ARequestIsGivenUpOnceItIsOlderThanItsTimeout) {
  const RunResult result = RunSteps(R"(
  - drop: {answer: Produce, to: p}
  - p: {send: {to: orders-0, value: a}}
    returns: {offset: 0}
)",
                                    {.keep_trace = true});
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
  std::optional<sim::Time> sent;
  std::optional<sim::Time> given_up;
  for (const sim::TraceEvent& event : result.end->history.trace()) {
    if (!sent && event.Is(sim::events::kSent) && event.Text("api") == "Produce") sent = event.at;
    if (event.Is(client::events::kConnectionClosed)) given_up = event.at;
  }
  ASSERT_TRUE(sent.has_value() && given_up.has_value());
  EXPECT_EQ(*given_up - *sent, sim::Seconds(30) + sim::Millis(1));
}

TEST(Recovery, AnElectionThatTheControllerCannotHoldIsInDoubt) {
  const RunResult result = RunSteps(R"(
  - pause: controller
  - elect: {partition: orders-0, leader: 1}
  - expect: {orders-0: {leader: 0}}
)");
  EXPECT_EQ(result.verdict, Verdict::kNoVerdict) << Complaints(result);
}

}  // namespace
}  // namespace kafkasim::scenarios
