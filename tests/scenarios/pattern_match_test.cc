#include "scenarios/pattern_match.h"

#include <gtest/gtest.h>

namespace kafkasim::scenarios {
namespace {

EntryView Record(std::int64_t offset, std::string actor, std::string value) {
  return {.offset = offset, .value = std::move(value), .actor = std::move(actor)};
}

EntryPattern Pattern(std::string text) {
  EntryPattern pattern;
  pattern.value = text;
  pattern.text = std::move(text);
  return pattern;
}

TEST(PatternMatch, AStarStandsForAnyRunOfCharacters) {
  EXPECT_TRUE(MatchesText("*", ""));
  EXPECT_TRUE(MatchesText("a*c", "abbc"));
  EXPECT_TRUE(MatchesText("a*b*c", "abcbc"));
  EXPECT_TRUE(MatchesText("*paid", "42 paid"));
  EXPECT_FALSE(MatchesText("a*c", "abcd"));
  EXPECT_FALSE(MatchesText("ab", "abc"));
  EXPECT_FALSE(MatchesText("", "a"));
}

TEST(PatternMatch, AMarkerIsNoRecordOfTheSameName) {
  EntryPattern commit;
  commit.kind = EntryPattern::Kind::kCommit;
  EntryView record = Record(0, "old", "COMMIT");
  EXPECT_FALSE(Matches(commit, record));
  record.kind = EntryKind::kCommit;
  EXPECT_TRUE(Matches(commit, record));
}

TEST(PatternMatch, OnlyWhatIsWrittenIsCompared) {
  EntryPattern pattern = Pattern("a");
  const EntryView entry = {.offset = 3, .value = "a", .actor = "old", .epoch = 1};
  EXPECT_TRUE(Matches(pattern, entry));
  pattern.epoch = 0;
  EXPECT_FALSE(Matches(pattern, entry));
  pattern.epoch = 1;
  pattern.producer = ProducerName{.actor = "new", .id = {}};
  EXPECT_FALSE(Matches(pattern, entry));
}

TEST(PatternMatch, ARepeatedPatternStandsForAsManyEntries) {
  EntryPattern many = Pattern("*");
  many.times = 3;
  const std::vector<EntryView> three = {Record(0, "p", "a"), Record(1, "p", "b"),
                                        Record(2, "p", "c")};
  EXPECT_FALSE(CompareEntries({many}, three).has_value());
  many.times = 2;
  EXPECT_TRUE(CompareEntries({many}, three).has_value());
  many.times = 1'000'000'000;
  EXPECT_TRUE(CompareEntries({many}, three).has_value());
}

TEST(PatternMatch, AMismatchNamesTheFirstDifference) {
  const auto mismatch =
      CompareEntries({Pattern("a"), Pattern("b")}, {Record(4, "p", "a"), Record(6, "p", "x")});
  ASSERT_TRUE(mismatch.has_value());
  EXPECT_EQ(mismatch->expected, "[a, b]");
  EXPECT_EQ(mismatch->actual, "[a, x]");
  EXPECT_EQ(mismatch->difference, "offset 6 is x, not b");
}

TEST(PatternMatch, AShortListMissesTheRest) {
  const auto mismatch = CompareEntries({Pattern("a"), Pattern("b")}, {Record(0, "p", "a")});
  ASSERT_TRUE(mismatch.has_value());
  EXPECT_EQ(mismatch->difference, "b is missing at the end");
}

TEST(PatternMatch, ALongListIsCutInTheMiddle) {
  std::vector<EntryView> entries;
  for (int i = 0; i < 100; ++i) entries.push_back(Record(i, "", std::to_string(i)));
  EXPECT_EQ(EntriesText(entries), "[0, 1, 2, 3, 4, 5, … 88 more …, 94, 95, 96, 97, 98, 99]");
}

TEST(PatternMatch, NumbersAreWrittenAsTheyAreClaimed) {
  EXPECT_EQ(PatternText(NumberPattern{.at_least = 6, .at_most = 6}), "6");
  EXPECT_EQ(PatternText(NumberPattern{.at_least = 6}), "at least 6");
  EXPECT_EQ(PatternText(NumberPattern{.at_most = 6}), "at most 6");
  EXPECT_EQ(PatternText(NumberPattern{.at_least = 1, .at_most = 6}), "1 to 6");
}

}  // namespace
}  // namespace kafkasim::scenarios
