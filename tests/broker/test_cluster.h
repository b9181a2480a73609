// A small cluster for tests: brokers, the controller and a raw client in one world, and a trace.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>
#include <fmt/format.h>

#include "broker/broker.h"
#include "broker/cluster_builder.h"
#include "broker/controller.h"
#include "broker/messages_cluster.h"
#include "broker/messages_data.h"
#include "broker/messages_transaction.h"
#include "sim/world.h"
#include "tests/broker/raw_client.h"

namespace kafkasim::broker {

// Keeps all events.
class TraceKeeper final : public sim::Observer {
 public:
  sim::Reaction OnEvent(const sim::TraceEvent& event) override {
    events_.push_back(event);
    if (strike_at_ != nullptr && event.Is(*strike_at_) && event.actor == victim_) {
      strike_at_ = nullptr;
      return reaction_;
    }
    return sim::Reaction::kGoOn;
  }
  // Strikes `victim` at its next event of this kind.
  void StrikeAt(const sim::EventKind& kind, sim::ProcessId victim, sim::Reaction reaction) {
    strike_at_ = &kind;
    victim_ = victim;
    reaction_ = reaction;
  }
  [[nodiscard]] const std::vector<sim::TraceEvent>& events() const { return events_; }
  [[nodiscard]] std::vector<sim::TraceEvent> OfKind(const sim::EventKind& kind) const {
    std::vector<sim::TraceEvent> found;
    for (const sim::TraceEvent& event : events_) {
      if (event.Is(kind)) found.push_back(event);
    }
    return found;
  }
  // One line an event: time, actor, kind, fields.
  [[nodiscard]] std::vector<std::string> Lines() const {
    std::vector<std::string> lines;
    for (const sim::TraceEvent& event : events_) lines.push_back(Line(event));
    return lines;
  }
  void Clear() { events_.clear(); }

 private:
  static std::string Line(const sim::TraceEvent& event) {
    std::string line = fmt::format("{} {} {}", event.at.us, event.actor.value(), event.kind->name);
    for (const sim::Field& field : event.fields) {
      line += fmt::format(" {}=", field.name);
      if (const auto* flag = std::get_if<bool>(&field.value)) line += *flag ? "true" : "false";
      if (const auto* number = std::get_if<int64_t>(&field.value))
        line += fmt::format("{}", *number);
      if (const auto* text = std::get_if<std::string>(&field.value)) line += *text;
      if (const auto* texts = std::get_if<std::vector<std::string>>(&field.value)) {
        line += fmt::format("[{}]", fmt::join(*texts, ","));
      }
    }
    return line;
  }

  std::vector<sim::TraceEvent> events_;
  const sim::EventKind* strike_at_ = nullptr;
  sim::ProcessId victim_ = sim::kNoProcess;
  sim::Reaction reaction_ = sim::Reaction::kGoOn;
};

// What a producer sends. Defaults: one plain record.
struct TestBatch {
  int records = 1;
  ProducerId producer_id = kNoProducerId;
  ProducerEpoch epoch = kNoProducerEpoch;
  Sequence sequence = kNoSequence;
  bool transactional = false;

  [[nodiscard]] RecordBatchRef Make() const {
    std::vector<Record> values;
    for (int i = 0; i < records; ++i) {
      values.push_back({.key = {}, .value = fmt::format("v{}", i), .timestamp_ms = 0});
    }
    RecordBatch batch = MakeBatch(std::move(values));
    batch.producer_id = producer_id;
    batch.producer_epoch = epoch;
    batch.base_sequence = sequence;
    batch.transactional = transactional;
    return std::make_shared<const RecordBatch>(std::move(batch));
  }
};

// The producer of most tests, and a batch of its open transaction.
inline constexpr ProducerId kP{7};
inline constexpr ProducerEpoch kE{0};

[[nodiscard]] inline TestBatch InTransaction(int records, int32_t sequence) {
  return {.records = records,
          .producer_id = kP,
          .epoch = kE,
          .sequence = Sequence(sequence),
          .transactional = true};
}

class TestCluster {
 public:
  explicit TestCluster(const ClusterSpec& spec, const ServiceFactory& services = {})
      : world_(sim::World::Options{}) {
    absl::StatusOr<Cluster> cluster = AddCluster(world_, spec, services);
    EXPECT_TRUE(cluster.ok()) << cluster.status();
    cluster_ = *std::move(cluster);
    client_ = world_.AddProcess("client", std::make_unique<RawClient>());
    world_.Start(&trace_);
  }

  // Topic "orders" with one partition on all brokers, and a cluster without internal topics.
  static ClusterSpec Orders(int32_t brokers, int64_t min_isr) {
    ClusterSpec spec{.brokers = brokers};
    spec.config.transaction_state_log_replication_factor = 100;
    spec.config.offsets_topic_replication_factor = 100;
    spec.config.transaction_partition_verification_enable = false;
    spec.topics.push_back({.name = "orders",
                           .partitions = 1,
                           .replication_factor = brokers,
                           .config = TopicConfig{.min_insync_replicas = min_isr}});
    return spec;
  }

  [[nodiscard]] sim::World& world() { return world_; }
  [[nodiscard]] TraceKeeper& trace() { return trace_; }
  [[nodiscard]] sim::ProcessId client() const { return client_; }
  [[nodiscard]] sim::ProcessId controller_process() const { return cluster_.controller; }
  [[nodiscard]] const Broker& broker(int32_t id) const {
    return static_cast<const Broker&>(world_.process(sim::ProcessId(id)));
  }
  [[nodiscard]] const Controller& controller() const {
    return static_cast<const Controller&>(world_.process(cluster_.controller));
  }
  [[nodiscard]] PartitionId Id(std::string_view name) const { return *cluster_.image->Parse(name); }
  // orders-0 on that broker.
  [[nodiscard]] const Partition& Replica(int32_t id) const {
    return *broker(id).FindReplica(Id("orders-0"));
  }
  [[nodiscard]] const PartitionLog& Log(int32_t id) const { return Replica(id).log(); }
  // orders-0 as the controller has it.
  [[nodiscard]] const PartitionImage& Orders() const {
    return *controller().image()->FindPartition(Id("orders-0"));
  }

  void Run(sim::Duration duration) { world_.RunUntil(world_.now() + duration, &trace_); }
  [[nodiscard]] sim::Time now() const { return world_.now(); }

  // Sends; the result is the number of the request.
  size_t Send(int32_t broker, sim::PayloadRef request, sim::Channel channel = kClientChannel) {
    world_.Command(
        client_,
        std::make_shared<const SendOrder>(sim::ProcessId(broker), channel, std::move(request)),
        &trace_);
    return sent().size() - 1;
  }
  [[nodiscard]] const std::vector<RawClient::Sent>& sent() const {
    return static_cast<const RawClient&>(world_.process(client_)).sent();
  }
  [[nodiscard]] bool Answered(size_t number) const { return sent()[number].answer != nullptr; }
  template <typename Body>
  [[nodiscard]] const Body& Answer(size_t number) const {
    EXPECT_TRUE(Answered(number));
    return BodyOf<Body>(*sent()[number].answer);
  }

  // ---- Produce and fetch orders-0 ----
  size_t Produce(int32_t broker, const TestBatch& batch, int16_t acks = -1,
                 int32_t timeout_ms = 30'000) {
    ProduceRequest request{.acks = acks, .timeout_ms = timeout_ms};
    if (batch.transactional) request.transactional_id = "txn";
    request.partitions.push_back({.partition = Id("orders-0"), .batch = batch.Make()});
    return Send(broker, MakeMessage(std::move(request)));
  }
  [[nodiscard]] const ProduceResponse::PartitionResult& Produced(size_t number) const {
    return Answer<ProduceResponse>(number).partitions.front();
  }
  size_t Fetch(int32_t broker, Offset offset,
               IsolationLevel isolation = IsolationLevel::kReadUncommitted,
               int32_t max_wait_ms = 0) {
    FetchRequest request{.isolation_level = isolation, .max_wait_ms = max_wait_ms};
    request.partitions.push_back({.partition = Id("orders-0"), .fetch_offset = offset});
    return Send(broker, MakeMessage(std::move(request)));
  }
  [[nodiscard]] const FetchResponse::PartitionResult& Fetched(size_t number) const {
    return Answer<FetchResponse>(number).partitions.front();
  }
  size_t WriteMarker(int32_t broker, ProducerId producer_id, ProducerEpoch epoch, bool commit) {
    WriteTxnMarkersRequest request;
    request.markers.push_back({.producer_id = producer_id,
                               .producer_epoch = epoch,
                               .committed = commit,
                               .partitions = {Id("orders-0")},
                               .coordinator_epoch = CoordinatorEpoch(0)});
    return Send(broker, MakeMessage(std::move(request)), kMarkerChannel);
  }
  [[nodiscard]] ErrorCode MarkerError(size_t number) const {
    return Answer<WriteTxnMarkersResponse>(number).markers.front().partitions.front().error;
  }
  size_t ListOffsets(int32_t broker, int64_t timestamp,
                     IsolationLevel isolation = IsolationLevel::kReadUncommitted,
                     BrokerId replica = kNoBroker) {
    ListOffsetsRequest request{.replica = replica, .isolation_level = isolation};
    request.partitions.push_back({.partition = Id("orders-0"), .timestamp = timestamp});
    return Send(broker, MakeMessage(std::move(request)));
  }
  [[nodiscard]] const ListOffsetsResponse::PartitionResult& Listed(size_t number) const {
    return Answer<ListOffsetsResponse>(number).partitions.front();
  }

  // ---- Faults ----
  void Crash(int32_t broker, sim::CrashKind kind = sim::CrashKind::kProcess) {
    EXPECT_TRUE(world_.Crash(sim::ProcessId(broker), kind, &trace_));
  }
  void Restart(int32_t broker) { EXPECT_TRUE(world_.Restart(sim::ProcessId(broker), &trace_)); }
  void Cut(sim::ProcessId a, sim::ProcessId b) {
    world_.Cut(a, b, &trace_);
    world_.Cut(b, a, &trace_);
  }
  void Heal(sim::ProcessId a, sim::ProcessId b) {
    world_.Heal(a, b, &trace_);
    world_.Heal(b, a, &trace_);
  }
  ErrorCode Elect(BrokerId leader, bool unclean = false) {
    world_.Command(cluster_.controller,
                   MakeMessage(ElectLeadersRequest{
                       .partition = Id("orders-0"), .leader = leader, .unclean = unclean}),
                   &trace_);
    return *controller().last_election_result();
  }

 private:
  sim::World world_;
  TraceKeeper trace_;
  Cluster cluster_;
  sim::ProcessId client_;
};

}  // namespace kafkasim::broker
