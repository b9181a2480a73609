#include "cli/text_table.h"

#include <sstream>

#include <gtest/gtest.h>

#include "tests/cli/plain_look.h"

namespace kafkasim::cli {
namespace {

std::string PrintTable(const TextTable& table, int width, int indent = 0) {
  std::ostringstream out;
  out << table.Lines(width, indent);
  return out.str();
}

TextTable TwoRows() {
  TextTable table(kLook, {{.heading = "id"},
                          {.heading = "epoch", .right = true},
                          {.heading = "partitions", .least = 12}});
  table.AddRow({Line(kLook, "pay-1"), Line(kLook, "0"), Line(kLook, "orders-0 orders-1 orders-2")});
  table.AddNote(Line(kLook, "coordinator 1"));
  table.AddRow({Line(kLook, "ship-7"), Line(kLook, "12")});
  return table;
}

TEST(TextTable, AlignsItsColumns) {
  EXPECT_EQ(PrintTable(TwoRows(), 60, 1),
            " id      epoch  partitions\n"
            " pay-1       0  orders-0 orders-1 orders-2\n"
            "         coordinator 1\n"
            " ship-7     12\n");
}

TEST(TextTable, WrapsTheColumnThatMayGiveWay) {
  EXPECT_EQ(PrintTable(TwoRows(), 34),
            "id      epoch  partitions\n"
            "pay-1       0  orders-0 orders-1\n"
            "               orders-2\n"
            "        coordinator 1\n"
            "ship-7     12\n");
}

TEST(TextTable, CountsColumnsOfWideCharacters) {
  TextTable table(kLook, {{}, {}});
  table.AddRow({Line(kLook, "日本"), Line(kLook, "x")});
  table.AddRow({Line(kLook, "abcd"), Line(kLook, "y")});
  EXPECT_EQ(PrintTable(table, 80), "日本  x\nabcd  y\n");
}

}  // namespace
}  // namespace kafkasim::cli
