#include "broker/messages_admin.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "broker/message_text.h"

namespace kafkasim::broker {
namespace {

template <typename Range>
bool HasText(std::string_view value, const Range& texts) {
  return std::find(texts.begin(), texts.end(), value) != texts.end();
}

}  // namespace

bool DescribeProducersRequest::Concerns(std::string_view attribute, std::string_view value) const {
  return attribute == "partition" &&
         std::any_of(partitions.begin(), partitions.end(),
                     [&](const PartitionId& partition) { return IsPartition(value, partition); });
}

std::string DescribeProducersRequest::Describe(const ClusterImage& names) const {
  return PartitionNames(names, partitions);
}

void DescribeProducersRequest::AppendTo(sim::CanonicalBytes& out) const { out.AddAll(partitions); }

bool DescribeProducersResponse::Concerns(std::string_view attribute, std::string_view value) const {
  return std::any_of(partitions.begin(), partitions.end(), [&](const PartitionResult& result) {
    return attribute == "partition" && IsPartition(value, result.partition);
  });
}

std::string DescribeProducersResponse::Describe(const ClusterImage& names) const {
  std::string text;
  for (const PartitionResult& result : partitions) {
    if (!text.empty()) text += "; ";
    text += fmt::format("{} {}", names.NameOf(result.partition), Name(result.error));
    for (const ProducerState& state : result.active_producers) {
      text += fmt::format(" (producer_id={} epoch={} coordinator_epoch={} txn_start={})",
                          state.producer_id, state.producer_epoch, state.coordinator_epoch,
                          state.current_txn_start_offset);
    }
  }
  return text;
}

void DescribeProducersResponse::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(static_cast<uint32_t>(partitions.size()));
  for (const PartitionResult& result : partitions) {
    out.Add(result.partition);
    out.Add(result.error);
    out.Add(static_cast<uint32_t>(result.active_producers.size()));
    for (const ProducerState& state : result.active_producers) {
      out.Add(state.producer_id);
      out.Add(state.producer_epoch);
      out.Add(state.last_sequence);
      out.Add(state.last_timestamp_ms);
      out.Add(state.coordinator_epoch);
      out.Add(state.current_txn_start_offset);
    }
  }
}

bool DescribeTransactionsRequest::Concerns(std::string_view attribute,
                                           std::string_view value) const {
  return attribute == "transactional_id" && HasText(value, transactional_ids);
}

std::string DescribeTransactionsRequest::Describe(const ClusterImage&) const {
  return fmt::format("{}", fmt::join(transactional_ids, ", "));
}

void DescribeTransactionsRequest::AppendTo(sim::CanonicalBytes& out) const {
  out.AddAll(transactional_ids);
}

bool DescribeTransactionsResponse::Concerns(std::string_view attribute,
                                            std::string_view value) const {
  return std::any_of(transactions.begin(), transactions.end(), [&](const TransactionState& state) {
    if (attribute == "transactional_id") return value == state.transactional_id;
    return attribute == "producer_id" && IsProducer(value, state.producer_id);
  });
}

std::string DescribeTransactionsResponse::Describe(const ClusterImage& names) const {
  std::string text;
  for (const TransactionState& state : transactions) {
    if (!text.empty()) text += "; ";
    text += fmt::format("{} {}", state.transactional_id, Name(state.error));
    if (state.error != ErrorCode::kNone) continue;
    text += fmt::format(" {} producer_id={} epoch={} [{}]", state.state, state.producer_id,
                        state.producer_epoch, PartitionNames(names, state.partitions));
  }
  return text;
}

void DescribeTransactionsResponse::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(static_cast<uint32_t>(transactions.size()));
  for (const TransactionState& state : transactions) {
    out.Add(state.error);
    out.Add(state.transactional_id);
    out.Add(state.state);
    out.Add(state.timeout_ms);
    out.Add(state.start_time_ms);
    out.Add(state.producer_id);
    out.Add(state.producer_epoch);
    out.AddAll(state.partitions);
  }
}

bool ListTransactionsRequest::Concerns(std::string_view attribute, std::string_view value) const {
  return attribute == "producer_id" &&
         std::any_of(producer_id_filters.begin(), producer_id_filters.end(),
                     [&](ProducerId id) { return IsProducer(value, id); });
}

std::string ListTransactionsRequest::Describe(const ClusterImage&) const {
  std::string text;
  const auto add = [&text](std::string part) { text += (text.empty() ? "" : " ") + part; };
  if (!state_filters.empty()) add(fmt::format("states=[{}]", fmt::join(state_filters, ",")));
  if (!producer_id_filters.empty()) {
    std::string ids;
    for (const ProducerId id : producer_id_filters) {
      ids += fmt::format("{}{}", ids.empty() ? "" : ",", id);
    }
    add(fmt::format("producer_ids=[{}]", ids));
  }
  if (duration_filter_ms >= 0) add(fmt::format("longer than {}ms", duration_filter_ms));
  if (!transactional_id_pattern.empty()) add("pattern=" + transactional_id_pattern);
  return text.empty() ? "all" : text;
}

void ListTransactionsRequest::AppendTo(sim::CanonicalBytes& out) const {
  out.AddAll(state_filters);
  out.AddAll(producer_id_filters);
  out.Add(duration_filter_ms);
  out.Add(transactional_id_pattern);
}

bool ListTransactionsResponse::Concerns(std::string_view attribute, std::string_view value) const {
  return std::any_of(transactions.begin(), transactions.end(), [&](const TransactionState& state) {
    if (attribute == "transactional_id") return value == state.transactional_id;
    return attribute == "producer_id" && IsProducer(value, state.producer_id);
  });
}

std::string ListTransactionsResponse::Describe(const ClusterImage&) const {
  std::string text(Name(error));
  if (!unknown_state_filters.empty()) {
    text += fmt::format(" unknown states [{}]", fmt::join(unknown_state_filters, ","));
  }
  for (const TransactionState& state : transactions) {
    text += fmt::format(" ({} producer_id={} {})", state.transactional_id, state.producer_id,
                        state.state);
  }
  return text;
}

void ListTransactionsResponse::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(error);
  out.AddAll(unknown_state_filters);
  out.Add(static_cast<uint32_t>(transactions.size()));
  for (const TransactionState& state : transactions) {
    out.Add(state.transactional_id);
    out.Add(state.producer_id);
    out.Add(state.state);
  }
}

}  // namespace kafkasim::broker
