// The way through a program: client/program_run.h.
#include "client/program_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/client/program_builder.h"

namespace kafkasim::client {
namespace {

using testing::ElementsAre;
using Next = ProgramRun::Next;
using Condition = Block::Condition;

TestLine Named(const std::string& verb) { return Does(verb, Flush{}); }

// Goes through a program by hand; each line is through as soon as it is begun.
class Walk {
 public:
  explicit Walk(ProgramRef program) : run(std::move(program)) { run.Start(); }

  // The verbs of up to so many lines; "end" at the program's end.
  std::vector<std::string> Lines(int most) {
    std::vector<std::string> verbs;
    for (int i = 0; i < most; ++i) {
      const Next next = run.Advance(in_transaction);
      if (next != Next::kLine) {
        verbs.push_back(next == Next::kEndOfProgram    ? "end"
                        : next == Next::kEndOfCallback ? "returns"
                                                       : "circle");
        return verbs;
      }
      verbs.push_back(run.line().verb);
      run.Begin();
      if (const auto* end = std::get_if<EndLine>(&run.line().what)) {
        end->kind == EndKind::kRetry ? run.Retry() : run.Continue();
      } else {
        run.Done();
      }
    }
    return verbs;
  }
  void GoTo(const std::string& verb) {
    while (run.Advance(in_transaction) == Next::kLine && run.line().verb != verb) run.Done();
  }
  void Poll(int count) {
    std::vector<ConsumedRecord> records;
    for (int i = 0; i < count; ++i) records.push_back({.offset = broker::Offset(i)});
    run.set_records(std::make_shared<const std::vector<ConsumedRecord>>(std::move(records)));
  }

  ProgramRun run;
  bool in_transaction = false;
};

ApiError Fenced() {
  return ErrorFromCode(broker::ErrorCode::kProducerFenced, ErrorClass::kFatal, "fenced");
}

TEST(ProgramRun, LinesComeInOrderAndThenTheEnd) {
  Walk walk(ProgramBuilder({Named("a"), Named("b")}).Build());
  EXPECT_THAT(walk.Lines(9), ElementsAre("a", "b", "end"));
}

TEST(ProgramRun, ALoopGoesOnForEverAndTimesEnds) {
  Walk walk(ProgramBuilder({Times(2, {Named("a")}), Loop({Named("b"), Named("c")})}).Build());
  EXPECT_THAT(walk.Lines(7), ElementsAre("a", "a", "b", "c", "b", "c", "b"));
}

TEST(ProgramRun, ForEachHasARoundForEachRecord) {
  Walk walk(ProgramBuilder({ForEach({Named("a")}), Named("b")}).Build());
  walk.Poll(2);
  EXPECT_EQ(walk.run.Advance(false), Next::kLine);
  EXPECT_EQ(walk.run.record()->offset, broker::Offset(0));
  EXPECT_THAT(walk.Lines(1), ElementsAre("a"));
  EXPECT_EQ(walk.run.Advance(false), Next::kLine);
  EXPECT_EQ(walk.run.record()->offset, broker::Offset(1));
  EXPECT_THAT(walk.Lines(9), ElementsAre("a", "b", "end"));
}

TEST(ProgramRun, WithoutRecordsAForEachIsPassed) {
  Walk walk(ProgramBuilder({ForEach({Named("a")}), Named("b")}).Build());
  EXPECT_THAT(walk.Lines(9), ElementsAre("b", "end"));
  EXPECT_EQ(walk.run.record(), nullptr);
}

TEST(ProgramRun, ConditionsAskForRecordsAndTheTransaction) {
  const ProgramRef program = ProgramBuilder({If(Condition::kRecords, {Named("records")}),
                                             If(Condition::kNoRecords, {Named("none")}),
                                             If(Condition::kInTransaction, {Named("open")}),
                                             If(Condition::kNotInTransaction, {Named("shut")})})
                                 .Build();
  Walk empty(program);
  EXPECT_THAT(empty.Lines(9), ElementsAre("none", "shut", "end"));
  Walk full(program);
  full.Poll(1);
  full.in_transaction = true;
  EXPECT_THAT(full.Lines(9), ElementsAre("records", "open", "end"));
}

TEST(ProgramRun, ContinueLeavesTheRoundOfTheInnermostLoop) {
  Walk walk(ProgramBuilder({Times(2, {Named("a"), Times(2, {Ends(EndKind::kContinue), Named("x")}),
                                      Named("b")})})
                .Build());
  EXPECT_THAT(walk.Lines(20), ElementsAre("a", "end", "end", "b", "a", "end", "end", "b", "end"));
}

TEST(ProgramRun, AnErrorRunsTheFirstHandlerThatFits) {
  Walk walk(ProgramBuilder({Loop({Named("a"), Named("b")})})
                .OnError({.catches = ErrorHandler::Catches::kCode,
                          .code = broker::ErrorCode::kInvalidTxnState,
                          .text = "INVALID_TXN_STATE"},
                         {Named("x")})
                .OnError({.catches = ErrorHandler::Catches::kClass,
                          .error_class = ErrorClass::kFatal,
                          .text = "fatal"},
                         {Named("h")})
                .Build());
  walk.GoTo("b");
  const ErrorHandler* handler = walk.run.Throw(Fenced());
  ASSERT_NE(handler, nullptr);
  EXPECT_EQ(handler->text, "fatal");
  EXPECT_THAT(walk.Lines(3), ElementsAre("h", "a", "b")) << "then the next round begins";
}

TEST(ProgramRun, OutsideOfALoopTheNextLineComesAfterAHandler) {
  Walk walk(ProgramBuilder({Named("a"), Named("b")}).OnError({}, {Named("h")}).Build());
  walk.GoTo("a");
  ASSERT_NE(walk.run.Throw(Fenced()), nullptr);
  EXPECT_THAT(walk.Lines(9), ElementsAre("h", "b", "end"));
}

TEST(ProgramRun, RetryRunsTheFailedLineAgain) {
  Walk walk(ProgramBuilder({Named("a"), Named("b")})
                .OnError({}, {Named("h"), Ends(EndKind::kRetry)})
                .Build());
  walk.GoTo("a");
  ASSERT_NE(walk.run.Throw(Fenced()), nullptr);
  EXPECT_THAT(walk.Lines(9), ElementsAre("h", "end", "a", "b", "end"));
}

TEST(ProgramRun, NobodyCatchesWhatAHandlerThrows) {
  Walk walk(ProgramBuilder({Named("a")}).OnError({}, {Named("h")}).Build());
  EXPECT_EQ(Walk(ProgramBuilder({Named("a")}).Build()).run.Throw(Fenced()), nullptr);
  walk.GoTo("a");
  ASSERT_NE(walk.run.Throw(Fenced()), nullptr);
  walk.GoTo("h");
  EXPECT_EQ(walk.run.Throw(Fenced()), nullptr);
}

TEST(ProgramRun, ACallbackRunsInsideTheLineThatWaits) {
  const ProgramRef program =
      ProgramBuilder({Named("poll"), Named("b")}).OnRevoked({Named("r")}).Build();
  Walk walk(program);
  walk.GoTo("poll");
  walk.run.Begin();
  walk.run.Await(CallId(5));
  walk.run.EnterCallback(*program->on_revoked);
  EXPECT_THAT(walk.Lines(9), ElementsAre("r", "returns"));
  walk.run.LeaveCallback();
  EXPECT_EQ(walk.run.Advance(false), Next::kLine);
  EXPECT_EQ(walk.run.line().verb, "poll");
  EXPECT_EQ(walk.run.awaited(), CallId(5)) << "the poll is still open";
}

TEST(ProgramRun, ALineKnowsHowOftenItCame) {
  Walk walk(ProgramBuilder({Times(3, {Named("a")})}).Build());
  walk.Lines(2);
  EXPECT_EQ(walk.run.Advance(false), Next::kLine);
  EXPECT_EQ(walk.run.Begin(), 3);
  EXPECT_EQ(walk.run.number(), 2);
  walk.run.Start();
  EXPECT_EQ(walk.run.Advance(false), Next::kLine);
  EXPECT_EQ(walk.run.Begin(), 1) << "counted since the start";
}

TEST(ProgramRun, ALoopInWhichNothingIsDoneIsACircle) {
  Walk walk(ProgramBuilder({Loop({If(Condition::kRecords, {Named("a")})})}).Build());
  EXPECT_THAT(walk.Lines(1), ElementsAre("circle"));
}

TEST(ProgramRun, TheStateIsAValue) {
  const ProgramRef program = ProgramBuilder({Named("a"), Named("b")}).Build();
  ProgramRun one(program);
  one.Start();
  ProgramRun two = one;
  EXPECT_EQ(sim::FingerprintOf(one), sim::FingerprintOf(two));
  ASSERT_EQ(two.Advance(false), Next::kLine);
  two.Begin();
  two.Done();
  EXPECT_NE(sim::FingerprintOf(one), sim::FingerprintOf(two));
}

}  // namespace
}  // namespace kafkasim::client
