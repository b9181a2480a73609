#include "scenarios/event_text.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run_scenario.h"

namespace kafkasim::scenarios {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

// All that a lecture is shown of a run of these steps.
std::vector<std::string> ToldBy(std::string_view steps) {
  const RunResult result = RunSteps(steps, {.keep_trace = true});
  std::vector<std::string> told;
  for (const sim::TraceEvent& event : result.end->history.trace()) {
    const EventText text = TextOf(event, result.end->names, result.end->history);
    if (text.importance == Importance::kNormal) told.push_back(text.Sentence());
  }
  return told;
}

TEST(EventText, NamesEachCodeOnce) {
  EXPECT_EQ(WithEachCodeOnce("X_Y: it was refused: X_Y", ""), "X_Y: it was refused");
  EXPECT_EQ(WithEachCodeOnce("X_Y: it was refused: X_Y", "X_Y"), "it was refused");
  EXPECT_EQ(WithEachCodeOnce("pay-1: pay-1 must wait: a: a", "X"), "pay-1: pay-1 must wait: a: a");
  EXPECT_EQ(WithEachCodeOnce("", "X"), "");
}

TEST(EventText, AFenceSaysTheEpochOnce) {
  const std::vector<std::string> told = ToldBy(R"(
  - old: init_transactions
  - old: begin_transaction
  - old: {send: {to: orders-0, value: a}}
  - new: init_transactions
)");
  EXPECT_THAT(told, Contains(HasSubstr("fence old, producer 7 → epoch 0 → 1: another instance")));
}

TEST(EventText, ARefusalIsNotRepeatedInItsOwnWords) {
  const std::vector<std::string> told = ToldBy(R"(
  - old: init_transactions
  - old: begin_transaction
  - old: {send: {to: orders-0, value: a}}
  - new: init_transactions
  - old: {send: {to: orders-0, value: b}}
    fails: INVALID_PRODUCER_EPOCH
)");
  EXPECT_THAT(told, Contains("refuse batch for orders-0 → INVALID_PRODUCER_EPOCH: epoch 0 of "
                             "producer 7 is older than its last seen epoch 1"));
}

TEST(EventText, OneCopyIsOneMore) {
  EXPECT_THAT(ToldBy("\n  - repeat: {request: Produce}\n"),
              Contains("repeat request Produce once more"));
  EXPECT_THAT(ToldBy("\n  - repeat: {request: Produce, times: 3}\n"),
              Contains("repeat request Produce 3 more times"));
}

}  // namespace
}  // namespace kafkasim::scenarios
