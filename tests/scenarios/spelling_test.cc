#include "scenarios/spelling.h"

#include <string>

#include <gtest/gtest.h>

namespace kafkasim::scenarios {
namespace {

TEST(EditDistance, CountsLettersAndSwappedNeighbours) {
  EXPECT_EQ(EditDistance("", ""), 0);
  EXPECT_EQ(EditDistance("abc", ""), 3);
  EXPECT_EQ(EditDistance("brokrs", "brokers"), 1);
  EXPECT_EQ(EditDistance("transaction.versoin", "transaction.version"), 1);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3);
}

TEST(ClosestTo, FindsASmallMistake) {
  EXPECT_EQ(ClosestTo("comit_transaction", {"flush", "commit_transaction"}), "commit_transaction");
  EXPECT_EQ(ClosestTo("PRODUCER_FENCD", {"PRODUCER_FENCED"}), "PRODUCER_FENCED");
}

TEST(ClosestTo, DoesNotCountCaseAndSeparators) {
  EXPECT_EQ(ClosestTo("Transactional_Id", {"transaction.timeout.ms", "transactional.id"}),
            "transactional.id");
}

TEST(ClosestTo, KnowsWhatOthersCallTheSameThing) {
  EXPECT_EQ(ClosestTo("lso", {"log_end_offset", "last_stable_offset"}), "last_stable_offset");
  EXPECT_EQ(ClosestTo("kill", {"crash"}), "crash");
  EXPECT_EQ(ClosestTo("kill", {"restart"}), "");
}

TEST(ClosestTo, CompletesABeginning) {
  EXPECT_EQ(ClosestTo("delivery", {"acks", "delivery.timeout.ms"}), "delivery.timeout.ms");
}

TEST(ClosestTo, SaysNothingWhenNothingIsNear) {
  EXPECT_EQ(ClosestTo("xyzzy", {"brokers", "config"}), "");
  EXPECT_EQ(ClosestTo("", {"a"}), "");
  EXPECT_EQ(ClosestTo(std::string(100'000, 'a'), {"a"}), "");
  EXPECT_EQ(ClosestTo("ab", {}), "");
}

TEST(ClosestTo, AnotherLetterIsNoMisspelling) {
  EXPECT_EQ(ClosestTo("q", {"p"}), "");
  EXPECT_EQ(ClosestTo("T3", {"T1", "T2"}), "");
  EXPECT_EQ(ClosestTo("too", {"to"}), "to");
}

TEST(NearestTo, GivesTheNearestHoweverFar) {
  EXPECT_EQ(NearestTo("abc", {"zzzzzz", "abd", "axc"}, 2),
            (std::vector<std::string>{"abd", "axc"}));
}

TEST(ClosestTo, PrefersTheEarlierOfTwo) { EXPECT_EQ(ClosestTo("wat", {"wait", "what"}), "wait"); }

}  // namespace
}  // namespace kafkasim::scenarios
