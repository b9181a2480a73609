#include "cli/outside_tables.h"

#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/plain_look.h"

namespace kafkasim::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Programs, ShowTheLineOrWhatEndedThem) {
  scenarios::Snapshot snapshot;
  scenarios::ActorView running;
  running.name = "enrichment";
  running.program = scenarios::ProgramView{.state = "running", .line = 12, .text = "poll"};
  scenarios::ActorView dead;
  dead.name = "zombie";
  dead.program = scenarios::ProgramView{
      .state = "crashed",
      .uncaught = client::ErrorFromCode(broker::ErrorCode::kProducerFenced,
                                        client::ErrorClass::kFatal, "epoch 0 is older than 1")};
  snapshot.actors = {running, dead};
  const std::string table = Print(DrawPrograms(snapshot, kLook));
  EXPECT_THAT(table, HasSubstr(" enrichment   running  line 12: poll\n"));
  EXPECT_THAT(table, HasSubstr(" zombie       crashed  ProducerFencedException: epoch 0 is older"));
}

TEST(Programs, AreLeftOutIfThereAreNone) {
  EXPECT_THAT(DrawPrograms(scenarios::Snapshot{}, kLook), IsEmpty());
  EXPECT_THAT(DrawOutside(scenarios::Snapshot{}, kLook), IsEmpty());
}

TEST(Outside, ShowsRowsAndCalls) {
  scenarios::Snapshot snapshot;
  scenarios::ActorView store;
  store.name = "commissions";
  store.role = scenarios::ProcessRole::kStore;
  store.rows = {{{"order_id", "42"}}, {{"order_id", "77"}}};
  store.refused = 1;
  scenarios::ActorView api;
  api.name = "payments";
  api.role = scenarios::ProcessRole::kApi;
  api.calls = 2;
  api.effects = {"charge"};
  snapshot.actors = {store, api};
  const std::string table = Print(DrawOutside(snapshot, kLook));
  EXPECT_THAT(table, HasSubstr("2 rows, 1 refused"));
  EXPECT_THAT(table, HasSubstr("{order_id=42} {order_id=77}"));
  EXPECT_THAT(table, HasSubstr("2 calls, 1 with an effect"));
}

}  // namespace
}  // namespace kafkasim::cli
