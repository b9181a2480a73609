#include "coordinator/classic_group.h"

#include <algorithm>
#include <utility>

#include <absl/container/btree_map.h>

#include "sim/check.h"

namespace kafkasim::coordinator {

namespace {

using broker::ErrorCode;

constexpr std::string_view kConsumerProtocolType = "consumer";

bool Knows(const GroupProtocols& protocols, std::string_view name) {
  return std::any_of(protocols.begin(), protocols.end(),
                     [&](const auto& protocol) { return protocol.name == name; });
}

bool AllSupport(const std::vector<GroupMember>& members, std::string_view protocol) {
  return std::all_of(members.begin(), members.end(),
                     [&](const GroupMember& member) { return Knows(member.protocols, protocol); });
}

template <typename Member>
auto FindById(std::vector<Member>& members, std::string_view member_id) {
  return std::find_if(members.begin(), members.end(),
                      [&](const auto& member) { return member.member_id == member_id; });
}

}  // namespace

const broker::MemberSubscription* GroupMember::FindSubscription(std::string_view protocol) const {
  for (const auto& known : protocols) {
    if (known.name == protocol) return &known.subscription;
  }
  return nullptr;
}

void GroupMember::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(member_id);
  out.Add(group_instance_id);
  out.Add(client_id);
  out.Add(rebalance_timeout_ms);
  out.Add(session_timeout_ms);
  out.AddAll(protocols);
  out.AddAll(assignment);
  out.Add(is_new);
  out.Add(awaiting_join);
  out.Add(awaiting_sync);
  out.Add(session_deadline);
}

void PendingMember::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(member_id);
  out.Add(deadline);
}

void JoinTimer::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(deadline);
  out.Add(initial);
  out.Add(delay_ms);
  out.Add(remaining_ms);
}

GroupMember* ClassicGroup::FindMember(std::string_view member_id) {
  const auto found = FindById(members, member_id);
  return found == members.end() ? nullptr : &*found;
}

const GroupMember* ClassicGroup::FindMember(std::string_view member_id) const {
  return const_cast<ClassicGroup*>(this)->FindMember(member_id);
}

std::string ClassicGroup::StaticMemberId(std::string_view group_instance_id) const {
  for (const GroupMember& member : members) {
    if (member.group_instance_id == group_instance_id) return member.member_id;
  }
  return "";
}

bool ClassicGroup::IsPending(std::string_view member_id) const {
  return std::any_of(pending_members.begin(), pending_members.end(),
                     [&](const PendingMember& member) { return member.member_id == member_id; });
}

int64_t ClassicGroup::AwaitingJoin() const {
  return std::count_if(members.begin(), members.end(),
                       [](const GroupMember& member) { return member.awaiting_join.has_value(); });
}

bool ClassicGroup::HasAllMembersJoined() const {
  return pending_members.empty() && AwaitingJoin() == static_cast<int64_t>(members.size());
}

int32_t ClassicGroup::RebalanceTimeoutMs() const {
  int32_t longest = 0;
  for (const GroupMember& member : members) {
    longest = std::max(longest, member.rebalance_timeout_ms);
  }
  return longest;
}

bool ClassicGroup::Supports(std::string_view type, const GroupProtocols& protocols) const {
  if (Is(GroupState::kEmpty)) return !type.empty() && !protocols.empty();
  return protocol_type == type &&
         std::any_of(protocols.begin(), protocols.end(),
                     [&](const auto& protocol) { return AllSupport(members, protocol.name); });
}

std::string ClassicGroup::SelectProtocol() const {
  KAFKASIM_CHECK(!members.empty(), "a protocol is chosen by members");
  absl::btree_map<std::string, int> votes;
  for (const GroupMember& member : members) {
    const auto vote =
        std::find_if(member.protocols.begin(), member.protocols.end(),
                     [&](const auto& protocol) { return AllSupport(members, protocol.name); });
    KAFKASIM_CHECK(vote != member.protocols.end(), "members share a protocol");
    ++votes[vote->name];
  }
  const auto most = std::max_element(
      votes.begin(), votes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most->first;
}

bool ClassicGroup::IsSubscribedTo(broker::TopicId topic) const {
  if (!subscribed_topics.has_value()) return protocol_type == kConsumerProtocolType;
  return std::binary_search(subscribed_topics->begin(), subscribed_topics->end(), topic);
}

ErrorCode ClassicGroup::ValidateMember(std::string_view member_id,
                                       const std::optional<std::string>& group_instance_id) const {
  if (group_instance_id.has_value()) {
    const std::string owner = StaticMemberId(*group_instance_id);
    if (owner.empty()) return ErrorCode::kUnknownMemberId;
    if (owner != member_id) return ErrorCode::kFencedInstanceId;
  }
  return FindMember(member_id) == nullptr ? ErrorCode::kUnknownMemberId : ErrorCode::kNone;
}

void ClassicGroup::TransitionTo(GroupState next, int64_t now_ms) {
  KAFKASIM_CHECK(IsLegal(state, next), "a group goes from state to state as Kafka's do");
  previous_state = state;
  state = next;
  state_timestamp_ms = now_ms;
}

void ClassicGroup::Add(GroupMember member, std::string_view type) {
  if (members.empty()) protocol_type = std::string(type);
  if (!leader.has_value()) leader = member.member_id;
  std::erase_if(pending_members, [&](const PendingMember& pending) {
    return pending.member_id == member.member_id;
  });
  members.push_back(std::move(member));
}

void ClassicGroup::Remove(std::string_view member_id) {
  const std::string gone(member_id);  // it may be a part of what is removed
  std::erase_if(members, [&](const GroupMember& member) { return member.member_id == gone; });
  std::erase_if(pending_members,
                [&](const PendingMember& pending) { return pending.member_id == gone; });
  RemovePendingSync(gone);
  if (!IsLeader(gone)) return;
  leader = members.empty() ? std::nullopt : std::optional(members.front().member_id);
}

bool ClassicGroup::MaybeElectNewJoinedLeader() {
  if (!leader.has_value()) return false;
  if (FindMember(*leader)->awaiting_join.has_value()) return true;
  const auto joined = std::find_if(members.begin(), members.end(), [](const GroupMember& member) {
    return member.awaiting_join.has_value();
  });
  if (joined == members.end()) return false;
  leader = joined->member_id;
  return true;
}

GroupMember& ClassicGroup::ReplaceStaticMember(std::string_view old_member_id,
                                               const std::string& new_member_id) {
  GroupMember* member = FindMember(old_member_id);
  KAFKASIM_CHECK(member != nullptr, "a static member is known before it comes back");
  const bool leads = IsLeader(old_member_id);
  member->member_id = new_member_id;
  if (leads) leader = new_member_id;
  return *member;
}

void ClassicGroup::AddPendingSync(const std::string& member_id) {
  const auto at = std::lower_bound(pending_sync.begin(), pending_sync.end(), member_id);
  if (at == pending_sync.end() || *at != member_id) pending_sync.insert(at, member_id);
}

void ClassicGroup::RemovePendingSync(std::string_view member_id) {
  std::erase_if(pending_sync, [&](const std::string& waiting) { return waiting == member_id; });
}

void ClassicGroup::InitNextGeneration(int64_t now_ms) {
  ++generation_id;
  if (members.empty()) {
    protocol_name = std::nullopt;
    ComputeSubscribedTopics();
    TransitionTo(GroupState::kEmpty, now_ms);
  } else {
    protocol_name = SelectProtocol();
    ComputeSubscribedTopics();
    TransitionTo(GroupState::kCompletingRebalance, now_ms);
  }
  pending_sync.clear();
}

void ClassicGroup::ComputeSubscribedTopics() {
  subscribed_topics = std::nullopt;
  if (protocol_type != kConsumerProtocolType) return;
  if (!members.empty() && !protocol_name.has_value()) return;
  std::vector<broker::TopicId>& topics = subscribed_topics.emplace();
  for (const GroupMember& member : members) {
    const broker::MemberSubscription* subscription = member.FindSubscription(*protocol_name);
    if (subscription == nullptr) continue;
    topics.insert(topics.end(), subscription->topics.begin(), subscription->topics.end());
  }
  std::sort(topics.begin(), topics.end());
  topics.erase(std::unique(topics.begin(), topics.end()), topics.end());
}

void ClassicGroup::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(group_id);
  out.Add(state);
  out.Add(previous_state);
  out.Add(generation_id);
  out.Add(protocol_type);
  out.Add(protocol_name);
  out.Add(leader);
  out.Add(state_timestamp_ms);
  out.Add(new_member_added);
  out.AddAll(members);
  out.AddAll(pending_members);
  out.AddAll(pending_sync);
  out.Add(subscribed_topics.has_value());
  if (subscribed_topics.has_value()) out.AddAll(*subscribed_topics);
  out.Add(join_timer);
  out.Add(sync_deadline);
}

}  // namespace kafkasim::coordinator
