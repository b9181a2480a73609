#include "scenarios/assembly.h"

#include <algorithm>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "broker/cluster_builder.h"
#include "client/admin.h"
#include "client/application.h"
#include "client/consumer.h"
#include "client/external_api.h"
#include "client/external_store.h"
#include "client/producer.h"
#include "coordinator/group_coordinator.h"
#include "coordinator/transaction_coordinator.h"
#include "coordinator/transaction_log_record.h"
#include "scenarios/program_assembly.h"

namespace kafkasim::scenarios {
namespace {

std::string ValueText(const ConfigValue& value) {
  return std::visit(
      [](const auto& v) -> std::string {
        if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::string>) {
          return v;
        } else {
          return fmt::format("{}", v);
        }
      },
      value);
}

// Builds a cluster; what goes wrong on the way is collected.
class Assembler {
 public:
  Assembler(const Scenario& scenario, std::uint64_t seed)
      : scenario_(scenario),
        seed_(seed),
        world_({.seed = seed,
                .least_latency = sim::Micros(scenario.cluster.network.latency.min_us),
                .most_latency = sim::Micros(scenario.cluster.network.latency.max_us)}) {}

  AssemblyResult Run() {
    AddBrokers();
    if (errors_.empty()) AddActors();
    if (errors_.empty()) AddLatencies();
    if (!errors_.empty()) return {.errors = std::move(errors_)};
    return {.assembly =
                Assembly{.world = std::move(world_), .names = std::move(names_), .seed = seed_}};
  }

 private:
  void Error(Mark mark, std::string message) {
    errors_.push_back({.mark = mark, .message = std::move(message)});
  }
  void Error(Mark mark, const absl::Status& status) {
    Error(mark, std::string(status.message().data(), status.message().size()));
  }

  template <typename Target>
  void Apply(const Config& config, Target& target) {
    for (const ConfigEntry& entry : config.entries) {
      const absl::Status status = SetConfig(target, entry.key, ValueText(entry.value));
      if (!status.ok()) Error(entry.mark, status);
    }
  }

  void AddBrokers() {
    broker::ClusterSpec spec{.brokers = scenario_.cluster.brokers};
    Apply(scenario_.cluster.config, spec.config);
    if (scenario_.cluster.next_producer_id.has_value()) {
      spec.first_producer_id = broker::ProducerId(*scenario_.cluster.next_producer_id);
    }
    AddTransactionalIds(spec);
    for (const TopicSpec& topic : scenario_.topics) spec.topics.push_back(Translate(topic, spec));
    if (!errors_.empty()) return;
    spec.config.bugs = scenario_.bugs;
    absl::StatusOr<broker::Cluster> cluster =
        broker::AddCluster(world_, spec, [this] { return MakeServices(); });
    if (!cluster.ok()) {
      Error(scenario_.cluster.mark, cluster.status());
      return;
    }
    names_.topics = cluster->image;
    for (std::int32_t i = 0; i < spec.brokers; ++i) {
      names_.processes.push_back(
          {.name = fmt::format("broker-{}", i), .role = ProcessRole::kBroker});
    }
    names_.processes.push_back({.name = "controller", .role = ProcessRole::kController});
  }

  // Ids that have been used before: their last transaction is committed. New producer ids begin
  // after theirs.
  void AddTransactionalIds(broker::ClusterSpec& spec) {
    for (const TransactionalIdSpec& known : scenario_.cluster.transactional_ids) {
      const coordinator::TransactionValue value{
          .producer_id = broker::ProducerId(known.producer_id),
          .producer_epoch = broker::ProducerEpoch(static_cast<std::int16_t>(known.epoch)),
          .timeout_ms = static_cast<std::int32_t>(known.transaction_timeout_us / 1'000),
          .state = coordinator::TransactionState::kCompleteCommit,
          .start_timestamp_ms = 0,
          .last_update_timestamp_ms = 0};
      const std::int16_t version =
          coordinator::TransactionLogValueVersion(spec.config.transaction_version);
      spec.initial_records.push_back(
          {.topic = std::string(broker::kTransactionStateTopic),
           .record = coordinator::EncodeTransaction(known.id.value, value, version, 0)});
      if (!scenario_.cluster.next_producer_id.has_value()) {
        spec.first_producer_id =
            std::max(spec.first_producer_id, broker::ProducerId(known.producer_id + 1));
      } else if (known.producer_id >= *scenario_.cluster.next_producer_id) {
        Error(known.id.mark, fmt::format("producer id {} is handed out again, since "
                                         "next_producer_id is {}",
                                         known.producer_id, *scenario_.cluster.next_producer_id));
      }
    }
  }

  [[nodiscard]] std::vector<std::unique_ptr<broker::Service>> MakeServices() const {
    std::vector<std::unique_ptr<broker::Service>> services;
    services.push_back(std::make_unique<coordinator::TransactionCoordinator>(
        coordinator::TransactionCoordinator::Options{
            .load_time = sim::Micros(scenario_.cluster.coordinator_load_time_us)}));
    services.push_back(
        std::make_unique<coordinator::GroupCoordinator>(coordinator::GroupCoordinator::Options{
            .load_time = sim::Micros(scenario_.cluster.coordinator_load_time_us)}));
    return services;
  }

  broker::TopicSpec Translate(const TopicSpec& topic, const broker::ClusterSpec& cluster) {
    broker::TopicSpec spec{.name = topic.name.value,
                           .partitions = topic.partitions,
                           .replication_factor = topic.replicas};
    spec.config = broker::DefaultTopicConfig(cluster.config);
    Apply(topic.config, *spec.config);
    for (const std::vector<std::int32_t>& replicas : topic.assignment) {
      std::vector<broker::BrokerId>& list = spec.assignment.emplace_back();
      for (const std::int32_t replica : replicas) list.push_back(broker::BrokerId(replica));
    }
    for (const LeaderSpec& leader : topic.leaders) {
      spec.leaders.push_back(
          {.partition = leader.partition, .broker = broker::BrokerId(leader.broker)});
    }
    return spec;
  }

  void AddActors() {
    // Names first: programs call other actors, also those further down.
    const std::size_t first = names_.processes.size();
    for (const ActorSpec& actor : scenario_.actors) {
      names_.processes.push_back({.name = actor.name.value, .role = RoleOf(actor)});
    }
    const client::ClientOptions options{.bootstrap = names_.topics->brokers,
                                        .names = names_.topics};
    for (std::size_t i = 0; i < scenario_.actors.size(); ++i) {
      std::unique_ptr<sim::Process> process =
          MakeActor(scenario_.actors[i], options, names_.processes[first + i]);
      if (process == nullptr) return;
      world_.AddProcess(scenario_.actors[i].name.value, std::move(process));
    }
  }

  static ProcessRole RoleOf(const ActorSpec& actor) {
    switch (actor.role) {
      case ActorSpec::Role::kProducer:
        return ProcessRole::kProducer;
      case ActorSpec::Role::kConsumer:
        return ProcessRole::kConsumer;
      case ActorSpec::Role::kAdmin:
        return ProcessRole::kAdmin;
      case ActorSpec::Role::kApplication:
        return ProcessRole::kApplication;
      case ActorSpec::Role::kStore:
        return ProcessRole::kStore;
      case ActorSpec::Role::kApi:
        return ProcessRole::kApi;
    }
    return ProcessRole::kAdmin;
  }

  // Null after an error.
  std::unique_ptr<sim::Process> MakeActor(const ActorSpec& actor,
                                          const client::ClientOptions& options,
                                          ProcessEntry& entry) {
    switch (actor.role) {
      case ActorSpec::Role::kProducer:
        return MakeProducer(actor, options, entry.transactional_id);
      case ActorSpec::Role::kConsumer:
        return MakeConsumer(actor, options);
      case ActorSpec::Role::kAdmin:
        return MakeAdmin(actor, options);
      case ActorSpec::Role::kApplication:
        return MakeApplication(actor, options, entry);
      case ActorSpec::Role::kStore:
        return std::make_unique<client::ExternalStore>(client::ExternalStore::Options{
            .unique = actor.store.unique, .latency = sim::Micros(actor.store.latency_us)});
      case ActorSpec::Role::kApi:
        return std::make_unique<client::ExternalApi>(
            client::ExternalApi::Options{.idempotency_keys = actor.api.idempotency_keys,
                                         .answer = actor.api.answer,
                                         .fails = actor.api.fails,
                                         .latency = sim::Micros(actor.api.latency_us)});
    }
    return nullptr;
  }

  std::unique_ptr<sim::Process> MakeApplication(const ActorSpec& actor,
                                                const client::ClientOptions& client_options,
                                                ProcessEntry& entry) {
    const ApplicationSpec& spec = actor.application;
    if (spec.restart_after_us.has_value()) {
      entry.restart_after = sim::Micros(*spec.restart_after_us);
    }
    client::Application::Options options{.names = names_.topics};
    if (spec.program.has_value()) {
      options.program = AssembleProgram(*spec.program, names_, scenario_.source.get());
    }
    if (spec.producer.has_value()) {
      ActorSpec part;
      part.name = actor.name;
      part.config = spec.producer->config;
      const auto producer = MakeProducer(part, client_options, entry.transactional_id);
      if (producer == nullptr) return nullptr;
      options.producer = *producer;
    }
    if (spec.consumer.has_value()) {
      ActorSpec part;
      part.name = actor.name;
      part.role = ActorSpec::Role::kConsumer;
      part.config = spec.consumer->config;
      part.assign = spec.consumer->assign;
      part.subscribe = spec.consumer->subscribe;
      const bool has_listener = options.program != nullptr && options.program->has_listener();
      const auto consumer = MakeConsumer(part, client_options, has_listener);
      if (consumer == nullptr) return nullptr;
      options.consumer = *consumer;
    }
    return std::make_unique<client::Application>(std::move(options));
  }

  std::unique_ptr<client::Producer> MakeProducer(const ActorSpec& actor,
                                                 const client::ClientOptions& options,
                                                 std::string& transactional_id) {
    client::ProducerConfig config;
    config.bugs = scenario_.bugs;
    Apply(actor.config, config);
    absl::StatusOr<client::ProducerConfig> finished = client::FinishConfig(std::move(config));
    if (!finished.ok()) {
      Error(actor.name.mark, finished.status());
      return nullptr;
    }
    transactional_id = finished->transactional_id.value_or("");
    if (finished->transactional() &&
        !names_.topics->FindTopicId(broker::kTransactionStateTopic).has_value()) {
      Error(actor.name.mark,
            fmt::format("a transactional producer needs __transaction_state, which needs "
                        "transaction.state.log.replication.factor brokers; there are {}",
                        scenario_.cluster.brokers));
    }
    return std::make_unique<client::Producer>(options, std::move(*finished));
  }

  std::unique_ptr<client::Consumer> MakeConsumer(const ActorSpec& actor,
                                                 const client::ClientOptions& options,
                                                 bool external_listener = false) {
    client::ConsumerConfig config;
    config.bugs = scenario_.bugs;
    config.external_listener = external_listener;
    Apply(actor.config, config);
    std::vector<broker::PartitionId> assignment;
    for (const PartitionName& name : actor.assign) {
      const auto partition = names_.FindPartition(name);
      if (partition.has_value()) {
        assignment.push_back(*partition);
      } else {
        Error(name.mark, fmt::format("there is no partition {}-{}", name.topic, name.partition));
      }
    }
    std::vector<broker::TopicId> subscription;
    for (const Name& topic : actor.subscribe) {
      subscription.push_back(*names_.topics->FindTopicId(topic.value));
    }
    if (const absl::Status status = client::CheckConfig(config); !status.ok()) {
      Error(actor.name.mark, status);
    }
    if (config.group_id.has_value() &&
        !names_.topics->FindTopicId(broker::kConsumerOffsetsTopic).has_value()) {
      Error(actor.name.mark,
            fmt::format("a consumer with a group.id needs __consumer_offsets, which needs "
                        "offsets.topic.replication.factor brokers; there are {}",
                        scenario_.cluster.brokers));
    }
    if (!errors_.empty()) return nullptr;
    return std::make_unique<client::Consumer>(options, std::move(config), std::move(assignment),
                                              std::move(subscription));
  }

  std::unique_ptr<sim::Process> MakeAdmin(const ActorSpec& actor,
                                          const client::ClientOptions& options) {
    client::AdminConfig config;
    Apply(actor.config, config);
    return std::make_unique<client::Admin>(options, config);
  }

  void AddLatencies() {
    for (const LinkSpec& link : scenario_.cluster.network.links) {
      const auto from = Find(link.from);
      const auto to = Find(link.to);
      if (!from.has_value() || !to.has_value()) {
        Error(link.mark, "a link joins two actors or brokers");
        continue;
      }
      world_.SetLatency({.from = *from,
                         .to = *to,
                         .least = sim::Micros(link.latency.min_us),
                         .most = sim::Micros(link.latency.max_us)});
    }
  }

  std::optional<sim::ProcessId> Find(const ProcessName& name) const {
    switch (name.kind) {
      case ProcessName::Kind::kBroker:
        return names_.FindProcess(fmt::format("broker-{}", name.broker));
      case ProcessName::Kind::kController:
        return names_.FindProcess("controller");
      default:
        return names_.FindProcess(name.name);
    }
  }

  const Scenario& scenario_;
  std::uint64_t seed_;
  sim::World world_;
  NameTable names_;
  std::vector<Diagnostic> errors_;
};

}  // namespace

std::uint64_t SeedOf(const Scenario& scenario, std::optional<std::uint64_t> seed) {
  if (seed.has_value()) return *seed;
  return scenario.cluster.seed.value_or(1);
}

AssemblyResult Assemble(const Scenario& scenario, std::optional<std::uint64_t> seed) {
  return Assembler(scenario, SeedOf(scenario, seed)).Run();
}

}  // namespace kafkasim::scenarios
