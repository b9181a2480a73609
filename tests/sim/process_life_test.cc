// Life and death of processes: world_faults.cc.
#include <gmock/gmock.h>

#include "echo_process.h"
#include "sim/world.h"

namespace kafkasim::sim {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class ProcessLifeTest : public testing::Test {
 protected:
  ProcessLifeTest() : world_({.seed = 1}) {
    server_ = world_.AddProcess("server", std::make_unique<EchoProcess>());
    client_ = world_.AddProcess("client", std::make_unique<EchoProcess>(server_));
    watcher_ = world_.AddProcess("watcher", std::make_unique<EchoProcess>());
    world_.WatchReachability(watcher_, server_);
    world_.Start(nullptr);
  }

  void Ask(const std::string& text, Observer* observer = nullptr) {
    world_.Command(client_, Order(text), observer);
  }
  void RunFor(Duration d, Observer* observer = nullptr) {
    world_.RunUntil(world_.now() + d, observer);
  }
  const EchoProcess& Echo(ProcessId id) {
    return static_cast<const EchoProcess&>(world_.process(id));
  }

  World world_;
  ProcessId server_;
  ProcessId client_;
  ProcessId watcher_;
};

TEST_F(ProcessLifeTest, ACrashLosesMemoryAndWhatWasOnItsWay) {
  Ask("a");
  RunFor(Millis(5));
  Ask("b");
  EXPECT_TRUE(world_.Crash(server_, CrashKind::kProcess, nullptr));
  RunFor(Millis(5));
  EXPECT_THAT(Echo(server_).notes(), IsEmpty());
  EXPECT_EQ(Echo(server_).durable(), 1);
  EXPECT_THAT(Echo(client_).notes(), ElementsAre("0.002s heard re a", "0.006s lost server"));
}

TEST_F(ProcessLifeTest, ADiskLossTakesWhatIsDurable) {
  Ask("a");
  RunFor(Millis(5));
  world_.Crash(server_, CrashKind::kDisk, nullptr);
  EXPECT_EQ(Echo(server_).durable(), 0);
}

TEST_F(ProcessLifeTest, ACrashedProcessRefusesConnections) {
  world_.Crash(server_, CrashKind::kProcess, nullptr);
  Ask("a");
  RunFor(Millis(5));
  EXPECT_THAT(Echo(client_).notes(), ElementsAre("0.001s lost server"));
}

TEST_F(ProcessLifeTest, ACrashCancelsTimersAndARestartRunsAgain) {
  Ask("timer 5");
  world_.Crash(client_, CrashKind::kProcess, nullptr);
  EXPECT_FALSE(world_.Command(client_, Order("a"), nullptr));
  EXPECT_TRUE(world_.Restart(client_, nullptr));
  RunFor(Millis(20));
  EXPECT_THAT(Echo(client_).notes(), ElementsAre("0s back"));
}

TEST_F(ProcessLifeTest, APausedProcessDoesEverythingLater) {
  Ask("timer 5");
  world_.Pause(client_, nullptr);
  Ask("a");
  RunFor(Millis(100));
  EXPECT_THAT(Echo(client_).notes(), IsEmpty());
  EXPECT_THAT(Echo(server_).notes(), IsEmpty());
  EXPECT_TRUE(world_.Resume(client_, nullptr));
  RunFor(Millis(100));
  EXPECT_THAT(Echo(client_).notes(), ElementsAre("0.1s timer 1 7", "0.102s heard re a"));
}

TEST_F(ProcessLifeTest, ATimerOfAPausedProcessCanBeCancelled) {
  Ask("timer 5");
  world_.Pause(client_, nullptr);
  RunFor(Millis(10));
  Ask("cancel");
  world_.Resume(client_, nullptr);
  RunFor(Millis(10));
  EXPECT_THAT(Echo(client_).notes(), IsEmpty());
}

TEST_F(ProcessLifeTest, LifeChangesOnlyWhereTheyMakeSense) {
  EXPECT_FALSE(world_.Resume(server_, nullptr));
  EXPECT_FALSE(world_.Restart(server_, nullptr));
  EXPECT_TRUE(world_.Pause(server_, nullptr));
  EXPECT_FALSE(world_.Pause(server_, nullptr));
  EXPECT_TRUE(world_.Crash(server_, CrashKind::kProcess, nullptr));
  EXPECT_FALSE(world_.Crash(server_, CrashKind::kProcess, nullptr));
}

TEST_F(ProcessLifeTest, AWatcherLearnsWhoIsReachable) {
  world_.Pause(server_, nullptr);
  world_.Resume(server_, nullptr);
  world_.Cut(server_, watcher_, nullptr);
  world_.Cut(watcher_, server_, nullptr);
  world_.Heal(server_, watcher_, nullptr);
  world_.Heal(watcher_, server_, nullptr);
  world_.Crash(server_, CrashKind::kProcess, nullptr);
  world_.Restart(server_, nullptr);
  EXPECT_THAT(Echo(watcher_).notes(),
              ElementsAre("0s misses server", "0s sees server", "0s misses server",
                          "0s sees server", "0s misses server", "0s sees again server"));
}

TEST_F(ProcessLifeTest, ACrashAtAPointStopsTheHandlerThere) {
  Recorder recorder;
  recorder.strike_at = "asked a";
  recorder.reaction = Reaction::kCrash;
  Ask("a", &recorder);
  RunFor(Millis(10), &recorder);
  EXPECT_EQ(world_.life(server_), Life::kCrashed);
  EXPECT_EQ(Echo(server_).durable(), 0);
  EXPECT_THAT(Echo(client_).notes(), ElementsAre("0.002s lost server"));
}

TEST_F(ProcessLifeTest, APauseAtAPointSendsTheRestLater) {
  Recorder recorder;
  recorder.strike_at = "asked a";
  recorder.reaction = Reaction::kPause;
  Ask("a", &recorder);
  RunFor(Millis(10), &recorder);
  EXPECT_EQ(world_.life(server_), Life::kPaused);
  EXPECT_THAT(Echo(client_).notes(), IsEmpty());
  world_.Resume(server_, &recorder);
  RunFor(Millis(10), &recorder);
  EXPECT_THAT(Echo(client_).notes(), ElementsAre("0.011s heard re a"));
}

class StrikeAtSending final : public Observer {
 public:
  explicit StrikeAtSending(Reaction reaction) : reaction_(reaction) {}
  Reaction OnEvent(const TraceEvent& event) override {
    return event.Is(events::kSent) ? reaction_ : Reaction::kGoOn;
  }

 private:
  Reaction reaction_;
};

TEST_F(ProcessLifeTest, AFaultStrikesAtWhatIsSentOnResuming) {
  for (const Reaction reaction : {Reaction::kCrash, Reaction::kPause}) {
    World world = world_;
    Recorder recorder;
    recorder.strike_at = "asked a";
    recorder.reaction = Reaction::kPause;
    world.Command(client_, Order("a"), &recorder);
    world.RunUntil(world.now() + Millis(10), &recorder);
    ASSERT_EQ(world.life(server_), Life::kPaused);
    StrikeAtSending strike(reaction);
    world.Resume(server_, &strike);
    EXPECT_EQ(world.life(server_), reaction == Reaction::kCrash ? Life::kCrashed : Life::kPaused);
  }
}

TEST_F(ProcessLifeTest, AMessageThatAFaultHoldsSurvivesTheCrashOfItsReceiver) {
  const uint32_t rule = world_.AddRule({.action = MessageAction::kHold});
  Ask("late");
  world_.Crash(server_, CrashKind::kProcess, nullptr);
  world_.Restart(server_, nullptr);
  world_.EndRule(rule, nullptr);
  RunFor(Millis(10));
  EXPECT_THAT(Echo(server_).notes(), ElementsAre("0s back", "0s asked late"));
}

}  // namespace
}  // namespace kafkasim::sim
