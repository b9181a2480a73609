#include "sim/network.h"

#include <gmock/gmock.h>

#include "echo_process.h"
#include "sim/world.h"

namespace kafkasim::sim {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class NetworkTest : public testing::Test {
 protected:
  NetworkTest() : world_({.seed = 1, .least_latency = Millis(1), .most_latency = Millis(1)}) {
    server_ = world_.AddProcess("server", std::make_unique<EchoProcess>());
    client_ = world_.AddProcess("client", std::make_unique<EchoProcess>(server_));
    world_.Start(nullptr);
  }

  void Ask(const std::string& text) { world_.Command(client_, Order(text), nullptr); }
  void RunFor(Duration d) { world_.RunUntil(world_.now() + d, nullptr); }
  const std::vector<std::string>& Notes(ProcessId id) {
    return static_cast<const EchoProcess&>(world_.process(id)).notes();
  }

  World world_;
  ProcessId server_;
  ProcessId client_;
};

TEST_F(NetworkTest, DeliversInTheOrderOfSending) {
  Ask("a");
  Ask("b");
  RunFor(Millis(10));
  EXPECT_THAT(Notes(server_), ElementsAre("0.001s asked a", "0.001s asked b"));
  EXPECT_THAT(Notes(client_), ElementsAre("0.002s heard re a", "0.002s heard re b"));
}

TEST_F(NetworkTest, RandomLatenciesKeepAConnectionInOrder) {
  world_.SetLatency({.least = Millis(1), .most = Millis(50)});
  for (char c = 'a'; c <= 'j'; ++c) Ask(std::string(1, c));
  RunFor(Seconds(1));
  std::string heard;
  for (const std::string& note : Notes(client_)) heard += note.back();
  EXPECT_EQ(heard, "abcdefghij");
}

TEST_F(NetworkTest, AHeldMessageKeepsThoseBehindItWaiting) {
  const uint32_t rule =
      world_.AddRule({.action = MessageAction::kHold, .attributes = {{"text", "a"}}});
  Ask("a");
  Ask("b");
  RunFor(Millis(100));
  EXPECT_THAT(Notes(server_), IsEmpty());
  EXPECT_EQ(world_.FindRule(rule)->matched, 1u);
  world_.EndRule(rule, nullptr);
  RunFor(Millis(100));
  EXPECT_THAT(Notes(server_), ElementsAre("0.1s asked a", "0.1s asked b"));
}

TEST_F(NetworkTest, HoldsTheNthMessageOnly) {
  world_.AddRule({.action = MessageAction::kHold, .api = "Say", .answer = false, .skip = 1});
  Ask("a");
  Ask("b");
  RunFor(Millis(100));
  EXPECT_THAT(Notes(server_), ElementsAre("0.001s asked a"));
}

TEST_F(NetworkTest, ADroppedAnswerIsNeverHeard) {
  world_.AddRule({.action = MessageAction::kDrop, .answer = true});
  Ask("a");
  Ask("b");
  RunFor(Millis(100));
  EXPECT_THAT(Notes(server_), ElementsAre("0.001s asked a", "0.001s asked b"));
  EXPECT_THAT(Notes(client_), ElementsAre("0.002s heard re b"));
}

TEST_F(NetworkTest, ADropWithResetBreaksTheConnection) {
  world_.AddRule({.action = MessageAction::kDrop, .answer = false, .reset = true});
  Ask("a");
  RunFor(Millis(100));
  EXPECT_THAT(Notes(server_), IsEmpty());
  EXPECT_THAT(Notes(client_), ElementsAre("0.001s lost server"));
}

TEST_F(NetworkTest, OnlyARequestWhoseAnswerAFaultTakesTimesOut) {
  world_.SetTimeout({.channel = kEchoChannel, .timeout = Millis(20)});
  Ask("a");
  RunFor(Millis(50));
  EXPECT_THAT(Notes(client_), ElementsAre("0.002s heard re a"));
  EXPECT_EQ(world_.NextEventAt(), std::nullopt);
  world_.AddRule({.action = MessageAction::kDrop, .answer = true});
  Ask("b");
  RunFor(Millis(50));
  EXPECT_THAT(Notes(client_), ElementsAre("0.002s heard re a", "0.071s no answer from server"));
}

TEST_F(NetworkTest, AHeldRequestTimesOutOnceAndADelayedOneIfItIsLateEnough) {
  world_.SetTimeout({.channel = kEchoChannel, .timeout = Millis(20)});
  world_.AddRule({.action = MessageAction::kDelay, .answer = false, .delay = Millis(10)});
  Ask("a");
  RunFor(Millis(50));
  EXPECT_THAT(Notes(client_), ElementsAre("0.012s heard re a"));
  world_.AddRule({.action = MessageAction::kHold, .answer = false});
  Ask("b");
  RunFor(Millis(50));
  EXPECT_THAT(Notes(client_), ElementsAre("0.012s heard re a", "0.07s no answer from server"));
}

TEST_F(NetworkTest, ARequestOfAClosedConnectionDoesNotTimeOut) {
  world_.SetTimeout({.channel = kEchoChannel, .timeout = Millis(20)});
  world_.AddRule({.action = MessageAction::kDrop, .answer = false});
  Ask("a");
  Ask("close");
  RunFor(Millis(50));
  EXPECT_THAT(Notes(client_), IsEmpty());
}

TEST_F(NetworkTest, ADelayedMessageDelaysItsConnection) {
  world_.AddRule(
      {.action = MessageAction::kDelay, .attributes = {{"text", "a"}}, .delay = Millis(30)});
  Ask("a");
  Ask("b");
  RunFor(Millis(100));
  EXPECT_THAT(Notes(server_), ElementsAre("0.031s asked a", "0.031s asked b"));
}

TEST_F(NetworkTest, ACopyComesLaterAndHoldsUpNothing) {
  world_.AddRule({.action = MessageAction::kRepeat,
                  .attributes = {{"text", "a"}},
                  .delay = Millis(30),
                  .copies = 2});
  Ask("a");
  Ask("b");
  RunFor(Millis(100));
  EXPECT_THAT(Notes(server_),
              ElementsAre("0.001s asked a", "0.001s asked b", "0.031s asked a", "0.061s asked a"));
}

TEST_F(NetworkTest, AnAnswerOnAClosedConnectionIsIgnored) {
  Ask("a");
  RunFor(Millis(1));
  Ask("close");
  Ask("b");
  RunFor(Millis(100));
  EXPECT_THAT(Notes(server_), ElementsAre("0.001s asked a", "0.002s asked b"));
  EXPECT_THAT(Notes(client_), ElementsAre("0.003s heard re b"));
}

TEST_F(NetworkTest, AHeldRequestOvertakesItsRetryOnANewConnection) {
  const uint32_t rule = world_.AddRule({.action = MessageAction::kHold, .api = "Say"});
  Ask("old");
  Ask("close");
  Ask("new");
  RunFor(Millis(10));
  EXPECT_THAT(Notes(server_), ElementsAre("0.001s asked new"));
  world_.EndRule(rule, nullptr);
  RunFor(Millis(10));
  EXPECT_THAT(Notes(server_), ElementsAre("0.001s asked new", "0.01s asked old"));
}

TEST_F(NetworkTest, ACutStopsOneDirectionUntilItHeals) {
  world_.Cut(server_, client_, nullptr);
  Ask("a");
  RunFor(Millis(50));
  EXPECT_THAT(Notes(server_), ElementsAre("0.001s asked a"));
  EXPECT_THAT(Notes(client_), IsEmpty());
  world_.Heal(server_, client_, nullptr);
  RunFor(Millis(50));
  EXPECT_THAT(Notes(client_), ElementsAre("0.05s heard re a"));
}

TEST_F(NetworkTest, WhatWaitsAtACutIsLostWhenItsConnectionIsClosed) {
  world_.Cut(client_, server_, nullptr);
  Ask("a");
  RunFor(Millis(50));
  Ask("close");
  Ask("b");
  world_.Heal(client_, server_, nullptr);
  RunFor(Millis(50));
  EXPECT_THAT(Notes(server_), ElementsAre("0.051s asked b"));
}

TEST_F(NetworkTest, TheLastFittingLatencyWins) {
  world_.SetLatency({.from = client_, .to = server_, .least = Millis(20), .most = Millis(20)});
  Ask("a");
  RunFor(Millis(50));
  EXPECT_THAT(Notes(server_), ElementsAre("0.02s asked a"));
  EXPECT_THAT(Notes(client_), ElementsAre("0.021s heard re a"));
}

}  // namespace
}  // namespace kafkasim::sim
