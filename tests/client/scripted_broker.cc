#include "tests/client/scripted_broker.h"

#include "broker/messages_cluster.h"
#include "sim/check.h"

namespace kafkasim::client {

using broker::ApiKey;
using broker::ErrorCode;

void ScriptedBroker::OnCommand(sim::Context&, const sim::PayloadRef& command) {
  const Script& script = static_cast<const ScriptPayload&>(*command).script;
  for (const auto& answer : script.answers) answers_[script.api].push_back(answer);
  if (script.transaction_version.has_value()) transaction_version_ = *script.transaction_version;
  if (script.image != nullptr) image_ = script.image;
  if (script.coordinator.has_value()) coordinator_ = *script.coordinator;
  if (script.identity.has_value()) identity_ = script.identity;
  for (const auto& result : script.fetched) fetched_.push_back(result);
  for (const auto& [partition, offset] : script.offsets) offsets_[partition] = offset;
  for (const auto& [partition, offset] : script.end_offsets) end_offsets_[partition] = offset;
  for (const auto& [partition, offset] : script.committed) committed_[partition] = offset;
  for (const auto& member : script.members) members_.push_back(member);
  if (script.leader.has_value()) leader_ = *script.leader;
  if (script.assigned.has_value()) assigned_ = *script.assigned;
}

void ScriptedBroker::OnRequest(sim::Context& context, const sim::RequestIn& request) {
  received_.push_back({context.now(), request.payload});
  const broker::Message& message = broker::AsMessage(*request.payload);
  ErrorCode error = ErrorCode::kNone;
  if (Answers& answers = answers_[message.key()]; !answers.empty()) {
    const std::optional<ErrorCode> next = answers.front();
    answers.pop_front();
    if (!next.has_value()) return;
    error = *next;
  }
  sim::PayloadRef answer = Answer(context, message, error);
  if (answer != nullptr) context.Reply(request.reply_to, std::move(answer));
}

sim::PayloadRef ScriptedBroker::Answer(sim::Context&, const broker::Message& message,
                                       ErrorCode error) {
  switch (message.key()) {
    case ApiKey::kApiVersions:
      return broker::MakeMessage(
          broker::ApiVersionsResponse{.transaction_version = transaction_version_});
    case ApiKey::kMetadata:
      return broker::MakeMessage(broker::MetadataResponse{.image = image_});
    case ApiKey::kFindCoordinator:
      return broker::MakeMessage(
          broker::FindCoordinatorResponse{.error = error, .broker = coordinator_});
    case ApiKey::kInitProducerId: {
      if (error == ErrorCode::kNone && identity_.has_value()) {
        std::tie(producer_id_, epoch_) = *std::exchange(identity_, std::nullopt);
      } else if (error == ErrorCode::kNone) {
        ++epoch_;
      }
      return broker::MakeMessage(
          broker::InitProducerIdResponse{.error = error,
                                         .producer_id = broker::ProducerId(producer_id_),
                                         .producer_epoch = broker::ProducerEpoch(epoch_)});
    }
    case ApiKey::kAddPartitionsToTxn: {
      const auto& asked = broker::BodyOf<broker::AddPartitionsToTxnRequest>(message).transactions;
      broker::AddPartitionsToTxnResponse response;
      response.transactions.push_back({.transactional_id = asked[0].transactional_id});
      for (const broker::PartitionId& partition : asked[0].partitions) {
        response.transactions[0].partitions.push_back({.partition = partition, .error = error});
      }
      return broker::MakeMessage(std::move(response));
    }
    case ApiKey::kEndTxn:
      return AnswerEndTxn(broker::BodyOf<broker::EndTxnRequest>(message), error);
    case ApiKey::kProduce:
      return AnswerProduce(broker::BodyOf<broker::ProduceRequest>(message), error);
    case ApiKey::kFetch:
      return AnswerFetch(broker::BodyOf<broker::FetchRequest>(message), error);
    case ApiKey::kListOffsets:
      return AnswerListOffsets(broker::BodyOf<broker::ListOffsetsRequest>(message), error);
    default:
      return AnswerGroup(message, error);
  }
}

sim::PayloadRef ScriptedBroker::AnswerGroup(const broker::Message& message, ErrorCode error) {
  const auto all = [error](const std::vector<broker::OffsetToCommit>& offsets) {
    std::vector<broker::CommittedPartition> partitions;
    for (const broker::OffsetToCommit& row : offsets) partitions.push_back({row.partition, error});
    return partitions;
  };
  switch (message.key()) {
    case ApiKey::kJoinGroup:
      return AnswerJoin(broker::BodyOf<broker::JoinGroupRequest>(message), error);
    case ApiKey::kSyncGroup:
      return AnswerSync(broker::BodyOf<broker::SyncGroupRequest>(message), error);
    case ApiKey::kHeartbeat:
      return broker::MakeMessage(broker::HeartbeatResponse{.error = error});
    case ApiKey::kLeaveGroup:
      return broker::MakeMessage(broker::LeaveGroupResponse{.error = error});
    case ApiKey::kOffsetFetch:
      return AnswerOffsetFetch(broker::BodyOf<broker::OffsetFetchRequest>(message), error);
    case ApiKey::kOffsetCommit:
      return broker::MakeMessage(broker::OffsetCommitResponse{
          all(broker::BodyOf<broker::OffsetCommitRequest>(message).offsets)});
    case ApiKey::kTxnOffsetCommit:
      return broker::MakeMessage(broker::TxnOffsetCommitResponse{
          all(broker::BodyOf<broker::TxnOffsetCommitRequest>(message).offsets)});
    case ApiKey::kAddOffsetsToTxn:
      return broker::MakeMessage(broker::AddOffsetsToTxnResponse{.error = error});
    default:
      KAFKASIM_CHECK(false, "a client sends no other requests");
  }
}

sim::PayloadRef ScriptedBroker::AnswerJoin(const broker::JoinGroupRequest& request,
                                           ErrorCode error) {
  const std::string member = request.member_id.empty() ? "m-1" : request.member_id;
  if (error != ErrorCode::kNone) {
    broker::JoinGroupResponse refused{.error = error};
    if (error == ErrorCode::kMemberIdRequired) refused.member_id = member;
    return broker::MakeMessage(std::move(refused));
  }
  broker::JoinGroupResponse joined{.generation_id = ++generation_,
                                   .protocol_name = request.protocols.front().name,
                                   .leader = leader_.empty() ? member : leader_,
                                   .member_id = member};
  if (joined.leader == member) {
    joined.members = members_;
    joined.members.push_back({.member_id = member,
                              .group_instance_id = request.group_instance_id,
                              .subscription = request.protocols.front().subscription});
  }
  return broker::MakeMessage(std::move(joined));
}

sim::PayloadRef ScriptedBroker::AnswerSync(const broker::SyncGroupRequest& request,
                                           ErrorCode error) {
  broker::SyncGroupResponse response{.error = error, .protocol_name = request.protocol_name};
  if (error == ErrorCode::kNone && request.assignments.empty()) response.partitions = assigned_;
  for (const auto& assignment : request.assignments) {
    if (error == ErrorCode::kNone && assignment.member_id == request.member_id) {
      response.partitions = assignment.partitions;
    }
  }
  return broker::MakeMessage(std::move(response));
}

sim::PayloadRef ScriptedBroker::AnswerOffsetFetch(const broker::OffsetFetchRequest& request,
                                                  ErrorCode error) {
  broker::OffsetFetchResponse response;
  const bool of_partition = error == ErrorCode::kUnstableOffsetCommit ||
                            error == ErrorCode::kUnknownTopicOrPartition ||
                            error == ErrorCode::kTopicAuthorizationFailed;
  if (!of_partition) response.error = error;
  for (const broker::PartitionId& partition : *request.partitions) {
    const auto at = committed_.find(partition);
    response.partitions.push_back(
        {.partition = partition,
         .offset = broker::Offset(at == committed_.end() ? -1 : at->second),
         .error = of_partition ? error : ErrorCode::kNone});
  }
  return broker::MakeMessage(std::move(response));
}

sim::PayloadRef ScriptedBroker::AnswerEndTxn(const broker::EndTxnRequest& request,
                                             ErrorCode error) {
  broker::EndTxnResponse response{.error = error};
  if (error == ErrorCode::kNone && request.version >= 5) {
    ++epoch_;
    if (identity_.has_value()) {
      std::tie(producer_id_, epoch_) = *std::exchange(identity_, std::nullopt);
    }
    response.producer_id = broker::ProducerId(producer_id_);
    response.producer_epoch = broker::ProducerEpoch(epoch_);
  }
  return broker::MakeMessage(response);
}

sim::PayloadRef ScriptedBroker::AnswerProduce(const broker::ProduceRequest& request,
                                              ErrorCode error) {
  broker::ProduceResponse response;
  for (const auto& data : request.partitions) {
    broker::ProduceResponse::PartitionResult result{.partition = data.partition, .error = error};
    if (error == ErrorCode::kNone) {
      int64_t& end = log_end_[data.partition];
      result.base_offset = broker::Offset(end);
      result.log_start_offset = broker::Offset(0);
      end += data.batch->last_offset_delta + 1;
    }
    response.partitions.push_back(result);
  }
  return request.acks == 0 ? nullptr : broker::MakeMessage(std::move(response));
}

sim::PayloadRef ScriptedBroker::AnswerFetch(const broker::FetchRequest& request, ErrorCode error) {
  broker::FetchResponse response;
  for (const auto& fetch : request.partitions) {
    for (auto at = fetched_.begin(); at != fetched_.end(); ++at) {
      if (at->partition != fetch.partition) continue;
      response.partitions.push_back(*at);
      fetched_.erase(at);
      break;
    }
  }
  if (error != ErrorCode::kNone) {
    response.partitions.push_back({.partition = request.partitions[0].partition, .error = error});
  }
  // Nothing to say: as a broker that waits for data.
  return response.partitions.empty() ? nullptr : broker::MakeMessage(std::move(response));
}

sim::PayloadRef ScriptedBroker::AnswerListOffsets(const broker::ListOffsetsRequest& request,
                                                  ErrorCode error) {
  broker::ListOffsetsResponse response;
  for (const auto& query : request.partitions) {
    const auto& offsets = query.timestamp == broker::kLatestTimestamp ? end_offsets_ : offsets_;
    const auto at = offsets.find(query.partition);
    response.partitions.push_back({.partition = query.partition,
                                   .error = error,
                                   .offset = broker::Offset(at == offsets.end() ? 0 : at->second)});
  }
  return broker::MakeMessage(std::move(response));
}

}  // namespace kafkasim::client
