// Which errors an administrator's client asks again after, against scripted brokers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "broker/messages_admin.h"
#include "client/admin.h"
#include "tests/client/client_world.h"

namespace kafkasim::client {
namespace {

using broker::ApiKey;
using broker::ErrorCode;
using broker::Offset;
using ::testing::SizeIs;

class ScriptedAdmin : public ClientWorld {
 public:
  explicit ScriptedAdmin(const AdminConfig& config = {}) {
    Start(std::make_unique<Admin>(Options(), config));
  }
  size_t Count(int broker, ApiKey api) { return TimesOf(broker, api).size(); }
};

const AdminCall kProducersOf0{DescribeProducers{{kOrders0}}};
const AdminCall kPay1{DescribeTransactions{{"pay-1"}}};

TEST(AdminRetries, ALeaderThatIsNoneAnyMoreIsLookedUpAgain) {
  ScriptedAdmin world;
  world.Answer(0, ApiKey::kDescribeProducers, {ErrorCode::kNotLeaderOrFollower});
  const CallResult result = world.Do(kProducersOf0);
  EXPECT_TRUE(result.ok()) << result.error;
  EXPECT_EQ(world.Count(0, ApiKey::kDescribeProducers), 2u);
  EXPECT_EQ(world.Count(0, ApiKey::kMetadata), 2u) << "one for the call, one for the new leader";
}

TEST(AdminRetries, OfAGivenBrokerNotLeaderIsTheAnswer) {
  ScriptedAdmin world;
  world.Answer(1, ApiKey::kDescribeProducers, {ErrorCode::kNotLeaderOrFollower});
  const CallResult result = world.Do(AdminCall{DescribeProducers{{kOrders0}, broker::BrokerId(1)}});
  EXPECT_EQ(result.error.ExceptionName(), "NotLeaderOrFollowerException");
}

TEST(AdminRetries, ACoordinatorThatLoadsIsAskedAgainWithoutALookup) {
  ScriptedAdmin world;
  world.Answer(0, ApiKey::kDescribeTransactions,
               {ErrorCode::kCoordinatorLoadInProgress, ErrorCode::kCoordinatorLoadInProgress});
  const CallResult result = world.Do(kPay1);
  EXPECT_TRUE(result.ok()) << result.error;
  EXPECT_EQ(world.Count(0, ApiKey::kFindCoordinator), 1u);
  const auto times = world.TimesOf(0, ApiKey::kDescribeTransactions);
  ASSERT_THAT(times, SizeIs(3));
  // retry.backoff.ms after the answer, then twice as long; 2 ms there and back.
  EXPECT_EQ(times[1] - times[0], sim::Millis(102));
  EXPECT_EQ(times[2] - times[1], sim::Millis(202));
}

TEST(AdminRetries, ABrokerThatIsNotTheCoordinatorCostsALookup) {
  ScriptedAdmin world;
  world.Answer(0, ApiKey::kDescribeTransactions,
               {ErrorCode::kNotCoordinator, ErrorCode::kCoordinatorNotAvailable});
  EXPECT_TRUE(world.Do(kPay1).ok());
  EXPECT_EQ(world.Count(0, ApiKey::kFindCoordinator), 3u);
}

TEST(AdminRetries, TheLookupItselfIsRepeated) {
  ScriptedAdmin world;
  world.Answer(0, ApiKey::kFindCoordinator, {ErrorCode::kCoordinatorNotAvailable});
  EXPECT_TRUE(world.Do(kPay1).ok());
  EXPECT_EQ(world.Count(0, ApiKey::kFindCoordinator), 2u);
}

TEST(AdminRetries, FencingWaitsUntilTheOpenTransactionIsAborted) {
  ScriptedAdmin world;
  world.Answer(0, ApiKey::kInitProducerId,
               {ErrorCode::kConcurrentTransactions, ErrorCode::kConcurrentTransactions});
  const CallResult result = world.Do(AdminCall{FenceProducers{{"pay-1"}}});
  EXPECT_TRUE(result.ok()) << result.error;
  const auto requests = world.Received<broker::InitProducerIdRequest>(0);
  ASSERT_THAT(requests, SizeIs(3));
  EXPECT_EQ(requests[0].producer_id, broker::kNoProducerId);
  EXPECT_EQ(requests[0].transaction_timeout_ms, 30'000) << "request.timeout.ms";
}

TEST(AdminRetries, AMarkerThatTheLeaderRefusesIsNotRepeated) {
  for (const auto& [error, name] :
       {std::pair{ErrorCode::kInvalidProducerEpoch, "InvalidProducerEpochException"},
        std::pair{ErrorCode::kTransactionCoordinatorFenced,
                  "TransactionCoordinatorFencedException"}}) {
    ScriptedAdmin world;
    world.Answer(0, ApiKey::kWriteTxnMarkers, {error});
    const CallResult result = world.Do(
        AdminCall{AbortTransactionOn{.partition = kOrders0, .producer_id = broker::ProducerId(7)}});
    EXPECT_EQ(result.error.ExceptionName(), name);
    EXPECT_EQ(world.Count(0, ApiKey::kWriteTxnMarkers), 1u);
  }
}

TEST(AdminRetries, AListingThatIsIncompleteIsAskedForAgain) {
  ScriptedAdmin world;
  world.Answer(1, ApiKey::kListTransactions, {ErrorCode::kCoordinatorLoadInProgress});
  EXPECT_TRUE(world.Do(AdminCall{ListTransactions{}}).ok());
  EXPECT_EQ(world.Count(0, ApiKey::kListTransactions), 1u);
  EXPECT_EQ(world.Count(1, ApiKey::kListTransactions), 2u);
}

TEST(AdminRetries, EndAfterTheApiTimeout) {
  ScriptedAdmin world({.default_api_timeout_ms = 5'000});
  world.Answer(0, ApiKey::kDescribeTransactions,
               std::vector<std::optional<ErrorCode>>(50, ErrorCode::kCoordinatorLoadInProgress));
  const CallResult result = world.Do(kPay1);
  EXPECT_EQ(result.error.ExceptionName(), "TimeoutException");
  EXPECT_EQ(result.finished - result.started, sim::Seconds(5));
}

TEST(AdminRetries, ALostConnectionIsAReasonToAskAgain) {
  ScriptedAdmin world({.request_timeout_ms = 1'000});
  world.Answer(0, ApiKey::kDescribeProducers, {std::nullopt});
  const CallResult result = world.Do(kProducersOf0);
  EXPECT_TRUE(result.ok()) << result.error;
  EXPECT_EQ(result.requests, 2);
}

// KafkaAdminClient has one request under way on a connection.
TEST(AdminRetries, KeysOfOneBrokerAreAskedOneAfterTheOther) {
  ScriptedAdmin world;
  EXPECT_TRUE(world.Do(AdminCall{FenceProducers{{"pay-1", "pay-2", "pay-3"}}}).ok());
  const auto times = world.TimesOf(0, ApiKey::kInitProducerId);
  ASSERT_THAT(times, SizeIs(3));
  EXPECT_GE(times[1] - times[0], sim::Millis(2)) << "there and back";
  EXPECT_GE(times[2] - times[1], sim::Millis(2));
}

TEST(AdminRetries, ItIsSilentBetweenCalls) {
  ScriptedAdmin world;
  EXPECT_TRUE(world.Do(kPay1).ok());
  world.RunFor(sim::Seconds(3600));
  EXPECT_EQ(world.world().NextEventAt(), std::nullopt);
}

}  // namespace
}  // namespace kafkasim::client
