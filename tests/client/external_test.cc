// The world outside Kafka: client/external_store.h, client/external_api.h.
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/application.h"
#include "client/external_api.h"
#include "client/external_store.h"
#include "sim/world.h"
#include "tests/client/program_builder.h"

namespace kafkasim::client {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A database, a service, and an application that runs `lines` once.
class OutsideWorld {
 public:
  OutsideWorld(ExternalStore::Options store, ExternalApi::Options api, const TestLines& lines,
               const std::function<void(ProgramBuilder&)>& adjust = {})
      : world_(sim::World::Options{}) {
    store_ = world_.AddProcess("db", std::make_unique<ExternalStore>(std::move(store)));
    api_ = world_.AddProcess("payments", std::make_unique<ExternalApi>(std::move(api)));
    ProgramBuilder builder(lines);
    if (adjust) adjust(builder);
    app_ = world_.AddProcess(
        "app", std::make_unique<Application>(Application::Options{.program = builder.Build()}));
    world_.Start(nullptr);
  }

  void Run(sim::Duration duration = sim::Seconds(60)) {
    world_.Command(app_, MakeProgramOrder(ProgramOrder::Kind::kStart), nullptr);
    world_.RunUntil(world_.now() + duration, nullptr);
  }
  const ExternalStore& store() const {
    return static_cast<const ExternalStore&>(world_.process(store_));
  }
  const ExternalApi& api() const { return static_cast<const ExternalApi&>(world_.process(api_)); }
  const Application& app() const { return static_cast<const Application&>(world_.process(app_)); }
  sim::World& world() { return world_; }
  sim::ProcessId app_id() const { return app_; }
  sim::ProcessId api_id() const { return api_; }

  static constexpr sim::ProcessId kStore{0};
  static constexpr sim::ProcessId kApi{1};

 private:
  sim::World world_;
  sim::ProcessId store_;
  sim::ProcessId api_;
  sim::ProcessId app_;
};

TestLine Insert(std::string id, bool skip = false, ExternalVerb verb = ExternalVerb::kInsert,
                std::string amount = "15.00") {
  return Leaf("insert", ExternalLine{.to = OutsideWorld::kStore,
                                     .verb = verb,
                                     .row = {{"order_id", TextTemplate::Parse(id)},
                                             {"amount", TextTemplate::Parse(amount)}},
                                     .skip_duplicates = skip});
}
TestLine CallApi(std::string with, std::optional<std::string> key = std::nullopt) {
  ExternalLine line{.to = OutsideWorld::kApi, .with = TextTemplate::Parse(with)};
  if (key.has_value()) line.idempotency_key = TextTemplate::Parse(*key);
  return Leaf("call", std::move(line));
}

TEST(ExternalStore, WithoutAUniqueConstraintARowIsThereTwice) {
  OutsideWorld outside({}, {}, {Insert("42"), Insert("42")});
  outside.Run();
  EXPECT_EQ(outside.store().rows().size(), 2u);
  EXPECT_EQ(outside.app().state(), Application::State::kThrough);
}

TEST(ExternalStore, AUniqueConstraintRefusesTheSecondRow) {
  OutsideWorld outside({.unique = {"order_id"}}, {}, {Insert("42"), Insert("42"), Insert("77")});
  outside.Run();
  EXPECT_EQ(outside.store().rows().size(), 1u);
  EXPECT_EQ(outside.store().refused(), 1);
  EXPECT_EQ(outside.app().state(), Application::State::kFailed);
  EXPECT_EQ(outside.app().uncaught().ExceptionName(), "DuplicateKeyException");
}

TEST(ExternalStore, OnConflictDoNothingGoesOn) {
  OutsideWorld outside({.unique = {"order_id"}}, {},
                       {Insert("42"), Insert("42", /*skip=*/true), Insert("77")});
  outside.Run();
  EXPECT_EQ(outside.store().rows().size(), 2u);
  EXPECT_EQ(outside.store().refused(), 1);
  EXPECT_EQ(outside.app().state(), Application::State::kThrough);
}

TEST(ExternalStore, AnUpsertReplacesTheRow) {
  OutsideWorld outside({.unique = {"order_id"}}, {},
                       {Insert("42", false, ExternalVerb::kUpsert, "15.00"),
                        Insert("42", false, ExternalVerb::kUpsert, "16.00")});
  outside.Run();
  EXPECT_THAT(outside.store().rows(), ElementsAre(Row{{"order_id", "42"}, {"amount", "16.00"}}));
  EXPECT_EQ(outside.store().refused(), 0);
}

TEST(ExternalApi, EveryCallHasItsEffect) {
  OutsideWorld outside({}, {}, {CallApi("charge 15"), CallApi("charge 15", "42")});
  outside.Run();
  EXPECT_EQ(outside.api().calls(), 2);
  EXPECT_THAT(outside.api().effects(), ElementsAre("charge 15", "charge 15"));
}

TEST(ExternalApi, AKnownIdempotencyKeyHasNone) {
  OutsideWorld outside({}, {.idempotency_keys = true},
                       {CallApi("charge 15", "42"), CallApi("charge 15", "42"),
                        CallApi("charge 9", "77"), CallApi("charge 1")});
  outside.Run();
  EXPECT_EQ(outside.api().calls(), 4);
  EXPECT_THAT(outside.api().effects(), ElementsAre("charge 15", "charge 9", "charge 1"));
}

TEST(ExternalApi, ItsAnswerIsAtHandInTheNextLines) {
  OutsideWorld outside({}, {.answer = "seller of {with}"}, {CallApi("42"), Insert("{answer}")});
  outside.Run();
  EXPECT_THAT(outside.store().rows(),
              ElementsAre(Row{{"order_id", "seller of 42"}, {"amount", "15.00"}}));
}

TEST(ExternalApi, ACallThatFailsHasNoEffectAndThrows) {
  OutsideWorld outside({}, {.fails = {1}}, {CallApi("charge 15")});
  outside.Run();
  EXPECT_EQ(outside.api().calls(), 1);
  EXPECT_THAT(outside.api().effects(), IsEmpty());
  EXPECT_EQ(outside.app().uncaught().ExceptionName(), "ExternalServiceException");
}

TEST(ExternalApi, ALostAnswerIsATimeoutAfterTheEffect) {
  OutsideWorld outside({}, {}, {CallApi("charge 15")}, [](ProgramBuilder& builder) {
    builder.OnError({.catches = ErrorHandler::Catches::kException, .exception = "TimeoutException"},
                    {Ends(EndKind::kRetry)});
  });
  outside.world().AddRule({.action = sim::MessageAction::kDrop, .api = "call", .answer = true});
  outside.Run();
  EXPECT_EQ(outside.api().calls(), 2) << "the application asked again";
  EXPECT_THAT(outside.api().effects(), ElementsAre("charge 15", "charge 15"));
  EXPECT_EQ(outside.app().state(), Application::State::kThrough);
}

TEST(ExternalApi, ACrashBeforeTheAnswerIsADisconnect) {
  OutsideWorld outside({}, {.latency = sim::Seconds(1)}, {CallApi("charge 15")});
  outside.Run(sim::Millis(500));
  outside.world().Crash(outside.api_id(), sim::CrashKind::kProcess, nullptr);
  outside.world().RunUntil(sim::Time{} + sim::Seconds(2), nullptr);
  EXPECT_EQ(outside.app().uncaught().ExceptionName(), "DisconnectException");
  EXPECT_THAT(outside.api().effects(), ElementsAre("charge 15")) << "what was done stays done";
}

}  // namespace
}  // namespace kafkasim::client
