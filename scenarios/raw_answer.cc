// Answers to raw requests as named fields.
#include <type_traits>
#include <variant>

#include <fmt/format.h>

#include "broker/messages_data.h"
#include "broker/messages_group.h"
#include "broker/messages_offsets.h"
#include "broker/messages_transaction.h"
#include "scenarios/raw_message.h"

namespace kafkasim::scenarios {
namespace {

AnswerField ErrorField(broker::ErrorCode error) {
  return {.name = "error", .value = std::string(broker::Name(error))};
}

template <typename Number>
AnswerField NumberField(std::string name, Number number) {
  return {.name = std::move(name), .value = fmt::format("{}", number)};
}

// The first error of any of the results, which have one each.
template <typename Results>
broker::ErrorCode FirstError(const Results& results) {
  for (const auto& result : results) {
    if (result.error != broker::ErrorCode::kNone) return result.error;
  }
  return broker::ErrorCode::kNone;
}

std::vector<AnswerField> Read(const broker::ProduceResponse& answer) {
  std::vector<AnswerField> fields{ErrorField(FirstError(answer.partitions))};
  for (const auto& result : answer.partitions) {
    fields.push_back(NumberField("base_offset", result.base_offset));
  }
  return fields;
}

std::vector<AnswerField> Read(const broker::FetchResponse& answer) {
  broker::ErrorCode error = answer.error;
  if (error == broker::ErrorCode::kNone) error = FirstError(answer.partitions);
  std::vector<AnswerField> fields{ErrorField(error)};
  for (const auto& result : answer.partitions) {
    fields.push_back(NumberField("high_watermark", result.high_watermark));
    fields.push_back(NumberField("last_stable_offset", result.last_stable_offset));
    fields.push_back(NumberField("log_start_offset", result.log_start_offset));
  }
  return fields;
}

std::vector<AnswerField> Read(const broker::ListOffsetsResponse& answer) {
  std::vector<AnswerField> fields{ErrorField(FirstError(answer.partitions))};
  for (const auto& result : answer.partitions) {
    fields.push_back(NumberField("offset", result.offset));
  }
  return fields;
}

std::vector<AnswerField> Read(const broker::FindCoordinatorResponse& answer) {
  return {ErrorField(answer.error), NumberField("broker", answer.broker)};
}

std::vector<AnswerField> Read(const broker::InitProducerIdResponse& answer) {
  return {ErrorField(answer.error), NumberField("producer_id", answer.producer_id),
          NumberField("producer_epoch", answer.producer_epoch)};
}

std::vector<AnswerField> Read(const broker::AddPartitionsToTxnResponse& answer) {
  broker::ErrorCode error = answer.error;
  for (const auto& transaction : answer.transactions) {
    if (error == broker::ErrorCode::kNone) error = FirstError(transaction.partitions);
  }
  return {ErrorField(error)};
}

std::vector<AnswerField> Read(const broker::AddOffsetsToTxnResponse& answer) {
  return {ErrorField(answer.error)};
}

std::vector<AnswerField> Read(const broker::EndTxnResponse& answer) {
  return {ErrorField(answer.error), NumberField("producer_id", answer.producer_id),
          NumberField("producer_epoch", answer.producer_epoch)};
}

std::vector<AnswerField> Read(const broker::WriteTxnMarkersResponse& answer) {
  broker::ErrorCode error = broker::ErrorCode::kNone;
  for (const auto& marker : answer.markers) {
    if (error == broker::ErrorCode::kNone) error = FirstError(marker.partitions);
  }
  return {ErrorField(error)};
}

std::vector<AnswerField> Read(const broker::JoinGroupResponse& answer) {
  return {ErrorField(answer.error),
          NumberField("generation_id", answer.generation_id),
          {.name = "member_id", .value = answer.member_id},
          {.name = "leader", .value = answer.leader},
          {.name = "protocol_name", .value = answer.protocol_name},
          {.name = "skip_assignment", .value = answer.skip_assignment ? "true" : "false"}};
}

std::vector<AnswerField> Read(const broker::SyncGroupResponse& answer) {
  return {ErrorField(answer.error), {.name = "protocol_name", .value = answer.protocol_name}};
}

std::vector<AnswerField> Read(const broker::HeartbeatResponse& answer) {
  return {ErrorField(answer.error)};
}

std::vector<AnswerField> Read(const broker::LeaveGroupResponse& answer) {
  const bool ok = answer.error == broker::ErrorCode::kNone;
  return {ErrorField(ok ? FirstError(answer.members) : answer.error)};
}

std::vector<AnswerField> Read(const broker::OffsetCommitResponse& answer) {
  return {ErrorField(FirstError(answer.partitions))};
}

std::vector<AnswerField> Read(const broker::TxnOffsetCommitResponse& answer) {
  return {ErrorField(FirstError(answer.partitions))};
}

std::vector<AnswerField> Read(const broker::OffsetFetchResponse& answer) {
  const bool ok = answer.error == broker::ErrorCode::kNone;
  std::vector<AnswerField> fields{ErrorField(ok ? FirstError(answer.partitions) : answer.error)};
  for (const auto& result : answer.partitions) {
    fields.push_back(NumberField("offset", result.offset));
    fields.push_back({.name = "metadata", .value = result.metadata});
  }
  return fields;
}

template <typename Body>
std::vector<AnswerField> ReadAs(const sim::Payload& answer) {
  return Read(broker::BodyOf<Body>(answer));
}

}  // namespace

std::vector<AnswerField> ReadRawAnswer(const sim::Payload& answer) {
  switch (broker::AsMessage(answer).key()) {
    case broker::ApiKey::kProduce:
      return ReadAs<broker::ProduceResponse>(answer);
    case broker::ApiKey::kFetch:
      return ReadAs<broker::FetchResponse>(answer);
    case broker::ApiKey::kListOffsets:
      return ReadAs<broker::ListOffsetsResponse>(answer);
    case broker::ApiKey::kFindCoordinator:
      return ReadAs<broker::FindCoordinatorResponse>(answer);
    case broker::ApiKey::kInitProducerId:
      return ReadAs<broker::InitProducerIdResponse>(answer);
    case broker::ApiKey::kAddPartitionsToTxn:
      return ReadAs<broker::AddPartitionsToTxnResponse>(answer);
    case broker::ApiKey::kAddOffsetsToTxn:
      return ReadAs<broker::AddOffsetsToTxnResponse>(answer);
    case broker::ApiKey::kEndTxn:
      return ReadAs<broker::EndTxnResponse>(answer);
    case broker::ApiKey::kWriteTxnMarkers:
      return ReadAs<broker::WriteTxnMarkersResponse>(answer);
    case broker::ApiKey::kJoinGroup:
      return ReadAs<broker::JoinGroupResponse>(answer);
    case broker::ApiKey::kSyncGroup:
      return ReadAs<broker::SyncGroupResponse>(answer);
    case broker::ApiKey::kHeartbeat:
      return ReadAs<broker::HeartbeatResponse>(answer);
    case broker::ApiKey::kLeaveGroup:
      return ReadAs<broker::LeaveGroupResponse>(answer);
    case broker::ApiKey::kOffsetCommit:
      return ReadAs<broker::OffsetCommitResponse>(answer);
    case broker::ApiKey::kOffsetFetch:
      return ReadAs<broker::OffsetFetchResponse>(answer);
    case broker::ApiKey::kTxnOffsetCommit:
      return ReadAs<broker::TxnOffsetCommitResponse>(answer);
    default:
      return {};
  }
}

std::string RawValueText(const RawField::Value& value) {
  return std::visit(
      [](const auto& v) -> std::string {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, std::string>) {
          return v;
        } else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::int64_t>) {
          return fmt::format("{}", v);
        } else {
          std::string text;
          for (const auto& element : v) {
            if (!text.empty()) text += ", ";
            if constexpr (std::is_same_v<T, std::vector<PartitionName>>) {
              text += fmt::format("{}-{}", element.topic, element.partition);
            } else {
              text += element;
            }
          }
          return text;
        }
      },
      value);
}

}  // namespace kafkasim::scenarios
