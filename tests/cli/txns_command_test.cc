// kafkasim txns against what is known of runs that are shipped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace kafkasim::cli {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kHanging = "c11-late-produce-after-abort";

TEST(Txns, ListHasEveryTransactionalIdWithItsState) {
  const ProgramResult result = RunProgram({"txns", "list", "13", "--at", "1s"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out,
              ContainsRegex("TransactionalId +Coordinator +ProducerId +TransactionState"));
  EXPECT_THAT(result.out, ContainsRegex("enrichment-service-1 +[0-9] +[0-9]+ +CompleteCommit"));
  EXPECT_THAT(result.out, ContainsRegex("enrichment-service-2 +[0-9] +[0-9]+ +Ongoing"));
}

TEST(Txns, DescribeTellsOfAnOpenTransaction) {
  const ProgramResult result = RunProgram(
      {"txns", "describe", "13", "enrichment-service-2", "--at", "1s", "--width", "200"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("Ongoing"));
  EXPECT_THAT(result.out, HasSubstr("enriched_orders-0"));
  EXPECT_EQ(RunProgram({"txns", "describe", "13", "nobody"}).exit_code, 1);
}

TEST(Txns, DescribeProducersHasTheOpenOffset) {
  const ProgramResult result = RunProgram(
      {"txns", "describe-producers", "13", "enriched_orders-0", "--at", "1s", "--width", "200"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, ContainsRegex("enriched_orders-0 .* None"));
  EXPECT_THAT(result.out, ContainsRegex("enriched_orders-0 .* 6\n"));
}

TEST(Txns, FindHangingFindsOnlyWhatNoCoordinatorKnows) {
  const ProgramResult without = RunProgram({"txns", "find-hanging", kHanging, "--variant",
                                            "TV1-noverify", "--max-transaction-timeout", "0"});
  EXPECT_EQ(without.exit_code, 0) << without.err;
  EXPECT_THAT(without.out, ContainsRegex("enriched_orders +0 +"));
  const ProgramResult with = RunProgram(
      {"txns", "find-hanging", kHanging, "--variant", "TV2", "--max-transaction-timeout", "0"});
  EXPECT_THAT(with.out, Not(ContainsRegex("enriched_orders +0 +")));
}

TEST(Txns, NeedsACommand) { EXPECT_EQ(RunProgram({"txns"}).exit_code, 2); }

}  // namespace
}  // namespace kafkasim::cli
