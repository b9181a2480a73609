// Processes made of parts, and a process that dies of its own fault: ids.h, context.h.
#include <gmock/gmock.h>

#include "echo_process.h"
#include "sim/world.h"

namespace kafkasim::sim {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Part kLeft{1};
constexpr Part kRight{2};

// Two echo processes in one. An order begins with the part that it is for: "left x"; "die" is for
// the whole.
class Pair final : public Process {
 public:
  explicit Pair(ProcessId peer) : left_(peer), right_(peer) {}

  [[nodiscard]] std::unique_ptr<Process> Clone() const override {
    return std::make_unique<Pair>(*this);
  }
  void AppendTo(CanonicalBytes& out) const override {
    out.Add(left_);
    out.Add(right_);
  }
  void OnRequest(Context&, const RequestIn&) override {}
  void OnResponse(Context& context, const ResponseIn& response) override {
    const Part part = PartOf(response.channel);
    const PartScope scope(context, part);
    ResponseIn own = response;
    own.channel = WithoutPart(response.channel);
    EXPECT_EQ(own.channel, kEchoChannel);
    Of(part).OnResponse(context, own);
  }
  void OnDisconnect(Context& context, ProcessId peer, Channel channel) override {
    const PartScope scope(context, PartOf(channel));
    Of(PartOf(channel)).OnDisconnect(context, peer, WithoutPart(channel));
  }
  void OnTimer(Context& context, uint32_t kind, uint64_t argument) override {
    const PartScope scope(context, PartOfTimer(kind));
    Of(PartOfTimer(kind)).OnTimer(context, TimerKindWithoutPart(kind), argument);
  }
  void OnCommand(Context& context, const PayloadRef& command) override {
    const std::string& text = TextOf(command);
    if (text == "die") {
      context.Die();
      context.SetTimer(Millis(1), 0);
      return;
    }
    const bool left = text.starts_with("left ");
    const PartScope scope(context, left ? kLeft : kRight);
    Of(left ? kLeft : kRight).OnCommand(context, Order(text.substr(text.find(' ') + 1)));
  }
  void OnCrash(CrashKind kind) override {
    left_.OnCrash(kind);
    right_.OnCrash(kind);
  }
  void OnRestart(Context&) override {}

  [[nodiscard]] const EchoProcess& left() const { return left_; }
  [[nodiscard]] const EchoProcess& right() const { return right_; }

 private:
  EchoProcess& Of(Part part) { return part == kLeft ? left_ : right_; }

  EchoProcess left_;
  EchoProcess right_;
};

class PartsTest : public testing::Test {
 protected:
  PartsTest() : world_({.seed = 1}) {
    server_ = world_.AddProcess("server", std::make_unique<EchoProcess>());
    pair_ = world_.AddProcess("pair", std::make_unique<Pair>(server_));
    world_.Start(nullptr);
  }
  void Tell(const std::string& order) { world_.Command(pair_, Order(order), nullptr); }
  void RunFor(Duration d) { world_.RunUntil(world_.now() + d, nullptr); }
  const Pair& pair() { return static_cast<const Pair&>(world_.process(pair_)); }

  World world_;
  ProcessId server_;
  ProcessId pair_;
};

TEST_F(PartsTest, ATimerComesBackToThePartThatArmedIt) {
  Tell("left timer 1");
  Tell("right timer 2");
  RunFor(Millis(5));
  EXPECT_THAT(pair().left().notes(), ElementsAre("0.001s timer 1 7"));
  EXPECT_THAT(pair().right().notes(), ElementsAre("0.002s timer 1 7"));
}

TEST_F(PartsTest, EachPartHasItsOwnConnections) {
  Tell("left a");
  Tell("right b");
  Tell("left close");
  RunFor(Millis(5));
  EXPECT_THAT(pair().left().notes(), IsEmpty()) << "the answer came on a closed connection";
  EXPECT_THAT(pair().right().notes(), ElementsAre("0.002s heard re b"));
}

TEST_F(PartsTest, EveryPartSeesItsOwnConnectionBreak) {
  Tell("left a");
  Tell("right b");
  world_.Crash(server_, CrashKind::kProcess, nullptr);
  RunFor(Millis(5));
  EXPECT_THAT(pair().left().notes(), ElementsAre("0.001s lost server"));
  EXPECT_THAT(pair().right().notes(), ElementsAre("0.001s lost server"));
}

TEST_F(PartsTest, AProcessCanDieOfItsOwnFault) {
  Tell("left timer 1");
  Tell("die");
  EXPECT_EQ(world_.life(pair_), Life::kCrashed);
  RunFor(Millis(5));
  EXPECT_THAT(pair().left().notes(), IsEmpty());
  EXPECT_TRUE(world_.Restart(pair_, nullptr));
}

TEST(Parts, ChannelsAndTimersKnowTheirPart) {
  const Channel channel = ChannelOf(kRight, Channel(3));
  EXPECT_EQ(PartOf(channel), kRight);
  EXPECT_EQ(WithoutPart(channel), Channel(3));
  EXPECT_EQ(ChannelOf(kWholeProcess, Channel(3)), Channel(3));
  const uint32_t kind = TimerKindOf(kRight, 9);
  EXPECT_EQ(PartOfTimer(kind), kRight);
  EXPECT_EQ(TimerKindWithoutPart(kind), 9u);
  EXPECT_EQ(TimerKindOf(kWholeProcess, 9), 9u);
}

}  // namespace
}  // namespace kafkasim::sim
