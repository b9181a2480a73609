#include "broker/messages_transaction.h"

#include <algorithm>

#include <fmt/format.h>

#include "broker/message_text.h"

namespace kafkasim::broker {
namespace {

bool HasPartition(std::string_view value, const PartitionList& partitions) {
  return std::any_of(partitions.begin(), partitions.end(),
                     [&](const PartitionId& partition) { return IsPartition(value, partition); });
}

}  // namespace

bool FindCoordinatorRequest::Concerns(std::string_view attribute, std::string_view value) const {
  const std::string_view mine =
      type == CoordinatorType::kTransaction ? "transactional_id" : "group_id";
  return attribute == mine && value == key;
}

std::string FindCoordinatorRequest::Describe(const ClusterImage&) const {
  return fmt::format("{}={}", type == CoordinatorType::kTransaction ? "transactional_id" : "group",
                     key);
}

void FindCoordinatorRequest::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(type);
  out.Add(key);
}

bool FindCoordinatorResponse::Concerns(std::string_view, std::string_view) const { return false; }

std::string FindCoordinatorResponse::Describe(const ClusterImage&) const {
  if (error != ErrorCode::kNone) return std::string(Name(error));
  return fmt::format("NONE broker={}", broker);
}

void FindCoordinatorResponse::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(error);
  out.Add(broker);
}

bool InitProducerIdRequest::Concerns(std::string_view attribute, std::string_view value) const {
  if (attribute == "transactional_id") return IsText(value, transactional_id);
  return attribute == "producer_id" && IsProducer(value, producer_id);
}

std::string InitProducerIdRequest::Describe(const ClusterImage&) const {
  return fmt::format("v{} transactional_id={} timeout={}ms producer_id={} epoch={}", version,
                     transactional_id.value_or("null"), transaction_timeout_ms, producer_id,
                     producer_epoch);
}

void InitProducerIdRequest::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(version);
  out.Add(transactional_id);
  out.Add(transaction_timeout_ms);
  out.Add(producer_id);
  out.Add(producer_epoch);
  out.Add(enable_2pc);
  out.Add(keep_prepared_txn);
}

bool InitProducerIdResponse::Concerns(std::string_view attribute, std::string_view value) const {
  return attribute == "producer_id" && IsProducer(value, producer_id);
}

std::string InitProducerIdResponse::Describe(const ClusterImage&) const {
  if (error != ErrorCode::kNone) return std::string(Name(error));
  return fmt::format("NONE producer_id={} epoch={}", producer_id, producer_epoch);
}

void InitProducerIdResponse::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(error);
  out.Add(producer_id);
  out.Add(producer_epoch);
}

bool AddPartitionsToTxnRequest::Concerns(std::string_view attribute, std::string_view value) const {
  return std::any_of(transactions.begin(), transactions.end(), [&](const Transaction& txn) {
    if (attribute == "transactional_id") return value == txn.transactional_id;
    if (attribute == "producer_id") return IsProducer(value, txn.producer_id);
    return attribute == "partition" && HasPartition(value, txn.partitions);
  });
}

std::string AddPartitionsToTxnRequest::Describe(const ClusterImage& names) const {
  std::string text = fmt::format("v{}", version);
  for (const Transaction& txn : transactions) {
    text += fmt::format(" {}{} producer_id={} epoch={} [{}]", txn.verify_only ? "verify " : "",
                        txn.transactional_id, txn.producer_id, txn.producer_epoch,
                        PartitionNames(names, txn.partitions));
  }
  return text;
}

void AddPartitionsToTxnRequest::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(version);
  out.Add(static_cast<uint32_t>(transactions.size()));
  for (const Transaction& txn : transactions) {
    out.Add(txn.transactional_id);
    out.Add(txn.producer_id);
    out.Add(txn.producer_epoch);
    out.Add(txn.verify_only);
    out.AddAll(txn.partitions);
  }
}

bool AddPartitionsToTxnResponse::Concerns(std::string_view attribute,
                                          std::string_view value) const {
  return std::any_of(transactions.begin(), transactions.end(),
                     [&](const TransactionResult& result) {
                       if (attribute == "transactional_id") return value == result.transactional_id;
                       return attribute == "partition" && HasPartition(value, result.partitions);
                     });
}

std::string AddPartitionsToTxnResponse::Describe(const ClusterImage& names) const {
  if (error != ErrorCode::kNone) return std::string(Name(error));
  std::string text;
  for (const TransactionResult& result : transactions) {
    if (!text.empty()) text += "; ";
    text +=
        fmt::format("{}: {}", result.transactional_id, PartitionErrors(names, result.partitions));
  }
  return text;
}

void AddPartitionsToTxnResponse::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(error);
  out.Add(static_cast<uint32_t>(transactions.size()));
  for (const TransactionResult& result : transactions) {
    out.Add(result.transactional_id);
    AddPartitionErrors(out, result.partitions);
  }
}

bool AddOffsetsToTxnRequest::Concerns(std::string_view attribute, std::string_view value) const {
  if (attribute == "transactional_id") return value == transactional_id;
  if (attribute == "group_id") return value == group_id;
  return attribute == "producer_id" && IsProducer(value, producer_id);
}

std::string AddOffsetsToTxnRequest::Describe(const ClusterImage&) const {
  return fmt::format("v{} {} producer_id={} epoch={} group={}", version, transactional_id,
                     producer_id, producer_epoch, group_id);
}

void AddOffsetsToTxnRequest::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(version);
  out.Add(transactional_id);
  out.Add(producer_id);
  out.Add(producer_epoch);
  out.Add(group_id);
}

bool AddOffsetsToTxnResponse::Concerns(std::string_view, std::string_view) const { return false; }

std::string AddOffsetsToTxnResponse::Describe(const ClusterImage&) const {
  return std::string(Name(error));
}

void AddOffsetsToTxnResponse::AppendTo(sim::CanonicalBytes& out) const { out.Add(error); }

bool EndTxnRequest::Concerns(std::string_view attribute, std::string_view value) const {
  if (attribute == "transactional_id") return value == transactional_id;
  return attribute == "producer_id" && IsProducer(value, producer_id);
}

std::string EndTxnRequest::Describe(const ClusterImage&) const {
  return fmt::format("v{} {} producer_id={} epoch={} {}", version, transactional_id, producer_id,
                     producer_epoch, committed ? "commit" : "abort");
}

void EndTxnRequest::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(version);
  out.Add(transactional_id);
  out.Add(producer_id);
  out.Add(producer_epoch);
  out.Add(committed);
}

bool EndTxnResponse::Concerns(std::string_view attribute, std::string_view value) const {
  return attribute == "producer_id" && IsProducer(value, producer_id);
}

std::string EndTxnResponse::Describe(const ClusterImage&) const {
  if (error != ErrorCode::kNone || producer_id == kNoProducerId) return std::string(Name(error));
  return fmt::format("NONE producer_id={} epoch={}", producer_id, producer_epoch);
}

void EndTxnResponse::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(error);
  out.Add(producer_id);
  out.Add(producer_epoch);
}

bool WriteTxnMarkersRequest::Concerns(std::string_view attribute, std::string_view value) const {
  return std::any_of(markers.begin(), markers.end(), [&](const Marker& marker) {
    if (attribute == "producer_id") return IsProducer(value, marker.producer_id);
    return attribute == "partition" && HasPartition(value, marker.partitions);
  });
}

std::string WriteTxnMarkersRequest::Describe(const ClusterImage& names) const {
  std::string text = fmt::format("v{}", version);
  for (const Marker& marker : markers) {
    text += fmt::format(" {} producer_id={} epoch={} coordinator_epoch={} [{}]",
                        marker.committed ? "COMMIT" : "ABORT", marker.producer_id,
                        marker.producer_epoch, marker.coordinator_epoch,
                        PartitionNames(names, marker.partitions));
  }
  return text;
}

void WriteTxnMarkersRequest::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(version);
  out.Add(static_cast<uint32_t>(markers.size()));
  for (const Marker& marker : markers) {
    out.Add(marker.producer_id);
    out.Add(marker.producer_epoch);
    out.Add(marker.committed);
    out.AddAll(marker.partitions);
    out.Add(marker.coordinator_epoch);
    out.Add(marker.transaction_version);
  }
}

bool WriteTxnMarkersResponse::Concerns(std::string_view attribute, std::string_view value) const {
  return std::any_of(markers.begin(), markers.end(), [&](const MarkerResult& result) {
    if (attribute == "producer_id") return IsProducer(value, result.producer_id);
    return attribute == "partition" && HasPartition(value, result.partitions);
  });
}

std::string WriteTxnMarkersResponse::Describe(const ClusterImage& names) const {
  std::string text;
  for (const MarkerResult& result : markers) {
    if (!text.empty()) text += "; ";
    text += fmt::format("producer_id={}: {}", result.producer_id,
                        PartitionErrors(names, result.partitions));
  }
  return text;
}

void WriteTxnMarkersResponse::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(static_cast<uint32_t>(markers.size()));
  for (const MarkerResult& result : markers) {
    out.Add(result.producer_id);
    AddPartitionErrors(out, result.partitions);
  }
}

}  // namespace kafkasim::broker
