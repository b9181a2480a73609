// What a trial says of the text of a scenario.
#include "scenarios/trial.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kafkasim::scenarios {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kGood = R"(title: t
topics: {orders: {}}
matrix: [TV1, TV2]
actors: {p: producer}
steps:
  - p: {send: {to: orders-0, value: a}}
    returns: {offset: 0}
)";

TEST(Trial, WhatHoldsInEveryVariantNeedsNoWords) {
  const Trial trial = TryScenario(kGood);
  EXPECT_TRUE(trial.holds);
  EXPECT_EQ(trial.report, "");
}

TEST(Trial, AFalseClaimIsNamedWithItsLineAndVariantAboveTheFile) {
  const std::string text = std::string(kGood) + "  - expect: {orders-0: {log: [b]}}\n";
  const Trial trial = TryScenario(text);
  EXPECT_FALSE(trial.holds);
  EXPECT_THAT(trial.report,
              AllOf(StartsWith("variant TV1:\nscenario.yaml:8: orders-0 log at "),
                    HasSubstr(": expected [b], found [a] ("), HasSubstr("variant TV2:\n"),
                    EndsWith("\n--- scenario.yaml ---\n" + text + "--- end ---\n")));
}

TEST(Trial, AFaultThatNeverFiresLeavesItWithoutAVerdict) {
  const Trial trial = TryScenario(std::string(kGood) + "  - drop: {request: EndTxn}\n");
  EXPECT_FALSE(trial.holds);
  EXPECT_THAT(trial.report, HasSubstr("scenario.yaml:8: no message was hit by: "));
}

TEST(Trial, AnInvariantThatARuleHasKeptIsNamedWithoutIt) {
  const Trial trial = TryScenario(R"(title: t
bugs: lso_is_high_watermark
topics: {orders: {}}
actors: {t: {producer: {transactional.id: a}}}
steps:
  - t: init_transactions
  - t: begin_transaction
  - t: {send: {to: orders-0, value: a}}
    returns: {offset: 0}
)");
  EXPECT_FALSE(trial.holds);
  EXPECT_THAT(trial.report, HasSubstr("scenario.yaml:8: invariant lso_is_first_undecided at "));
}

TEST(Trial, ATextThatIsNoScenarioHasItsErrorsInTheReport) {
  const Trial trial = TryScenario("title: t\nsteps: [{wait: x}]\n");
  EXPECT_FALSE(trial.holds);
  EXPECT_THAT(trial.report, StartsWith("scenario.yaml:2:16: error: "));
}

}  // namespace
}  // namespace kafkasim::scenarios
