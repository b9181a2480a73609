#include "cli/line.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kafkasim::cli {
namespace {

using ::testing::ElementsAre;

constexpr Look kPlainLook{.color = false, .unicode = true, .width = 80};
constexpr Look kColorLook{.color = true, .unicode = true, .width = 80};

std::vector<std::string> Texts(const std::vector<Line>& lines) {
  std::vector<std::string> texts;
  for (const Line& line : lines) texts.push_back(line.Text());
  return texts;
}

TEST(Line, ColoursAPieceAndGivesTheTerminalItsOwnBack) {
  Line line(kColorLook, "a ");
  line.Add("LSO", Role::kLastStable).Add(" b");
  EXPECT_EQ(line.Render(), "a \x1b[1;35mLSO\x1b[0m b");
  EXPECT_EQ(line.Text(), "a LSO b");
}

TEST(Line, HasNoColourWithoutALookThatHas) {
  EXPECT_EQ(Line(kPlainLook, "LSO", Role::kLastStable).Render(), "LSO");
}

TEST(Line, LeavesNoBlanksAtItsEnd) {
  Line line(kColorLook, "a", Role::kStrong);
  line.PadTo(10);
  EXPECT_EQ(line.width(), 10);
  EXPECT_EQ(line.Render(), "\x1b[1ma\x1b[0m");
}

TEST(Line, MakesEverythingSafeThatIsAdded) {
  EXPECT_EQ(Line(kPlainLook, "x\x1b]0;title\x07").Render(), "x\\x1b]0;title\\x07");
}

TEST(Line, PadsByColumns) {
  Line line(kPlainLook, "日本");
  EXPECT_EQ(line.PadTo(6).Add("x").Text(), "日本  x");
}

TEST(Wrap, BreaksAtBlanksAndIndentsTheRest) {
  const Line line(kPlainLook, "the coordinator has aborted it");
  EXPECT_THAT(Texts(line.Wrap(16, 2)), ElementsAre("the coordinator", "  has aborted it"));
}

TEST(Wrap, KeepsRolesOverTheBreak) {
  Line line(kColorLook, "one two", Role::kError);
  const std::vector<Line> lines = line.Wrap(4);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[1].Render(), "\x1b[1;31mtwo\x1b[0m");
}

TEST(Wrap, CutsAWordThatIsLongerThanTheLine) {
  EXPECT_THAT(Texts(Line(kPlainLook, "abcdefgh").Wrap(3)), ElementsAre("abc", "def", "gh"));
}

TEST(Wrap, LosesNothingAtAnyWidth) {
  const std::string text = "a bb ccc dddd eeeee ffffff 日本語日本語 gg";
  std::string letters = text;
  std::erase(letters, ' ');
  for (int width = 2; width < 50; ++width) {
    std::string seen;
    for (const Line& line : Line(kPlainLook, text).Wrap(width)) {
      EXPECT_LE(line.width(), width);
      seen += line.Text();
    }
    std::erase(seen, ' ');
    EXPECT_EQ(seen, letters) << width;
  }
}

TEST(DrawRule, FillsTheWidth) {
  EXPECT_EQ(DrawRule("Verdict", {.unicode = false, .width = 20}).Text(), "-- Verdict ---------");
}

}  // namespace
}  // namespace kafkasim::cli
