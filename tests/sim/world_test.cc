#include "sim/world.h"

#include <algorithm>

#include <gmock/gmock.h>

#include "echo_process.h"

namespace kafkasim::sim {
namespace {

// Three processes that talk in a ring over random latencies, with a fault or two.
World BusyWorld(uint64_t seed) {
  World world({.seed = seed, .least_latency = Micros(100), .most_latency = Millis(9)});
  world.AddProcess("a", std::make_unique<EchoProcess>(ProcessId(1)));
  world.AddProcess("b", std::make_unique<EchoProcess>(ProcessId(2)));
  world.AddProcess("c", std::make_unique<EchoProcess>(ProcessId(0)));
  world.Start(nullptr);
  return world;
}

void Feed(World& world, Observer* observer) {
  for (int32_t i = 0; i < 30; ++i) {
    world.Command(ProcessId(i % 3), Order("m" + std::to_string(i)), observer);
    if (i % 7 == 0) world.Command(ProcessId(i % 3), Order("timer 3"), observer);
  }
}

TEST(World, SameSeedGivesTheSameBytesOfTrace) {
  Recorder first;
  Recorder second;
  for (Recorder* recorder : {&first, &second}) {
    World world = BusyWorld(42);
    Feed(world, recorder);
    world.RunUntil(Time{1'000'000}, recorder);
  }
  EXPECT_EQ(first.text, second.text);
  EXPECT_GT(first.text.size(), 1000u);
}

TEST(World, AnotherSeedGivesAnotherTrace) {
  Recorder first;
  Recorder second;
  World one = BusyWorld(1);
  World two = BusyWorld(2);
  Feed(one, &first);
  Feed(two, &second);
  one.RunUntil(Time{1'000'000}, &first);
  two.RunUntil(Time{1'000'000}, &second);
  EXPECT_NE(first.text, second.text);
}

TEST(World, ACopyInTheMiddleOfARunGoesTheSameWay) {
  World world = BusyWorld(7);
  Feed(world, nullptr);
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(world.Step(nullptr));
  World copy = world;
  EXPECT_EQ(world.fingerprint(), copy.fingerprint());

  Recorder original;
  Recorder copied;
  world.RunUntil(Time{1'000'000}, &original);
  const Fingerprint end = world.fingerprint();
  copy.RunUntil(Time{1'000'000}, &copied);
  EXPECT_EQ(original.text, copied.text);
  EXPECT_EQ(copy.fingerprint(), end);
}

TEST(World, ACopyIsNotTouchedByTheOriginal) {
  World world = BusyWorld(7);
  Feed(world, nullptr);
  const World copy = world;
  const Fingerprint before = copy.fingerprint();
  world.RunUntil(Time{1'000'000}, nullptr);
  EXPECT_NE(world.fingerprint(), before);
  EXPECT_EQ(copy.fingerprint(), before);
}

TEST(World, WatchingDoesNotChangeTheRun) {
  World watched = BusyWorld(3);
  World unwatched = BusyWorld(3);
  Recorder recorder;
  Feed(watched, &recorder);
  Feed(unwatched, nullptr);
  watched.RunUntil(Time{1'000'000}, &recorder);
  unwatched.RunUntil(Time{1'000'000}, nullptr);
  EXPECT_EQ(watched.fingerprint(), unwatched.fingerprint());
}

TEST(World, EveryStepChangesTheFingerprint) {
  World world = BusyWorld(5);
  Feed(world, nullptr);
  Fingerprint last = world.fingerprint();
  while (world.Step(nullptr)) {
    const Fingerprint now = world.fingerprint();
    EXPECT_NE(now, last);
    last = now;
  }
}

TEST(World, ExactBytesDistinguishWhatFingerprintsDistinguish) {
  World world = BusyWorld(5);
  Feed(world, nullptr);
  World later = world;
  later.Step(nullptr);
  CanonicalBytes now(CanonicalBytes::Mode::kExact);
  CanonicalBytes then(CanonicalBytes::Mode::kExact);
  now.Add(world);
  then.Add(later);
  EXPECT_NE(now.bytes(), then.bytes());
  CanonicalBytes again(CanonicalBytes::Mode::kExact);
  again.Add(World(world));
  EXPECT_EQ(now.bytes(), again.bytes());
}

TEST(World, TheFirstChoiceIsWhatStepTakes) {
  World world = BusyWorld(9);
  Feed(world, nullptr);
  for (int i = 0; i < 40; ++i) {
    const Choice first = world.Choices().front();
    World chosen = world;
    Recorder by_step;
    Recorder by_choice;
    ASSERT_TRUE(world.Step(&by_step));
    chosen.Take(first, &by_choice);
    // Taken as a choice a message may come early, so only the clock can differ.
    EXPECT_EQ(by_step.actors, by_choice.actors) << "at step " << i;
    EXPECT_EQ(world.now(), first.at);
  }
}

TEST(World, AChosenMessageMayOvertakeAnotherConnection) {
  World world = BusyWorld(9);
  world.Command(ProcessId(0), Order("a"), nullptr);
  world.Command(ProcessId(1), Order("b"), nullptr);
  const std::vector<Choice> choices = world.Choices();
  ASSERT_EQ(choices.size(), 2u);
  world.Take(choices[1], nullptr);
  EXPECT_EQ(world.now(), Time{0});
  const std::vector<Choice> left = world.Choices();
  EXPECT_TRUE(std::any_of(left.begin(), left.end(), [&](const Choice& choice) {
    return choice.sequence == choices[0].sequence;
  }));
}

TEST(World, AChoiceOffersOnlyTheFrontOfEachConnection) {
  World world = BusyWorld(9);
  world.Command(ProcessId(0), Order("first"), nullptr);
  world.Command(ProcessId(0), Order("second"), nullptr);
  EXPECT_EQ(world.Choices().size(), 1u);
}

TEST(World, RunUntilSetsTheClockEvenWhenNothingHappens) {
  World world = BusyWorld(1);
  world.RunUntil(Time{5'000'000}, nullptr);
  EXPECT_EQ(world.now(), Time{5'000'000});
  EXPECT_FALSE(world.NextEventAt().has_value());
}

TEST(World, EventsNameTheirCause) {
  World world({.seed = 1});
  world.AddProcess("server", std::make_unique<EchoProcess>());
  world.AddProcess("client", std::make_unique<EchoProcess>(ProcessId(0)));
  world.Start(nullptr);
  Recorder recorder;
  world.Command(ProcessId(1), Order("a"), &recorder);
  world.RunUntil(Time{10'000}, &recorder);
  EXPECT_EQ(recorder.text,
            "1 0s 1 sent <- 0 api=Say answer= to=server correlation=1\n"
            "2 0.001s 0 delivered <- 1 api=Say answer= from=client correlation=1\n"
            "3 0.001s 0 noted <- 2 text=asked a\n"
            "4 0.001s 0 sent <- 3 api=Say answer= to=client correlation=1\n"
            "5 0.002s 1 delivered <- 4 api=Say answer= from=server correlation=1\n"
            "6 0.002s 1 noted <- 5 text=heard re a\n");
}

}  // namespace
}  // namespace kafkasim::sim
