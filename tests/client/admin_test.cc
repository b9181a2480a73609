// An administrator against a real cluster: what kafka-transactions.sh finds and repairs.
#include "client/admin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "broker/messages_transaction.h"
#include "tests/client/cluster_world.h"

namespace kafkasim::client {
namespace {

using broker::IsolationLevel;
using broker::Offset;
using broker::ProducerEpoch;
using broker::ProducerId;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

template <typename T>
std::vector<typename std::decay_t<decltype(T{}.rows)>::value_type> Rows(const CallResult& result) {
  EXPECT_TRUE(result.ok()) << result.error;
  return std::get<T>(std::get<AdminResult>(result.value).what).rows;
}

// A producer "pay-1" with one record in an open transaction on orders-0, and an administrator.
class AdminWorld : public ClusterWorld {
 public:
  explicit AdminWorld(int64_t transaction_version = 1, Adjust adjust = nullptr)
      : ClusterWorld(transaction_version, adjust),
        producer_(AddTransactional("p", "pay-1")),
        other_(AddTransactional("q", "pay-2")),
        reader_(AddConsumer("reader", IsolationLevel::kReadCommitted)),
        admin_(AddAdmin()) {
    Start();
    EXPECT_TRUE(Do(producer_, InitTransactions{}).ok());
    EXPECT_TRUE(Do(producer_, BeginTransaction{}).ok());
    EXPECT_TRUE(DoSend(producer_, kFirst, {"a"}).ok());
  }
  CallResult Ask(AdminCall call) { return Do(admin_, std::move(call)); }

  sim::ProcessId producer_;
  sim::ProcessId other_;
  sim::ProcessId reader_;
  sim::ProcessId admin_;
};

void WithoutVerification(broker::BrokerConfig& config) {
  config.transaction_partition_verification_enable = false;
}

// A record of pay-1's ended transaction comes late and opens a transaction that nobody knows of.
class HangingWorld : public AdminWorld {
 public:
  HangingWorld() : AdminWorld(1, &WithoutVerification) {
    EXPECT_TRUE(Do(producer_, AbortTransaction{}).ok());
    RunFor(sim::Millis(100));
    broker::RecordBatch batch = broker::MakeBatch({{.value = "late", .timestamp_ms = 0}});
    batch.producer_id = ProducerId(7);
    batch.producer_epoch = ProducerEpoch(0);
    batch.base_sequence = broker::Sequence(1);
    batch.transactional = true;
    batch.max_timestamp_ms = world().now().millis();
    broker::ProduceRequest late{.transactional_id = "pay-1"};
    late.partitions.push_back(
        {.partition = kFirst,
         .batch = std::make_shared<const broker::RecordBatch>(std::move(batch))});
    EXPECT_TRUE(Do(admin_, RawRequest{.to = sim::ProcessId(0),
                                      .request = broker::MakeMessage(std::move(late))})
                    .ok());
  }
};

TEST(Admin, DescribesTheProducersOfAPartition) {
  AdminWorld world;
  const auto rows = Rows<PartitionProducers>(world.Ask({DescribeProducers{{kFirst, kSecond}}}));
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_EQ(rows[0].partition, kFirst);
  EXPECT_EQ(rows[0].state.producer_id, ProducerId(7));
  EXPECT_EQ(rows[0].state.current_txn_start_offset, Offset(0));
}

TEST(Admin, ListsTheTransactionsOfAllCoordinatorsById) {
  AdminWorld world;
  EXPECT_TRUE(world.Do(world.other_, InitTransactions{}).ok());
  const auto rows = Rows<TransactionListings>(world.Ask({ListTransactions{}}));
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[0].state.transactional_id, "pay-1");
  EXPECT_EQ(rows[0].state.state, "Ongoing");
  EXPECT_EQ(broker::ProcessOf(rows[0].coordinator), world.CoordinatorOf("pay-1"));
  EXPECT_EQ(rows[1].state.transactional_id, "pay-2");
  EXPECT_EQ(rows[1].state.state, "Empty");
  EXPECT_THAT(Rows<TransactionListings>(world.Ask({ListTransactions{.states = {"Empty"}}})),
              SizeIs(1));
  EXPECT_EQ(world.Ask({ListTransactions{.pattern = "["}}).error.ExceptionName(),
            "InvalidRegularExpression");
}

TEST(Admin, DescribesATransactionAtItsCoordinator) {
  AdminWorld world;
  const auto rows = Rows<TransactionDescriptions>(world.Ask({DescribeTransactions{{"pay-1"}}}));
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_EQ(rows[0].state.state, "Ongoing");
  EXPECT_EQ(rows[0].state.timeout_ms, 60'000);
  EXPECT_THAT(rows[0].state.partitions, ElementsAre(kFirst));
  EXPECT_EQ(world.Ask({DescribeTransactions{{"nobody"}}}).error.ExceptionName(),
            "TransactionalIdNotFoundException");
}

TEST(FindHanging, LeavesOutWhatACoordinatorKnows) {
  AdminWorld world;
  world.RunFor(sim::Seconds(5));
  EXPECT_THAT(Rows<PartitionProducers>(world.Ask({FindHanging{
                  .partitions = {kFirst}, .max_transaction_timeout = sim::Seconds(1)}})),
              IsEmpty());
}

TEST(FindHanging, FindsATransactionThatNoCoordinatorWillEnd) {
  HangingWorld world;
  EXPECT_THAT(Rows<PartitionProducers>(world.Ask({FindHanging{.partitions = {kFirst}}})), IsEmpty())
      << "it is younger than 15 minutes";
  world.RunFor(sim::Seconds(901));
  const auto rows = Rows<PartitionProducers>(world.Ask({FindHanging{.partitions = {kFirst}}}));
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_EQ(rows[0].state.producer_id, ProducerId(7));
  EXPECT_EQ(rows[0].state.current_txn_start_offset, Offset(2)) << "a, ABORT, late";
}

// With a broker, all that it has is searched, internal topics too.
TEST(FindHanging, SearchesAllReplicasOfABroker) {
  HangingWorld world;
  world.RunFor(sim::Seconds(901));
  const CallResult found = world.Ask({FindHanging{.broker = broker::BrokerId(2)}});
  EXPECT_THAT(Rows<PartitionProducers>(found), SizeIs(1));
  EXPECT_EQ(found.requests, 6) << "DescribeProducers to one broker, ListTransactions to three, "
                                  "FindCoordinator, DescribeTransactions";
}

TEST(AbortTransaction, EndsAHangingTransactionWithAMarker) {
  HangingWorld world;
  EXPECT_EQ(world.LogOf(0, kFirst).last_stable_offset(), Offset(2));
  const CallResult aborted =
      world.Ask({AbortTransactionOn{.partition = kFirst, .start_offset = Offset(2)}});
  EXPECT_TRUE(aborted.ok()) << aborted.error;
  EXPECT_EQ(world.LogOf(0, kFirst).log_end_offset(), Offset(4));
  EXPECT_EQ(world.LogOf(0, kFirst).last_stable_offset(), Offset(4));
  EXPECT_THAT(world.ReadAll(world.reader_), IsEmpty());
}

TEST(AbortTransaction, NeedsATransactionThatStartsThere) {
  HangingWorld world;
  EXPECT_EQ(world.Ask({AbortTransactionOn{.partition = kFirst, .start_offset = Offset(1)}})
                .error.ExceptionName(),
            "IllegalArgumentException");
}

TEST(AbortTransaction, TakesAProducerByName) {
  HangingWorld world;
  EXPECT_EQ(world
                .Ask({AbortTransactionOn{.partition = kFirst,
                                         .producer_id = ProducerId(7),
                                         .producer_epoch = ProducerEpoch(-1)}})
                .error.ExceptionName(),
            "InvalidProducerEpochException");
  EXPECT_TRUE(world
                  .Ask({AbortTransactionOn{.partition = kFirst,
                                           .producer_id = ProducerId(7),
                                           .producer_epoch = ProducerEpoch(0)}})
                  .ok());
  EXPECT_EQ(world.LogOf(0, kFirst).last_stable_offset(), Offset(4));
}

class Fencing : public ::testing::TestWithParam<int64_t> {};
INSTANTIATE_TEST_SUITE_P(TransactionVersions, Fencing, ::testing::Values(1, 2),
                         [](const auto& level) { return "TV" + std::to_string(level.param); });

// The open transaction is aborted with epoch 1, then the id gets epoch 2, as by a new producer.
TEST_P(Fencing, EndsTheTransactionAndShutsTheProducerOut) {
  AdminWorld world(GetParam());
  const auto rows = Rows<FencedProducers>(world.Ask({FenceProducers{{"pay-1"}}}));
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_EQ(rows[0].producer_id, ProducerId(7));
  EXPECT_EQ(rows[0].epoch, ProducerEpoch(2));
  EXPECT_EQ(world.Do(world.producer_, CommitTransaction{}).error.code,
            broker::ErrorCode::kProducerFenced);
  EXPECT_THAT(world.ReadAll(world.reader_), IsEmpty());
}

// The admin's timeout becomes the id's transaction timeout; its next producer brings its own.
TEST_P(Fencing, LeavesItsTimeoutWithTheId) {
  AdminWorld world(GetParam());
  EXPECT_TRUE(world.Ask({FenceProducers{{"pay-1"}, sim::Seconds(5)}}).ok());
  const auto rows = Rows<TransactionDescriptions>(world.Ask({DescribeTransactions{{"pay-1"}}}));
  EXPECT_EQ(rows[0].state.timeout_ms, 5'000);
}

TEST_P(Fencing, ForceTerminateGivesNothing) {
  AdminWorld world(GetParam());
  const CallResult terminated = world.Ask({ForceTerminateTransaction{"pay-1"}});
  EXPECT_TRUE(terminated.ok()) << terminated.error;
  EXPECT_TRUE(std::holds_alternative<std::monostate>(terminated.value));
  EXPECT_EQ(world.LogOf(0, kFirst).last_stable_offset(), Offset(2));
}

TEST(ListOffsets, FollowsTimestampAndIsolationLevel) {
  AdminWorld world;
  const auto offset = [&](int64_t timestamp, IsolationLevel level) {
    const CallResult result = world.Ask({ListOffsets{{kFirst}, timestamp, level}});
    return std::get<PartitionOffsets>(result.value).rows.at(0).offset;
  };
  EXPECT_EQ(offset(broker::kEarliestTimestamp, IsolationLevel::kReadUncommitted), Offset(0));
  EXPECT_EQ(offset(broker::kLatestTimestamp, IsolationLevel::kReadUncommitted), Offset(1));
  EXPECT_EQ(offset(broker::kLatestTimestamp, IsolationLevel::kReadCommitted), Offset(0));
  EXPECT_EQ(offset(broker::kMaxTimestamp, IsolationLevel::kReadUncommitted), Offset(0));
  EXPECT_EQ(offset(10'000'000, IsolationLevel::kReadUncommitted), broker::kNoOffset);
}

TEST(ElectLeaders, PutsThePreferredReplicaBack) {
  AdminWorld world;
  EXPECT_EQ(world.Ask({ElectLeaders{kFirst}}).error.ExceptionName(), "ElectionNotNeededException");
  world.Crash(sim::ProcessId(0));
  world.RunFor(sim::Seconds(15));
  world.Restart(sim::ProcessId(0));
  world.RunFor(sim::Seconds(15));
  const auto leader = [&] {
    const auto& controller =
        static_cast<const broker::Controller&>(world.world().process(world.cluster().controller));
    return controller.image()->FindPartition(kFirst)->leader;
  };
  ASSERT_EQ(leader(), broker::BrokerId(1));
  EXPECT_TRUE(world.Ask({ElectLeaders{kFirst}}).ok());
  EXPECT_EQ(leader(), broker::BrokerId(0));
}

TEST(Admin, CallsDoNotWaitForEachOther) {
  AdminWorld world;
  const CallId first = world.Give(world.admin_, AdminCall{DescribeTransactions{{"pay-1"}}});
  const CallId second = world.Give(world.admin_, AdminCall{ListOffsets{{kFirst}}});
  EXPECT_TRUE(world.Await(world.admin_, first).ok());
  EXPECT_TRUE(world.Await(world.admin_, second).ok());
}

// Java's client does not look a key up again because it cannot connect to its broker.
TEST(Admin, AKeyWaitsForTheBrokerThatItWasFoundAt) {
  AdminWorld world;
  world.Crash(world.CoordinatorOf("pay-1"));
  EXPECT_EQ(world.Ask({DescribeTransactions{{"pay-1"}}}).error.ExceptionName(), "TimeoutException");
  const CallResult described = world.Ask({DescribeTransactions{{"pay-1"}}});
  EXPECT_EQ(Rows<TransactionDescriptions>(described).at(0).state.state, "Ongoing")
      << "another broker coordinates it by now";
}

// What is under way is part of the world's value.
TEST(Admin, ACopyOfTheWorldInTheMiddleOfACallEndsInTheSameState) {
  HangingWorld world;
  world.RunFor(sim::Seconds(901));
  (void)world.Give(world.admin_, AdminCall{FindHanging{.broker = broker::BrokerId(1)}});
  for (int i = 0; i < 6; ++i) world.world().Step(nullptr);
  sim::World copy = world.world();
  const sim::Fingerprint before = copy.fingerprint();
  const sim::Time end = world.world().now() + sim::Seconds(5);
  world.world().RunUntil(end, nullptr);
  EXPECT_EQ(copy.fingerprint(), before);
  copy.RunUntil(end, nullptr);
  EXPECT_EQ(copy.fingerprint(), world.world().fingerprint());
}

}  // namespace
}  // namespace kafkasim::client
