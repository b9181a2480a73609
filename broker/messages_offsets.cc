#include "broker/messages_offsets.h"

#include <algorithm>

#include <fmt/format.h>

#include "broker/message_text.h"

namespace kafkasim::broker {
namespace {

// "orders-0@5,orders-1@7"
std::string OffsetsText(const ClusterImage& names, const std::vector<OffsetToCommit>& offsets) {
  std::string text;
  for (const OffsetToCommit& commit : offsets) {
    text += fmt::format("{}{}@{}", text.empty() ? "" : ",", names.NameOf(commit.partition),
                        commit.offset);
  }
  return text;
}

}  // namespace

void OffsetToCommit::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(partition);
  out.Add(offset);
  out.Add(leader_epoch);
  out.Add(metadata);
}

bool OffsetCommitRequest::Concerns(std::string_view attribute, std::string_view value) const {
  if (attribute == "group_id") return value == group_id;
  if (attribute == "member_id") return value == member_id;
  return attribute == "partition" && HasPartition(value, offsets);
}

std::string OffsetCommitRequest::Describe(const ClusterImage& names) const {
  return fmt::format("v{} group={} generation={} member={} {}", version, group_id, generation_id,
                     member_id, OffsetsText(names, offsets));
}

void OffsetCommitRequest::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(version);
  out.Add(group_id);
  out.Add(generation_id);
  out.Add(member_id);
  out.Add(group_instance_id);
  out.AddAll(offsets);
}

bool OffsetCommitResponse::Concerns(std::string_view attribute, std::string_view value) const {
  return attribute == "partition" && HasPartition(value, partitions);
}

std::string OffsetCommitResponse::Describe(const ClusterImage& names) const {
  return PartitionErrors(names, partitions);
}

void OffsetCommitResponse::AppendTo(sim::CanonicalBytes& out) const {
  AddPartitionErrors(out, partitions);
}

bool OffsetFetchRequest::Concerns(std::string_view attribute, std::string_view value) const {
  if (attribute == "group_id") return value == group_id;
  return attribute == "partition" && partitions.has_value() &&
         std::any_of(partitions->begin(), partitions->end(),
                     [&](const PartitionId& partition) { return IsPartition(value, partition); });
}

std::string OffsetFetchRequest::Describe(const ClusterImage& names) const {
  const std::string asked =
      partitions.has_value()
          ? PartitionNames(names, *partitions,
                           [](const PartitionId& partition) { return partition; })
          : "all partitions";
  return fmt::format("v{} group={} {}{}", version, group_id, asked,
                     require_stable ? " require_stable" : "");
}

void OffsetFetchRequest::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(version);
  out.Add(group_id);
  out.Add(partitions.has_value());
  if (partitions.has_value()) out.AddAll(*partitions);
  out.Add(require_stable);
}

bool OffsetFetchResponse::Concerns(std::string_view attribute, std::string_view value) const {
  return attribute == "partition" && HasPartition(value, partitions);
}

std::string OffsetFetchResponse::Describe(const ClusterImage& names) const {
  if (error != ErrorCode::kNone) return std::string(Name(error));
  std::string text;
  for (const PartitionResult& result : partitions) {
    text += text.empty() ? "" : ", ";
    text += result.error == ErrorCode::kNone
                ? fmt::format("{}@{}", names.NameOf(result.partition), result.offset)
                : fmt::format("{} {}", names.NameOf(result.partition), Name(result.error));
  }
  return text;
}

void OffsetFetchResponse::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(error);
  out.Add(static_cast<uint32_t>(partitions.size()));
  for (const PartitionResult& result : partitions) {
    out.Add(result.partition);
    out.Add(result.offset);
    out.Add(result.leader_epoch);
    out.Add(result.metadata);
    out.Add(result.error);
  }
}

bool TxnOffsetCommitRequest::Concerns(std::string_view attribute, std::string_view value) const {
  if (attribute == "transactional_id") return value == transactional_id;
  if (attribute == "producer_id") return IsProducer(value, producer_id);
  if (attribute == "group_id") return value == group_id;
  if (attribute == "member_id") return value == member_id;
  return attribute == "partition" && HasPartition(value, offsets);
}

std::string TxnOffsetCommitRequest::Describe(const ClusterImage& names) const {
  return fmt::format(
      "v{} transactional_id={} group={} producer_id={} epoch={} generation={} member={} {}",
      version, transactional_id, group_id, producer_id, producer_epoch, generation_id, member_id,
      OffsetsText(names, offsets));
}

void TxnOffsetCommitRequest::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(version);
  out.Add(transactional_id);
  out.Add(group_id);
  out.Add(producer_id);
  out.Add(producer_epoch);
  out.Add(generation_id);
  out.Add(member_id);
  out.Add(group_instance_id);
  out.AddAll(offsets);
}

bool TxnOffsetCommitResponse::Concerns(std::string_view attribute, std::string_view value) const {
  return attribute == "partition" && HasPartition(value, partitions);
}

std::string TxnOffsetCommitResponse::Describe(const ClusterImage& names) const {
  return PartitionErrors(names, partitions);
}

void TxnOffsetCommitResponse::AppendTo(sim::CanonicalBytes& out) const {
  AddPartitionErrors(out, partitions);
}

}  // namespace kafkasim::broker
