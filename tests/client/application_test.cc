// Applications with their programs, against a real cluster: client/application.h.
#include "client/application.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/events.h"
#include "tests/client/cluster_world.h"
#include "tests/client/program_builder.h"

namespace kafkasim::client {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using State = Application::State;

// Writes down the lines of programs, and strikes before or after one of them.
class Watcher final : public sim::Observer {
 public:
  sim::Reaction OnEvent(const sim::TraceEvent& event) override {
    if (event.Is(events::kLineBegun)) lines.emplace_back(event.Text("verb"));
    if (event.Is(events::kErrorCaught)) lines.push_back("!" + std::string(event.Text("code")));
    if (strike != nullptr && event.Is(*strike) && event.Text("verb") == at && --nth == 0) {
      return reaction;
    }
    return sim::Reaction::kGoOn;
  }
  void Strike(const sim::EventKind& kind, std::string verb, int count, sim::Reaction how) {
    strike = &kind;
    at = std::move(verb);
    nth = count;
    reaction = how;
  }

  std::vector<std::string> lines;
  const sim::EventKind* strike = nullptr;
  std::string at;
  int nth = 1;
  sim::Reaction reaction = sim::Reaction::kGoOn;
};

// Reads orders-0 by assign(), writes to orders-1.
class ApplicationTest : public testing::Test {
 protected:
  ApplicationTest() : cluster_(1) {}

  void Start(const ProgramRef& program, bool transactional = true) {
    feeder_ = cluster_.AddProducer("feeder", {});
    reader_ = cluster_.AddConsumer("reader", broker::IsolationLevel::kReadCommitted, {kSecond});
    const ClientOptions client{.bootstrap = cluster_.cluster().image->brokers};
    ProducerConfig producer;
    if (transactional) producer.transactional_id = "copy-1";
    app_ = cluster_.world().AddProcess(
        "app",
        std::make_unique<Application>(Application::Options{
            .consumer = Consumer(client, {.auto_offset_reset = OffsetReset::kEarliest}, {kFirst}),
            .producer = Producer(client, *FinishConfig(std::move(producer))),
            .program = program,
            .names = cluster_.cluster().image}));
    cluster_.Start();
  }
  void Feed(std::vector<std::string> values) {
    EXPECT_TRUE(cluster_.DoSend(feeder_, kFirst, std::move(values)).ok());
  }
  void Order(ProgramOrder::Kind kind) {
    cluster_.world().Command(app_, MakeProgramOrder(kind), &watcher_);
  }
  void RunFor(sim::Duration duration) {
    cluster_.world().RunUntil(cluster_.world().now() + duration, &watcher_);
  }
  // All that a read_committed reader of orders-1 is given.
  std::vector<std::string> Output() {
    std::vector<std::string> values;
    for (int i = 0; i < 3; ++i) {
      const CallResult polled = cluster_.Do(reader_, Poll{});
      for (const ConsumedRecord& record : *std::get<ConsumedRecords>(polled.value).records) {
        values.push_back(*record.value);
      }
    }
    return values;
  }
  const Application& app() {
    return static_cast<const Application&>(cluster_.world().process(app_));
  }
  sim::Life life() { return cluster_.world().life(app_); }

  ClusterWorld cluster_;
  Watcher watcher_;
  sim::ProcessId feeder_;
  sim::ProcessId reader_;
  sim::ProcessId app_;
};

TestLine SendCopy() {
  return Leaf("send", SendLine{.topic = broker::TopicId(0),
                               .partition = 1,
                               .value = TextTemplate::Parse("{value}+seller")});
}
TestLine Polls(sim::Duration timeout = sim::Seconds(1)) {
  return Does("poll", Poll{.timeout = timeout});
}
TestLines CopyOnce() {
  return {Does("begin", BeginTransaction{}), ForEach({SendCopy()}),
          Does("commit", CommitTransaction{})};
}

ProgramRef CopyProgram() {
  return ProgramBuilder({Does("init", InitTransactions{}),
                         Loop({Polls(), If(Block::Condition::kRecords, CopyOnce())})})
      .Build();
}

TEST_F(ApplicationTest, ItCopiesRecordByRecordInTransactions) {
  Start(CopyProgram());
  Feed({"a", "b"});
  Order(ProgramOrder::Kind::kStart);
  RunFor(sim::Seconds(5));
  EXPECT_THAT(Output(), ElementsAre("a+seller", "b+seller"));
  EXPECT_EQ(app().state(), State::kRunning);
  ASSERT_GE(watcher_.lines.size(), 7u);
  watcher_.lines.resize(7);
  EXPECT_THAT(watcher_.lines,
              ElementsAre("init", "poll", "begin", "send", "send", "commit", "poll"));
}

TEST_F(ApplicationTest, ItDoesNothingBeforeItIsStarted) {
  Start(CopyProgram());
  Feed({"a"});
  RunFor(sim::Seconds(5));
  EXPECT_THAT(Output(), IsEmpty());
  EXPECT_EQ(app().state(), State::kIdle);
}

TEST_F(ApplicationTest, AnUncaughtExceptionEndsTheProcess) {
  Start(ProgramBuilder({Does("begin", BeginTransaction{})}).Build());
  Order(ProgramOrder::Kind::kStart);
  EXPECT_EQ(life(), sim::Life::kCrashed);
  EXPECT_EQ(app().state(), State::kFailed);
  EXPECT_EQ(app().uncaught().ExceptionName(), "IllegalStateException");
}

TEST_F(ApplicationTest, ACaughtOneIsHandled) {
  Start(ProgramBuilder({Does("begin", BeginTransaction{}), Does("init", InitTransactions{})})
            .OnError({}, {Does("flush", Flush{})})
            .Build());
  Order(ProgramOrder::Kind::kStart);
  RunFor(sim::Seconds(5));
  EXPECT_THAT(watcher_.lines, ElementsAre("begin", "!NONE", "flush", "init"));
  EXPECT_EQ(app().state(), State::kThrough);
}

TEST_F(ApplicationTest, ACrashLeavesTheTransactionOpenAndARestartBeginsFromTheTop) {
  Start(CopyProgram());
  Feed({"a", "b"});
  watcher_.Strike(events::kLineDone, "send", 2, sim::Reaction::kCrash);
  Order(ProgramOrder::Kind::kStart);
  RunFor(sim::Seconds(5));
  EXPECT_EQ(life(), sim::Life::kCrashed);
  EXPECT_THAT(Output(), IsEmpty());
  watcher_.lines.clear();
  cluster_.world().Restart(app_, &watcher_);
  RunFor(sim::Seconds(5));
  EXPECT_THAT(Output(), ElementsAre("a+seller", "b+seller")) << "once, after the abort";
  EXPECT_THAT(watcher_.lines, Contains("init"));
}

TEST_F(ApplicationTest, APauseStrikesBetweenTwoLines) {
  Start(CopyProgram());
  Feed({"a", "b"});
  watcher_.Strike(events::kLineBegun, "commit", 1, sim::Reaction::kPause);
  Order(ProgramOrder::Kind::kStart);
  RunFor(sim::Seconds(5));
  EXPECT_EQ(life(), sim::Life::kPaused);
  EXPECT_THAT(Output(), IsEmpty()) << "the commit was not begun";
  cluster_.world().Resume(app_, &watcher_);
  RunFor(sim::Seconds(5));
  EXPECT_THAT(Output(), ElementsAre("a+seller", "b+seller"));
}

TEST_F(ApplicationTest, StopClosesTheClientsAfterTheLineUnderWay) {
  Start(ProgramBuilder({Does("init", InitTransactions{}), Does("begin", BeginTransaction{}),
                        SendCopy(), Loop({Polls()})})
            .Build());
  Order(ProgramOrder::Kind::kStart);
  RunFor(sim::Seconds(3));
  Order(ProgramOrder::Kind::kStop);
  RunFor(sim::Seconds(5));
  EXPECT_EQ(app().state(), State::kThrough);
  EXPECT_EQ(life(), sim::Life::kRunning);
  EXPECT_THAT(Output(), IsEmpty()) << "close() aborts the open transaction";
}

TEST_F(ApplicationTest, RestartMakesNewClients) {
  Start(ProgramBuilder({Does("init", InitTransactions{}), Does("begin", BeginTransaction{}),
                        Leaf("work", WorkLine{sim::Seconds(1)}), Ends(EndKind::kRestart)})
            .Build());
  Order(ProgramOrder::Kind::kStart);
  RunFor(sim::Millis(2500));
  EXPECT_EQ(app().state(), State::kRunning);
  EXPECT_EQ(app().producer()->identity().epoch, broker::ProducerEpoch(2)) << "registered again";
}

TEST_F(ApplicationTest, WorkTakesItsTime) {
  Start(ProgramBuilder({Leaf("work", WorkLine{sim::Seconds(2)}), Does("flush", Flush{})}).Build());
  Order(ProgramOrder::Kind::kStart);
  RunFor(sim::Millis(1999));
  EXPECT_THAT(watcher_.lines, ElementsAre("work"));
  RunFor(sim::Millis(2));
  EXPECT_THAT(watcher_.lines, ElementsAre("work", "flush"));
}

TEST_F(ApplicationTest, ACrashLineStrikesOnce) {
  Start(ProgramBuilder({Leaf("crash_here", CrashLine{}), Does("flush", Flush{})}).Build());
  Order(ProgramOrder::Kind::kStart);
  EXPECT_EQ(life(), sim::Life::kCrashed);
  EXPECT_EQ(app().state(), State::kIdle) << "no exception ended it";
  cluster_.world().Restart(app_, &watcher_);
  RunFor(sim::Seconds(1));
  EXPECT_EQ(app().state(), State::kThrough);
}

TEST_F(ApplicationTest, AProgramThatRunsInACircleDies) {
  Start(ProgramBuilder({Loop({Does("flush", Flush{})})}).Build());
  Order(ProgramOrder::Kind::kStart);
  EXPECT_EQ(life(), sim::Life::kCrashed);
  EXPECT_EQ(app().uncaught().ExceptionName(), "IllegalStateException");
}

TEST_F(ApplicationTest, WithoutAProgramItsClientsTakeCalls) {
  Start(nullptr, /*transactional=*/false);
  Feed({"a"});
  EXPECT_TRUE(cluster_.DoSend(app_, kSecond, {"x"}).ok());
  const CallResult polled = cluster_.Do(app_, Poll{});
  EXPECT_EQ(std::get<ConsumedRecords>(polled.value).records->size(), 1u);
  EXPECT_TRUE(cluster_.Do(app_, Close{}).ok());
  EXPECT_FALSE(cluster_.DoSend(app_, kSecond, {"y"}).ok()) << "both clients are closed";
}

TEST_F(ApplicationTest, ItsClientsDoNotShareConnections) {
  Start(CopyProgram());
  Feed({"a"});
  Order(ProgramOrder::Kind::kStart);
  RunFor(sim::Seconds(2));
  int connections = 0;
  for (const sim::Connection& connection : cluster_.world().network().connections) {
    if (connection.client == app_ && connection.server == sim::ProcessId(0)) ++connections;
  }
  EXPECT_EQ(connections, 2) << "one of the consumer, one of the producer";
}

TEST_F(ApplicationTest, ACopiedWorldGoesOnTheSame) {
  Start(CopyProgram());
  Feed({"a", "b"});
  Order(ProgramOrder::Kind::kStart);
  RunFor(sim::Millis(20));
  sim::World copy = cluster_.world();
  EXPECT_EQ(copy.fingerprint(), cluster_.world().fingerprint());
  copy.RunUntil(copy.now() + sim::Seconds(3), nullptr);
  cluster_.world().RunUntil(cluster_.world().now() + sim::Seconds(3), nullptr);
  EXPECT_EQ(copy.fingerprint(), cluster_.world().fingerprint());
}

}  // namespace
}  // namespace kafkasim::client
