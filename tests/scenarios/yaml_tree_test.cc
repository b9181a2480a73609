#include "scenarios/yaml_tree.h"

#include <string>

#include <gtest/gtest.h>

namespace kafkasim::scenarios {
namespace {

// The errors of a text as one report.
std::string YamlErrors(const std::string& text, const YamlLimits& limits = {}) {
  const Source source("f", text);
  std::string report;
  for (const Diagnostic& error : ReadYaml(source, limits).errors) report += Render(source, error);
  return report;
}

Node Tree(const std::string& text) {
  const YamlResult result = ReadYaml(Source("f", text));
  EXPECT_TRUE(result.errors.empty()) << YamlErrors(text);
  return result.root.value_or(Node{});
}

TEST(Yaml, RemembersWhereEverythingStood) {
  const Node root = Tree("a: 1\nb:\n  - {c: \"d\", \xC3\xA9: f}\n");
  EXPECT_EQ(root.mark, (Mark{1, 1}));
  ASSERT_EQ(root.entries.size(), 2u);
  EXPECT_EQ(root.entries[1].key.mark, (Mark{2, 1}));
  const Node& item = root.entries[1].value.items.at(0);
  EXPECT_EQ(item.mark, (Mark{3, 5}));
  EXPECT_EQ(item.entries.at(0).value.mark, (Mark{3, 9}));
  EXPECT_EQ(item.entries.at(1).value.mark, (Mark{3, 17}));
}

TEST(Yaml, IsVersionTwoWhereYesIsAWord) {
  for (const char* word : {"yes", "no", "on", "off", "y", "n"}) {
    EXPECT_EQ(Tree(word).AsBoolean(), std::nullopt) << word;
    EXPECT_EQ(Tree(word).text, word);
  }
  EXPECT_EQ(Tree("true").AsBoolean(), true);
  EXPECT_EQ(Tree("False").AsBoolean(), false);
}

TEST(Yaml, TakesQuotedScalarsAsText) {
  EXPECT_EQ(Tree("'12'").AsInteger(), std::nullopt);
  EXPECT_EQ(Tree("\"true\"").AsBoolean(), std::nullopt);
  EXPECT_FALSE(Tree("''").is_null());
  EXPECT_TRUE(Tree("a:").Find("a")->is_null());
  EXPECT_TRUE(Tree("~").is_null());
}

TEST(Yaml, ReadsDecimalNumbersOnly) {
  EXPECT_EQ(Tree("-12").AsInteger(), -12);
  EXPECT_EQ(Tree("+7").AsInteger(), 7);
  for (const char* other : {"1.5", "0x10", "1e3", "1_000", "12a", "", "-", "9223372036854775808"}) {
    EXPECT_EQ(Tree("[" + std::string(other) + ", x]").items.at(0).AsInteger(), std::nullopt)
        << other;
  }
}

TEST(Yaml, AcceptsAByteOrderMarkAndCrLf) {
  const Node root = Tree(
      "\xEF\xBB\xBF"
      "a: 1\r\nb: x\r\n");
  EXPECT_EQ(root.Find("a")->AsInteger(), 1);
  EXPECT_EQ(root.Find("b")->text, "x");
  EXPECT_EQ(root.Find("b")->mark, (Mark{2, 4}));
}

TEST(Yaml, RefusesADuplicateKeyAndNamesTheFirst) {
  EXPECT_EQ(YamlErrors("a: 1\nb: {c: 1, c: 2}\na: 3\n"),
            "f:2:11: error: duplicate key 'c'; the first one is at 2:5\n"
            "  b: {c: 1, c: 2}\n"
            "            ^\n"
            "f:3:1: error: duplicate key 'a'; the first one is at 1:1\n"
            "  a: 3\n"
            "  ^\n");
  EXPECT_EQ(ReadYaml(Source("f", "a: 1\na: 3\n")).root->Find("a")->text, "1");
}

TEST(Yaml, RefusesAnchorsAndAliases) {
  EXPECT_EQ(YamlErrors("a: &x [1]\nb: *x\n"),
            "f:1:4: error: anchors and aliases are not part of the language: '&x'\n"
            "  a: &x [1]\n"
            "     ^\n");
}

TEST(Yaml, RefusesTags) {
  EXPECT_EQ(YamlErrors("a: !!int 3\n"),
            "f:1:4: error: tags are not part of the language: 'tag:yaml.org,2002:int'\n"
            "  a: !!int 3\n"
            "     ^\n");
}

TEST(Yaml, RefusesASecondDocument) {
  EXPECT_EQ(YamlErrors("---\na: 1\n---\nb: 2\n"),
            "f:3:1: error: a second document begins here; a file holds one scenario\n"
            "  ---\n"
            "  ^\n");
}

TEST(Yaml, RefusesAKeyThatIsNoWord) {
  EXPECT_EQ(YamlErrors("[a]: 1\n"),
            "f:1:1: error: a key has to be a plain word\n"
            "  [a]: 1\n"
            "  ^\n");
}

TEST(Yaml, RefusesEmptyFiles) {
  for (const char* text : {"", "\n\n", "\n# only a comment\n"}) {
    EXPECT_EQ(YamlErrors(text), "f:1:1: error: the file is empty\n") << text;
  }
}

TEST(Yaml, SaysThatATabCannotIndent) {
  EXPECT_EQ(YamlErrors("a:\n\tb: 2\n"),
            "f:2:1: error: not valid YAML: this line is indented with a tab; use blanks\n"
            "   b: 2\n"
            "  ^\n");
}

TEST(Yaml, PassesOnWhereTheSyntaxIsWrong) {
  EXPECT_EQ(YamlErrors("a: [1, 2\nb: 3\n").substr(0, 28), "f:2:2: error: not valid YAML");
}

TEST(Yaml, LimitsDepthAndSize) {
  EXPECT_EQ(YamlErrors("[[[1]]]", YamlLimits{.depth = 3}), "");
  EXPECT_EQ(YamlErrors("[[[[1]]]]", YamlLimits{.depth = 3}).substr(0, 49),
            "f:1:4: error: nested more than 3 levels deep\n  [[");
  EXPECT_EQ(YamlErrors("[1, 2]", YamlLimits{.nodes = 3}), "");
  EXPECT_EQ(YamlErrors("[1, 2, 3]", YamlLimits{.nodes = 3}).substr(0, 56),
            "f:1:8: error: too much in one file: more than 3 values\n ");
}

TEST(Yaml, AQuoteThatSwallowsAStepIsNotClosed) {
  const std::string steps =
      "steps:\n"
      "  - say: \"hello\n"
      "  - p: flush\n"
      "  - say: world\"\n";
  EXPECT_EQ(YamlErrors(steps),
            "f:2:10: error: this quote is not closed in its line: line 3 is still inside of it\n"
            "    - say: \"hello\n"
            "           ^\n");
}

TEST(Yaml, AQuoteWhoseTextIsNoYamlIsShownWhereItOpens) {
  const std::string steps =
      "steps:  # don't mind 'this\n"
      "  - say: don't\n"
      "  - p: {send: {value: \"it\\q}}\n"
      "  - p: flush\n";
  EXPECT_EQ(YamlErrors(steps),
            "f:3:23: error: not valid YAML: this quote is not closed in its line: line 4 is still "
            "inside of it\n"
            "    - p: {send: {value: \"it\\q}}\n"
            "                        ^\n");
}

TEST(Yaml, ATextInQuotesMayGoOn) {
  EXPECT_EQ(Tree("a: \"one\n  two\"\n").Find("a")->text, "one two");
  EXPECT_EQ(Tree("a: 'don''t - stop\n  at two'\n").Find("a")->text, "don't - stop at two");
}

}  // namespace
}  // namespace kafkasim::scenarios
