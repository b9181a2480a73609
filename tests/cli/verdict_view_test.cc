#include "cli/verdict_view.h"

#include <memory>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/source.h"
#include "tests/cli/plain_look.h"

namespace kafkasim::cli {
namespace {

using scenarios::Verdict;
using ::testing::HasSubstr;

scenarios::Scenario ScenarioInFile() {
  scenarios::Scenario scenario;
  scenario.source = std::make_shared<const scenarios::Source>(
      "zombie.yaml", "title: x\n- expect: {orders-0: {last_stable_offset: 6}}\n");
  return scenario;
}

scenarios::RunResult FailedRun() {
  scenarios::RunResult result;
  result.verdict = Verdict::kFails;
  result.claims = 12;
  result.seed = 1;
  result.events = 1234;
  result.failures.push_back(
      {.mark = {2, 24},
       .at = sim::Time{412'000},
       .what = "orders-0 last_stable_offset",
       .expected = "6",
       .actual = "4",
       .reason = "pinned by transaction pay-1 (producer 7, epoch 0), open at offset 4 since 0.398s",
       .because = "T2 is still open",
       .chain = {{.event = sim::EventId(212),
                  .at = sim::Time{398'000},
                  .actor = "broker-1",
                  .sentence = "append d → orders-0@4"}}});
  return result;
}

std::string DrawVerdict(const scenarios::RunResult& result) {
  std::ostringstream out;
  out << DrawVerdict(ScenarioInFile(), result, kLook);
  return out.str();
}

TEST(Verdict, OfAFailedClaimSaysExpectedActualAndWhy) {
  EXPECT_EQ(DrawVerdict(FailedRun()), &R"(
✘ orders-0 last_stable_offset  at 0.412s  zombie.yaml:2:24
    - expect: {orders-0: {last_stable_offset: 6}}
                           ^
    expected  6
    actual    4
    why       pinned by transaction pay-1 (producer 7, epoch 0), open at offset
              4 since 0.398s
    because   T2 is still open
    how it came to this
      #212  0.398s  broker-1  append d → orders-0@4

✘ FAILS  1 of 12 claims did not hold
  seed 1 · 1,234 events · trace 00000000000000000000000000000000 · next draw
  0000000000000000
)"[1]);
}

TEST(Verdict, HoldsWithTheNumberOfClaims) {
  scenarios::RunResult result;
  result.verdict = Verdict::kHolds;
  result.claims = 1;
  EXPECT_THAT(DrawVerdict(result), HasSubstr("✓ HOLDS  1 claim checked\n"));
}

TEST(Verdict, WithoutClaimsIsNone) {
  EXPECT_THAT(DrawVerdict({}), HasSubstr("? NO VERDICT  nothing was claimed\n"));
}

TEST(Verdict, NamesEachDoubtWithItsPlace) {
  scenarios::RunResult result;
  result.claims = 3;
  result.doubts = {{.mark = {2, 3}, .what = "hold WriteTxnMarkers never fired"}};
  EXPECT_THAT(DrawVerdict(result),
              HasSubstr("? hold WriteTxnMarkers never fired  zombie.yaml:2:3\n"));
}

TEST(Verdict, SaysWhatRepeatsTheRun) {
  scenarios::RunResult result;
  result.seed = 42;
  result.is_random = true;
  result.variant = "TV2";
  EXPECT_THAT(DrawVerdict(result),
              HasSubstr("seed 42 (another one gives another run) · variant TV2"));
}

TEST(FailureLine, IsOneLineThatEditorsUnderstand) {
  EXPECT_EQ(FailureLine(ScenarioInFile(), FailedRun().failures[0], kLook).Text(),
            "zombie.yaml:2:24 orders-0 last_stable_offset: expected 6, is 4");
}

TEST(Verdict, TellsARepeatedCauseOnce) {
  scenarios::RunResult result = FailedRun();
  const scenarios::CauseLine cause = result.failures[0].chain[0];
  result.failures[0].chain.assign(36, cause);
  result.failures[0].chain.back().at = sim::Time{900'000};
  EXPECT_THAT(DrawVerdict(result), HasSubstr("append d → orders-0@4\n"));
  EXPECT_THAT(DrawVerdict(result), HasSubstr("… 35 more times, until 0.9s\n"));
}

TEST(Verdict, TellsOnceWhatLedToSeveralFieldsOfOneAnswer) {
  scenarios::RunResult result = FailedRun();
  result.failures.push_back(result.failures[0]);
  const std::string verdict = DrawVerdict(result);
  const std::size_t first = verdict.find("how it came to this");
  EXPECT_EQ(verdict.find("how it came to this", first + 1), std::string::npos);
}

}  // namespace
}  // namespace kafkasim::cli
