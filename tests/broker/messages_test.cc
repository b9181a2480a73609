// What messages say of themselves: to faults that choose one, to people, to fingerprints.
#include <memory>

#include <gmock/gmock.h>

#include "broker/messages_cluster.h"
#include "broker/messages_data.h"
#include "broker/messages_transaction.h"

namespace kafkasim::broker {
namespace {

const PartitionId kOrders1{.topic = TopicId(0), .index = 1};

ClusterImage Names() {
  ClusterImage image;
  image.topics.push_back({.name = "orders", .partitions = {{}, {}}});
  return image;
}

ProduceRequest Produce(int32_t sequence) {
  RecordBatch batch = MakeBatch({{.key = "42", .value = "paid"}, {.value = "sent"}});
  batch.producer_id = ProducerId(7);
  batch.producer_epoch = ProducerEpoch(2);
  batch.base_sequence = Sequence(sequence);
  batch.transactional = true;
  ProduceRequest request{.transactional_id = "billing"};
  request.partitions.push_back(
      {.partition = kOrders1, .batch = std::make_shared<const RecordBatch>(std::move(batch))});
  return request;
}

TEST(Messages, AreChosenByPartitionTransactionalIdOrProducer) {
  const ProduceRequest produce = Produce(0);
  EXPECT_TRUE(produce.Concerns("partition", ConcernOf(kOrders1)));
  EXPECT_FALSE(produce.Concerns("partition", "0:0"));
  EXPECT_TRUE(produce.Concerns("transactional_id", "billing"));
  EXPECT_TRUE(produce.Concerns("producer_id", "7"));
  EXPECT_FALSE(produce.Concerns("producer_id", "70"));
  EXPECT_FALSE(produce.Concerns("colour", "7"));

  WriteTxnMarkersRequest markers;
  markers.markers.push_back({.producer_id = ProducerId(8), .partitions = {kOrders1}});
  EXPECT_TRUE(markers.Concerns("partition", "0:1"));
  EXPECT_TRUE(markers.Concerns("producer_id", "8"));

  AddPartitionsToTxnRequest add;
  add.transactions.push_back({.transactional_id = "billing", .partitions = {kOrders1}});
  EXPECT_TRUE(add.Concerns("transactional_id", "billing"));

  const FindCoordinatorRequest find{.type = CoordinatorType::kGroup, .key = "g"};
  EXPECT_TRUE(find.Concerns("group_id", "g"));
  EXPECT_FALSE(find.Concerns("transactional_id", "g"));
  EXPECT_TRUE(BrokerRegistrationRequest{.broker = BrokerId(2)}.Concerns("broker", "2"));
}

TEST(Messages, DescribeThemselvesInOneLine) {
  const ClusterImage names = Names();
  EXPECT_EQ(Produce(4).Describe(names),
            "v11 acks=-1 billing orders-1: 2 records, producer 7 epoch 2, sequence 4, "
            "transactional");
  ProduceResponse produced;
  produced.partitions.push_back({.partition = kOrders1, .base_offset = Offset(12)});
  EXPECT_EQ(produced.Describe(names), "orders-1 NONE offset=12");
  FetchResponse fetched;
  fetched.partitions.push_back(
      {.partition = kOrders1,
       .high_watermark = Offset(4),
       .last_stable_offset = Offset(2),
       .aborted_transactions = {{{.producer_id = ProducerId(7), .first_offset = Offset(0)}}}});
  EXPECT_EQ(fetched.Describe(names),
            "orders-1 empty high_watermark=4 last_stable_offset=2 aborted=[(7,0)]");
  const EndTxnRequest end{.version = 5,
                          .transactional_id = "billing",
                          .producer_id = ProducerId(7),
                          .producer_epoch = ProducerEpoch(2)};
  EXPECT_EQ(end.Describe(names), "v5 billing producer_id=7 epoch=2 commit");
  EXPECT_EQ(EndTxnResponse{.error = ErrorCode::kProducerFenced}.Describe(names), "PRODUCER_FENCED");
  const AlterPartitionRequest alter{.broker = BrokerId(0),
                                    .partition = kOrders1,
                                    .new_isr = {{.broker = BrokerId(0)}, {.broker = BrokerId(2)}}};
  EXPECT_EQ(alter.Describe(names), "orders-1 leader=0 leader_epoch=0 partition_epoch=0 isr=[0,2]");
}

TEST(Messages, DifferInTheirFingerprintsWhenAFieldDiffers) {
  EXPECT_EQ(MakeMessage(Produce(0))->fingerprint(), MakeMessage(Produce(0))->fingerprint());
  EXPECT_NE(MakeMessage(Produce(0))->fingerprint(), MakeMessage(Produce(1))->fingerprint());
  EXPECT_NE(MakeMessage(EndTxnRequest{})->fingerprint(),
            MakeMessage(EndTxnRequest{.committed = false})->fingerprint());
  EXPECT_NE(MakeMessage(AddOffsetsToTxnResponse{})->fingerprint(),
            MakeMessage(EndTxnResponse{})->fingerprint())
      << "the API counts";
}

}  // namespace
}  // namespace kafkasim::broker
