// Programs of applications in the language: what is read, what is refused, what runs show.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run_scenario.h"

namespace kafkasim::scenarios {
namespace {

using testing::HasSubstr;

// An application that copies orders-0 to enriched, with this program; `beside` is put beside it.
std::string WithProgram(std::string_view program, std::string_view beside = "",
                        std::string_view steps = "  - start: app\n") {
  return std::string(R"(title: A test
cluster: {brokers: 3, config: {transaction.version: 1}, next_producer_id: 7}
topics:
  orders: {partitions: 1, replicas: 3}
  enriched: {partitions: 1, replicas: 3}
actors:
  feeder: producer
  app:
    application:
      consumer: {auto.offset.reset: earliest, assign: orders-0}
      producer: {transactional.id: app-1}
      program:
)") + std::string(program) +
         std::string(beside) +
         R"(  downstream: {consumer: {isolation.level: read_committed, assign: enriched}}
  db: {store: {unique: order_id}}
  payments: {api: {idempotency_keys: true}}
steps:
  - feeder: {send: {to: orders-0, key: "{n}", values: [a, b]}}
)" + std::string(steps);
}

constexpr std::string_view kCopy = R"(
        - init_transactions
        - loop:
          - poll
          - if_records:
            - begin_transaction
            - for_each: record
              do:
              - send: {to: enriched, key: "{key}", value: "{value}+seller"}
            - commit_transaction
)";

std::string ErrorsIn(const std::string& text) { return LoadScenarioText("f", text).Report(); }
std::string ErrorsInProgram(const std::string& lines) { return ErrorsIn(WithProgram(lines)); }

RunResult RunText(const std::string& text) {
  const std::optional<Scenario> scenario = Load(text);
  if (!scenario.has_value()) return {};
  RunResult result = Run(*scenario, {});
  for (const Diagnostic& error : result.errors) ADD_FAILURE() << error.message;
  return result;
}

void ExpectHolds(const std::string& text) {
  const RunResult result = RunText(text);
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
}

TEST(Programs, ACopyingProgramIsReadAndRun) {
  ExpectHolds(WithProgram(kCopy, "", R"(  - start: app
  - wait_until: {program: app, is: idle}
  - expect:
      app: {program: running, life: running, state: READY, delivered: [a, b], position: {orders-0: 2}}
      enriched-0: {log: ["app:0=a+seller", "app:1=b+seller", COMMIT]}
)"));
}

TEST(Programs, ACrashAtALineAndARestartFromTheTop) {
  ExpectHolds(WithProgram(kCopy, "      restart: {after: 5s}\n",
                          R"(  - when: {program: app, after: send, nth: 2}
    do: {crash: app}
  - start: app
  - wait: 1s
  - expect: {app: {life: crashed, program: idle}}
  - expect: {enriched-0: {read_committed: ["app:0=a+seller", "app:1=b+seller"]}, app: {program: running}}
    within: 10s
)"));
}

TEST(Programs, APauseBeforeALine) {
  ExpectHolds(WithProgram(kCopy, "", R"(  - when: {program: app, before: commit_transaction}
    do: {pause: app}
  - start: app
  - wait: 10s
  - expect: {enriched-0: {last_stable_offset: 0}, app: {life: paused}}
  - resume: app
  - expect: {enriched-0: {last_stable_offset: 3}}
    within: 5s
)"));
}

TEST(Programs, WhatNobodyCatchesEndsTheProcess) {
  ExpectHolds(WithProgram("        - begin_transaction\n", "", R"(  - start: app
  - expect: {app: {life: crashed, program: crashed, error: IllegalStateException}}
)"));
}

TEST(Programs, AZombiesErrorIsTheBrokers) {
  ExpectHolds(WithProgram(R"(
        - init_transactions
        - begin_transaction
        - send: {to: enriched, value: x}
        - work: 30s
        - commit_transaction
)",
                          R"(  other: {producer: {transactional.id: app-1}}
)",
                          R"(  - start: app
  - wait: 5s
  - other: init_transactions
  - wait: 30s
  - expect: {app: {life: crashed, error: PRODUCER_FENCED}}
)"));
}

TEST(Programs, OnErrorCatchesByCodeClassOrName) {
  ExpectHolds(WithProgram(R"(
        - begin_transaction
        - call: {api: payments, with: through}
)",
                          R"(      on_error:
        PRODUCER_FENCED: stop
        misuse: {call: {api: payments, with: caught}}
)",
                          R"(  - start: app
  - expect: {payments: {calls: 2, effects: 2}, app: {program: through}}
    within: 5s
)"));
}

TEST(Programs, RowsAndSumsOutsideKafka) {
  ExpectHolds(WithProgram(R"(
        - poll
        - for_each: record
          do:
          - insert: {into: db, row: {order_id: "{key}", amount: 15.00}}
        - insert: {into: db, row: {order_id: 0, amount: 15.00}, on_conflict: do_nothing}
        - upsert: {into: db, row: {order_id: 1, amount: 0.50}}
)",
                          "", R"(  - start: app
  - wait_until: {program: app, is: through}
  - expect:
      db: {rows: [{order_id: 0, amount: 15.00}, {order_id: 1, amount: 0.50}], sum: {amount: 15.5}, refused: 1}
)"));
}

TEST(Programs, AFalseClaimAboutAProgramFails) {
  const RunResult result = RunText(WithProgram("        - poll\n", "", R"(  - start: app
  - wait_until: {program: app, is: through}
  - expect: {db: {rows: [{order_id: 1}], sum: {amount: 1}}, payments: {calls: 1}, app: {program: running, error: PRODUCER_FENCED}}
)"));
  EXPECT_EQ(result.verdict, Verdict::kFails);
  EXPECT_EQ(result.failures.size(), 5u) << Complaints(result);
}

TEST(Programs, AMessageToTheOutsideCanBeLost) {
  ExpectHolds(WithProgram(R"(
        - call: {api: payments, with: "charge 15", idempotency_key: 42, timeout: 2s}
)",
                          "      on_error: {TimeoutException: retry}\n",
                          R"(  - drop: {answer: call, from: payments}
  - start: app
  - wait_until: {program: app, is: through}
  - expect: {payments: {calls: 2, effects: 1}, count: {request: call, equals: 2}}
)"));
}

TEST(Programs, AnApplicationWithoutAProgramTakesCalls) {
  ExpectHolds(R"(title: t
topics: {orders: {replicas: 3}}
actors:
  app: {application: {consumer: {auto.offset.reset: earliest, assign: orders}, producer: {}}}
steps:
  - app: {send: {to: orders, value: x}}
    returns: {offset: 0}
  - app: poll
    returns: [x]
)");
}

// --- Errors --------------------------------------------------------------------------------------

TEST(ProgramErrors, AnUnknownVerb) {
  EXPECT_EQ(ErrorsInProgram("        - comit_transaction\n"),
            "f:13:11: error: unknown verb 'comit_transaction' in a program\n"
            "          - comit_transaction\n"
            "            ^\n"
            "  did you mean 'commit_transaction'?\n");
}

TEST(ProgramErrors, AnUnknownVerbWithArguments) {
  EXPECT_THAT(ErrorsInProgram("        - sent: {to: enriched}\n"),
              HasSubstr("f:13:11: error: unknown verb 'sent' in a program"));
}

TEST(ProgramErrors, ASendToAnUnknownTopic) {
  EXPECT_THAT(ErrorsInProgram("        - send: {to: enrichd, value: x}\n"),
              HasSubstr("f:13:22: error: unknown topic 'enrichd'"));
}

TEST(ProgramErrors, AnUnknownPlace) {
  EXPECT_THAT(ErrorsInProgram("        - send: {to: enriched, value: \"{vlaue}\"}\n"),
              testing::AllOf(HasSubstr("f:13:39: error: unknown place '{vlaue}' in a text"),
                             HasSubstr("did you mean '{value}'?")));
}

TEST(ProgramErrors, APlaceOfARecordOutsideOfForEach) {
  EXPECT_THAT(ErrorsInProgram("        - send: {to: enriched, value: \"{value}\"}\n"),
              HasSubstr("f:13:11: error: this says something of a record, but no for_each gives "
                        "one to send"));
}

TEST(ProgramErrors, OffsetsWithoutAGroup) {
  EXPECT_THAT(ErrorsInProgram("        - send_offsets\n"),
              HasSubstr("f:13:11: error: send_offsets needs a consumer with a group.id"));
}

TEST(ProgramErrors, OffsetsWithoutAConsumer) {
  EXPECT_THAT(ErrorsIn(R"(title: t
actors:
  app: {application: {producer: {transactional.id: a}, program: [send_offsets]}}
steps: []
)"),
              HasSubstr("f:3:66: error: send_offsets needs a consumer, and this application has "
                        "none"));
}

TEST(ProgramErrors, ATransactionWithoutATransactionalId) {
  EXPECT_THAT(ErrorsIn(R"(title: t
actors:
  app: {application: {producer: {}, program: [begin_transaction]}}
steps: []
)"),
              HasSubstr("begin_transaction needs a producer with a transactional.id"));
}

TEST(ProgramErrors, TwoVerbsOnALine) {
  EXPECT_THAT(ErrorsInProgram("        - {poll: {}, work: 5s}\n"),
              HasSubstr("a line does one thing: 'work' needs a line of its own"));
}

TEST(ProgramErrors, AForEachWithoutDo) {
  EXPECT_THAT(ErrorsInProgram("        - for_each: record\n"),
              HasSubstr("f:13:11: error: 'for_each' needs do: [...] beside it"));
}

TEST(ProgramErrors, AForEachInsideAForEach) {
  EXPECT_THAT(
      ErrorsInProgram("        - {for_each: record, do: [{for_each: record, do: [poll]}]}\n"),
      HasSubstr("a for_each inside a for_each"));
}

TEST(ProgramErrors, RetryOutsideOfAHandler) {
  EXPECT_THAT(ErrorsInProgram("        - retry\n"), HasSubstr("retry stands in on_error"));
}

TEST(ProgramErrors, AnEndInTheListener) {
  EXPECT_THAT(ErrorsIn(WithProgram("        - poll\n", "      on_revoked: [stop]\n")),
              HasSubstr("stop has no place in the rebalance listener"));
}

TEST(ProgramErrors, AnUnknownError) {
  EXPECT_THAT(ErrorsIn(WithProgram("        - poll\n", "      on_error: {PRODUCER_FENCD: stop}\n")),
              testing::AllOf(HasSubstr("unknown error 'PRODUCER_FENCD' in on_error"),
                             HasSubstr("did you mean 'PRODUCER_FENCED'?")));
}

TEST(ProgramErrors, CallsOfWhatIsNotOutside) {
  EXPECT_THAT(ErrorsInProgram("        - call: {api: db}\n"),
              HasSubstr("'db' is not a service outside Kafka"));
  EXPECT_THAT(ErrorsInProgram("        - insert: {into: payment, row: {a: b}}\n"),
              HasSubstr("unknown actor 'payment'"));
}

TEST(ProgramErrors, AnUpsertNeedsUniqueColumns) {
  EXPECT_THAT(ErrorsIn(R"(title: t
actors:
  db: store
  app: {application: {program: [{upsert: {into: db, row: {a: b}}}]}}
steps: []
)"),
              HasSubstr("an upsert into 'db' needs unique columns there"));
}

TEST(ProgramErrors, StepsForAProgramAndForWhatIsOutside) {
  EXPECT_THAT(ErrorsIn(WithProgram("        - poll\n", "", "  - app: poll\n")),
              HasSubstr("'app' has a program, which makes its calls"));
  EXPECT_THAT(ErrorsIn(WithProgram("        - poll\n", "", "  - db: poll\n")),
              HasSubstr("'db' is a database outside Kafka; poll is a verb of a consumer"));
  EXPECT_THAT(ErrorsIn(WithProgram("        - poll\n", "", "  - start: feeder\n")),
              HasSubstr("'feeder' has no program"));
  EXPECT_THAT(
      ErrorsIn(WithProgram("        - poll\n", "", "  - wait_until: {program: ap, is: idle}\n")),
      testing::AllOf(HasSubstr("unknown application 'ap'"), HasSubstr("did you mean 'app'?")));
}

TEST(ProgramErrors, ClaimsThatDoNotFitTheActor) {
  EXPECT_THAT(ErrorsIn(WithProgram("        - poll\n", "", "  - expect: {app: {rows: []}}\n")),
              HasSubstr("'app' is no store: it has no rows"));
  EXPECT_THAT(ErrorsIn(WithProgram("        - poll\n", "", "  - expect: {db: {calls: 1}}\n")),
              HasSubstr("'db' is no API: it is not called"));
  EXPECT_THAT(
      ErrorsIn(WithProgram("        - poll\n", "", "  - expect: {feeder: {program: idle}}\n")),
      HasSubstr("'feeder' has no program"));
}

TEST(ProgramErrors, AnApplicationOfNothing) {
  EXPECT_THAT(ErrorsIn("title: t\nactors: {app: {application: {}}}\nsteps: []\n"),
              HasSubstr("an application has a consumer, a producer or a program"));
}

TEST(Programs, ASumNeedsAmounts) {
  const RunResult result = RunText(WithProgram(R"(
        - insert: {into: db, row: {order_id: 1, amount: 12345678901234}}
)",
                                               "", R"(  - start: app
  - wait_until: {program: app, is: through}
  - expect: {db: {sum: {amount: 1}}}
)"));
  ASSERT_EQ(result.failures.size(), 1u) << Complaints(result);
  EXPECT_EQ(result.failures[0].actual,
            "none: '12345678901234' is no amount of at most twelve digits");
}

}  // namespace
}  // namespace kafkasim::scenarios
