#include "scenarios/source.h"

#include <string>

#include <gtest/gtest.h>

namespace kafkasim::scenarios {
namespace {

TEST(Source, CountsLinesAndColumnsFromOneInCharacters) {
  const Source source("f", "ab\n\xC3\xA9x\n");
  EXPECT_EQ(source.MarkAt(0), (Mark{1, 1}));
  EXPECT_EQ(source.MarkAt(2), (Mark{1, 3}));
  EXPECT_EQ(source.MarkAt(3), (Mark{2, 1}));
  EXPECT_EQ(source.MarkAt(5), (Mark{2, 2}));
  EXPECT_EQ(source.MarkAt(1000), (Mark{3, 1}));
}

TEST(Source, GivesLinesWithoutTheirEnds) {
  const Source source("f", "one\r\ntwo\nthree");
  EXPECT_EQ(source.Line(1), "one");
  EXPECT_EQ(source.Line(2), "two");
  EXPECT_EQ(source.Line(3), "three");
  EXPECT_EQ(source.Line(0), "");
  EXPECT_EQ(source.Line(4), "");
}

TEST(Diagnostic, ShowsThePlaceTheLineACaretAndTheSuggestion) {
  const Source source("zombie.yaml", "title: x\ncluster: {brokrs: 3}\n");
  EXPECT_EQ(Render(source, Diagnostic{{2, 11}, "unknown key 'brokrs' in cluster", "brokers"}),
            "zombie.yaml:2:11: error: unknown key 'brokrs' in cluster\n"
            "  cluster: {brokrs: 3}\n"
            "            ^\n"
            "  did you mean 'brokers'?\n");
}

TEST(Diagnostic, OfAWholeFileHasNoLine) {
  EXPECT_EQ(Render(Source("f", ""), Diagnostic{{}, "the file is empty", ""}),
            "f: error: the file is empty\n");
}

TEST(Diagnostic, CutsALongLineAroundTheCaret) {
  const std::string line = std::string(200, 'a') + "X" + std::string(200, 'b');
  const std::string excerpt = RenderExcerpt(Source("f", line), Mark{1, 201});
  const std::size_t end = excerpt.find('\n');
  ASSERT_NE(end, std::string::npos);
  EXPECT_LE(end, 110u);
  EXPECT_EQ(excerpt.substr(2, 4), "...a");
  EXPECT_EQ(excerpt.substr(end - 4, 4), "b...");
  const std::size_t caret = excerpt.find('^') - (end + 1);
  EXPECT_EQ(excerpt[caret], 'X');
}

TEST(Diagnostic, KeepsTheCaretUnderItsCharacterBehindATab) {
  EXPECT_EQ(RenderExcerpt(Source("f", "\ta: x"), Mark{1, 5}),
            "   a: x\n"
            "      ^\n");
}

TEST(Diagnostic, ShowsNoControlCharacterAndNoBrokenUtf8) {
  const Source source("f\x1b[31m", "a\x1b[2Jb\xFFz\xE2\x80\xAE");
  EXPECT_EQ(Render(source, Diagnostic{{1, 1}, "bad '\x07'", ""}),
            "f [31m:1:1: error: bad ' '\n"
            "  a [2Jb\xEF\xBF\xBDz\xEF\xBF\xBD\n"
            "  ^\n");
}

TEST(Diagnostic, CutsALongMessage) {
  const std::string report = Render(Source("f", ""), Diagnostic{{}, std::string(5000, 'x'), ""});
  EXPECT_LT(report.size(), 500u);
}

TEST(Diagnostic, BehindTheEndOfALinePointsBehindIt) {
  EXPECT_EQ(RenderExcerpt(Source("f", "ab"), Mark{1, 77}), "  ab\n    ^\n");
  EXPECT_EQ(RenderExcerpt(Source("f", "ab"), Mark{9, 1}), "");
}

}  // namespace
}  // namespace kafkasim::scenarios
