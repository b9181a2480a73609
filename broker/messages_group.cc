#include "broker/messages_group.h"

#include <algorithm>

#include <fmt/format.h>

#include "broker/message_text.h"

namespace kafkasim::broker {
namespace {

// What most requests of a member have in common.
template <typename Request>
bool IsOfMember(const Request& request, std::string_view attribute, std::string_view value) {
  if (attribute == "group_id") return value == request.group_id;
  return attribute == "member_id" && value == request.member_id;
}

template <typename Member>
std::string NameOfMember(const Member& member) {
  if (!member.group_instance_id.has_value()) return member.member_id;
  return fmt::format("{} ({})", member.member_id, *member.group_instance_id);
}

std::string TopicNames(const ClusterImage& names, const std::vector<TopicId>& topics) {
  std::string text;
  for (const TopicId topic : topics) {
    const TopicImage* image = names.FindTopic(topic);
    text += fmt::format("{}{}", text.empty() ? "" : ",", image == nullptr ? "?" : image->name);
  }
  return text;
}

std::string NamesOf(const ClusterImage& names, const PartitionList& partitions) {
  return PartitionNames(names, partitions, [](const PartitionId& partition) { return partition; });
}

}  // namespace

void MemberSubscription::AppendTo(sim::CanonicalBytes& out) const {
  out.AddAll(topics);
  out.AddAll(owned);
  out.Add(generation_id);
}

void JoinGroupRequest::Protocol::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(name);
  out.Add(subscription);
}

bool JoinGroupRequest::Concerns(std::string_view attribute, std::string_view value) const {
  return IsOfMember(*this, attribute, value);
}

std::string JoinGroupRequest::Describe(const ClusterImage& names) const {
  std::string text = fmt::format("v{} group={} member={}", version, group_id, NameOfMember(*this));
  for (const Protocol& protocol : protocols) {
    text += fmt::format(" {}[{}]", protocol.name, TopicNames(names, protocol.subscription.topics));
  }
  if (!protocols.empty() && !protocols.front().subscription.owned.empty()) {
    text += fmt::format(" owned={}", NamesOf(names, protocols.front().subscription.owned));
  }
  return text;
}

void JoinGroupRequest::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(version);
  out.Add(client_id);
  out.Add(group_id);
  out.Add(session_timeout_ms);
  out.Add(rebalance_timeout_ms);
  out.Add(member_id);
  out.Add(group_instance_id);
  out.Add(protocol_type);
  out.AddAll(protocols);
  out.Add(reason);
}

bool JoinGroupResponse::Concerns(std::string_view attribute, std::string_view value) const {
  return attribute == "member_id" && value == member_id;
}

std::string JoinGroupResponse::Describe(const ClusterImage&) const {
  if (error != ErrorCode::kNone) return fmt::format("{} member={}", Name(error), member_id);
  std::string text = fmt::format("NONE generation={} protocol={} member={} leader={}",
                                 generation_id, protocol_name, member_id, leader);
  if (!members.empty()) text += fmt::format(" members={}", members.size());
  return text;
}

void JoinGroupResponse::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(error);
  out.Add(generation_id);
  out.Add(protocol_name);
  out.Add(leader);
  out.Add(skip_assignment);
  out.Add(member_id);
  out.Add(static_cast<uint32_t>(members.size()));
  for (const Member& member : members) {
    out.Add(member.member_id);
    out.Add(member.group_instance_id);
    out.Add(member.subscription);
  }
}

bool SyncGroupRequest::Concerns(std::string_view attribute, std::string_view value) const {
  return IsOfMember(*this, attribute, value);
}

std::string SyncGroupRequest::Describe(const ClusterImage& names) const {
  std::string text = fmt::format("v{} group={} generation={} member={}", version, group_id,
                                 generation_id, NameOfMember(*this));
  for (const Assignment& assignment : assignments) {
    text += fmt::format(" {}=[{}]", assignment.member_id, NamesOf(names, assignment.partitions));
  }
  return text;
}

void SyncGroupRequest::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(version);
  out.Add(group_id);
  out.Add(generation_id);
  out.Add(member_id);
  out.Add(group_instance_id);
  out.Add(protocol_name);
  out.Add(static_cast<uint32_t>(assignments.size()));
  for (const Assignment& assignment : assignments) {
    out.Add(assignment.member_id);
    out.AddAll(assignment.partitions);
  }
}

bool SyncGroupResponse::Concerns(std::string_view attribute, std::string_view value) const {
  return attribute == "partition" &&
         std::any_of(partitions.begin(), partitions.end(),
                     [&](const PartitionId& partition) { return IsPartition(value, partition); });
}

std::string SyncGroupResponse::Describe(const ClusterImage& names) const {
  if (error != ErrorCode::kNone) return std::string(Name(error));
  return fmt::format("NONE assigned={}", NamesOf(names, partitions));
}

void SyncGroupResponse::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(error);
  out.Add(protocol_name);
  out.AddAll(partitions);
}

bool HeartbeatRequest::Concerns(std::string_view attribute, std::string_view value) const {
  return IsOfMember(*this, attribute, value);
}

std::string HeartbeatRequest::Describe(const ClusterImage&) const {
  return fmt::format("v{} group={} generation={} member={}", version, group_id, generation_id,
                     NameOfMember(*this));
}

void HeartbeatRequest::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(version);
  out.Add(group_id);
  out.Add(generation_id);
  out.Add(member_id);
  out.Add(group_instance_id);
}

bool HeartbeatResponse::Concerns(std::string_view, std::string_view) const { return false; }

std::string HeartbeatResponse::Describe(const ClusterImage&) const {
  return std::string(Name(error));
}

void HeartbeatResponse::AppendTo(sim::CanonicalBytes& out) const { out.Add(error); }

bool LeaveGroupRequest::Concerns(std::string_view attribute, std::string_view value) const {
  if (attribute == "group_id") return value == group_id;
  return attribute == "member_id" &&
         std::any_of(members.begin(), members.end(),
                     [&](const Member& member) { return member.member_id == value; });
}

std::string LeaveGroupRequest::Describe(const ClusterImage&) const {
  std::string text = fmt::format("v{} group={}", version, group_id);
  for (const Member& member : members) text += fmt::format(" member={}", NameOfMember(member));
  return text;
}

void LeaveGroupRequest::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(version);
  out.Add(group_id);
  out.Add(static_cast<uint32_t>(members.size()));
  for (const Member& member : members) {
    out.Add(member.member_id);
    out.Add(member.group_instance_id);
    out.Add(member.reason);
  }
}

bool LeaveGroupResponse::Concerns(std::string_view attribute, std::string_view value) const {
  return attribute == "member_id" &&
         std::any_of(members.begin(), members.end(),
                     [&](const Member& member) { return member.member_id == value; });
}

std::string LeaveGroupResponse::Describe(const ClusterImage&) const {
  std::string text(Name(error));
  for (const Member& member : members) {
    text += fmt::format(" {} {}", NameOfMember(member), Name(member.error));
  }
  return text;
}

void LeaveGroupResponse::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(error);
  out.Add(static_cast<uint32_t>(members.size()));
  for (const Member& member : members) {
    out.Add(member.member_id);
    out.Add(member.group_instance_id);
    out.Add(member.error);
  }
}

}  // namespace kafkasim::broker
