// What log and explain show of consumer groups.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace kafkasim::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// Of that scenario: a rebalance between the commit of an offset and its marker.
ProgramResult OfRebalance(const std::string& command, std::vector<std::string> more) {
  std::vector<std::string> arguments{command, "field/rebalancing/c62-rebalance-before-the-marker",
                                     "--variant", "TV1"};
  for (std::string& argument : more) arguments.push_back(std::move(argument));
  return RunProgram(std::move(arguments));
}

TEST(OffsetsLog, IsReadByGroup) {
  const ProgramResult result = OfRebalance("log", {"--group", "my-group"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("__consumer_offsets-12   leader 1 epoch 0 "));
  EXPECT_THAT(result.out,
              HasSubstr(" record  [generation 0]  [generation 1]  [in-0 → 0]  [in-0 → 1]  "
                        "[generation 2]\n"
                        " by       my-group        my-group        my-group    my-group    "
                        "my-group\n"));
  EXPECT_THAT(result.out,
              HasSubstr(" offset  written  group     record\n"
                        "      0   0.442s  my-group  generation 0, no members\n"
                        "      1   3.446s  my-group  generation 1, range, first-0-1 leads\n"
                        "         first-0-1: in-0\n"
                        "      2   3.456s  my-group  in-0 → 0\n"
                        "      3   3.581s  my-group  in-0 → 1, leader epoch 0\n"
                        "         transaction enrichment-service-1 (first_out, producer 7, epoch "
                        "0):\n"
                        "         counts since the COMMIT marker at 6\n"));
  EXPECT_THAT(result.out, HasSubstr("      6     8.6s            COMMIT marker\n"));
}

TEST(OffsetsLog, ShowsPendingOffsetsAndUnknownGroups) {
  EXPECT_THAT(OfRebalance("log", {"--group", "my-group", "--at", "8s"}).out,
              HasSubstr("pending until its marker\n"));
  EXPECT_THAT(OfRebalance("log", {"--group", "your-group"}).out,
              HasSubstr(" no record of group your-group\n"));
  EXPECT_EQ(OfRebalance("log", {"--group", "my-group", "in-0"}).exit_code, 2);
}

TEST(OffsetsLog, IsDumpedAsKafkasDecoderPrintsIt) {
  const std::string dump = OfRebalance("log", {"__consumer_offsets-12", "--dump"}).out;
  EXPECT_THAT(
      dump, HasSubstr("key: {\"type\":\"2\",\"data\":{\"group\":\"my-group\"}} payload: "
                      "{\"version\":\"3\",\"data\":{\"protocolType\":\"consumer\",\"generation\":1,"
                      "\"protocol\":\"range\",\"leader\":\"first-0-1\","));
  EXPECT_THAT(dump, HasSubstr("\"assignment\":{\"assignedPartitions\":[{\"topic\":\"in\","
                              "\"partitions\":[0]}]}}]}}\n"));
  EXPECT_THAT(dump, HasSubstr("key: {\"type\":\"1\",\"data\":{\"group\":\"my-group\",\"topic\":"
                              "\"in\",\"partition\":0}} payload: {\"version\":\"4\",\"data\":{"
                              "\"offset\":1,\"leaderEpoch\":0,\"metadata\":\"\","
                              "\"commitTimestamp\":3581}}\n"));
}

TEST(OffsetsLog, IsPartOfTheJsonResult) {
  const std::string json = OfRebalance("run", {"--json"}).out;
  EXPECT_THAT(json, HasSubstr("\"fate\": \"counts\",\n"));
  EXPECT_THAT(json, HasSubstr("\"decided_at\": 6\n"));
}

TEST(ExplainCommand, SaysWhyAGroupIsAsItIs) {
  const ProgramResult result = OfRebalance("explain", {"--group", "my-group", "--at", "8s"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out,
              StartsWith("group my-group at 8s\n"
                         "  Group my-group is STABLE since 6.613s [event 604]: generation 3 has "
                         "its\n"
                         "  assignment; the rebalance before it began at 3.609s [event 569]: "
                         "second-0-2 is\n"
                         "  new.\n"
                         "\n"
                         "Group my-group  STABLE, generation 3, range, coordinator 1\n"));
  EXPECT_THAT(
      result.out,
      HasSubstr("in-0\n"
                "  member     second has it as member second-0-2: assigned in generation 3, "
                "by\n"
                "             range\n"
                "  committed  0: record 2 of __consumer_offsets-12, by first at 3.456s "
                "[event\n"
                "             297]\n"
                "  pending    1: record 3 of __consumer_offsets-12, by first_out at "));
  EXPECT_THAT(result.out, HasSubstr("Events behind it\n"));
}

TEST(ExplainCommand, OfOnePartitionTellsHowItsOffsetsCame) {
  const std::string out =
      OfRebalance("explain", {"--group", "my-group", "--partition", "in-0", "--at", "8s"}).out;
  EXPECT_THAT(out, HasSubstr("held WriteTxnMarkers"));
  EXPECT_THAT(out, Not(HasSubstr("joins → group my-group")));
}

TEST(ExplainCommand, NeedsToBeToldWhat) {
  const ProgramResult result = OfRebalance("explain", {});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("error: say what to explain: --offset PARTITION:OFFSET or "
                                    "--group GROUP\n"));
}

}  // namespace
}  // namespace kafkasim::cli
