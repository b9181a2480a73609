// Members of a group as tests of its coordinator need them: they send what a consumer sends, one
// request at a time, and remember what they were told.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/coordinator/group_host.h"

namespace kafkasim::coordinator {

class GroupConsumer {
 public:
  GroupConsumer(GroupHost& host, std::string client_id,
                std::optional<std::string> instance_id = std::nullopt)
      : host_(host), client_id_(std::move(client_id)), instance_id_(std::move(instance_id)) {}

  std::string group = "g";
  std::string member_id{};
  int32_t generation = -1;
  int16_t join_version = 9;
  int32_t session_timeout_ms = 45'000;
  int32_t rebalance_timeout_ms = 300'000;
  std::vector<std::string> protocols = {"range"};
  std::vector<broker::TopicId> topics = {broker::TopicId(1)};

  [[nodiscard]] broker::JoinGroupRequest JoinRequest() const {
    broker::JoinGroupRequest request{.version = join_version,
                                     .client_id = client_id_,
                                     .group_id = group,
                                     .session_timeout_ms = session_timeout_ms,
                                     .rebalance_timeout_ms = rebalance_timeout_ms,
                                     .member_id = member_id,
                                     .group_instance_id = instance_id_};
    for (const std::string& protocol : protocols) {
      request.protocols.push_back({.name = protocol, .subscription = {.topics = topics}});
    }
    return request;
  }
  // Sends a JoinGroup, after the round for an id if it has none (a dynamic member).
  void Join() {
    if (member_id.empty() && !instance_id_.has_value() && join_version >= 4) {
      const auto told = host_.Ask<broker::JoinGroupResponse>(JoinRequest());
      member_id = told->member_id;
    }
    join_ = host_.Submit(broker::MakeMessage(JoinRequest()));
  }
  // The answer to the last Join, taken note of; nothing if none has come yet.
  std::optional<broker::JoinGroupResponse> Joined() {
    const auto answer = host_.ReplyOf<broker::JoinGroupResponse>(join_);
    if (answer.has_value() && answer->error == broker::ErrorCode::kNone) {
      member_id = answer->member_id;
      generation = answer->generation_id;
    }
    return answer;
  }
  void Sync(std::vector<broker::SyncGroupRequest::Assignment> assignments = {}) {
    sync_ = host_.Submit(
        broker::MakeMessage(broker::SyncGroupRequest{.group_id = group,
                                                     .generation_id = generation,
                                                     .member_id = member_id,
                                                     .group_instance_id = instance_id_,
                                                     .protocol_name = protocols.front(),
                                                     .assignments = std::move(assignments)}));
  }
  [[nodiscard]] std::optional<broker::SyncGroupResponse> Synced() const {
    return host_.ReplyOf<broker::SyncGroupResponse>(sync_);
  }
  broker::ErrorCode Heartbeat() {
    return host_
        .Ask<broker::HeartbeatResponse>(broker::HeartbeatRequest{.group_id = group,
                                                                 .generation_id = generation,
                                                                 .member_id = member_id,
                                                                 .group_instance_id = instance_id_})
        ->error;
  }
  broker::ErrorCode Leave() {
    const auto answer = host_.Ask<broker::LeaveGroupResponse>(broker::LeaveGroupRequest{
        .group_id = group,
        .members = {{.member_id = member_id, .group_instance_id = instance_id_}}});
    return answer->error == broker::ErrorCode::kNone ? answer->members.at(0).error : answer->error;
  }
  // The error of the only partition; nothing if no answer has come.
  std::optional<broker::ErrorCode> Commit(std::string_view partition, int64_t offset,
                                          int16_t version = 9) {
    const auto answer = host_.Ask<broker::OffsetCommitResponse>(broker::OffsetCommitRequest{
        .version = version,
        .group_id = group,
        .generation_id = generation,
        .member_id = member_id,
        .group_instance_id = instance_id_,
        .offsets = {{.partition = host_.Id(partition), .offset = broker::Offset(offset)}}});
    if (!answer.has_value()) return std::nullopt;
    return answer->partitions.at(0).error;
  }

 private:
  GroupHost& host_;
  std::string client_id_;
  std::optional<std::string> instance_id_;
  uint64_t join_ = 0;
  uint64_t sync_ = 0;
};

// Lets all of them join a new group and its first generation become stable; the first one leads and
// gives each member one partition of foo.
inline void Stabilise(GroupHost& host, const std::vector<GroupConsumer*>& consumers) {
  for (GroupConsumer* consumer : consumers) consumer->Join();
  host.Advance(sim::Seconds(10));
  std::vector<broker::SyncGroupRequest::Assignment> assignments;
  int32_t index = 0;
  for (GroupConsumer* consumer : consumers) {
    (void)consumer->Joined();
    assignments.push_back({consumer->member_id, {{broker::TopicId(1), index++}}});
  }
  for (GroupConsumer* consumer : consumers) {
    consumer->Sync(consumer == consumers.front() ? assignments : decltype(assignments){});
  }
}

}  // namespace kafkasim::coordinator
