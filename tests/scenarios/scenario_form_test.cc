// What a good file becomes: the syntax tree, construct by construct.

#include "scenarios/scenario_form.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scenarios/loading.h"
#include "tests/source_directory.h"

namespace kafkasim::scenarios {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Scenario Everything() {
  const LoadResult result = LoadScenarioFile(SourceDirectory() / "tests/scenarios/everything.yaml");
  EXPECT_EQ(result.Report(), "");
  return result.scenario.value_or(Scenario{});
}

TEST(ScenarioForm, ReadsWhatASearchMayDoAndIsToFind) {
  const Scenario scenario = Everything();
  ASSERT_TRUE(scenario.explore.has_value());
  EXPECT_EQ(scenario.explore->holds, 1);
  EXPECT_EQ(scenario.explore->until_us, 90'000'000);
  EXPECT_EQ(scenario.explore->states, 1000);
  ASSERT_EQ(scenario.explore->breaks.size(), 2u);
  const Scenario patient = ForVariant(scenario, 2);
  ASSERT_EQ(patient.explore->breaks.size(), 1u);
  EXPECT_EQ(patient.explore->breaks[0].invariant.value, "lso_is_first_undecided");
  EXPECT_THAT(ForVariant(scenario, 1).explore->breaks, IsEmpty());
}

TEST(ScenarioForm, AVariantMaySwitchRulesOff) {
  const Scenario scenario = Everything();
  EXPECT_TRUE(ForVariant(scenario, 0).bugs.empty());
  EXPECT_EQ(ForVariant(scenario, 2).bugs, broker::Bugs{broker::Bug::kLsoIsHighWatermark});
}

TEST(ScenarioForm, ReadsTheHead) {
  const Scenario scenario = Everything();
  EXPECT_EQ(scenario.title, "A tour of the language");
  EXPECT_THAT(scenario.shows, ElementsAre("S-20", "D4"));
  EXPECT_THAT(scenario.teaches, ElementsAre("fencing"));
}

TEST(ScenarioForm, ReadsTheCluster) {
  const ClusterSpec cluster = Everything().cluster;
  EXPECT_EQ(cluster.brokers, 3);
  EXPECT_EQ(cluster.config.Integer("transaction.version"), 1);
  EXPECT_EQ(cluster.config.Integer("replica.lag.time.max.ms"), 10'000);
  EXPECT_EQ(cluster.config.Integer("transaction.max.timeout.ms"), std::nullopt);
  EXPECT_EQ(cluster.next_producer_id, 7);
  EXPECT_EQ(cluster.seed, 42u);
  EXPECT_EQ(cluster.network.latency.min_us, 1'000);
  EXPECT_EQ(cluster.network.latency.max_us, 2'000);
  ASSERT_EQ(cluster.network.links.size(), 1u);
  EXPECT_EQ(cluster.network.links[0].to.broker, 1);
  EXPECT_EQ(cluster.network.links[0].latency.min_us, 3'000'000);
}

TEST(ScenarioForm, ReadsTopics) {
  const std::vector<TopicSpec> topics = Everything().topics;
  ASSERT_EQ(topics.size(), 3u);
  EXPECT_EQ(topics[0].name.value, "orders");
  EXPECT_EQ(topics[0].partitions, 2);
  EXPECT_EQ(topics[0].config.Integer("min.insync.replicas"), 2);
  ASSERT_EQ(topics[0].leaders.size(), 2u);
  EXPECT_EQ(topics[0].leaders[1].broker, 2);
  EXPECT_THAT(topics[1].assignment, ElementsAre(ElementsAre(0, 1), ElementsAre(2, 1)));
  EXPECT_EQ(topics[1].partitions, std::nullopt);
  EXPECT_TRUE(topics[2].internal);
  EXPECT_EQ(topics[2].leaders.at(0).partition, 21);
}

TEST(ScenarioForm, ReadsActors) {
  const std::vector<ActorSpec> actors = Everything().actors;
  ASSERT_EQ(actors.size(), 11u);
  EXPECT_EQ(actors[0].config.Text("transactional.id"), "pay-1");
  EXPECT_EQ(actors[0].config.Integer("transaction.timeout.ms"), 60'000);
  EXPECT_EQ(actors[2].role, ActorSpec::Role::kProducer);
  EXPECT_THAT(actors[2].config.entries, IsEmpty());
  EXPECT_EQ(actors[3].role, ActorSpec::Role::kConsumer);
  EXPECT_THAT(actors[3].assign, ElementsAre(PartitionName{"orders", 0}));
  EXPECT_EQ(actors[5].role, ActorSpec::Role::kAdmin);
  EXPECT_EQ(actors[10].config.Integer("default.api.timeout.ms"), 300'000);
}

TEST(ScenarioForm, ReadsApplicationsStoresAndApis) {
  const std::vector<ActorSpec> actors = Everything().actors;
  ASSERT_EQ(actors.size(), 11u);
  EXPECT_THAT(actors[6].store.unique, ElementsAre("order_id"));
  EXPECT_EQ(actors[6].store.latency_us, 2'000);
  EXPECT_TRUE(actors[7].api.idempotency_keys);
  EXPECT_THAT(actors[7].api.fails, ElementsAre(2, 3));
  EXPECT_EQ(actors[8].role, ActorSpec::Role::kApi);
  const ApplicationSpec& application = actors[9].application;
  EXPECT_EQ(application.consumer->subscribe.at(0).value, "orders");
  EXPECT_EQ(application.consumer->config.Text("group.id"), "enrichment");
  EXPECT_EQ(application.producer->config.Text("transactional.id"), "enrichment-service-1");
  EXPECT_EQ(application.restart_after_us, 5'000'000);
  ASSERT_EQ(application.program->lines.size(), 3u);
  EXPECT_EQ(application.program->lines[0].verb, "init_transactions");
  EXPECT_EQ(std::get<ProgramBlock>(application.program->lines[1].what).times, 2);
  EXPECT_EQ(std::get<ProgramBlock>(application.program->lines[2].what).lines.size(), 12u);
  EXPECT_EQ(application.program->on_revoked->size(), 1u);
  ASSERT_EQ(application.program->on_error.size(), 4u);
  EXPECT_EQ(application.program->on_error[0].catches.code, broker::ErrorCode::kProducerFenced);
  EXPECT_EQ(application.program->on_error[1].catches.exception, "TimeoutException");
  EXPECT_EQ(application.program->on_error[2].catches.error_class, client::ErrorClass::kAbortable);
  EXPECT_EQ(application.program->on_error[3].catches.catches, client::ErrorHandler::Catches::kAny);
}

TEST(ScenarioForm, AssignsAWholeTopic) {
  const LoadResult result = LoadScenarioText(
      "f",
      "title: t\ntopics: {a: {partitions: 2}}\nactors: {c: {consumer: {assign: [a]}}}\n"
      "steps: []\n");
  ASSERT_TRUE(result.scenario.has_value()) << result.Report();
  EXPECT_THAT(result.scenario->actors.at(0).assign,
              ElementsAre(PartitionName{"a", 0}, PartitionName{"a", 1}));
}

TEST(ScenarioForm, ReadsAnActionAndWhatStandsBesideIt) {
  const Step step = StepOf(
      "  - old: {send: {to: orders-0, key: 42, value: paid}}\n"
      "    returns: {offset: 0}\n"
      "    because: it is the first\n");
  EXPECT_EQ(step.mark, (Mark{8, 5}));
  EXPECT_EQ(step.because, "it is the first");
  const Action* action = std::get_if<Action>(&step.what);
  ASSERT_NE(action, nullptr);
  EXPECT_EQ(action->actor.value, "old");
  EXPECT_EQ(action->verb, "send");
  const auto& send = std::get<Send>(action->operation);
  EXPECT_EQ(send.to.topic, "orders");
  EXPECT_EQ(send.to.partition, 0);
  EXPECT_EQ(send.key, "42");
  EXPECT_THAT(send.values, ElementsAre("paid"));
  ASSERT_TRUE(action->outcome.returns.has_value());
  const auto& result = std::get<SendResult>(action->outcome.returns->what);
  EXPECT_TRUE(result.offset->Matches(0));
  EXPECT_FALSE(result.offset->Matches(1));
  EXPECT_EQ(action->outcome.returns->mark, (Mark{9, 14}));
}

TEST(ScenarioForm, ReadsASendAtARate) {
  const auto action =
      BodyIn<Action>("  - old: {send: {to: orders, value: v, rate: 150/s, for: 60s}}\n");
  const auto& send = std::get<Send>(action.operation);
  EXPECT_EQ(send.to.partition, std::nullopt);
  EXPECT_EQ(send.rate_per_second, 150);
  EXPECT_EQ(send.for_us, 60'000'000);
}

TEST(ScenarioForm, GivesAVerbAboutOnePartitionTheOnlyOneAssigned) {
  const auto position = BodyIn<Action>("  - billing: position\n    returns: 7\n");
  EXPECT_EQ(std::get<Position>(position.operation).partition, (PartitionName{"orders", 0}));
  const auto& rows = std::get<OffsetsResult>(position.outcome.returns->what).rows;
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_TRUE(rows[0].offset.Matches(7));
  const auto seek = BodyIn<Action>("  - billing: {seek: {offset: 3, partition: orders-1}}\n");
  EXPECT_EQ(std::get<Seek>(seek.operation).partition, (PartitionName{"orders", 1}));
  EXPECT_EQ(std::get<Seek>(seek.operation).offset, 3);
}

TEST(ScenarioForm, ReadsPollsInBothNotations) {
  const auto list = BodyIn<Action>("  - billing: poll\n    returns: [\"old:a @0\", b]\n");
  EXPECT_EQ(std::get<PollResult>(list.outcome.returns->what).records->size(), 2u);
  const auto empty = BodyIn<Action>("  - billing: poll\n    returns: []\n");
  EXPECT_THAT(*std::get<PollResult>(empty.outcome.returns->what).records, IsEmpty());
  const auto full = BodyIn<Action>(
      "  - billing: {poll: {timeout: 500ms, max_records: 2}}\n    returns: {offsets: [1, 3], "
      "count: 2}\n");
  EXPECT_EQ(std::get<Poll>(full.operation).timeout_us, 500'000);
  EXPECT_EQ(std::get<Poll>(full.operation).max_records, 2);
  EXPECT_THAT(*std::get<PollResult>(full.outcome.returns->what).offsets, ElementsAre(1, 3));
}

TEST(ScenarioForm, ReadsFailures) {
  const auto code = BodyIn<Action>("  - old: commit_transaction\n    fails: PRODUCER_FENCED\n");
  EXPECT_EQ(code.outcome.fails->error, "PRODUCER_FENCED");
  EXPECT_EQ(code.outcome.fails->exception, std::nullopt);
  const auto both = BodyIn<Action>(
      "  - old: flush\n    fails: {error: PRODUCER_FENCED, exception: KafkaException}\n");
  EXPECT_EQ(both.outcome.fails->exception, "KafkaException");
  const auto exception = BodyIn<Action>("  - old: flush\n    fails: IllegalStateException\n");
  EXPECT_EQ(exception.outcome.fails->error, std::nullopt);
  EXPECT_EQ(exception.outcome.fails->exception, "IllegalStateException");
}

TEST(ScenarioForm, ReadsRawRequests) {
  const auto action = BodyIn<Action>(
      "  - tool: {raw: {api: EndTxn, to: coordinator of pay-1, version: 4, transactional_id: "
      "pay-1,\n"
      "                 producer_id: 7, producer_epoch: -1, committed: false}}\n"
      "    returns: {error: PRODUCER_FENCED, producer_epoch: 3}\n");
  const auto& raw = std::get<RawRequest>(action.operation);
  EXPECT_EQ(raw.api, "EndTxn");
  EXPECT_EQ(raw.to.kind, ProcessName::Kind::kCoordinatorOf);
  EXPECT_EQ(raw.version, 4);
  ASSERT_NE(raw.Find("committed"), nullptr);
  EXPECT_EQ(std::get<bool>(raw.Find("committed")->value), false);
  EXPECT_EQ(std::get<std::int64_t>(raw.Find("producer_epoch")->value), -1);
  EXPECT_EQ(raw.Find("acks"), nullptr);
  const auto& result = std::get<RawResult>(action.outcome.returns->what);
  EXPECT_EQ(result.error, "PRODUCER_FENCED");
  EXPECT_EQ(std::get<std::int64_t>(result.fields.at(0).value), 3);
}

TEST(ScenarioForm, ReadsBackgroundActionsAndTheirAwait) {
  const LoadResult result =
      LoadScenarioText("f", FileWith("  - {old: init_transactions, background: true, as: init}\n"
                                     "  - {await: init, returns: {epoch: {at_least: 1}}}\n"));
  ASSERT_TRUE(result.scenario.has_value()) << result.Report();
  const auto& action = std::get<Action>(result.scenario->steps.at(0).what);
  EXPECT_TRUE(action.background);
  EXPECT_EQ(action.handle->value, "init");
  const auto& await = std::get<Await>(result.scenario->steps.at(1).what);
  EXPECT_EQ(await.handle.value, "init");
  const auto& identity = std::get<ProducerIdentity>(await.outcome.returns->what);
  EXPECT_TRUE(identity.epoch->Matches(100));
  EXPECT_FALSE(identity.epoch->Matches(0));
}

TEST(ScenarioForm, ReadsFaults) {
  const auto crash =
      BodyIn<FaultStep>("  - {crash: [old, leader of orders-1], as: victims, after: 3s}\n");
  EXPECT_EQ(std::get<Crash>(crash.fault).processes.size(), 2u);
  EXPECT_EQ(crash.handle->value, "victims");
  EXPECT_EQ(crash.after_us, 3'000'000);
  const auto cut = BodyIn<FaultStep>("  - partition: [[broker-0, old], broker-1, [broker-2]]\n");
  EXPECT_EQ(std::get<Partition>(cut.fault).groups.size(), 3u);
  EXPECT_FALSE(std::get<Partition>(cut.fault).one_way);
  const auto way = BodyIn<FaultStep>("  - partition: {from: old, to: [broker-0]}\n");
  EXPECT_TRUE(std::get<Partition>(way.fault).one_way);
  const auto heal = BodyIn<FaultStep>("  - heal: all\n");
  EXPECT_EQ(std::get<Heal>(heal.fault).handle, std::nullopt);
  const auto elect =
      BodyIn<FaultStep>("  - elect: {coordinator_of: pay-1, leader: 2, unclean: true}\n");
  EXPECT_EQ(std::get<Name>(std::get<Elect>(elect.fault).what).value, "pay-1");
  EXPECT_EQ(std::get<Elect>(elect.fault).leader, 2);
  EXPECT_TRUE(std::get<Elect>(elect.fault).unclean);
}

TEST(ScenarioForm, ReadsFaultsOfMessages) {
  const auto hold = BodyIn<FaultStep>(
      "  - {hold: {answer: AddPartitionsToTxn, to: old, transactional_id: pay-1, nth: 2, count: "
      "all}, "
      "optional: true}\n");
  const MessageChoice& message = std::get<Hold>(hold.fault).message;
  EXPECT_EQ(message.pattern.direction, MessagePattern::Direction::kAnswer);
  EXPECT_EQ(message.pattern.api, "AddPartitionsToTxn");
  EXPECT_EQ(message.pattern.to->name, "old");
  EXPECT_EQ(message.pattern.transactional_id, "pay-1");
  EXPECT_EQ(message.nth, 2);
  EXPECT_EQ(message.count, MessageChoice::kAll);
  EXPECT_TRUE(hold.optional);
  const auto delay =
      BodyIn<FaultStep>("  - delay: {request: WriteTxnMarkers, partition: orders-0, by: 3s}\n");
  EXPECT_EQ(std::get<Delay>(delay.fault).by_us, 3'000'000);
  EXPECT_EQ(std::get<Delay>(delay.fault).message.pattern.partition, (PartitionName{"orders", 0}));
  const auto repeat = BodyIn<FaultStep>("  - repeat: {request: Produce, times: 2, after: 10ms}\n");
  EXPECT_EQ(std::get<Repeat>(repeat.fault).times, 2);
  EXPECT_EQ(std::get<Repeat>(repeat.fault).after_us, 10'000);
}

TEST(ScenarioForm, LetsALaterStepNameTheProcessThatCrashed) {
  const LoadResult result = LoadScenarioText(
      "f", FileWith("  - {crash: coordinator of pay-1, as: victim}\n  - restart: victim\n"));
  ASSERT_TRUE(result.scenario.has_value()) << result.Report();
  const auto& restart = std::get<FaultStep>(result.scenario->steps.at(1).what);
  EXPECT_EQ(std::get<Restart>(restart.fault).processes.at(0).kind, ProcessName::Kind::kHandle);
}

TEST(ScenarioForm, ReadsTriggers) {
  const auto when = BodyIn<When>(
      "  - when: {transaction_record: PrepareCommit, point: replicated, transactional_id: pay-1, "
      "nth: 2}\n"
      "    do: {crash: coordinator of pay-1}\n"
      "    optional: true\n");
  const auto& record = std::get<TransactionRecordTrigger>(when.trigger.event);
  EXPECT_EQ(record.state, "PREPARE_COMMIT");
  EXPECT_EQ(record.point, LogPoint::kReplicated);
  EXPECT_EQ(when.trigger.nth, 2);
  EXPECT_EQ(when.faults.size(), 1u);
  EXPECT_TRUE(when.optional);
  const auto marker =
      BodyIn<WaitUntil>("  - wait_until: {marker: any, partition: orders-1}\n    within: 70s\n");
  const auto& event = std::get<MarkerTrigger>(std::get<Trigger>(marker.what).event);
  EXPECT_EQ(event.kind, MarkerTrigger::Kind::kAny);
  EXPECT_EQ(event.point, LogPoint::kAppended);
  EXPECT_EQ(marker.within_us, 70'000'000);
  const auto message =
      BodyIn<WaitUntil>("  - wait_until: {request: EndTxn, point: delivered, from: old}\n");
  const auto& sent = std::get<MessageTrigger>(std::get<Trigger>(message.what).event);
  EXPECT_EQ(sent.point, MessagePoint::kDelivered);
  EXPECT_EQ(sent.pattern.from->name, "old");
  const auto time = BodyIn<WaitUntil>("  - wait_until: 60s\n");
  EXPECT_EQ(std::get<std::int64_t>(time.what), 60'000'000);
}

TEST(ScenarioForm, ReadsExpectationsOfPartitions) {
  const auto expect = BodyIn<Expect>(
      "  - expect:\n"
      "      orders-0: {log: [\"old:42=paid\", ABORT], high_watermark: 2, isr: [0, 2], "
      "read_committed: []}\n"
      "      orders-1 on broker-2: {log: {5: COMMIT}, log_end_offset: {at_most: 9}}\n"
      "    within: 5s\n");
  ASSERT_EQ(expect.claims.partitions.size(), 2u);
  const PartitionExpectation& whole = expect.claims.partitions[0];
  EXPECT_EQ(whole.partition, (PartitionName{"orders", 0}));
  EXPECT_EQ(whole.broker, std::nullopt);
  EXPECT_TRUE(whole.log->complete);
  EXPECT_EQ(whole.log->entries.at(1).kind, EntryPattern::Kind::kAbort);
  EXPECT_EQ(whole.high_watermark->mark, (Mark{9, 63}));
  EXPECT_THAT(whole.isr->value, ElementsAre(0, 2));
  EXPECT_THAT(whole.read_committed->value, IsEmpty());
  EXPECT_EQ(whole.read_uncommitted, std::nullopt);
  const PartitionExpectation& replica = expect.claims.partitions[1];
  EXPECT_EQ(replica.broker, 2);
  EXPECT_FALSE(replica.log->complete);
  EXPECT_EQ(replica.log->entries.at(0).offset, 5);
  EXPECT_FALSE(replica.log_end_offset->Matches(10));
  EXPECT_EQ(expect.within_us, 5'000'000);
}

TEST(ScenarioForm, ReadsExpectationsOfEverythingElse) {
  const auto expect = BodyIn<Expect>(
      "  - expect:\n"
      "      orders-0: {producers: {old: {epoch: 1, open_since: -1}, 9: absent}, aborted: [{by: "
      "7}]}\n"
      "      transactions: {pay-1: {state: CompleteAbort, pending_state: NONE}}\n"
      "      transaction_log: {pay-1: [EMPTY, ONGOING orders-0, {state: PREPARE_ABORT, epoch: "
      "1}]}\n"
      "      coordinators: {pay-1: {partition: 21}}\n"
      "      actors: {old: {state: READY, life: running}, billing: {position: {orders-0: 3}}}\n"
      "      count: {request: EndTxn, from: old, equals: 0}\n");
  const Expectations& claims = expect.claims;
  ASSERT_EQ(claims.partitions.size(), 1u);
  ASSERT_EQ(claims.partitions[0].producers.size(), 2u);
  EXPECT_EQ(claims.partitions[0].producers[0].producer.actor, "old");
  EXPECT_TRUE(claims.partitions[0].producers[0].open_since->Matches(-1));
  EXPECT_TRUE(claims.partitions[0].producers[1].absent);
  EXPECT_EQ(claims.partitions[0].producers[1].producer.id, 9);
  EXPECT_EQ(claims.partitions[0].aborted->value.at(0).producer->id, 7);
  EXPECT_EQ(claims.transactions.at(0).state->value, "COMPLETE_ABORT");
  EXPECT_EQ(claims.transactions.at(0).pending_state->value, "NONE");
  ASSERT_EQ(claims.transaction_logs.at(0).records.size(), 3u);
  EXPECT_EQ(claims.transaction_logs[0].records[2].epoch, 1);
  EXPECT_TRUE(claims.coordinators.at(0).partition->Matches(21));
  EXPECT_EQ(claims.actors.at(0).state->value, "READY");
  EXPECT_TRUE(claims.actors.at(1).position.at(0).offset.Matches(3));
  EXPECT_EQ(claims.counts.at(0).messages.api, "EndTxn");
  EXPECT_TRUE(claims.counts.at(0).number.Matches(0));
  EXPECT_FALSE(claims.counts.at(0).number.Matches(1));
}

}  // namespace
}  // namespace kafkasim::scenarios
