#include "cli/partition_picture.h"

#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/partition_views.h"
#include "tests/cli/plain_look.h"

namespace kafkasim::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr Look kAsciiLook{.color = false, .unicode = false, .width = 80};
constexpr sim::Time kNow{412'000};

std::string Draw(const scenarios::PartitionView& view, const Look& look = kLook,
                 const PictureOptions& options = {}) {
  std::ostringstream out;
  out << DrawPartition(view, kNow, look, options);
  return out.str();
}

TEST(Picture, ShowsOffsetsFlagsAndWhatEachReaderGets) {
  EXPECT_EQ(Draw(OneOpenTransaction()), &R"(
enriched_orders-0   leader 1 epoch 0                                    t=0.412s
 offset   0     1     2     3     4
 record  [a]   [b]   [c]   ✔C    (d)
 by       t1    p2    t1    t1    t2
                                  ▲LSO 4  ▲HW 5 = LEO 5
 (d) undecided: transaction ship-7 open since 0.398s
 read_committed    a b c                  read_uncommitted  a b c d
)"[1]);
}

TEST(Picture, HasAnAsciiForm) {
  EXPECT_EQ(Draw(OneOpenTransaction(), kAsciiLook), &R"(
enriched_orders-0   leader 1 epoch 0                                    t=0.412s
 offset   0     1     2     3     4
 record  [a]   [b]   [c]   C!    (d)
 by       t1    p2    t1    t1    t2
                                  ^LSO 4  ^HW 5 = LEO 5
 (d) undecided: transaction ship-7 open since 0.398s
 read_committed    a b c                  read_uncommitted  a b c d
)"[1]);
}

TEST(Picture, StrikesOutAbortedRecords) {
  using scenarios::EntryState;
  scenarios::PartitionView view = PartitionOf(
      {Record(0, "a", "t1", EntryState::kAborted), Record(1, "b", "p2"),
       Record(2, "c", "t1", EntryState::kAborted), Marker(3, scenarios::EntryKind::kAbort, "t1")});
  view.read_committed = {1};
  view.read_uncommitted = {0, 1, 2};
  EXPECT_EQ(Draw(view), &R"(
enriched_orders-0   leader 1 epoch 0                                    t=0.412s
 offset   0     1     2     3
 record  ~a~   [b]   ~c~   ✘A
 by       t1    p2    t1    t1
                                  ▲LSO 4 = HW 4 = LEO 4
 read_committed    b                      read_uncommitted  a b c
)"[1]);
}

TEST(Picture, SaysInTheHeadingWhatIsNotAsUsual) {
  scenarios::PartitionView view = OneOpenTransaction();
  view.leader = -1;
  view.seen_on = 2;
  view.isr = {2};
  EXPECT_THAT(Draw(view), HasSubstr("no leader epoch 0, as broker 2 has it   isr 2 of 3 replicas"));
}

TEST(Picture, OfACrashedLeaderNeitherWatermarkIsKnown) {
  scenarios::PartitionView view = OneOpenTransaction();
  view.leader_life = view.seen_on_life = sim::Life::kCrashed;
  view.high_watermark = view.last_stable_offset = 0;
  EXPECT_EQ(Draw(view), &R"(
enriched_orders-0   leader 1 (crashed) epoch 0                          t=0.412s
 offset   0     1     2     3     4
 record  [a]   [b]   [c]   ✔C    (d)
 by       t1    p2    t1    t1    t2
                                        ▲LEO 5
 (d) undecided: transaction ship-7 open since 0.398s
 HW: nobody knows it: it was in the memory of broker-1, which is down
 leader broker-1 is down; nobody can read
)"[1]);
}

TEST(Picture, OfAFollowerSaysNothingOfReaders) {
  scenarios::PartitionView view = OneOpenTransaction();
  view.seen_on = 2;
  view.high_watermark = 4;
  const std::string picture = Draw(view);
  EXPECT_THAT(picture, HasSubstr(" HW: a follower hears of it from its leader"));
  EXPECT_THAT(picture, Not(HasSubstr("read_committed")));
}

TEST(Picture, NamesTheReplicaThatHoldsTheHighWatermark) {
  scenarios::PartitionView view = OneOpenTransaction();
  view.high_watermark = 4;
  for (scenarios::ReplicaView& replica : view.replicas) replica.log_end_offset = 5;
  view.replicas[2].log_end_offset = 4;
  EXPECT_THAT(Draw(view), HasSubstr("LSO 4 = HW 4▲       ▲LEO 5"));
  EXPECT_THAT(Draw(view), HasSubstr("2"));
}

TEST(Picture, AnEndedTransactionWaitsForItsMarkerToBeReplicated) {
  scenarios::PartitionView view = OneOpenTransaction();
  view.open[0].ended = true;
  view.open[0].marker_offset = 5;
  EXPECT_THAT(Draw(view), HasSubstr("ship-7 ends at 5, but its marker is not replicated"));
}

TEST(Picture, OfSeveralOpenTransactionsOneHoldsTheLso) {
  scenarios::PartitionView view = OneOpenTransaction();
  scenarios::OpenTransactionView second = view.open[0];
  second.transactional_id = "pay-2";
  second.first_offset = 5;
  view.open.push_back(second);
  EXPECT_THAT(Draw(view), HasSubstr("transaction ship-7 open since 0.398s, holds the LSO\n"));
  EXPECT_THAT(Draw(view), HasSubstr("transaction pay-2 open since 0.398s\n"));
}

TEST(Picture, AnEmptyLogHasAllFlagsAtZero) {
  EXPECT_EQ(Draw(PartitionOf({})), &R"(
enriched_orders-0   leader 1 epoch 0                                    t=0.412s
 empty log
          ▲LSO 0 = HW 0 = LEO 0
 read_committed    nothing                read_uncommitted  nothing
)"[1]);
}

TEST(Picture, OfALongLogSaysHowManyRecordsItLeavesOut) {
  EXPECT_EQ(Draw(HungTransaction(9000)), &R"(
enriched_orders-0   leader 1 epoch 0                                    t=0.412s
 offset   0     1    2    3   …               8997    8998    8999    9000
 record  (t)   [r1] [r2] [r3] … 8,993 more … [r8997] [r8998] [r8999] [r9000]
 by       hung  p2   p2   p2                  p2      p2      p2      p2
          ▲LSO 0                                            HW 9001 = LEO 9001▲
 (t) undecided: transaction pay-1 open since 0s
 read_committed    nothing
 read_uncommitted  t r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 r12 … 8,987 more … r9000
)"[1]);
}

TEST(Picture, LeavesOutNothingSilentlyAtAnyWidth) {
  const scenarios::PartitionView view = HungTransaction(500);
  for (int width = kLeastWidth; width <= 200; width += 7) {
    const std::vector<LogBand> bands = LayOutLog(view, {.width = width});
    std::int64_t next = 0;
    for (const LogBand& band : bands) {
      for (const LogCell& cell : band) {
        EXPECT_EQ(cell.first_offset, next);
        next = cell.end_offset;
        EXPECT_LE(cell.column, width);
      }
    }
    EXPECT_EQ(next, 502);
  }
}

TEST(Picture, BreaksALogOfMiddleLengthIntoBands) {
  std::vector<scenarios::EntryView> entries;
  for (int i = 0; i < 20; ++i) entries.push_back(Record(i, "v" + std::to_string(i), "p"));
  const std::string picture = Draw(PartitionOf(entries));
  EXPECT_THAT(picture, HasSubstr("[v19]"));
  EXPECT_THAT(picture, Not(HasSubstr("more")));
}

TEST(Picture, DrawsTheOffsetsThatAreAskedFor) {
  const std::string picture =
      Draw(HungTransaction(9000), kLook, {.range = OffsetRange{4500, 4503}});
  EXPECT_THAT(picture, HasSubstr(" record  … 4,500 more …  [r4500]  [r4501]  [r4502]  [r4503]  "));
  EXPECT_THAT(picture, HasSubstr("… 4,497 more …"));
}

TEST(Picture, PointsAtTheOffsetInQuestion) {
  const std::string picture = Draw(OneOpenTransaction(), kLook, {.focus = 2});
  EXPECT_THAT(picture, HasSubstr("\n                      ▼\n offset   0     1     2"));
}

TEST(Picture, KeepsColumnsWithWideCharactersAndCutsLongRecords) {
  const std::string picture =
      Draw(PartitionOf({Record(0, "日本", "p"), Record(1, "a value that is far too long", "p"),
                        Record(2, "c", "p")}));
  EXPECT_THAT(picture, HasSubstr(" offset   0        1                    2\n"
                                 " record  [日本]   [a value that is…]   [c]\n"
                                 " by       p        p                    p\n"));
}

TEST(Picture, NoRecordIsACommandForTheTerminal) {
  const std::string picture = Draw(PartitionOf({Record(0, "x\x1b[2J\ny", "p\x07")}));
  EXPECT_THAT(picture, Not(HasSubstr("\x1b")));
  EXPECT_THAT(picture, Not(HasSubstr("\x07")));
}

TEST(Picture, IsAsWideAsItMayBeAndNoWider) {
  for (int width = 60; width <= 200; width += 5) {
    Look look = kLook;
    look.width = width;
    for (const Line& line : DrawPartition(OneOpenTransaction(), kNow, look)) {
      EXPECT_LE(line.width(), width) << line.Text();
    }
    for (const Line& line : DrawPartition(HungTransaction(9000), kNow, look)) {
      EXPECT_LE(line.width(), width) << line.Text();
    }
  }
}

TEST(Picture, ColoursByRoleAndSaysTheSameWithout) {
  Look look = kLook;
  look.color = true;
  const std::string colored = Draw(OneOpenTransaction(), look);
  EXPECT_THAT(colored, HasSubstr("\x1b[33m(d)\x1b[0m"));
  EXPECT_THAT(colored, HasSubstr("\x1b[1;94m[a]\x1b[0m"));
  EXPECT_THAT(colored, HasSubstr("\x1b[1;35m▲LSO 4\x1b[0m"));
}

TEST(Picture, OfAnInternalTopicHasNoReaders) {
  scenarios::PartitionView view = OneOpenTransaction();
  view.name = "__transaction_state-21";
  EXPECT_THAT(Draw(view), Not(HasSubstr("read_committed")));
}

}  // namespace
}  // namespace kafkasim::cli
