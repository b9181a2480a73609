#include "client/admin_operation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kafkasim::client {
namespace {

// In the order of the alternatives.
constexpr std::string_view kOperationNames[] = {
    "describe_producers", "list_transactions", "describe_transactions",       "find_hanging",
    "abort_transaction",  "fence_producers",   "force_terminate_transaction", "list_offsets",
    "elect_leaders"};
static_assert(std::size(kOperationNames) == std::variant_size_v<decltype(AdminCall::what)>);

struct OperationAppender {
  sim::CanonicalBytes& out;

  void operator()(const DescribeProducers& call) const {
    out.AddAll(call.partitions);
    out.Add(call.broker);
  }
  void operator()(const ListTransactions& call) const {
    out.AddAll(call.states);
    out.AddAll(call.producer_ids);
    out.Add(call.running_longer_than);
    out.Add(call.pattern);
  }
  void operator()(const DescribeTransactions& call) const { out.AddAll(call.transactional_ids); }
  void operator()(const FindHanging& call) const {
    out.AddAll(call.partitions);
    out.Add(call.broker);
    out.Add(call.max_transaction_timeout);
  }
  void operator()(const AbortTransactionOn& call) const {
    out.Add(call.partition);
    out.Add(call.start_offset);
    out.Add(call.producer_id);
    out.Add(call.producer_epoch);
    out.Add(call.coordinator_epoch);
  }
  void operator()(const FenceProducers& call) const {
    out.AddAll(call.transactional_ids);
    out.Add(call.timeout);
  }
  void operator()(const ForceTerminateTransaction& call) const { out.Add(call.transactional_id); }
  void operator()(const ListOffsets& call) const {
    out.AddAll(call.partitions);
    out.Add(call.timestamp);
    out.Add(call.isolation_level);
  }
  void operator()(const ElectLeaders& call) const {
    out.Add(call.partition);
    out.Add(call.unclean);
  }
};

struct OperationDescriber {
  const broker::ClusterImage& names;

  [[nodiscard]] std::string List(const std::vector<broker::PartitionId>& partitions,
                                 std::optional<broker::BrokerId> broker) const {
    std::string text;
    for (const broker::PartitionId& partition : partitions) {
      text += (text.empty() ? "" : ", ") + names.NameOf(partition);
    }
    if (text.empty()) text = "all partitions";
    if (broker.has_value()) text += fmt::format(" on broker-{}", *broker);
    return text;
  }

  std::string operator()(const DescribeProducers& call) const {
    return List(call.partitions, call.broker);
  }
  std::string operator()(const ListTransactions& call) const {
    std::string text = fmt::format("{}", fmt::join(call.states, ", "));
    for (const broker::ProducerId id : call.producer_ids) {
      text += fmt::format("{}producer {}", text.empty() ? "" : ", ", id);
    }
    if (call.running_longer_than.has_value()) {
      text += fmt::format("{}longer than {}", text.empty() ? "" : ", ",
                          sim::FormatDuration(*call.running_longer_than));
    }
    if (!call.pattern.empty()) text += (text.empty() ? "" : ", ") + call.pattern;
    return text;
  }
  std::string operator()(const DescribeTransactions& call) const {
    return fmt::format("{}", fmt::join(call.transactional_ids, ", "));
  }
  std::string operator()(const FindHanging& call) const {
    return fmt::format("{}, older than {}", List(call.partitions, call.broker),
                       sim::FormatDuration(call.max_transaction_timeout));
  }
  std::string operator()(const AbortTransactionOn& call) const {
    if (call.start_offset.has_value()) {
      return fmt::format("{} from offset {}", names.NameOf(call.partition), *call.start_offset);
    }
    return fmt::format("{} of producer {}, epoch {}", names.NameOf(call.partition),
                       call.producer_id, call.producer_epoch);
  }
  std::string operator()(const FenceProducers& call) const {
    return fmt::format("{}", fmt::join(call.transactional_ids, ", "));
  }
  std::string operator()(const ForceTerminateTransaction& call) const {
    return call.transactional_id;
  }
  std::string operator()(const ListOffsets& call) const {
    const std::string list = List(call.partitions, {});
    if (call.timestamp == broker::kLatestTimestamp) return list + ": latest";
    if (call.timestamp == broker::kEarliestTimestamp) return list + ": earliest";
    if (call.timestamp == broker::kMaxTimestamp) return list + ": largest timestamp";
    return fmt::format("{}: at {} ms", list, call.timestamp);
  }
  std::string operator()(const ElectLeaders& call) const {
    return fmt::format("{}{}", names.NameOf(call.partition), call.unclean ? ", unclean" : "");
  }
};

}  // namespace

void AdminCall::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(static_cast<uint8_t>(what.index()));
  std::visit(OperationAppender{out}, what);
}

std::string_view Name(const AdminCall& call) { return kOperationNames[call.what.index()]; }

std::string Describe(const AdminCall& call, const broker::ClusterImage& names) {
  return std::visit(OperationDescriber{names}, call.what);
}

}  // namespace kafkasim::client
