// A small world for tests of clients: scripted brokers and one client process.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "broker/cluster_image.h"
#include "broker/messages_data.h"
#include "client/call.h"
#include "client/call_result.h"
#include "client/client_process.h"
#include "client/events.h"
#include "client/producer.h"
#include "client/producer_config.h"
#include "sim/world.h"
#include "tests/client/scripted_broker.h"

namespace kafkasim::client {

inline const broker::PartitionId kOrders0{broker::TopicId(0), 0};
inline const broker::PartitionId kOrders1{broker::TopicId(0), 1};

// Two brokers; topic "orders" with partition 0 on broker 0 and partition 1 on broker 1.
inline std::shared_ptr<broker::ClusterImage> TestImage(int64_t version = 1) {
  auto image = std::make_shared<broker::ClusterImage>();
  image->version = version;
  image->brokers = {broker::BrokerId(0), broker::BrokerId(1)};
  broker::TopicImage orders{.name = "orders"};
  for (int32_t leader : {0, 1}) {
    broker::PartitionImage partition;
    partition.leader = broker::BrokerId(leader);
    partition.replicas = partition.isr = {broker::BrokerId(0), broker::BrokerId(1)};
    orders.partitions.push_back(partition);
  }
  image->topics.push_back(orders);
  return image;
}

class EventLog final : public sim::Observer {
 public:
  sim::Reaction OnEvent(const sim::TraceEvent& event) override {
    events.push_back(event);
    return sim::Reaction::kGoOn;
  }
  std::vector<sim::TraceEvent> events;
};

class ClientWorld {
 public:
  ClientWorld() : world_(sim::World::Options{}) {
    for (int i = 0; i < 2; ++i) {
      world_.AddProcess("broker-" + std::to_string(i),
                        std::make_unique<ScriptedBroker>(TestImage()));
    }
  }

  static ClientOptions Options() {
    return {.bootstrap = {broker::BrokerId(0), broker::BrokerId(1)}};
  }

  // The client under test; starts the world.
  void Start(std::unique_ptr<ClientProcess> client) {
    client_ = world_.AddProcess("client", std::move(client));
    world_.Start(&log_);
  }
  void StartProducer(ProducerConfig config) {
    Start(std::make_unique<Producer>(Options(), *FinishConfig(std::move(config))));
  }

  void Tell(int broker, Script script) {
    world_.Command(sim::ProcessId(broker), std::make_shared<ScriptPayload>(std::move(script)),
                   &log_);
  }
  // The next requests of this API to this broker get these answers; nullopt is no answer.
  void Answer(int broker, broker::ApiKey api,
              std::vector<std::optional<broker::ErrorCode>> answers) {
    Tell(broker, {.api = api, .answers = std::move(answers)});
  }

  CallId Give(Operation operation) {
    ++last_call_;
    world_.Command(client_, MakeCall(last_call_, std::move(operation)), &log_);
    return last_call_;
  }
  CallId GiveSend(const broker::PartitionId& partition, std::string value) {
    return Give(Send{.topic = partition.topic,
                     .partition = partition.index,
                     .records = {ProducerRecord{.value = std::move(value)}}});
  }
  void RunFor(sim::Duration duration) { world_.RunUntil(world_.now() + duration, &log_); }
  // Gives a call and runs until it is done, at most ten virtual minutes.
  CallResult Do(Operation operation) { return Await(Give(std::move(operation))); }
  CallResult Await(CallId call) {
    const sim::Time limit = world_.now() + sim::Seconds(600);
    while (!Result(call).done() && world_.now() < limit && world_.Step(&log_)) {
    }
    return Result(call);
  }
  // The reference is good until the next call.
  const CallResult& Result(CallId call) const {
    return *AsClient(world_.process(client_)).FindCall(call);
  }

  const Producer& producer() const { return static_cast<const Producer&>(world_.process(client_)); }
  const ScriptedBroker& broker(int id) const {
    return static_cast<const ScriptedBroker&>(world_.process(sim::ProcessId(id)));
  }
  // The requests of one type that a broker got, in order.
  template <typename Body>
  std::vector<Body> Received(int broker_id) const {
    std::vector<Body> bodies;
    for (const auto& received : broker(broker_id).received()) {
      if (received.key() == Body::kApi) bodies.push_back(broker::BodyOf<Body>(*received.request));
    }
    return bodies;
  }
  std::vector<sim::Time> TimesOf(int broker_id, broker::ApiKey api) const {
    std::vector<sim::Time> times;
    for (const auto& received : broker(broker_id).received()) {
      if (received.key() == api) times.push_back(received.at);
    }
    return times;
  }
  // The names of all requests that a broker got, in order.
  std::vector<std::string> Apis(int broker_id) const {
    std::vector<std::string> names;
    for (const auto& received : broker(broker_id).received()) {
      names.emplace_back(received.request->api());
    }
    return names;
  }

  sim::World& world() { return world_; }
  sim::ProcessId client() const { return client_; }
  EventLog& log() { return log_; }

 private:
  sim::World world_;
  sim::ProcessId client_ = sim::kNoProcess;
  CallId last_call_{0};
  EventLog log_;
};

// A transactional producer in a world with this transaction.version.
class TransactionalWorld : public ClientWorld {
 public:
  explicit TransactionalWorld(int64_t transaction_version, ProducerConfig config = {}) {
    for (int broker : {0, 1}) Tell(broker, {.transaction_version = transaction_version});
    config.transactional_id = "pay-1";
    StartProducer(std::move(config));
  }
  // Initialised, in a transaction with one acknowledged record.
  void OpenTransaction() {
    EXPECT_TRUE(Do(InitTransactions{}).ok());
    EXPECT_TRUE(Do(BeginTransaction{}).ok());
    EXPECT_TRUE(Await(GiveSend(kOrders0, "a")).ok());
  }
};

// With a producer that is started already.
class PlainWorld : public ClientWorld {
 public:
  explicit PlainWorld(ProducerConfig config = {}) { StartProducer(std::move(config)); }
};

// The base sequence of each request's first batch.
inline std::vector<int32_t> Sequences(const std::vector<broker::ProduceRequest>& requests) {
  std::vector<int32_t> sequences;
  for (const broker::ProduceRequest& request : requests) {
    sequences.push_back(request.partitions[0].batch->base_sequence.value());
  }
  return sequences;
}

}  // namespace kafkasim::client
