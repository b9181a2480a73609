// Raw requests of an administrator, against scripted brokers.
#include "client/raw_requests.h"

#include <gtest/gtest.h>

#include "broker/messages_transaction.h"
#include "client/admin.h"
#include "tests/client/client_world.h"

namespace kafkasim::client {
namespace {

using broker::ApiKey;
using broker::ErrorCode;

class RawWorld : public ClientWorld {
 public:
  RawWorld() { Start(std::make_unique<Admin>(Options(), AdminConfig{})); }
};

Operation EndTxn() {
  return RawRequest{
      .to = sim::ProcessId(0),
      .request = broker::MakeMessage(broker::EndTxnRequest{.version = 5, .transactional_id = "t"}),
      .timeout = sim::Seconds(1)};
}

TEST(RawRequests, GivesTheAnswerAsItIs) {
  RawWorld world;
  world.Answer(0, ApiKey::kEndTxn, {ErrorCode::kInvalidTxnState});
  const CallResult result = world.Do(EndTxn());
  ASSERT_TRUE(result.ok());
  const auto& payload = std::get<RawResponse>(result.value).payload;
  EXPECT_EQ(broker::BodyOf<broker::EndTxnResponse>(*payload).error, ErrorCode::kInvalidTxnState);
}

TEST(RawRequests, GivesUpWithoutAnAnswer) {
  RawWorld world;
  world.Answer(0, ApiKey::kEndTxn, {std::nullopt});
  const CallResult result = world.Do(EndTxn());
  EXPECT_EQ(result.error.ExceptionName(), "TimeoutException");
  EXPECT_EQ(result.finished - result.started, sim::Seconds(1));
  EXPECT_TRUE(world.Do(EndTxn()).ok());
}

TEST(RawRequests, TellsOfABrokenConnection) {
  RawWorld world;
  world.world().Crash(sim::ProcessId(0), sim::CrashKind::kProcess, &world.log());
  EXPECT_EQ(world.Do(EndTxn()).error.ExceptionName(), "DisconnectException");
}

TEST(RawRequests, HasSeveralRequestsOpenAtOnce) {
  RawWorld world;
  const CallId first = world.Give(EndTxn());
  const CallId second = world.Give(EndTxn());
  EXPECT_TRUE(world.Await(second).ok());
  EXPECT_TRUE(world.Result(first).ok());
}

TEST(RawRequests, KnowsNoOtherCalls) {
  RawWorld world;
  EXPECT_EQ(world.Do(Poll{}).error.ExceptionName(), "IllegalArgumentException");
}

}  // namespace
}  // namespace kafkasim::client
