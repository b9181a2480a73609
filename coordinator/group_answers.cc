#include "coordinator/group_answers.h"

#include <fmt/format.h>

#include "coordinator/classic_group.h"
#include "sim/check.h"

namespace kafkasim::coordinator {

namespace {

using broker::ApiKey;
using broker::ErrorCode;

template <typename Response>
sim::PayloadRef FailedCommit(const sim::Payload& response, ErrorCode error) {
  Response failed = broker::BodyOf<Response>(response);
  for (broker::CommittedPartition& result : failed.partitions) {
    if (!IsUnknown(result.error)) result.error = error;
  }
  return broker::MakeMessage(std::move(failed));
}

}  // namespace

ErrorCode GroupError(ErrorCode log_error) {
  switch (log_error) {
    case ErrorCode::kNetworkException:
      return ErrorCode::kCoordinatorLoadInProgress;
    case ErrorCode::kUnknownTopicOrPartition:
    case ErrorCode::kNotEnoughReplicas:
    case ErrorCode::kRequestTimedOut:
      return ErrorCode::kCoordinatorNotAvailable;
    case ErrorCode::kNotLeaderOrFollower:
    case ErrorCode::kKafkaStorageError:
      return ErrorCode::kNotCoordinator;
    case ErrorCode::kMessageTooLarge:
    case ErrorCode::kRecordListTooLarge:
      return ErrorCode::kUnknownServerError;
    case ErrorCode::kNotEnoughReplicasAfterAppend:
      // It is replicated; with acks=1 nobody asks how many replicas are left.
      return ErrorCode::kNone;
    default:
      return log_error;
  }
}

sim::PayloadRef FailedAnswer(const sim::Payload& response, ErrorCode log_error) {
  const ErrorCode error = GroupError(log_error);
  switch (broker::AsMessage(response).key()) {
    case ApiKey::kJoinGroup:
      return broker::MakeMessage(broker::JoinGroupResponse{.error = error});
    case ApiKey::kHeartbeat:
      return broker::MakeMessage(broker::HeartbeatResponse{.error = error});
    case ApiKey::kLeaveGroup:
      return broker::MakeMessage(broker::LeaveGroupResponse{.error = error});
    case ApiKey::kOffsetFetch:
      // Consumers before 3.9 know no other error that makes them look for the coordinator.
      return broker::MakeMessage(broker::OffsetFetchResponse{
          .error =
              error == ErrorCode::kCoordinatorNotAvailable ? ErrorCode::kNotCoordinator : error});
    case ApiKey::kOffsetCommit:
      return FailedCommit<broker::OffsetCommitResponse>(response, error);
    case ApiKey::kTxnOffsetCommit:
      return FailedCommit<broker::TxnOffsetCommitResponse>(response, error);
    default:
      break;
  }
  KAFKASIM_CHECK(false, "an answer of a group coordinator");
}

std::vector<broker::CommittedPartition> CommitResults(
    const std::vector<broker::OffsetToCommit>& offsets, bool topic_ids, ErrorCode error,
    const broker::ClusterImage& image) {
  std::vector<broker::CommittedPartition> results;
  for (const broker::OffsetToCommit& offset : offsets) {
    ErrorCode result = error;
    if (image.FindPartition(offset.partition) == nullptr) {
      result = topic_ids && image.FindTopic(offset.partition.topic) == nullptr
                   ? ErrorCode::kUnknownTopicId
                   : ErrorCode::kUnknownTopicOrPartition;
    }
    results.push_back({offset.partition, result});
  }
  return results;
}

std::vector<broker::JoinGroupResponse::Member> MembersForLeader(const ClassicGroup& group) {
  std::vector<broker::JoinGroupResponse::Member> members;
  for (const GroupMember& member : group.members) {
    const broker::MemberSubscription* subscription =
        member.FindSubscription(group.protocol_name.value_or(""));
    KAFKASIM_CHECK(subscription != nullptr, "members support the chosen protocol");
    members.push_back({member.member_id, member.group_instance_id, *subscription});
  }
  return members;
}

bool IsUnknown(ErrorCode error) {
  return error == ErrorCode::kUnknownTopicId || error == ErrorCode::kUnknownTopicOrPartition;
}

std::string ExplainGroupError(const GroupRequest& request, const ClassicGroup* group,
                              ErrorCode error) {
  const std::string member =
      request.member_id.empty() ? "whoever has no member id" : request.member_id;
  switch (error) {
    case ErrorCode::kNotCoordinator:
      return "the broker does not lead the group's partition of __consumer_offsets";
    case ErrorCode::kCoordinatorLoadInProgress:
      return "the broker is still reading the group's partition of __consumer_offsets";
    case ErrorCode::kUnknownMemberId:
      if (group == nullptr) return fmt::format("there is no group {}", request.group_id);
      return fmt::format("{} is no member of group {}, which has {}", member, request.group_id,
                         group->members.size());
    case ErrorCode::kFencedInstanceId:
      return fmt::format("instance {} belongs to member {} by now, not to {}",
                         request.group_instance_id.value_or(""),
                         group->StaticMemberId(request.group_instance_id.value_or("")), member);
    case ErrorCode::kIllegalGeneration:
      if (group == nullptr) return fmt::format("there is no group {}", request.group_id);
      return fmt::format("generation {} of {} is not the current one, {}", request.generation_id,
                         member, group->generation_id);
    case ErrorCode::kGroupIdNotFound:
      return fmt::format("there is no group {}", request.group_id);
    case ErrorCode::kRebalanceInProgress:
      return fmt::format("group {} is rebalancing", request.group_id);
    case ErrorCode::kInconsistentGroupProtocol:
      return fmt::format("{} has no protocol that all members of group {} support", member,
                         request.group_id);
    case ErrorCode::kGroupMaxSizeReached:
      return fmt::format("group {} has group.max.size members already", request.group_id);
    case ErrorCode::kInvalidSessionTimeout:
      return "session.timeout.ms is outside of group.min.session.timeout.ms and "
             "group.max.session.timeout.ms";
    default:
      return std::string(broker::Name(error));
  }
}

}  // namespace kafkasim::coordinator
