// Trees as text: scenarios/yaml_text.h.
#include "scenarios/yaml_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/source_file.h"
#include "tests/scenarios/shipped_files.h"

namespace kafkasim::scenarios {
namespace {

bool SameTree(const Node& a, const Node& b) {
  if (a.kind != b.kind || a.text != b.text || a.items.size() != b.items.size() ||
      a.entries.size() != b.entries.size()) {
    return false;
  }
  // Words mean the same with and without quotes, numbers do not.
  if (a.is_null() != b.is_null() || a.AsInteger() != b.AsInteger() ||
      a.AsBoolean() != b.AsBoolean()) {
    return false;
  }
  for (std::size_t i = 0; i < a.items.size(); ++i) {
    if (!SameTree(a.items[i], b.items[i])) return false;
  }
  for (std::size_t i = 0; i < a.entries.size(); ++i) {
    if (!SameTree(a.entries[i].key, b.entries[i].key)) return false;
    if (!SameTree(a.entries[i].value, b.entries[i].value)) return false;
  }
  return true;
}

Node TreeOf(const std::string& text) {
  const YamlResult read = ReadYaml(Source("t", text));
  EXPECT_TRUE(read.root.has_value()) << text;
  return read.root.value_or(Node{});
}

TEST(YamlText, IsReadAsTheSameTree) {
  int files = 0;
  for (const std::string& file : ShippedFiles()) {
    ++files;
    const Node tree = TreeOf(ReadSourceFile(file, "a scenario").source->text());
    EXPECT_TRUE(SameTree(TreeOf(YamlText(tree)), tree)) << file << '\n' << YamlText(tree);
  }
  EXPECT_GT(files, 50);
}

TEST(YamlText, QuotesWhatWouldBeReadOtherwise) {
  for (const char* text : {"",   " ",  "1",   "true", "null", "~",  "a: b", "a #b", "# a", "- a",
                           "[a", "a]", "{n}", "a\nb", "a\tb", "\"", "a\\b", "'a'",  "*",   "&a",
                           "a:", "ü",  "-",   "--",   "?",    "@a", "%a",   "1.5s"}) {
    Node tree = MappingNode({EntryOf("key", TextNode(text)),
                             EntryOf("list", SequenceNode({TextNode(text), ScalarNode("x")}))});
    const Node read = TreeOf(YamlText(tree));
    EXPECT_EQ(read.Find("key")->text, text);
    EXPECT_EQ(read.Find("list")->items.at(0).text, text);
    EXPECT_FALSE(read.Find("key")->AsInteger().has_value()) << text;
    EXPECT_FALSE(read.Find("key")->is_null()) << text;
  }
}

TEST(YamlText, WritesShortThingsOnOneLine) {
  EXPECT_EQ(YamlText(TreeOf("topics: {orders: {partitions: 2, config: {a.b: 1}}}\n"
                            "steps:\n- shop: {send: {to: orders, value: x}}\n  fails: Y\n")),
            "topics:\n"
            "  orders: {partitions: 2, config: {a.b: 1}}\n"
            "steps:\n"
            "- shop: {send: {to: orders, value: x}}\n"
            "  fails: Y\n");
}

TEST(YamlText, ABlockKeepsEveryLine) {
  const std::string text = "  first\n\nthird: x\n";
  EXPECT_EQ(TreeOf("text: " + YamlBlock(text)).Find("text")->text, text);
}

}  // namespace
}  // namespace kafkasim::scenarios
