// JoinGroup, SyncGroup and LeaveGroup, and the assignment by the leader.
#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "broker/message.h"
#include "client/consumer_group.h"
#include "client/events.h"

namespace kafkasim::client {
namespace {

using broker::ErrorCode;

// What a coordinator that waits for the slowest member may need beyond the rebalance timeout.
constexpr int64_t kJoinGroupTimeoutLapseMs = 5'000;

std::string ResetReason(ErrorCode error, std::string_view api) {
  return fmt::format("encountered {} from {} response", broker::Name(error), api);
}

}  // namespace

void ConsumerGroup::FailJoin(ApiError error) {
  join_ = Join::kFailed;
  join_error_ = std::move(error);
}

// Each assignor with what it wants to tell the leader (ConsumerCoordinator.metadata).
std::vector<broker::JoinGroupRequest::Protocol> ConsumerGroup::Protocols(
    const GroupIo& io, const Partitions& owned) const {
  std::vector<broker::JoinGroupRequest::Protocol> protocols;
  for (const Assignor* assignor : assignors_) {
    broker::MemberSubscription subscription{
        .topics = io.subscriptions.topics(), .owned = owned, .generation_id = generation_.id};
    if (assignor->name == "sticky") {
      // It has given everything up, but remembers (StickyAssignor.subscriptionUserData).
      subscription.owned = sticky_owned_;
      subscription.generation_id = sticky_generation_;
    }
    protocols.push_back({.name = std::string(assignor->name), .subscription = subscription});
  }
  return protocols;
}

void ConsumerGroup::InitiateJoin(GroupIo& io) {
  if (join_ != Join::kNone) return;
  state_ = MemberState::kPreparingRebalance;
  join_ = Join::kUnderWay;
  joined_topics_ = io.subscriptions.topics();
  const int64_t timeout_ms = std::max(io.config.request_timeout_ms,
                                      io.config.max_poll_interval_ms + kJoinGroupTimeoutLapseMs);
  if (io.context.tracing()) {
    io.context.Emit(events::kGroupJoining, {{"group_id", std::string(group_id())},
                                            {"member_id", generation_.member_id},
                                            {"reason", rejoin_reason_}});
  }
  Send(io, Kind::kJoin,
       broker::MakeMessage(broker::JoinGroupRequest{
           .client_id =
               io.config.client_id.value_or(std::string(io.context.ProcessName(io.context.self()))),
           .group_id = metadata_.group_id,
           .session_timeout_ms = static_cast<int32_t>(io.config.session_timeout_ms),
           .rebalance_timeout_ms = static_cast<int32_t>(io.config.max_poll_interval_ms),
           .member_id = generation_.member_id,
           .group_instance_id = metadata_.group_instance_id,
           .protocols = Protocols(io, io.subscriptions.Assigned()),
           .reason = rejoin_reason_}),
       sim::Millis(timeout_ms));
}

// JoinGroupResponseHandler.
void ConsumerGroup::OnJoin(GroupIo& io, const GroupAnswer& answer) {
  const auto failed = [&](ErrorCode code, Exception exception = Exception::kFromCode) {
    const bool retried = broker::IsRetriable(code) || code == ErrorCode::kUnknownMemberId ||
                         code == ErrorCode::kRebalanceInProgress;
    if (code != ErrorCode::kMemberIdRequired) ReportRefusal(io, "JoinGroup", code, retried);
    ApiError error = ErrorFromCode(code, retried ? ErrorClass::kRetriable : ErrorClass::kFatal,
                                   fmt::format("joining group {}", group_id()));
    if (exception != Exception::kFromCode) error.cause = Exception::kFromCode;
    error.exception = exception;
    FailJoin(std::move(error));
  };
  if (OnLost(io, answer)) {
    FailJoin(ClientError(Exception::kDisconnect, ErrorClass::kRetriable,
                         "the connection to the group's coordinator broke"));
    return;
  }
  const auto& joined = broker::BodyOf<broker::JoinGroupResponse>(*answer.response);
  switch (joined.error) {
    case ErrorCode::kNone:
      break;
    case ErrorCode::kUnknownMemberId:
      if (answer.request.sent_in == generation_) {
        ResetAndRejoin(io, ResetReason(joined.error, "JOIN_GROUP"), /*reset_member_id=*/true);
      }
      return failed(joined.error);
    case ErrorCode::kCoordinatorNotAvailable:
    case ErrorCode::kNotCoordinator:
      MarkCoordinatorUnknown(io, "error response to JoinGroup", /*disconnected=*/false);
      return failed(joined.error);
    case ErrorCode::kMemberIdRequired:
      generation_ = {.member_id = joined.member_id};
      rejoin_needed_ = true;
      rejoin_reason_ = "need to re-join with the given member-id: " + joined.member_id;
      return failed(joined.error);
    case ErrorCode::kCoordinatorLoadInProgress:
    case ErrorCode::kFencedInstanceId:
    case ErrorCode::kInconsistentGroupProtocol:
    case ErrorCode::kInvalidSessionTimeout:
    case ErrorCode::kInvalidGroupId:
    case ErrorCode::kGroupAuthorizationFailed:
    case ErrorCode::kGroupMaxSizeReached:
    case ErrorCode::kUnsupportedVersion:
    case ErrorCode::kRebalanceInProgress:
      return failed(joined.error);
    default:
      return failed(joined.error, Exception::kKafka);
  }
  if (state_ != MemberState::kPreparingRebalance) {
    // It has left the group meanwhile; the next poll joins again.
    return failed(ErrorCode::kIllegalGeneration);
  }
  state_ = MemberState::kCompletingRebalance;
  if (heartbeat_.started) {
    const sim::Time now = io.context.now();
    heartbeat_.enabled = true;
    heartbeat_.next_at = now + sim::Millis(io.config.heartbeat_interval_ms);
    heartbeat_.session_ends_at = now + sim::Millis(io.config.session_timeout_ms);
    heartbeat_.poll_ends_at = now + sim::Millis(io.config.max_poll_interval_ms);
  }
  generation_ = {
      .id = joined.generation_id, .member_id = joined.member_id, .protocol = joined.protocol_name};
  broker::SyncGroupRequest sync{.group_id = metadata_.group_id,
                                .generation_id = generation_.id,
                                .member_id = generation_.member_id,
                                .group_instance_id = metadata_.group_instance_id,
                                .protocol_name = generation_.protocol};
  if (joined.leader == joined.member_id) {
    const GroupAssignment assignment = AssignAsLeader(io, joined);
    sync.assignments.assign(assignment.begin(), assignment.end());
  }
  Send(io, Kind::kSync, broker::MakeMessage(std::move(sync)));
}

// ConsumerCoordinator.onLeaderElected. The leader watches the topics of the whole group.
GroupAssignment ConsumerGroup::AssignAsLeader(GroupIo& io,
                                              const broker::JoinGroupResponse& joined) {
  const broker::ClusterImage& image = *io.connection.metadata().image();
  GroupSubscription group{.members = joined.members};
  std::sort(group.members.begin(), group.members.end(),
            [](const GroupMember& a, const GroupMember& b) { return a.member_id < b.member_id; });
  group_topics_.clear();
  for (const GroupMember& member : group.members) {
    const std::vector<broker::TopicId>& topics = member.subscription.topics;
    group_topics_.insert(group_topics_.end(), topics.begin(), topics.end());
  }
  std::sort(group_topics_.begin(), group_topics_.end());
  group_topics_.erase(std::unique(group_topics_.begin(), group_topics_.end()), group_topics_.end());
  is_leader_ = true;
  snapshot_ = SnapshotOf(io);
  assignment_snapshot_ = snapshot_;
  const Assignor* assignor = FindAssignor(joined.protocol_name);
  if (joined.skip_assignment || assignor == nullptr) return {};
  for (const broker::TopicId id : group_topics_) {
    const broker::TopicImage* topic = image.FindTopic(id);
    if (topic == nullptr || topic->partitions.empty()) continue;
    group.topics.push_back({.id = id,
                            .name = topic->name,
                            .partitions = static_cast<int32_t>(topic->partitions.size())});
  }
  std::sort(group.topics.begin(), group.topics.end(),
            [](const SubscribedTopic& a, const SubscribedTopic& b) { return a.name < b.name; });
  return assignor->assign(group);
}

// SyncGroupResponseHandler.
void ConsumerGroup::OnSync(GroupIo& io, const GroupAnswer& answer) {
  if (OnLost(io, answer)) {
    FailJoin(ClientError(Exception::kDisconnect, ErrorClass::kRetriable,
                         "the connection to the group's coordinator broke"));
    return;
  }
  const auto& synced = broker::BodyOf<broker::SyncGroupResponse>(*answer.response);
  ErrorCode error = synced.error;
  if (error == ErrorCode::kNone) {
    const bool was_reset = generation_.id == broker::kNoGeneration && generation_.protocol.empty();
    if (was_reset || state_ != MemberState::kCompletingRebalance) {
      // The heartbeat thread has learned of something; it is tried again at once.
      error = ErrorCode::kIllegalGeneration;
    } else if (synced.protocol_name != generation_.protocol && !synced.protocol_name.empty()) {
      error = ErrorCode::kInconsistentGroupProtocol;
    }
  } else if (error == ErrorCode::kUnknownMemberId || error == ErrorCode::kIllegalGeneration) {
    if (answer.request.sent_in == generation_) {
      ResetAndRejoin(io, ResetReason(error, "SYNC_GROUP"), error != ErrorCode::kIllegalGeneration);
    }
  } else if (error == ErrorCode::kCoordinatorNotAvailable || error == ErrorCode::kNotCoordinator) {
    MarkCoordinatorUnknown(io, "error response to SyncGroup", /*disconnected=*/false);
  }
  if (error != ErrorCode::kNone) {
    const bool at_once = error == ErrorCode::kUnknownMemberId ||
                         error == ErrorCode::kIllegalGeneration ||
                         error == ErrorCode::kRebalanceInProgress;
    const bool known = at_once || error == ErrorCode::kCoordinatorNotAvailable ||
                       error == ErrorCode::kNotCoordinator ||
                       error == ErrorCode::kFencedInstanceId ||
                       error == ErrorCode::kGroupAuthorizationFailed ||
                       error == ErrorCode::kInconsistentGroupProtocol;
    const bool retried = at_once || (known && broker::IsRetriable(error));
    ReportRefusal(io, "SyncGroup", error, retried);
    ApiError refused = ErrorFromCode(error, retried ? ErrorClass::kRetriable : ErrorClass::kFatal,
                                     fmt::format("synchronizing with group {}", group_id()));
    if (!known) {
      refused.exception = Exception::kKafka;
      refused.cause = Exception::kFromCode;
    }
    FailJoin(std::move(refused));
    return;
  }
  state_ = MemberState::kStable;
  rejoin_needed_ = false;
  rejoin_reason_.clear();
  join_ = Join::kSucceeded;
  join_assignment_ = synced.partitions;
  std::sort(join_assignment_.begin(), join_assignment_.end());
  if (!io.context.tracing()) return;
  std::vector<std::string> partitions;
  for (const broker::PartitionId& partition : join_assignment_) {
    partitions.push_back(io.connection.metadata().image()->NameOf(partition));
  }
  io.context.Emit(events::kGroupJoined, {{"group_id", std::string(group_id())},
                                         {"generation", int64_t{generation_.id}},
                                         {"member_id", generation_.member_id},
                                         {"protocol", generation_.protocol},
                                         {"leader", is_leader_},
                                         {"partitions", std::move(partitions)}});
}

void ConsumerGroup::Leave(GroupIo& io, std::string_view reason) {
  const bool is_member = state_ != MemberState::kUnjoined && !generation_.member_id.empty();
  // A static member stays: it is known again by its instance, or its session ends (KIP-345).
  const bool leaves = is_member && !metadata_.group_instance_id.has_value();
  if (leaves && CoordinatorKnown(io)) {
    broker::LeaveGroupRequest leave{.group_id = metadata_.group_id};
    leave.members.push_back({.member_id = generation_.member_id, .reason = std::string(reason)});
    Send(io, Kind::kLeave, broker::MakeMessage(std::move(leave)));
  }
  if (leaves && io.context.tracing()) {
    io.context.Emit(events::kGroupLeft, {{"group_id", std::string(group_id())},
                                         {"member_id", generation_.member_id},
                                         {"reason", std::string(reason)}});
  }
  generation_ = {};
  ResetAndRejoin(io, "consumer pro-actively leaving the group", /*reset_member_id=*/true);
}

void ConsumerGroup::OnLeave(GroupIo& io, const GroupAnswer& answer) {
  if (OnLost(io, answer)) return;
  const auto& left = broker::BodyOf<broker::LeaveGroupResponse>(*answer.response);
  ErrorCode error = left.error;
  if (error == ErrorCode::kNone && !left.members.empty()) error = left.members.front().error;
  // It is gone either way; nothing is tried again.
  if (error != ErrorCode::kNone) ReportRefusal(io, "LeaveGroup", error, /*retried=*/false);
}

}  // namespace kafkasim::client
