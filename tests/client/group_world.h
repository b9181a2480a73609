// A consumer that belongs to group "g", against scripted brokers; broker 0 is the coordinator. By
// default it subscribes to "orders", whose partitions 0 and 1 it gets all by itself, and commits
// only when it is told to.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "client/consumer.h"
#include "tests/client/client_world.h"

namespace kafkasim::client {

// An order to the application: its rebalance listener returns, or throws this.
class ReturnFromListener final : public sim::Payload {
 public:
  explicit ReturnFromListener(ApiError thrown) : error(std::move(thrown)) {}
  [[nodiscard]] std::string_view api() const override { return "return"; }
  [[nodiscard]] bool Concerns(std::string_view, std::string_view) const override { return false; }
  void AppendTo(sim::CanonicalBytes&) const override {}

  const ApiError error;
};

// An application around a consumer, whose rebalance listener returns when it is told to.
class ListeningApplication final : public ClientProcess {
 public:
  explicit ListeningApplication(Consumer consumer) : consumer_(std::move(consumer)) {}

  [[nodiscard]] const Consumer& consumer() const { return consumer_; }
  [[nodiscard]] const CallResult* FindCall(CallId id) const override {
    return consumer_.FindCall(id);
  }
  [[nodiscard]] std::unique_ptr<sim::Process> Clone() const override {
    return std::make_unique<ListeningApplication>(*this);
  }
  void AppendTo(sim::CanonicalBytes& out) const override { out.Add(consumer_); }
  void OnRequest(sim::Context& context, const sim::RequestIn& request) override {
    consumer_.OnRequest(context, request);
  }
  void OnResponse(sim::Context& context, const sim::ResponseIn& response) override {
    consumer_.OnResponse(context, response);
  }
  void OnDisconnect(sim::Context& context, sim::ProcessId peer, sim::Channel channel) override {
    consumer_.OnDisconnect(context, peer, channel);
  }
  void OnTimer(sim::Context& context, uint32_t kind, uint64_t argument) override {
    consumer_.OnTimer(context, kind, argument);
  }
  void OnCommand(sim::Context& context, const sim::PayloadRef& command) override {
    if (command->api() != "return") return consumer_.OnCommand(context, command);
    consumer_.CompleteCallback(context, static_cast<const ReturnFromListener&>(*command).error);
  }
  void OnCrash(sim::CrashKind kind) override { consumer_.OnCrash(kind); }
  void OnRestart(sim::Context& context) override { consumer_.OnRestart(context); }

 private:
  Consumer consumer_;
};

class GroupWorld : public ClientWorld {
 public:
  explicit GroupWorld(ConsumerConfig config = {}, bool subscribe = true) {
    config.group_id = "g";
    config.auto_offset_reset = OffsetReset::kEarliest;
    if (!config.enable_auto_commit.has_value()) config.enable_auto_commit = false;
    std::vector<broker::PartitionId> assignment;
    std::vector<broker::TopicId> topics;
    if (subscribe) {
      topics = {broker::TopicId(0)};
    } else {
      assignment = {kOrders0};
    }
    Start(std::make_unique<ListeningApplication>(
        Consumer(Options(), std::move(config), assignment, topics)));
  }

  const Consumer& consumer() {
    return static_cast<const ListeningApplication&>(world().process(client())).consumer();
  }
  const ConsumerGroup& group() { return *consumer().group(); }

  CallResult DoPoll(sim::Duration timeout = sim::Millis(200)) {
    return Do(Poll{.timeout = timeout});
  }
  // A member with both partitions, at offset 0 of each.
  void Join() {
    EXPECT_TRUE(DoPoll().ok());
    EXPECT_EQ(group().state(), MemberState::kStable);
    EXPECT_EQ(consumer().position(kOrders0), broker::Offset(0));
  }
  // The leader's next answer about this partition: plain records from this offset on.
  void Data(const broker::PartitionId& partition, int64_t offset, std::vector<std::string> values) {
    broker::FetchResponse::PartitionResult result{.partition = partition};
    std::vector<broker::Record> records;
    for (std::string& value : values) records.push_back({.value = std::move(value)});
    broker::RecordBatch batch = broker::MakeBatch(std::move(records));
    batch.base_offset = broker::Offset(offset);
    result.high_watermark = result.last_stable_offset = batch.next_offset();
    result.batches = {std::make_shared<const broker::RecordBatch>(std::move(batch))};
    Tell(partition.index, {.fetched = {result}});
  }
  // Runs until the listener is called, and says how: "on_partitions_revoked 0 1".
  std::string AwaitListener() {
    const sim::Time limit = world().now() + sim::Seconds(60);
    while (!consumer().pending_callback().has_value() && world().now() < limit &&
           world().Step(&log())) {
    }
    if (!consumer().pending_callback().has_value()) return "";
    const RebalanceCallback& callback = *consumer().pending_callback();
    std::string text(Name(callback.kind));
    for (const broker::PartitionId& id : callback.partitions) {
      text += " " + std::to_string(id.index);
    }
    return text;
  }
  void CompleteCallback(const ApiError& error = {}) {
    world().Command(client(), std::make_shared<ReturnFromListener>(error), &log());
  }

  // A field of all events of this kind.
  std::vector<std::string> Told(const sim::EventKind& kind, std::string_view field) {
    std::vector<std::string> told;
    for (const sim::TraceEvent& event : log().events) {
      if (event.Is(kind)) told.emplace_back(event.Text(field));
    }
    return told;
  }
};

inline std::vector<std::string> ValuesOf(const CallResult& polled) {
  std::vector<std::string> values;
  for (const ConsumedRecord& record : *std::get<ConsumedRecords>(polled.value).records) {
    values.push_back(*record.value);
  }
  return values;
}

}  // namespace kafkasim::client
