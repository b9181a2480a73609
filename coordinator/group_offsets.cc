// OffsetCommit, OffsetFetch and TxnOffsetCommit (KafkaApis, OffsetMetadataManager).
#include <algorithm>
#include <utility>

#include "broker/partition_log.h"
#include "coordinator/group_coordinator.h"
#include "coordinator/group_trace.h"

namespace kafkasim::coordinator {

using broker::ErrorCode;
using broker::OffsetCommitRequest;
using broker::OffsetCommitResponse;
using broker::OffsetFetchRequest;
using broker::OffsetFetchResponse;
using broker::TxnOffsetCommitRequest;
using broker::TxnOffsetCommitResponse;

namespace {

// From these versions on a client is told GROUP_ID_NOT_FOUND; before, ILLEGAL_GENERATION.
constexpr int16_t kOffsetCommitGroupIdNotFound = 9;
constexpr int16_t kTxnOffsetCommitGroupIdNotFound = 6;
// From these versions on topics are named by id.
constexpr int16_t kOffsetCommitTopicIds = 10;
constexpr int16_t kTxnOffsetCommitTopicIds = 6;

// java.lang.String.length of a UTF-8 text.
int64_t JavaLength(std::string_view text) {
  int64_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    if ((byte & 0xC0) != 0x80) ++units;  // the first byte of a character
    if ((byte & 0xF8) == 0xF0) ++units;  // which takes a surrogate pair
  }
  return units;
}

bool AllUnknown(const std::vector<broker::CommittedPartition>& results) {
  return std::all_of(results.begin(), results.end(),
                     [](const auto& result) { return IsUnknown(result.error); });
}

OffsetFetchResponse::PartitionResult Fetched(const GroupOffsets& offsets,
                                             const broker::PartitionId& partition, bool unstable) {
  OffsetFetchResponse::PartitionResult result{.partition = partition};
  const auto at = offsets.find(partition);
  if (unstable) {
    result.error = ErrorCode::kUnstableOffsetCommit;
  } else if (at != offsets.end()) {
    result.offset = at->second.offset;
    result.leader_epoch = at->second.leader_epoch;
    result.metadata = at->second.metadata;
  }
  return result;
}

}  // namespace

ErrorCode GroupCoordinator::ValidateCommit(Turn& turn, GroupShard& shard,
                                           const GroupRequest& request, bool transactional) {
  const bool none_given = request.generation_id < 0 && request.member_id.empty() &&
                          !request.group_instance_id.has_value();
  ClassicGroup* group = shard.FindMutable(request.group_id);
  if (group == nullptr) {
    // Without a generation: offsets of a simple group, which comes to be with its first record.
    if (request.generation_id < 0) return ErrorCode::kNone;
    const int16_t since =
        transactional ? kTxnOffsetCommitGroupIdNotFound : kOffsetCommitGroupIdNotFound;
    return request.version >= since ? ErrorCode::kGroupIdNotFound : ErrorCode::kIllegalGeneration;
  }
  if (turn.config().bugs.Has(broker::Bug::kGenerationNotChecked)) return ErrorCode::kNone;
  if (request.generation_id < 0 && group->Is(GroupState::kEmpty)) return ErrorCode::kNone;
  if (!none_given) {
    const ErrorCode error = group->ValidateMember(request.member_id, request.group_instance_id);
    if (error != ErrorCode::kNone) return error;
    if (request.generation_id != group->generation_id) return ErrorCode::kIllegalGeneration;
  } else if (!transactional) {
    return ErrorCode::kUnknownMemberId;
  }
  if (transactional) return ErrorCode::kNone;
  if (group->Is(GroupState::kCompletingRebalance)) return ErrorCode::kRebalanceInProgress;
  // A commit shows that the member is alive.
  if (GroupMember* member = group->FindMember(request.member_id)) {
    RescheduleSession(turn, shard, *member, member->session_timeout_ms);
  }
  return ErrorCode::kNone;
}

broker::RecordBatch GroupCoordinator::CommitBatch(
    const Turn& turn, const std::string& group_id,
    const std::vector<broker::OffsetToCommit>& offsets,
    std::vector<broker::CommittedPartition>& results) const {
  std::vector<broker::Record> records;
  for (size_t i = 0; i < offsets.size(); ++i) {
    if (IsUnknown(results[i].error)) continue;
    const broker::OffsetToCommit& asked = offsets[i];
    if (JavaLength(asked.metadata) > turn.config().offset_metadata_max_bytes) {
      results[i].error = ErrorCode::kOffsetMetadataTooLarge;
      continue;
    }
    results[i].error = ErrorCode::kNone;
    OffsetCommitRecord record{.group_id = group_id, .partition = asked.partition};
    record.value = OffsetAndMetadata{.offset = asked.offset,
                                     .leader_epoch = asked.leader_epoch,
                                     .metadata = asked.metadata,
                                     .commit_timestamp_ms = turn.now_ms()};
    records.push_back(Encode(record, turn.now_ms()));
  }
  return broker::MakeBatch(std::move(records));
}

template <typename Request, typename Response>
GroupShard* GroupCoordinator::AllowCommit(Turn& turn, const sim::ReplyTo& to,
                                          const Request& request, bool topic_ids,
                                          bool transactional, Response& response) {
  ErrorCode error = ErrorCode::kNone;
  GroupShard* shard = Locate(request.group_id, error);
  const GroupRequest identity = IdentityOf(request);
  if (shard != nullptr) error = ValidateCommit(turn, *shard, identity, transactional);
  if (error == ErrorCode::kNone) return shard;
  NoteRefusal(turn, identity, shard == nullptr ? nullptr : shard->Find(request.group_id), error);
  response.partitions = CommitResults(request.offsets, topic_ids, error, turn.context.image());
  turn.Reply(to, broker::MakeMessage(std::move(response)));
  return nullptr;
}

void GroupCoordinator::HandleOffsetCommit(Turn& turn, const sim::ReplyTo& to,
                                          const OffsetCommitRequest& request) {
  const bool topic_ids = request.version >= kOffsetCommitTopicIds;
  OffsetCommitResponse response{
      .partitions =
          CommitResults(request.offsets, topic_ids, ErrorCode::kNone, turn.context.image())};
  if (AllUnknown(response.partitions)) {
    return turn.Reply(to, broker::MakeMessage(std::move(response)));
  }
  GroupShard* shard = AllowCommit(turn, to, request, topic_ids, /*transactional=*/false, response);
  if (shard == nullptr) return;
  broker::RecordBatch batch =
      CommitBatch(turn, request.group_id, request.offsets, response.partitions);
  if (batch.records->empty()) {
    return AnswerAfterWrites(turn, *shard, to, broker::MakeMessage(std::move(response)));
  }
  std::optional<broker::PointEffect> appended;
  if (turn.context.tracing()) {
    appended = OffsetsPoint(events::kOffsetsWritten, request.group_id, batch,
                            shards_->TopicPartition(shard->index), turn.context.image());
  }
  Append(turn,
         {.kind = PendingOperation::Kind::kOffsets,
          .shard = shard->index,
          .epoch = shard->epoch,
          .to = to,
          .response = broker::MakeMessage(std::move(response)),
          .group_id = request.group_id,
          .batch = std::move(batch)},
         broker::kNoVerificationGuard, std::move(appended));
}

void GroupCoordinator::HandleOffsetFetch(Turn& turn, const sim::ReplyTo& to,
                                         const OffsetFetchRequest& request) {
  OffsetFetchResponse response;
  GroupShard* shard = Locate(request.group_id, response.error);
  if (shard == nullptr) {
    NoteRefusal(turn, {.api = broker::ApiKey::kOffsetFetch, .group_id = request.group_id}, nullptr,
                response.error);
    return turn.Reply(to, broker::MakeMessage(std::move(response)));
  }
  const bool stable =
      request.require_stable && !turn.config().bugs.Has(broker::Bug::kPendingOffsetsVisible);
  const OffsetStore::OfGroup* known = shard->offsets.Find(request.group_id);
  GroupOffsets offsets;
  if (!stable) {
    const broker::PartitionLog* log = turn.context.LocalLog(shards_->TopicPartition(shard->index));
    offsets = shard->offsets.Replicated(request.group_id, log->high_watermark());
  } else if (known != nullptr) {
    offsets = known->committed;
  }
  const auto add = [&](const broker::PartitionId& partition) {
    const bool unstable = stable && shard->offsets.IsPending(request.group_id, partition);
    response.partitions.push_back(Fetched(offsets, partition, unstable));
  };
  if (request.partitions.has_value()) {
    for (const broker::PartitionId& partition : *request.partitions) add(partition);
  } else {
    for (const auto& [partition, value] : offsets) add(partition);
  }
  sim::PayloadRef answer = broker::MakeMessage(std::move(response));
  if (!stable) return turn.Reply(to, std::move(answer));
  AnswerAfterWrites(turn, *shard, to, std::move(answer));
}

void GroupCoordinator::HandleTxnOffsetCommit(Turn& turn, const sim::ReplyTo& to,
                                             const sim::PayloadRef& payload) {
  const auto& request = broker::BodyOf<TxnOffsetCommitRequest>(*payload);
  const bool topic_ids = request.version >= kTxnOffsetCommitTopicIds;
  const auto refuse = [&](ErrorCode error) {
    turn.Reply(
        to,
        broker::MakeMessage(TxnOffsetCommitResponse{
            .partitions = CommitResults(request.offsets, topic_ids, error, turn.context.image())}));
  };
  if (AllUnknown(
          CommitResults(request.offsets, topic_ids, ErrorCode::kNone, turn.context.image()))) {
    return refuse(ErrorCode::kNone);
  }
  if (request.group_id.empty()) return refuse(ErrorCode::kInvalidGroupId);
  const std::optional<broker::PartitionId> partition =
      turn.context.image().PartitionForKey(broker::kConsumerOffsetsTopic, request.group_id);
  if (!partition.has_value()) return refuse(ErrorCode::kNotCoordinator);
  // First the transaction, then the group: a refused commit may have added the partition.
  const uint32_t token = verifying_.Mutable().Put({.to = to, .request = payload});
  turn.effects.push_back(
      broker::VerifyEffect{.partition = *partition,
                           .transactional_id = request.transactional_id,
                           .producer_id = request.producer_id,
                           .producer_epoch = request.producer_epoch,
                           .operation = broker::OperationOfTxnOffsetCommit(request.version),
                           .token = token});
}

void GroupCoordinator::OnVerified(const broker::ServiceContext& context, uint64_t token,
                                  broker::VerificationGuard guard, ErrorCode error,
                                  broker::Effects& effects) {
  Turn turn{context, effects};
  const Verifying verified = verifying_.Mutable().Take(static_cast<uint32_t>(token));
  const auto& request = broker::BodyOf<TxnOffsetCommitRequest>(*verified.request);
  if (error == ErrorCode::kNone) {
    return CommitTransactionalOffsets(turn, verified.to, request, guard);
  }
  turn.Reply(
      verified.to,
      broker::MakeMessage(TxnOffsetCommitResponse{
          .partitions = CommitResults(request.offsets, request.version >= kTxnOffsetCommitTopicIds,
                                      GroupError(error), context.image())}));
}

void GroupCoordinator::CommitTransactionalOffsets(Turn& turn, const sim::ReplyTo& to,
                                                  const TxnOffsetCommitRequest& request,
                                                  broker::VerificationGuard guard) {
  const bool topic_ids = request.version >= kTxnOffsetCommitTopicIds;
  TxnOffsetCommitResponse response{
      .partitions =
          CommitResults(request.offsets, topic_ids, ErrorCode::kNone, turn.context.image())};
  GroupShard* shard = AllowCommit(turn, to, request, topic_ids, /*transactional=*/true, response);
  if (shard == nullptr) return;
  broker::RecordBatch batch =
      CommitBatch(turn, request.group_id, request.offsets, response.partitions);
  if (batch.records->empty()) {
    return AnswerAfterWrites(turn, *shard, to, broker::MakeMessage(std::move(response)));
  }
  batch.producer_id = request.producer_id;
  batch.producer_epoch = request.producer_epoch;
  batch.base_sequence = broker::Sequence(0);  // of every batch; nobody looks at it
  batch.transactional = true;
  std::optional<broker::PointEffect> appended;
  if (turn.context.tracing()) {
    appended = OffsetsPoint(events::kOffsetsPending, request.group_id, batch,
                            shards_->TopicPartition(shard->index), turn.context.image());
  }
  Append(turn,
         {.kind = PendingOperation::Kind::kOffsets,
          .shard = shard->index,
          .epoch = shard->epoch,
          .to = to,
          .response = broker::MakeMessage(std::move(response)),
          .group_id = request.group_id,
          .batch = std::move(batch)},
         guard, std::move(appended));
}

}  // namespace kafkasim::coordinator
