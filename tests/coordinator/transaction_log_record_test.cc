#include "coordinator/transaction_log_record.h"

#include <limits>
#include <ostream>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "coordinator/transaction_view.h"

namespace kafkasim::coordinator {
namespace {

using broker::PartitionId;
using broker::ProducerEpoch;
using broker::ProducerId;
using broker::TopicId;

TransactionValue Example() {
  TransactionValue value;
  value.producer_id = ProducerId(7);
  value.prev_producer_id = ProducerId(6);
  value.next_producer_id = ProducerId(8);
  value.producer_epoch = ProducerEpoch(32767);
  value.timeout_ms = 60'000;
  value.state = TransactionState::kPrepareCommit;
  value.partitions = {{TopicId(2), 0}, {TopicId(2), 1}};
  value.start_timestamp_ms = 405;
  value.last_update_timestamp_ms = 412;
  value.client_transaction_version = 2;
  return value;
}

TEST(TransactionLogRecord, ReadsByItself) {
  const broker::Record record = EncodeTransaction("t", Example(), 1, 412);
  EXPECT_EQ(record.key, "t");
  EXPECT_EQ(*record.value,
            "v1 producer=7 prev=6 next=8 epoch=32767 timeout=60000 status=PrepareCommit "
            "partitions=[2:0,2:1] updated=412 started=405 client=2");
  EXPECT_EQ(record.timestamp_ms, 412);
}

TEST(TransactionLogRecord, PartitionsAreNullWhenEmptyAndAnEmptyListWhenComplete) {
  TransactionValue value = Example();
  value.partitions.clear();
  value.state = TransactionState::kEmpty;
  EXPECT_NE(EncodeTransaction("t", value, 1, 0).value->find("partitions=null"), std::string::npos);
  value.state = TransactionState::kCompleteCommit;
  EXPECT_NE(EncodeTransaction("t", value, 1, 0).value->find("partitions=[]"), std::string::npos);
}

TEST(TransactionLogRecord, VersionZeroDropsTheOtherProducerIdsAndTheClientsVersion) {
  TransactionValue expected = Example();
  expected.prev_producer_id = broker::kNoProducerId;
  expected.next_producer_id = broker::kNoProducerId;
  expected.client_transaction_version = 0;
  const auto read = DecodeTransaction(EncodeTransaction("t", Example(), 0, 412));
  EXPECT_EQ(read->value, expected);
  EXPECT_EQ(TransactionLogValueVersion(0), 0);
  EXPECT_EQ(TransactionLogValueVersion(1), 1);
  EXPECT_EQ(TransactionLogValueVersion(2), 1);
}

TEST(TransactionLogRecord, ATombstoneHasNoValue) {
  const auto read = DecodeTransaction(EncodeTombstone("t", 5));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->transactional_id, "t");
  EXPECT_FALSE(read->value.has_value());
}

TEST(TransactionLogRecord, WhatIsNoRecordOfThisLogIsLeftOut) {
  const auto reads = [](const std::string& value) {
    return DecodeTransaction({.key = "t", .value = value}).has_value();
  };
  const std::string good = *EncodeTransaction("t", Example(), 1, 0).value;
  EXPECT_TRUE(reads(good));
  EXPECT_FALSE(DecodeTransaction({.key = std::nullopt, .value = good}).has_value());
  EXPECT_FALSE(reads("v2" + good.substr(2)));
  EXPECT_FALSE(reads(good + " more=1"));
  EXPECT_FALSE(reads(good.substr(0, good.size() - 1)));
  EXPECT_FALSE(reads(""));
  for (size_t i = 0; i + 1 < good.size(); ++i) EXPECT_FALSE(reads(good.substr(0, i))) << i;
  std::string unknown = good;
  unknown.replace(unknown.find("PrepareCommit"), 13, "PrepareNothin");
  EXPECT_FALSE(reads(unknown));
}

TEST(Replay, TheLastRecordOfAnIdWinsAndATombstoneRemovesIt) {
  LoadedTransactions loaded;
  TransactionValue value = Example();
  Replay(EncodeTransaction("a", value, 1, 0), loaded);
  Replay(EncodeTransaction("b", value, 1, 0), loaded);
  value.state = TransactionState::kCompleteCommit;
  value.partitions.clear();
  Replay(EncodeTransaction("a", value, 1, 0), loaded);
  Replay(EncodeTombstone("b", 0), loaded);
  Replay({.key = "c", .value = "v9"}, loaded);
  ASSERT_EQ(loaded.size(), 1u);
  EXPECT_EQ(loaded.at("a").state, TransactionState::kCompleteCommit);
}

TEST(DescribeTransaction, NamesThePartitions) {
  broker::ClusterImage names;
  names.topics.resize(3);
  names.topics[2].name = "orders";
  names.topics[2].partitions.resize(2);
  EXPECT_EQ(
      DescribeTransaction({"t", Example()}, names),
      "PREPARE_COMMIT producer 7 epoch 32767, partitions orders-0 orders-1, timeout 60000 ms");
  EXPECT_EQ(DescribeTransaction({"t", std::nullopt}, names), "tombstone");
}

rc::Gen<TransactionValue> AnyValue() {
  return rc::gen::exec([] {
    TransactionValue value;
    const auto any_id = [] {
      return ProducerId(*rc::gen::inRange<int64_t>(-1, std::numeric_limits<int64_t>::max()));
    };
    value.producer_id = any_id();
    value.prev_producer_id = any_id();
    value.next_producer_id = any_id();
    value.producer_epoch = ProducerEpoch(*rc::gen::inRange<int16_t>(-1, 32767));
    value.timeout_ms = *rc::gen::arbitrary<int32_t>();
    value.state = *rc::gen::elementOf(kAllTransactionStates);
    if (value.state != TransactionState::kEmpty) {
      for (const auto& [topic, index] :
           *rc::gen::arbitrary<std::vector<std::pair<uint8_t, uint16_t>>>()) {
        value.partitions.push_back({TopicId(topic), index});
      }
    }
    value.start_timestamp_ms = *rc::gen::arbitrary<int64_t>();
    value.last_update_timestamp_ms = *rc::gen::arbitrary<int64_t>();
    value.client_transaction_version = *rc::gen::inRange<int8_t>(0, 3);
    return value;
  });
}

RC_GTEST_PROP(TransactionLogRecord, RoundTripsExactly, ()) {
  const TransactionValue value = *AnyValue();
  const auto id = *rc::gen::arbitrary<std::string>();
  const auto read = DecodeTransaction(EncodeTransaction(id, value, 1, 17));
  RC_ASSERT(read.has_value());
  RC_ASSERT(read->transactional_id == id);
  RC_ASSERT(*read->value == value);
}

}  // namespace
}  // namespace kafkasim::coordinator
