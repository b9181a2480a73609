#include "scenarios/admin_call.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "coordinator/transaction_state.h"
#include "scenarios/vocabulary.h"

namespace kafkasim::scenarios {
namespace {

// The partitions by their ids; nullopt if one of them does not exist.
std::optional<std::vector<broker::PartitionId>> IdsOf(const std::vector<PartitionName>& partitions,
                                                      const NameTable& names) {
  std::vector<broker::PartitionId> ids;
  for (const PartitionName& partition : partitions) {
    const std::optional<broker::PartitionId> id = names.FindPartition(partition);
    if (!id.has_value()) return std::nullopt;
    ids.push_back(*id);
  }
  return ids;
}

std::optional<broker::BrokerId> BrokerOf(std::optional<std::int32_t> broker) {
  if (!broker.has_value()) return std::nullopt;
  return broker::BrokerId(*broker);
}

// "Ongoing" for "ONGOING": as Kafka's messages have it.
std::vector<std::string> StatesOf(const std::vector<std::string>& states) {
  std::vector<std::string> printed;
  for (const std::string& state : states) {
    const auto known = coordinator::TransactionStateFromName(state);
    if (known.has_value()) printed.emplace_back(coordinator::Name(*known));
  }
  return printed;
}

struct TranslateAdmin {
  const NameTable& names;
  using Result = std::optional<client::AdminCall>;

  Result operator()(const DescribeProducers& call) const {
    auto partitions = IdsOf(call.partitions, names);
    if (!partitions.has_value()) return std::nullopt;
    return client::AdminCall{
        client::DescribeProducers{std::move(*partitions), BrokerOf(call.broker)}};
  }
  Result operator()(const ListTransactions& call) const {
    client::ListTransactions list{.states = StatesOf(call.states), .pattern = call.pattern};
    for (const std::int64_t id : call.producer_ids) {
      list.producer_ids.push_back(broker::ProducerId(id));
    }
    if (call.longer_than_us.has_value()) {
      list.running_longer_than = sim::Micros(*call.longer_than_us);
    }
    return client::AdminCall{std::move(list)};
  }
  Result operator()(const DescribeTransactions& call) const {
    return client::AdminCall{client::DescribeTransactions{call.transactional_ids}};
  }
  Result operator()(const FindHanging& call) const {
    auto partitions = IdsOf(call.partitions, names);
    if (!partitions.has_value()) return std::nullopt;
    return client::AdminCall{client::FindHanging{std::move(*partitions), BrokerOf(call.broker),
                                                 sim::Micros(call.max_transaction_timeout_us)}};
  }
  Result operator()(const AbortTransactionOn& call) const {
    const std::optional<broker::PartitionId> partition = names.FindPartition(call.partition);
    if (!partition.has_value()) return std::nullopt;
    client::AbortTransactionOn abort{
        .partition = *partition,
        .producer_id = broker::ProducerId(call.producer_id.value_or(-1)),
        .producer_epoch =
            broker::ProducerEpoch(static_cast<std::int16_t>(call.producer_epoch.value_or(-1))),
        .coordinator_epoch =
            broker::CoordinatorEpoch(static_cast<std::int32_t>(call.coordinator_epoch))};
    if (call.start_offset.has_value()) abort.start_offset = broker::Offset(*call.start_offset);
    return client::AdminCall{abort};
  }
  Result operator()(const FenceProducers& call) const {
    client::FenceProducers fence{.transactional_ids = call.transactional_ids};
    if (call.timeout_us.has_value()) fence.timeout = sim::Micros(*call.timeout_us);
    return client::AdminCall{std::move(fence)};
  }
  Result operator()(const ForceTerminateTransaction& call) const {
    return client::AdminCall{client::ForceTerminateTransaction{call.transactional_id}};
  }
  Result operator()(const ListOffsets& call) const {
    auto partitions = IdsOf(call.partitions, names);
    if (!partitions.has_value()) return std::nullopt;
    return client::AdminCall{
        client::ListOffsets{.partitions = std::move(*partitions),
                            .timestamp = call.timestamp,
                            .isolation_level = call.isolation_level == "read_committed"
                                                   ? broker::IsolationLevel::kReadCommitted
                                                   : broker::IsolationLevel::kReadUncommitted}};
  }
  Result operator()(const ElectLeaders& call) const {
    const std::optional<broker::PartitionId> partition = names.FindPartition(call.partition);
    if (!partition.has_value()) return std::nullopt;
    return client::AdminCall{client::ElectLeaders{*partition, call.unclean}};
  }
};

struct RowOf {
  const NameTable& names;

  AnswerRow operator()(const client::PartitionProducers::Row& row) const {
    return {{.name = "partition", .value = names.NameOf(row.partition)},
            NumberField("producer_id", row.state.producer_id),
            NumberField("epoch", row.state.producer_epoch),
            NumberField("coordinator_epoch", row.state.coordinator_epoch),
            NumberField("last_sequence", row.state.last_sequence),
            NumberField("last_timestamp_ms", row.state.last_timestamp_ms),
            NumberField("start_offset", row.state.current_txn_start_offset)};
  }
  AnswerRow operator()(const client::TransactionListings::Row& row) const {
    return {{.name = "transactional_id", .value = row.state.transactional_id},
            {.name = "state", .value = CanonicalTransactionState(row.state.state)},
            NumberField("producer_id", row.state.producer_id),
            NumberField("coordinator", row.coordinator)};
  }
  AnswerRow operator()(const client::TransactionDescriptions::Row& row) const {
    std::vector<std::string> partitions;
    for (const broker::PartitionId& id : row.state.partitions) {
      partitions.push_back(names.NameOf(id));
    }
    std::sort(partitions.begin(), partitions.end());
    return {{.name = "transactional_id", .value = row.state.transactional_id},
            {.name = "state", .value = CanonicalTransactionState(row.state.state)},
            NumberField("producer_id", row.state.producer_id),
            NumberField("epoch", row.state.producer_epoch),
            NumberField("coordinator", row.coordinator),
            NumberField("timeout_ms", row.state.timeout_ms),
            NumberField("start_time_ms", row.state.start_time_ms),
            {.name = "partitions", .value = fmt::format("{}", fmt::join(partitions, ", "))}};
  }
  AnswerRow operator()(const client::FencedProducers::Row& row) const {
    return {{.name = "transactional_id", .value = row.transactional_id},
            NumberField("producer_id", row.producer_id),
            NumberField("epoch", row.epoch)};
  }
};

}  // namespace

std::optional<client::AdminCall> TranslateAdminCall(const AdminCall& call, const NameTable& names) {
  return std::visit(TranslateAdmin{names}, call.what);
}

std::vector<AnswerRow> ReadAdminResult(const client::AdminResult& result, const NameTable& names) {
  return std::visit(
      [&](const auto& typed) {
        std::vector<AnswerRow> rows;
        for (const auto& row : typed.rows) rows.push_back(RowOf{names}(row));
        return rows;
      },
      result.what);
}

}  // namespace kafkasim::scenarios
