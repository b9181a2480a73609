#include "cli/terminal_text.h"

#include <gtest/gtest.h>

namespace kafkasim::cli {
namespace {

TEST(DisplayWidth, CountsColumnsNotBytes) {
  EXPECT_EQ(DisplayWidth("abc"), 3);
  EXPECT_EQ(DisplayWidth("Größe"), 5);
  EXPECT_EQ(DisplayWidth("日本"), 4);
  EXPECT_EQ(DisplayWidth("e\u0301"), 1);
  EXPECT_EQ(DisplayWidth("✔C"), 2);
  EXPECT_EQ(DisplayWidth("🚀"), 2);
}

TEST(SafeText, NoByteOfItIsACommandForTheTerminal) {
  EXPECT_EQ(SafeText("a\x1b[31mb", true), "a\\x1b[31mb");
  EXPECT_EQ(SafeText("a\nb\tc\r", true), "a\\nb\\tc\\r");
  EXPECT_EQ(SafeText("\u009b1m", true), "\\x9b1m");
  EXPECT_EQ(SafeText("a\u202eb", true), "a\\u{202e}b");
  EXPECT_EQ(SafeText("a\xff\xc3", true), "a\\xff\\xc3");
  EXPECT_EQ(SafeText(std::string_view("\0x", 2), true), "\\x00x");
}

TEST(SafeText, InAsciiSpellsWhatItCannotShow) {
  EXPECT_EQ(SafeText("a → b … “c” ≤ d", false), "a -> b ... \"c\" <= d");
  EXPECT_EQ(SafeText("日", false), "\\u{65e5}");
  EXPECT_EQ(SafeText("plain ~ text", false), "plain ~ text");
}

TEST(Abbreviate, SaysThatItHasCut) {
  EXPECT_EQ(Abbreviate("42=paid", 7, true), "42=paid");
  EXPECT_EQ(Abbreviate("42=paid", 6, true), "42=pa…");
  EXPECT_EQ(Abbreviate("42=paid", 6, false), "42=p..");
  EXPECT_EQ(Abbreviate("日本語", 4, true), "日…");
}

TEST(Counted, KnowsThePlural) {
  EXPECT_EQ(Counted(1, "claim"), "1 claim");
  EXPECT_EQ(Counted(0, "claim"), "0 claims");
}

}  // namespace
}  // namespace kafkasim::cli
