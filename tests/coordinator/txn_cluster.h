// Three real brokers with their coordinators, the controller and a raw client in one world:
// for tests of whole transactions. Topic "orders" has two partitions on all brokers, led by
// brokers 0 and 1; producer ids start at 7. Latency is 1 ms.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "broker/messages_data.h"
#include "broker/messages_transaction.h"
#include "coordinator/group_coordinator.h"
#include "coordinator/transaction_coordinator.h"
#include "coordinator/transaction_view.h"
#include "tests/broker/test_cluster.h"

namespace kafkasim::coordinator {

class TxnCluster {
 public:
  explicit TxnCluster(int64_t transaction_version)
      : version_(transaction_version), cluster_(Spec(transaction_version), [] {
          std::vector<std::unique_ptr<broker::Service>> services;
          services.push_back(std::make_unique<TransactionCoordinator>());
          services.push_back(std::make_unique<GroupCoordinator>());
          return services;
        }) {}

  static broker::ClusterSpec Spec(int64_t transaction_version) {
    broker::ClusterSpec spec{.brokers = 3};
    spec.config.transaction_version = transaction_version;
    spec.topics.push_back({.name = "orders",
                           .partitions = 2,
                           .replication_factor = 3,
                           .config = broker::TopicConfig{.min_insync_replicas = 2}});
    spec.first_producer_id = broker::ProducerId(7);
    return spec;
  }

  [[nodiscard]] broker::TestCluster& cluster() { return cluster_; }
  [[nodiscard]] broker::TraceKeeper& trace() { return cluster_.trace(); }
  void Run(sim::Duration duration) { cluster_.Run(duration); }

  [[nodiscard]] broker::PartitionId TxnPartition(std::string_view id) const {
    return *cluster_.controller().image()->PartitionForKey(broker::kTransactionStateTopic, id);
  }
  // Who leads the id's partition of __transaction_state now, as the controller knows.
  [[nodiscard]] int32_t CoordinatorOf(std::string_view id) const {
    return cluster_.controller().image()->FindPartition(TxnPartition(id))->leader.value();
  }
  [[nodiscard]] int32_t LeaderOf(std::string_view partition) const {
    return cluster_.controller().image()->FindPartition(cluster_.Id(partition))->leader.value();
  }
  [[nodiscard]] const TransactionCoordinator& Coordinator(int32_t broker) const {
    return *AsTransactionCoordinator(
        *cluster_.broker(broker).FindService(broker::kTransactionStateTopic));
  }
  [[nodiscard]] std::optional<TransactionView> Find(std::string_view id) const {
    return FindTransaction(Coordinator(CoordinatorOf(id)), id);
  }
  [[nodiscard]] const broker::PartitionLog& Log(int32_t broker, std::string_view partition) const {
    return cluster_.broker(broker).FindReplica(cluster_.Id(partition))->log();
  }
  [[nodiscard]] const broker::PartitionLog& TxnLog(int32_t broker, std::string_view id) const {
    return cluster_.broker(broker).FindReplica(TxnPartition(id))->log();
  }

  // Sends and runs until the answer is there, at most 5 s.
  template <typename Response>
  std::optional<Response> Ask(int32_t broker, sim::PayloadRef request) {
    const size_t number = cluster_.Send(broker, std::move(request));
    for (int i = 0; i < 5'000 && !cluster_.Answered(number); ++i) Run(sim::Millis(1));
    if (!cluster_.Answered(number)) return std::nullopt;
    return cluster_.Answer<Response>(number);
  }

  // As a client does it: again while the answer is retriable.
  broker::InitProducerIdResponse Init(const std::string& id) {
    broker::InitProducerIdResponse answer;
    for (int i = 0; i < 20; ++i) {
      const auto asked = Ask<broker::InitProducerIdResponse>(
          CoordinatorOf(id),
          broker::MakeMessage(broker::InitProducerIdRequest{.transactional_id = id}));
      if (asked.has_value()) answer = *asked;
      if (!IsRetriable(answer.error)) break;
      Run(sim::Millis(100));
    }
    return answer;
  }
  broker::ErrorCode Add(const std::string& id, const broker::InitProducerIdResponse& producer,
                        const std::vector<std::string>& partitions) {
    broker::AddPartitionsToTxnRequest request{.transactions = {}};
    auto& transaction = request.transactions.emplace_back();
    transaction.transactional_id = id;
    transaction.producer_id = producer.producer_id;
    transaction.producer_epoch = producer.producer_epoch;
    for (const std::string& partition : partitions) {
      transaction.partitions.push_back(cluster_.Id(partition));
    }
    const auto answer = Ask<broker::AddPartitionsToTxnResponse>(
        CoordinatorOf(id), broker::MakeMessage(std::move(request)));
    return answer->transactions.at(0).partitions.at(0).error;
  }
  broker::ErrorCode Produce(const std::string& id, const broker::InitProducerIdResponse& producer,
                            const std::string& partition, int32_t sequence, int16_t version) {
    broker::ProduceRequest request{.version = version, .transactional_id = id};
    request.partitions.push_back({.partition = cluster_.Id(partition),
                                  .batch = broker::TestBatch{.producer_id = producer.producer_id,
                                                             .epoch = producer.producer_epoch,
                                                             .sequence = broker::Sequence(sequence),
                                                             .transactional = true}
                                               .Make()});
    const auto answer =
        Ask<broker::ProduceResponse>(LeaderOf(partition), broker::MakeMessage(std::move(request)));
    return answer.has_value() ? answer->partitions.front().error
                              : broker::ErrorCode::kRequestTimedOut;
  }
  [[nodiscard]] sim::PayloadRef EndRequest(const std::string& id,
                                           const broker::InitProducerIdResponse& producer,
                                           bool commit) const {
    return broker::MakeMessage(
        broker::EndTxnRequest{.version = static_cast<int16_t>(version_ == 2 ? 5 : 4),
                              .transactional_id = id,
                              .producer_id = producer.producer_id,
                              .producer_epoch = producer.producer_epoch,
                              .committed = commit});
  }
  std::optional<broker::EndTxnResponse> End(const std::string& id,
                                            const broker::InitProducerIdResponse& producer,
                                            bool commit) {
    return Ask<broker::EndTxnResponse>(CoordinatorOf(id), EndRequest(id, producer, commit));
  }

 private:
  int64_t version_;
  broker::TestCluster cluster_;
};

}  // namespace kafkasim::coordinator
