// What the group coordinator needs to know of a request before it looks at the group, and how
// errors become answers (GroupCoordinatorService, CoordinatorOperationExceptionHelper; Kafka 4.4
// development line).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "broker/error_code.h"
#include "broker/message.h"
#include "broker/messages_group.h"
#include "broker/messages_offsets.h"
#include "sim/payload.h"

namespace kafkasim::coordinator {

struct ClassicGroup;

// Who asks for what.
struct GroupRequest {
  broker::ApiKey api = broker::ApiKey::kHeartbeat;
  int16_t version = 0;
  std::string group_id{};
  int32_t generation_id = broker::kNoGeneration;
  std::string member_id{};
  std::optional<std::string> group_instance_id{};
};

template <typename Request>
[[nodiscard]] GroupRequest IdentityOf(const Request& request) {
  GroupRequest identity{.api = Request::kApi,
                        .version = request.version,
                        .group_id = request.group_id,
                        .member_id = request.member_id,
                        .group_instance_id = request.group_instance_id};
  if constexpr (requires { request.generation_id; }) identity.generation_id = request.generation_id;
  return identity;
}

// An error of the log, or of the verification of a transaction, as a member hears it:
//   NETWORK_EXCEPTION                                 COORDINATOR_LOAD_IN_PROGRESS
//   UNKNOWN_TOPIC_OR_PARTITION, NOT_ENOUGH_REPLICAS,
//   REQUEST_TIMED_OUT                                 COORDINATOR_NOT_AVAILABLE
//   NOT_LEADER_OR_FOLLOWER, KAFKA_STORAGE_ERROR       NOT_COORDINATOR
//   MESSAGE_TOO_LARGE, RECORD_LIST_TOO_LARGE          UNKNOWN_SERVER_ERROR
//   all others                                        as they are
[[nodiscard]] broker::ErrorCode GroupError(broker::ErrorCode log_error);

// The answer in place of `response`, which would have been given if all had gone well.
[[nodiscard]] sim::PayloadRef FailedAnswer(const sim::Payload& response,
                                           broker::ErrorCode log_error);

// Each partition of a commit, with `error` for those that exist and
//   UNKNOWN_TOPIC_OR_PARTITION  the broker knows no such partition
//   UNKNOWN_TOPIC_ID            the same, of a topic, if the request names topics by id
[[nodiscard]] std::vector<broker::CommittedPartition> CommitResults(
    const std::vector<broker::OffsetToCommit>& offsets, bool topic_ids, broker::ErrorCode error,
    const broker::ClusterImage& image);
[[nodiscard]] bool IsUnknown(broker::ErrorCode error);

// The members as their leader is told of them, with their subscriptions of the chosen protocol.
[[nodiscard]] std::vector<broker::JoinGroupResponse::Member> MembersForLeader(
    const ClassicGroup& group);

// Why a request is refused, for people.
[[nodiscard]] std::string ExplainGroupError(const GroupRequest& request, const ClassicGroup* group,
                                            broker::ErrorCode error);

}  // namespace kafkasim::coordinator
