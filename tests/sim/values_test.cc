// The small values of the kernel: rng.h, time.h, event_queue.h, cow.h, fingerprint.h, strong_int.h.
#include <algorithm>
#include <vector>

#include <gmock/gmock.h>

#include "sim/cow.h"
#include "sim/event_queue.h"
#include "sim/fingerprint.h"
#include "sim/rng.h"
#include "sim/time.h"

namespace kafkasim::sim {
namespace {

TEST(Rng, FollowsThePublishedOutputOfSplitMix64) {
  Rng rng(1234567);
  EXPECT_EQ(rng.Next(), 6457827717110365317u);
  EXPECT_EQ(rng.Next(), 3203168211198807973u);
  EXPECT_EQ(rng.Next(), 9817491932198370423u);
  EXPECT_EQ(rng.Next(), 4593380528125082431u);
}

TEST(Rng, BoundedDrawsStayInBoundsAndReachThem) {
  Rng rng(1);
  std::vector<int> seen(7);
  for (int i = 0; i < 1000; ++i) {
    const int64_t draw = rng.Between(-3, 3);
    ASSERT_GE(draw, -3);
    ASSERT_LE(draw, 3);
    ++seen[static_cast<size_t>(draw + 3)];
  }
  EXPECT_GT(*std::min_element(seen.begin(), seen.end()), 0);
}

TEST(Rng, ADrawInOneStreamDoesNotShiftTheOthers) {
  RngStreams a(99);
  RngStreams b(99);
  a[RngStream::kNetwork].Next();
  EXPECT_EQ(a[RngStream::kFaults].Next(), b[RngStream::kFaults].Next());
  EXPECT_NE(a[RngStream::kNetwork].Next(), b[RngStream::kNetwork].Next());
}

TEST(Time, PrintsSecondsWithoutNeedlessDecimals) {
  EXPECT_EQ(FormatTime(Time{0}), "0s");
  EXPECT_EQ(FormatTime(Time{412'000}), "0.412s");
  EXPECT_EQ(FormatTime(Time{60'000'500}), "60.0005s");
}

TEST(Duration, PrintsTheUnitThatFits) {
  EXPECT_EQ(FormatDuration(Micros(250)), "250us");
  EXPECT_EQ(FormatDuration(Millis(5)), "5ms");
  EXPECT_EQ(FormatDuration(Micros(1500)), "1.5ms");
  EXPECT_EQ(FormatDuration(Seconds(60)), "60s");
  EXPECT_EQ(FormatDuration(Seconds(86'400 * 8)), "8d");
  EXPECT_EQ(FormatDuration(Seconds(7200)), "2h");
  EXPECT_EQ(FormatDuration(Duration{0}), "0us");
}

TEST(EventQueue, IsClearedOfStaleEntriesWithoutAnotherOrder) {
  EventQueue queue;
  for (uint64_t i = 0; i < 40; ++i) {
    queue.Push({.at = Time{static_cast<int64_t>(i * 7 % 11)}, .sequence = i});
  }
  queue.RemoveIf([](const QueueEntry& entry) { return entry.sequence % 2 == 1; });
  EXPECT_EQ(queue.size(), 20u);
  QueueEntry last = queue.top();
  for (queue.Pop(); !queue.empty(); queue.Pop()) {
    EXPECT_TRUE(last.Before(queue.top()));
    last = queue.top();
  }
}

TEST(EventQueue, LosesOneEntryAndKeepsTheOrderOfTheOthers) {
  Rng rng(5);
  for (size_t place = 0; place < 60; ++place) {
    EventQueue queue;
    for (uint64_t i = 1; i <= 60; ++i) queue.Push({.at = Time{rng.Between(0, 20)}, .sequence = i});
    const uint64_t gone = queue.entries()[place].sequence;
    queue.RemoveAt(place);
    ASSERT_EQ(queue.size(), 59u);
    QueueEntry last{.at = Time{-1}};
    for (; !queue.empty(); queue.Pop()) {
      EXPECT_NE(queue.top().sequence, gone);
      EXPECT_TRUE(last.Before(queue.top()));
      last = queue.top();
    }
  }
}

TEST(EventQueue, ServesByTimeThenBySequence) {
  EventQueue queue;
  Rng rng(3);
  std::vector<std::pair<int64_t, uint64_t>> expected;
  for (uint64_t i = 1; i <= 500; ++i) {
    const int64_t at = rng.Between(0, 40);
    queue.Push({.at = Time{at}, .sequence = i});
    expected.emplace_back(at, i);
  }
  std::sort(expected.begin(), expected.end());
  for (const auto& [at, sequence] : expected) {
    EXPECT_EQ(queue.top().at, Time{at});
    EXPECT_EQ(queue.top().sequence, sequence);
    queue.Pop();
  }
  EXPECT_TRUE(queue.empty());
}

struct Counter {
  int64_t value = 0;
  void AppendTo(CanonicalBytes& out) const { out.Add(value); }
};

TEST(Cow, WritingToACopyLeavesTheOriginalAlone) {
  Cow<Counter> a(Counter{1});
  Cow<Counter> b = a;
  EXPECT_TRUE(a.SharesWith(b));
  b.Mutable().value = 2;
  EXPECT_EQ(a->value, 1);
  EXPECT_EQ(b->value, 2);
  EXPECT_FALSE(a.SharesWith(b));
}

TEST(Cow, TheOnlyOwnerWritesInPlace) {
  Cow<Counter> a(Counter{1});
  const Counter* before = &*a;
  a.Mutable().value = 2;
  EXPECT_EQ(&*a, before);
}

TEST(Cow, TheFingerprintFollowsTheValue) {
  Cow<Counter> a(Counter{1});
  const Fingerprint one = a.fingerprint();
  EXPECT_EQ(a.fingerprint(), one);
  a.Mutable().value = 2;
  EXPECT_NE(a.fingerprint(), one);
  a.Mutable().value = 1;
  EXPECT_EQ(a.fingerprint(), one);
  EXPECT_EQ(Cow<Counter>(Counter{1}).fingerprint(), one);
}

TEST(Fingerprint, IsThePinnedXxh3OfTheCanonicalBytes) {
  CanonicalBytes bytes;
  bytes.Add(int32_t{1});
  bytes.Add(std::string_view("orders"));
  EXPECT_EQ(bytes.bytes().size(), 4u + 4u + 6u);
  EXPECT_EQ(FormatFingerprint(bytes.Digest()), "be650dfa0422864e644c860c8779bde1");
}

TEST(Fingerprint, AbsentAndPresentValuesDiffer) {
  CanonicalBytes none;
  CanonicalBytes zero;
  none.Add(std::optional<int32_t>());
  zero.Add(std::optional<int32_t>(0));
  EXPECT_NE(none.Digest(), zero.Digest());
}

}  // namespace
}  // namespace kafkasim::sim
