#include "cli/dump_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace kafkasim::cli {
namespace {

using ::testing::HasSubstr;

TEST(DumpLog, LooksLikeKafkasTool) {
  const std::string dump = RunProgram({"log", "12", "--variant", "TV1", "--dump"}).out;
  EXPECT_THAT(dump, HasSubstr("Dumping enriched_orders-0/00000000000000000000.log\n"
                              "Log starting offset: 0\n"
                              "baseOffset: 0 lastOffset: 4 count: 5 baseSequence: 0 "
                              "lastSequence: 4 producerId: 7 producerEpoch: 0 "
                              "partitionLeaderEpoch: 0 isTransactional: true isControl: false "));
  EXPECT_THAT(dump, HasSubstr("\n| offset: 4 CreateTime: "));
  EXPECT_THAT(dump, HasSubstr(" keySize: -1 valueSize: 2 sequence: 4 headerKeys: [] payload: m4\n"
                              "baseOffset: 5 lastOffset: 5 count: 1 baseSequence: -1 "
                              "lastSequence: -1 producerId: 7 producerEpoch: 0 "));
  EXPECT_THAT(dump, HasSubstr(" keySize: 4 valueSize: 6 sequence: -1 headerKeys: [] "
                              "endTxnMarker: COMMIT coordinatorEpoch: 0\n"));
}

TEST(DumpLog, DecodesTheTransactionLog) {
  const std::string dump =
      RunProgram({"log", "12", "--variant", "TV1", "--dump", "__transaction_state-21"}).out;
  EXPECT_THAT(dump, HasSubstr("key: transaction_metadata::transactionalId=enrichment-service-1 "
                              "payload: producerId:7,producerEpoch:0,state=Ongoing,"
                              "partitions=[enriched_orders-0],txnLastUpdateTimestamp="));
  EXPECT_THAT(dump, HasSubstr("state=CompleteCommit,partitions=[],"));
}

}  // namespace
}  // namespace kafkasim::cli
