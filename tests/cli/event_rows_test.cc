#include "cli/event_rows.h"

#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include "cli/story.h"

namespace kafkasim::cli {
namespace {

const std::vector<EventRow>& SomeEvents() {
  static const std::vector<EventRow> rows{
      {.at = sim::Time{4'000},
       .actor = "old",
       .what = "init_transactions",
       .result = "producer 7, epoch 0"},
      {.at = sim::Time{61'000'000},
       .actor = "broker-1",
       .what = "append 42=paid",
       .result = "orders-0@0",
       .reason = "by old, producer 7, epoch 0, sequence 0"},
      {.at = sim::Time{61'412'000},
       .actor = "old",
       .what = "commit_transaction",
       .result = "PRODUCER_FENCED",
       .reason = "epoch 0 of producer 7 is older than 1",
       .sign = Sign::kBad},
      {.at = sim::Time{62'000'000}, .what = "pause old", .sign = Sign::kFault}};
  return rows;
}

std::string DrawEvents(int width) {
  const Look look{.color = false, .unicode = true, .width = width};
  EventColumns columns(look);
  for (const EventRow& row : SomeEvents()) columns.Fit(row);
  columns.Finish();
  std::ostringstream out;
  for (const EventRow& row : SomeEvents()) out << columns.Draw(row);
  return out.str();
}

TEST(EventColumns, StandBelowEachOther) {
  EXPECT_EQ(DrawEvents(120), &R"(
 0.004s  old         init_transactions   producer 7, epoch 0
61.000s  broker-1    append 42=paid      orders-0@0           by old, producer 7, epoch 0, sequence 0
61.412s  old       ✘ commit_transaction  PRODUCER_FENCED      epoch 0 of producer 7 is older than 1
62.000s            ↯ pause old
)"[1]);
}

TEST(EventColumns, PutTheReasonBelowWhereThereIsNoRoom) {
  EXPECT_EQ(DrawEvents(80), &R"(
 0.004s  old         init_transactions   producer 7, epoch 0
61.000s  broker-1    append 42=paid      orders-0@0
                       by old, producer 7, epoch 0, sequence 0
61.412s  old       ✘ commit_transaction  PRODUCER_FENCED
                       epoch 0 of producer 7 is older than 1
62.000s            ↯ pause old
)"[1]);
}

TEST(EventColumns, ShowMicrosecondsIfAsked) {
  const Look look{.color = false, .unicode = true, .width = 80};
  const EventRow row{.at = sim::Time{1'500}, .actor = "p", .what = "x"};
  EventColumns exact(look, Precision::kMicro);
  exact.Fit(row);
  exact.Finish();
  EXPECT_EQ(exact.Draw(row).front().Text(), "0.001500s  p    x");
  EventColumns columns(look);
  columns.Fit(row);
  columns.Finish();
  EXPECT_EQ(columns.Draw(row).front().Text(), "0.001s  p    x");
}

TEST(DrawVoice, SetsTheLecturerApart) {
  std::ostringstream out;
  out << DrawVoice("The coordinator has aborted it; the zombie does not know yet.",
                   {.color = false, .unicode = true, .width = 44});
  EXPECT_EQ(out.str(), R"(
▌ The coordinator has aborted it; the zombie
▌ does not know yet.

)");
}

}  // namespace
}  // namespace kafkasim::cli
