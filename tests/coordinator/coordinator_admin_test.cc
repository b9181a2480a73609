// What a coordinator tells administrators about its transactional ids.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "broker/messages_admin.h"
#include "tests/coordinator/txn_cluster.h"

namespace kafkasim::coordinator {
namespace {

using broker::DescribeTransactionsRequest;
using broker::DescribeTransactionsResponse;
using broker::ErrorCode;
using broker::ListTransactionsRequest;
using broker::ListTransactionsResponse;
using broker::ProducerId;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// pay-1 (producer 7 or another block's first) has a transaction on orders-0; pay-2 has none.
class CoordinatorAdmin : public ::testing::Test {
 protected:
  CoordinatorAdmin() {
    cluster_.Run(sim::Millis(10));
    first_ = cluster_.Init("pay-1");
    EXPECT_EQ(cluster_.Add("pay-1", first_, {"orders-0"}), ErrorCode::kNone);
    began_ms_ = cluster_.cluster().now().millis();
    second_ = cluster_.Init("pay-2");
  }

  ListTransactionsResponse List(const std::string& id, ListTransactionsRequest filters) {
    return *cluster_.Ask<ListTransactionsResponse>(cluster_.CoordinatorOf(id),
                                                   broker::MakeMessage(std::move(filters)));
  }
  // The ids that the coordinators of both list, without repetition.
  std::vector<std::string> Ids(const ListTransactionsRequest& filters) {
    std::vector<std::string> ids;
    for (const char* id : {"pay-1", "pay-2"}) {
      for (const auto& state : List(id, filters).transactions) {
        if (std::find(ids.begin(), ids.end(), state.transactional_id) == ids.end()) {
          ids.push_back(state.transactional_id);
        }
      }
    }
    return ids;
  }
  DescribeTransactionsResponse::TransactionState Describe(int32_t broker, const std::string& id) {
    return cluster_
        .Ask<DescribeTransactionsResponse>(
            broker, broker::MakeMessage(DescribeTransactionsRequest{.transactional_ids = {id}}))
        ->transactions.front();
  }

  TxnCluster cluster_{1};
  broker::InitProducerIdResponse first_;
  broker::InitProducerIdResponse second_;
  int64_t began_ms_ = 0;
};

TEST_F(CoordinatorAdmin, ListsAllIdsWithTheirStates) {
  const ListTransactionsResponse listed = List("pay-1", {});
  EXPECT_EQ(listed.error, ErrorCode::kNone);
  const auto& state = listed.transactions.front();
  EXPECT_EQ(state.transactional_id, "pay-1");
  EXPECT_EQ(state.producer_id, first_.producer_id);
  EXPECT_EQ(state.state, "Ongoing");
  EXPECT_THAT(Ids({}), ElementsAre("pay-1", "pay-2"));
}

TEST_F(CoordinatorAdmin, FiltersByStateAndTellsOfStatesThatItDoesNotKnow) {
  EXPECT_THAT(Ids({.state_filters = {"Empty"}}), ElementsAre("pay-2"));
  EXPECT_THAT(Ids({.state_filters = {"Empty", "Ongoing"}}), ElementsAre("pay-1", "pay-2"));
  const ListTransactionsResponse odd = List("pay-1", {.state_filters = {"ONGOING", "Lost"}});
  EXPECT_THAT(odd.unknown_state_filters, ElementsAre("ONGOING", "Lost"));
  EXPECT_THAT(odd.transactions, IsEmpty()) << "no state is left that could match";
}

TEST_F(CoordinatorAdmin, FiltersByProducerId) {
  EXPECT_THAT(Ids({.producer_id_filters = {second_.producer_id}}), ElementsAre("pay-2"));
  EXPECT_THAT(Ids({.producer_id_filters = {ProducerId(999'999)}}), IsEmpty());
}

// An id without a transaction has no start time, -1, and counts as very old.
TEST_F(CoordinatorAdmin, FiltersByDuration) {
  EXPECT_THAT(Ids({.duration_filter_ms = 10'000}), IsEmpty());
  cluster_.Run(sim::Millis(20'000));
  EXPECT_THAT(Ids({.duration_filter_ms = 10'000}), ElementsAre("pay-1", "pay-2"));
  EXPECT_THAT(Ids({.state_filters = {"Ongoing"}, .duration_filter_ms = 30'000}), IsEmpty());
}

TEST_F(CoordinatorAdmin, FiltersByAPatternForTheWholeId) {
  EXPECT_THAT(Ids({.transactional_id_pattern = "pay-[2-9]"}), ElementsAre("pay-2"));
  EXPECT_THAT(Ids({.transactional_id_pattern = "pay"}), IsEmpty());
  EXPECT_EQ(List("pay-1", {.transactional_id_pattern = "pay-["}).error,
            ErrorCode::kInvalidRegularExpression);
}

TEST_F(CoordinatorAdmin, DescribesAnOpenTransaction) {
  const auto state = Describe(cluster_.CoordinatorOf("pay-1"), "pay-1");
  EXPECT_EQ(state.error, ErrorCode::kNone);
  EXPECT_EQ(state.state, "Ongoing");
  EXPECT_EQ(state.producer_id, first_.producer_id);
  EXPECT_EQ(state.producer_epoch, first_.producer_epoch);
  EXPECT_EQ(state.timeout_ms, 60'000);
  EXPECT_GT(state.start_time_ms, 0);
  EXPECT_LE(state.start_time_ms, began_ms_);
  EXPECT_THAT(state.partitions, ElementsAre(cluster_.cluster().Id("orders-0")));
}

TEST_F(CoordinatorAdmin, RefusesWhatItDoesNotCoordinateOrKnow) {
  const int32_t coordinator = cluster_.CoordinatorOf("pay-1");
  EXPECT_EQ(Describe((coordinator + 1) % 3, "pay-1").error, ErrorCode::kNotCoordinator);
  EXPECT_EQ(Describe(cluster_.CoordinatorOf("nobody"), "nobody").error,
            ErrorCode::kTransactionalIdNotFound);
  EXPECT_EQ(Describe(coordinator, "").error, ErrorCode::kInvalidRequest);
}

// While any partition of the log is being read, nothing is listed: it might be incomplete.
TEST(CoordinatorAdminLoading, ListsNothingBeforeItsLogIsRead) {
  broker::ClusterSpec spec = TxnCluster::Spec(1);
  broker::TestCluster cluster(spec, [] {
    std::vector<std::unique_ptr<broker::Service>> services;
    services.push_back(std::make_unique<TransactionCoordinator>(
        TransactionCoordinator::Options{.load_time = sim::Seconds(5)}));
    return services;
  });
  cluster.Run(sim::Millis(10));
  const broker::PartitionId partition =
      *cluster.controller().image()->PartitionForKey(broker::kTransactionStateTopic, "pay-1");
  const int32_t leader = cluster.controller().image()->FindPartition(partition)->leader.value();
  (void)cluster.Send(
      leader, broker::MakeMessage(broker::InitProducerIdRequest{.transactional_id = "pay-1"}));
  cluster.Run(sim::Millis(500));
  (void)cluster.Send(
      leader, broker::MakeMessage(broker::InitProducerIdRequest{.transactional_id = "pay-1"}));
  cluster.Run(sim::Millis(500));
  cluster.Crash(leader);
  cluster.Run(sim::Seconds(10));
  const int32_t next = cluster.controller().image()->FindPartition(partition)->leader.value();
  ASSERT_NE(next, leader);
  // The session of the old leader has ended at 9 s or so; the new one loads for 5 s more.
  const size_t early = cluster.Send(next, broker::MakeMessage(ListTransactionsRequest{}));
  const size_t described = cluster.Send(
      next, broker::MakeMessage(DescribeTransactionsRequest{.transactional_ids = {"pay-1"}}));
  cluster.Run(sim::Millis(10));
  EXPECT_EQ(cluster.Answer<ListTransactionsResponse>(early).error,
            ErrorCode::kCoordinatorLoadInProgress);
  EXPECT_EQ(cluster.Answer<DescribeTransactionsResponse>(described).transactions.front().error,
            ErrorCode::kCoordinatorLoadInProgress);
  cluster.Run(sim::Seconds(6));
  const size_t late = cluster.Send(next, broker::MakeMessage(ListTransactionsRequest{}));
  cluster.Run(sim::Millis(10));
  EXPECT_EQ(cluster.Answer<ListTransactionsResponse>(late).transactions.at(0).transactional_id,
            "pay-1");
}

}  // namespace
}  // namespace kafkasim::coordinator
