// Exactly once for a whole cluster: whatever strikes where, each committed input has exactly one
// committed copy, and no invariant is broken. A pipeline that fails is made smaller and printed as
// a scenario file.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "broker/bugs.h"
#include "scenarios/pipeline.h"
#include "scenarios/trial.h"
#include "tests/scenarios/pipeline_generator.h"

namespace kafkasim::scenarios {
namespace {

using broker::Bug;
using testing::HasSubstr;
using testing::Not;

void ExactlyOnce(std::int64_t transaction_version, const std::vector<Bug>& bugs = {}) {
  const Pipeline pipeline = *AnyPipeline(transaction_version, bugs);
  const Trial trial = TryScenario(ScenarioText(pipeline));
  if (!trial.holds) RC_FAIL(trial.report);
}

RC_GTEST_PROP(PipelineLaws, EachInputHasOneCommittedCopyInTV1, ()) { ExactlyOnce(1); }
RC_GTEST_PROP(PipelineLaws, EachInputHasOneCommittedCopyInTV2, ()) { ExactlyOnce(2); }

// What RapidCheck says of the property with this rule switched off: the counterexample, made
// smaller. "" if it finds none.
std::string CounterexampleWithout(Bug rule, std::int64_t transaction_version) {
  const rc::detail::TestParams params{.seed = 1, .maxSuccess = 500};
  const rc::detail::TestResult result = rc::detail::checkTestable(
      [&] { ExactlyOnce(transaction_version, {rule}); }, rc::detail::TestMetadata(), params);
  if (!result.is<rc::detail::FailureResult>()) return "";
  return result.get<rc::detail::FailureResult>().description;
}

// The file in what RapidCheck prints.
std::string FileIn(const std::string& printed) {
  constexpr std::string_view kTop = "--- scenario.yaml ---\n";
  const std::size_t begin = printed.find(kTop);
  const std::size_t end = printed.find("--- end ---");
  if (begin == std::string::npos || end == std::string::npos) return "";
  return printed.substr(begin + kTop.size(), end - begin - kTop.size());
}

// KIP-447: a service that sleeps too long has lost its partition to another one. Nothing smaller
// shows that: one record, one fault, two services.
TEST(PipelineLaws, WithoutTheCheckOfGenerationsAZombieIsThePrintedCounterexample) {
  const std::string printed = CounterexampleWithout(Bug::kGenerationNotChecked, 2);
  const std::string file = FileIn(printed);
  EXPECT_THAT(file, HasSubstr("- start: service_2\n"));
  EXPECT_THAT(file, HasSubstr("- {pause: service_"));
  EXPECT_THAT(file, HasSubstr("value: r1}"));
  EXPECT_THAT(file, Not(HasSubstr("value: r2}")));
  EXPECT_THAT(printed, HasSubstr("expected [k1=r1], found [k1=r1, k1=r1]"));
  // The file fails by itself, and with the rule it holds.
  EXPECT_FALSE(TryScenario(file).holds);
  const std::string_view switched_off = "bugs: [generation_not_checked]\n";
  ASSERT_THAT(file, HasSubstr(switched_off));
  std::string with_rule = file;
  with_rule.erase(with_rule.find(switched_off), switched_off.size());
  const Trial trial = TryScenario(with_rule);
  EXPECT_TRUE(trial.holds) << trial.report;
}

// Rules of the log, of the coordinator, of failover and of the reader.
TEST(PipelineLaws, TheLossOfOtherRulesIsNoticedToo) {
  for (const Bug rule :
       {Bug::kLsoIsHighWatermark, Bug::kUnreplicatedEndIsStable, Bug::kOpenTransactionsForgotten,
        Bug::kAbortedIndexForgotten, Bug::kCoordinatorIgnoresEpochs, Bug::kAnswerBeforePrepare,
        Bug::kMarkersForgottenAtFailover, Bug::kTransactionsInMemoryOnly, Bug::kReaderIgnoresAborts,
        Bug::kReaderForgetsRanges}) {
    const std::string printed = CounterexampleWithout(rule, 2);
    EXPECT_THAT(FileIn(printed), HasSubstr("\nsteps:\n"))
        << broker::AllBugs()[static_cast<std::size_t>(rule)].name;
  }
}

// Without `optional:` a fault that does not fire leaves the run without a verdict.
std::string WhereEachFaultMustFire(const Pipeline& pipeline) {
  std::string text = ScenarioText(pipeline);
  for (const std::string optional : {", optional: true", "    optional: true\n"}) {
    for (size_t at = text.find(optional); at != std::string::npos; at = text.find(optional)) {
      text.erase(at, optional.size());
    }
  }
  return text;
}

TEST(Pipeline, EachFaultStrikesAtEachPlace) {
  using Kind = PipelineFault::Kind;
  using Place = PipelineFault::Place;
  for (const Kind kind :
       {Kind::kCrashService, Kind::kPauseService, Kind::kCutService, Kind::kCrashCoordinator,
        Kind::kCrashLeader, Kind::kCrashGroupCoordinator, Kind::kMoveCoordinator}) {
    for (const Place place :
         {Place::kNow, Place::kBeforeSend, Place::kAfterSend, Place::kAfterSendOffsets,
          Place::kBeforeCommit, Place::kAfterCommit, Place::kPrepareAppended,
          Place::kPrepareReplicated, Place::kMarkerAppended}) {
      const Trial trial = TryScenario(
          WhereEachFaultMustFire({.events = {PipelineFault{.kind = kind, .place = place},
                                             PipelineTransaction{.keys = {1, 2}}}}));
      EXPECT_TRUE(trial.holds) << trial.report;
    }
  }
  for (const char* api : {"EndTxn", "TxnOffsetCommit", "Produce", "InitProducerId"}) {
    const Trial trial = TryScenario(
        WhereEachFaultMustFire({.events = {PipelineFault{.kind = Kind::kLoseAnswer, .api = api},
                                           PipelineTransaction{.keys = {1, 2}}}}));
    EXPECT_TRUE(trial.holds) << trial.report;
  }
}

// The file of a pipeline in which everything happens, as a text that was read by a person once.
TEST(Pipeline, IsWrittenAsAScenarioFile) {
  const Pipeline pipeline{
      .transaction_version = 1,
      .partitions = 1,
      .services = 1,
      .bugs = {Bug::kLsoIsHighWatermark},
      .events = {PipelineTransaction{.keys = {1, 2}},
                 PipelineTransaction{.keys = {1}, .end = PipelineTransaction::End::kAbort},
                 PipelineTransaction{.keys = {3}, .end = PipelineTransaction::End::kCrash},
                 PipelineTransaction{.keys = {3}, .end = PipelineTransaction::End::kZombie},
                 PipelineFault{.kind = PipelineFault::Kind::kLoseAnswer},
                 PipelineFault{.kind = PipelineFault::Kind::kCrashCoordinator,
                               .place = PipelineFault::Place::kPrepareAppended}}};
  const std::string text = ScenarioText(pipeline);
  EXPECT_THAT(text, HasSubstr("bugs: [lso_is_high_watermark]\n"));
  EXPECT_THAT(text, HasSubstr(R"(steps:
  - start: service_1
  - writer_1: init_transactions
  - writer_1: begin_transaction
  - writer_1: {send: {to: input, key: k1, value: r1}}
  - writer_1: {send: {to: input, key: k2, value: r2}}
  - writer_1: commit_transaction
  - writer_1: begin_transaction
  - writer_1: {send: {to: input, key: k1, value: r3}}
  - writer_1: abort_transaction
  - writer_1: begin_transaction
  - writer_1: {send: {to: input, key: k3, value: r4}}
  - crash: writer_1
  - restart: writer_1
  - writer_1: init_transactions
  - writer_1: begin_transaction
  - writer_1: {send: {to: input, key: k3, value: r5}}
  - twin_1: init_transactions
  - writer_1: commit_transaction
    fails: PRODUCER_FENCED
  - crash: twin_1
  - restart: twin_1
  - crash: writer_1
  - restart: writer_1
  - writer_1: init_transactions
  - {drop: {answer: EndTxn, to: service_1, reset: true}, optional: true}
  - when: {transaction_record: PREPARE_COMMIT, point: appended, transactional_id: service-1, nth: 1}
    do:
    - {crash: coordinator of service-1, as: down_2, optional: true}
    - {restart: down_2, after: 3s, optional: true}
    optional: true
  - expect:
      output-0: {read_committed: [k1=r1, k2=r2]}
    within: 300s
  - wait: 40s
  - expect:
      output-0: {read_committed: [k1=r1, k2=r2]}
    because: nothing comes twice
)"));
}

}  // namespace
}  // namespace kafkasim::scenarios
