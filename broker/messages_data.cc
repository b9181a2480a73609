#include "broker/messages_data.h"

#include <algorithm>

#include <fmt/format.h>

#include "broker/message_text.h"

namespace kafkasim::broker {

std::string_view Name(IsolationLevel level) {
  return level == IsolationLevel::kReadCommitted ? "read_committed" : "read_uncommitted";
}

std::string DescribeBatch(const RecordBatch& batch) {
  if (batch.marker_removed) return "an empty control batch";
  if (batch.is_control()) {
    return fmt::format("{}, producer {} epoch {}", Name(batch.marker->type), batch.producer_id,
                       batch.producer_epoch);
  }
  const size_t count = batch.records->size();
  std::string text = fmt::format("{} record{}", count, count == 1 ? "" : "s");
  if (batch.has_producer_id()) {
    text += fmt::format(", producer {} epoch {}, sequence {}", batch.producer_id,
                        batch.producer_epoch, batch.base_sequence);
  }
  if (batch.transactional) text += ", transactional";
  return text;
}

bool ProduceRequest::Concerns(std::string_view attribute, std::string_view value) const {
  if (attribute == "transactional_id") return IsText(value, transactional_id);
  if (attribute == "producer_id") {
    return std::any_of(partitions.begin(), partitions.end(), [&](const PartitionData& data) {
      return IsProducer(value, data.batch->producer_id);
    });
  }
  return HasPartition(attribute, value, partitions);
}

std::string ProduceRequest::Describe(const ClusterImage& names) const {
  std::string text = fmt::format("v{} acks={}", version, acks);
  if (transactional_id.has_value()) text += fmt::format(" {}", *transactional_id);
  for (const PartitionData& data : partitions) {
    text += fmt::format(" {}: {}", names.NameOf(data.partition), DescribeBatch(*data.batch));
  }
  return text;
}

void ProduceRequest::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(version);
  out.Add(transactional_id);
  out.Add(acks);
  out.Add(timeout_ms);
  out.Add(static_cast<uint32_t>(partitions.size()));
  for (const PartitionData& data : partitions) {
    out.Add(data.partition);
    AddBatch(out, data.batch);
  }
}

bool ProduceResponse::Concerns(std::string_view attribute, std::string_view value) const {
  return HasPartition(attribute, value, partitions);
}

std::string ProduceResponse::Describe(const ClusterImage& names) const {
  std::string text;
  for (const PartitionResult& result : partitions) {
    if (!text.empty()) text += "; ";
    text += fmt::format("{} {}", names.NameOf(result.partition), Name(result.error));
    if (result.base_offset != kNoOffset) text += fmt::format(" offset={}", result.base_offset);
    if (!result.error_message.empty()) text += fmt::format(" ({})", result.error_message);
  }
  return text;
}

void ProduceResponse::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(static_cast<uint32_t>(partitions.size()));
  for (const PartitionResult& result : partitions) {
    out.Add(result.partition);
    out.Add(result.error);
    out.Add(result.base_offset);
    out.Add(result.log_start_offset);
    out.Add(result.error_message);
  }
}

bool FetchRequest::Concerns(std::string_view attribute, std::string_view value) const {
  return HasPartition(attribute, value, partitions);
}

std::string FetchRequest::Describe(const ClusterImage& names) const {
  std::string text = replica == kNoBroker ? std::string(Name(isolation_level))
                                          : fmt::format("follower={}", replica);
  for (const PartitionFetch& fetch : partitions) {
    text += fmt::format(" {}@{}", names.NameOf(fetch.partition), fetch.fetch_offset);
  }
  if (partitions.empty()) text += " (the session's partitions)";
  return text;
}

void FetchRequest::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(replica);
  out.Add(replica_epoch);
  out.Add(isolation_level);
  out.Add(max_wait_ms);
  out.Add(min_bytes);
  out.Add(max_bytes);
  out.Add(session_epoch);
  out.Add(static_cast<uint32_t>(partitions.size()));
  for (const PartitionFetch& fetch : partitions) {
    out.Add(fetch.partition);
    out.Add(fetch.fetch_offset);
    out.Add(fetch.current_leader_epoch);
    out.Add(fetch.last_fetched_epoch);
    out.Add(fetch.log_start_offset);
    out.Add(fetch.max_bytes);
  }
  out.AddAll(forgotten);
}

bool FetchResponse::Concerns(std::string_view attribute, std::string_view value) const {
  return HasPartition(attribute, value, partitions);
}

std::string FetchResponse::Describe(const ClusterImage& names) const {
  if (error != ErrorCode::kNone) return std::string(Name(error));
  std::string text;
  for (const PartitionResult& result : partitions) {
    if (!text.empty()) text += "; ";
    text += names.NameOf(result.partition);
    if (result.error != ErrorCode::kNone) {
      text += fmt::format(" {}", Name(result.error));
      continue;
    }
    if (result.batches.empty()) {
      text += " empty";
    } else {
      text += fmt::format(" {}..{}", result.batches.front()->base_offset,
                          result.batches.back()->last_offset());
    }
    text += fmt::format(" high_watermark={}", result.high_watermark);
    if (result.aborted_transactions.has_value()) {
      text += fmt::format(" last_stable_offset={} aborted=[", result.last_stable_offset);
      for (const AbortedTransaction& aborted : *result.aborted_transactions) {
        text += fmt::format("({},{})", aborted.producer_id, aborted.first_offset);
      }
      text += "]";
    }
    if (result.diverging_epoch.has_value()) {
      text += fmt::format(" diverging_epoch={} end={}", result.diverging_epoch->epoch,
                          result.diverging_epoch->end_offset);
    }
  }
  return text.empty() ? "nothing new" : text;
}

void FetchResponse::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(error);
  out.Add(static_cast<uint32_t>(partitions.size()));
  for (const PartitionResult& result : partitions) {
    out.Add(result.partition);
    out.Add(result.error);
    out.Add(result.high_watermark);
    out.Add(result.last_stable_offset);
    out.Add(result.log_start_offset);
    out.Add(result.diverging_epoch.has_value());
    if (result.diverging_epoch.has_value()) {
      out.Add(result.diverging_epoch->epoch);
      out.Add(result.diverging_epoch->end_offset);
    }
    out.Add(result.aborted_transactions.has_value());
    if (result.aborted_transactions.has_value()) {
      out.Add(static_cast<uint32_t>(result.aborted_transactions->size()));
      for (const AbortedTransaction& aborted : *result.aborted_transactions) {
        out.Add(aborted.producer_id);
        out.Add(aborted.first_offset);
      }
    }
    out.Add(static_cast<uint32_t>(result.batches.size()));
    for (const RecordBatchRef& batch : result.batches) AddBatch(out, batch);
  }
}

bool ListOffsetsRequest::Concerns(std::string_view attribute, std::string_view value) const {
  return HasPartition(attribute, value, partitions);
}

std::string ListOffsetsRequest::Describe(const ClusterImage& names) const {
  std::string text(Name(isolation_level));
  for (const PartitionQuery& query : partitions) {
    text += fmt::format(" {} ", names.NameOf(query.partition));
    if (query.timestamp == kLatestTimestamp) {
      text += "latest";
    } else if (query.timestamp == kEarliestTimestamp) {
      text += "earliest";
    } else if (query.timestamp == kMaxTimestamp) {
      text += "max_timestamp";
    } else {
      text += fmt::format("timestamp={}", query.timestamp);
    }
  }
  return text;
}

void ListOffsetsRequest::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(replica);
  out.Add(isolation_level);
  out.Add(static_cast<uint32_t>(partitions.size()));
  for (const PartitionQuery& query : partitions) {
    out.Add(query.partition);
    out.Add(query.timestamp);
    out.Add(query.current_leader_epoch);
  }
}

bool ListOffsetsResponse::Concerns(std::string_view attribute, std::string_view value) const {
  return HasPartition(attribute, value, partitions);
}

std::string ListOffsetsResponse::Describe(const ClusterImage& names) const {
  std::string text;
  for (const PartitionResult& result : partitions) {
    if (!text.empty()) text += "; ";
    text += fmt::format("{} {}", names.NameOf(result.partition), Name(result.error));
    if (result.error == ErrorCode::kNone) text += fmt::format(" offset={}", result.offset);
  }
  return text;
}

void ListOffsetsResponse::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(static_cast<uint32_t>(partitions.size()));
  for (const PartitionResult& result : partitions) {
    out.Add(result.partition);
    out.Add(result.error);
    out.Add(result.timestamp);
    out.Add(result.offset);
    out.Add(result.leader_epoch);
  }
}

}  // namespace kafkasim::broker
