#include "broker/messages_leader_epoch.h"

#include <fmt/format.h>

#include "broker/message_text.h"

namespace kafkasim::broker {

bool OffsetForLeaderEpochRequest::Concerns(std::string_view attribute,
                                           std::string_view value) const {
  return HasPartition(attribute, value, partitions);
}

std::string OffsetForLeaderEpochRequest::Describe(const ClusterImage& names) const {
  std::string text;
  for (const PartitionQuery& query : partitions) {
    if (!text.empty()) text += "; ";
    text += fmt::format("{} leader_epoch={} current={}", names.NameOf(query.partition),
                        query.leader_epoch, query.current_leader_epoch);
  }
  return text;
}

void OffsetForLeaderEpochRequest::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(static_cast<uint32_t>(partitions.size()));
  for (const PartitionQuery& query : partitions) {
    out.Add(query.partition);
    out.Add(query.current_leader_epoch);
    out.Add(query.leader_epoch);
  }
}

bool OffsetForLeaderEpochResponse::Concerns(std::string_view attribute,
                                            std::string_view value) const {
  return HasPartition(attribute, value, partitions);
}

std::string OffsetForLeaderEpochResponse::Describe(const ClusterImage& names) const {
  std::string text;
  for (const PartitionResult& result : partitions) {
    if (!text.empty()) text += "; ";
    text += fmt::format("{} {}", names.NameOf(result.partition), Name(result.error));
    if (result.error != ErrorCode::kNone) continue;
    text += fmt::format(" leader_epoch={} end={}", result.leader_epoch, result.end_offset);
  }
  return text;
}

void OffsetForLeaderEpochResponse::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(static_cast<uint32_t>(partitions.size()));
  for (const PartitionResult& result : partitions) {
    out.Add(result.partition);
    out.Add(result.error);
    out.Add(result.leader_epoch);
    out.Add(result.end_offset);
  }
}

}  // namespace kafkasim::broker
