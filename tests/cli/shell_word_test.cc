#include "cli/shell_word.h"

#include <gtest/gtest.h>

namespace kafkasim::cli {
namespace {

TEST(ShellWord, IsQuotedWhereItHasToBe) {
  EXPECT_EQ(ShellWord("scenarios/ladder/late-end.yaml"), "scenarios/ladder/late-end.yaml");
  EXPECT_EQ(ShellWord("a way.yaml"), "'a way.yaml'");
  EXPECT_EQ(ShellWord("it's.yaml"), R"('it'\''s.yaml')");
  EXPECT_EQ(ShellWord("$HOME"), "'$HOME'");
  EXPECT_EQ(ShellWord(""), "''");
}

}  // namespace
}  // namespace kafkasim::cli
