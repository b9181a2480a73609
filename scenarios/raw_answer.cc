// Answers to raw requests as named fields.
#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "broker/messages_admin.h"
#include "broker/messages_cluster.h"
#include "broker/messages_data.h"
#include "broker/messages_group.h"
#include "broker/messages_leader_epoch.h"
#include "broker/messages_offsets.h"
#include "broker/messages_topics.h"
#include "broker/messages_transaction.h"
#include "scenarios/raw_message.h"
#include "scenarios/vocabulary.h"

namespace kafkasim::scenarios {
namespace {

// The first error of any of the results, which have one each.
template <typename Results>
broker::ErrorCode FirstError(const Results& results) {
  for (const auto& result : results) {
    if (result.error != broker::ErrorCode::kNone) return result.error;
  }
  return broker::ErrorCode::kNone;
}

// "NONE, NOT_LEADER_OR_FOLLOWER".
template <typename Results>
AnswerField ErrorsField(const Results& results) {
  AnswerField field{.name = "errors"};
  for (const auto& result : results) {
    if (!field.value.empty()) field.value += ", ";
    field.value += broker::Name(result.error);
  }
  return field;
}

RawAnswer Read(const broker::ProduceResponse& answer) {
  RawAnswer read{.error = FirstError(answer.partitions)};
  for (const auto& result : answer.partitions) {
    read.fields.push_back(NumberField("base_offset", result.base_offset));
  }
  return read;
}

RawAnswer Read(const broker::FetchResponse& answer) {
  RawAnswer read{.error = answer.error};
  if (read.error == broker::ErrorCode::kNone) read.error = FirstError(answer.partitions);
  for (const auto& result : answer.partitions) {
    read.fields.push_back(NumberField("high_watermark", result.high_watermark));
    read.fields.push_back(NumberField("last_stable_offset", result.last_stable_offset));
    read.fields.push_back(NumberField("log_start_offset", result.log_start_offset));
  }
  return read;
}

RawAnswer Read(const broker::ListOffsetsResponse& answer) {
  RawAnswer read{.error = FirstError(answer.partitions)};
  for (const auto& result : answer.partitions) {
    read.fields.push_back(NumberField("offset", result.offset));
    read.fields.push_back(NumberField("leader_epoch", result.leader_epoch));
  }
  return read;
}

RawAnswer Read(const broker::OffsetForLeaderEpochResponse& answer) {
  RawAnswer read{.error = FirstError(answer.partitions)};
  for (const auto& result : answer.partitions) {
    read.fields.push_back(NumberField("leader_epoch", result.leader_epoch));
    read.fields.push_back(NumberField("end_offset", result.end_offset));
  }
  return read;
}

RawAnswer Read(const broker::DescribeProducersResponse& answer) {
  RawAnswer read{.error = FirstError(answer.partitions)};
  AnswerField ids{.name = "producer_ids"};
  for (const auto& result : answer.partitions) {
    for (const auto& state : result.active_producers) {
      ids.value += fmt::format("{}{}", ids.value.empty() ? "" : ", ", state.producer_id);
      if (read.fields.size() > 1) continue;
      read.fields = {NumberField("producer_id", state.producer_id),
                     NumberField("producer_epoch", state.producer_epoch),
                     NumberField("coordinator_epoch", state.coordinator_epoch),
                     NumberField("last_sequence", state.last_sequence),
                     NumberField("current_txn_start_offset", state.current_txn_start_offset)};
    }
  }
  read.fields.push_back(std::move(ids));
  return read;
}

RawAnswer Read(const broker::DescribeTransactionsResponse& answer) {
  RawAnswer read{.error = FirstError(answer.transactions)};
  for (const auto& state : answer.transactions) {
    read.fields.push_back(
        {.name = "transaction_state", .value = CanonicalTransactionState(state.state)});
    read.fields.push_back(NumberField("producer_id", state.producer_id));
    read.fields.push_back(NumberField("producer_epoch", state.producer_epoch));
    read.fields.push_back(NumberField("transaction_timeout_ms", state.timeout_ms));
    read.fields.push_back(NumberField("transaction_start_time_ms", state.start_time_ms));
  }
  return read;
}

RawAnswer Read(const broker::ListTransactionsResponse& answer) {
  std::vector<std::string> ids;
  for (const auto& state : answer.transactions) ids.push_back(state.transactional_id);
  return {
      .error = answer.error,
      .fields = {{.name = "transactional_ids", .value = fmt::format("{}", fmt::join(ids, ", "))},
                 {.name = "unknown_state_filters",
                  .value = fmt::format("{}", fmt::join(answer.unknown_state_filters, ", "))}}};
}

RawAnswer Read(const broker::ElectLeadersResponse& answer) { return {.error = answer.error}; }

RawAnswer Read(const broker::FindCoordinatorResponse& answer) {
  return {.error = answer.error, .fields = {NumberField("broker", answer.broker)}};
}

RawAnswer Read(const broker::InitProducerIdResponse& answer) {
  return {.error = answer.error,
          .fields = {NumberField("producer_id", answer.producer_id),
                     NumberField("producer_epoch", answer.producer_epoch)}};
}

RawAnswer Read(const broker::AddPartitionsToTxnResponse& answer) {
  RawAnswer read{.error = answer.error};
  for (const auto& transaction : answer.transactions) {
    if (read.error == broker::ErrorCode::kNone) read.error = FirstError(transaction.partitions);
    read.fields.push_back(ErrorsField(transaction.partitions));
  }
  return read;
}

RawAnswer Read(const broker::AddOffsetsToTxnResponse& answer) { return {.error = answer.error}; }

RawAnswer Read(const broker::EndTxnResponse& answer) {
  return {.error = answer.error,
          .fields = {NumberField("producer_id", answer.producer_id),
                     NumberField("producer_epoch", answer.producer_epoch)}};
}

RawAnswer Read(const broker::WriteTxnMarkersResponse& answer) {
  RawAnswer read;
  for (const auto& marker : answer.markers) {
    if (read.error == broker::ErrorCode::kNone) read.error = FirstError(marker.partitions);
    read.fields.push_back(ErrorsField(marker.partitions));
  }
  return read;
}

RawAnswer Read(const broker::JoinGroupResponse& answer) {
  return {
      .error = answer.error,
      .fields = {NumberField("generation_id", answer.generation_id),
                 {.name = "member_id", .value = answer.member_id},
                 {.name = "leader", .value = answer.leader},
                 {.name = "protocol_name", .value = answer.protocol_name},
                 {.name = "skip_assignment", .value = answer.skip_assignment ? "true" : "false"}}};
}

RawAnswer Read(const broker::SyncGroupResponse& answer) {
  return {.error = answer.error,
          .fields = {{.name = "protocol_name", .value = answer.protocol_name}}};
}

RawAnswer Read(const broker::HeartbeatResponse& answer) { return {.error = answer.error}; }

RawAnswer Read(const broker::LeaveGroupResponse& answer) {
  const bool ok = answer.error == broker::ErrorCode::kNone;
  return {.error = ok ? FirstError(answer.members) : answer.error};
}

RawAnswer Read(const broker::OffsetCommitResponse& answer) {
  return {.error = FirstError(answer.partitions)};
}

RawAnswer Read(const broker::TxnOffsetCommitResponse& answer) {
  return {.error = FirstError(answer.partitions)};
}

RawAnswer Read(const broker::OffsetFetchResponse& answer) {
  const bool ok = answer.error == broker::ErrorCode::kNone;
  RawAnswer read{.error = ok ? FirstError(answer.partitions) : answer.error};
  for (const auto& result : answer.partitions) {
    read.fields.push_back(NumberField("offset", result.offset));
    read.fields.push_back({.name = "metadata", .value = result.metadata});
  }
  return read;
}

RawAnswer Read(const broker::CreateTopicsResponse& answer) {
  return {.error = FirstError(answer.topics)};
}

RawAnswer Read(const broker::DeleteTopicsResponse& answer) {
  return {.error = FirstError(answer.topics)};
}

RawAnswer Read(const broker::DeleteRecordsResponse& answer) {
  RawAnswer read{.error = FirstError(answer.partitions)};
  for (const auto& result : answer.partitions) {
    read.fields.push_back(NumberField("low_watermark", result.low_watermark));
  }
  return read;
}

template <typename Body>
RawAnswer ReadAs(const sim::Payload& answer) {
  return Read(broker::BodyOf<Body>(answer));
}

}  // namespace

RawAnswer ReadRawAnswer(const sim::Payload& answer) {
  switch (broker::AsMessage(answer).key()) {
    case broker::ApiKey::kProduce:
      return ReadAs<broker::ProduceResponse>(answer);
    case broker::ApiKey::kFetch:
      return ReadAs<broker::FetchResponse>(answer);
    case broker::ApiKey::kListOffsets:
      return ReadAs<broker::ListOffsetsResponse>(answer);
    case broker::ApiKey::kCreateTopics:
      return ReadAs<broker::CreateTopicsResponse>(answer);
    case broker::ApiKey::kDeleteTopics:
      return ReadAs<broker::DeleteTopicsResponse>(answer);
    case broker::ApiKey::kDeleteRecords:
      return ReadAs<broker::DeleteRecordsResponse>(answer);
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
    case broker::ApiKey::kOffsetForLeaderEpoch:
      return ReadAs<broker::OffsetForLeaderEpochResponse>(answer);
    case broker::ApiKey::kDescribeProducers:
      return ReadAs<broker::DescribeProducersResponse>(answer);
    case broker::ApiKey::kDescribeTransactions:
      return ReadAs<broker::DescribeTransactionsResponse>(answer);
    case broker::ApiKey::kListTransactions:
      return ReadAs<broker::ListTransactionsResponse>(answer);
    case broker::ApiKey::kElectLeaders:
      return ReadAs<broker::ElectLeadersResponse>(answer);
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
        } else if constexpr (std::is_same_v<T, std::vector<PartitionName>>) {
          std::vector<std::string> names;
          for (const PartitionName& partition : v) {
            names.push_back(fmt::format("{}-{}", partition.topic, partition.partition));
          }
          std::sort(names.begin(), names.end());
          return fmt::format("{}", fmt::join(names, ", "));
        } else {
          return fmt::format("{}", fmt::join(v, ", "));
        }
      },
      value);
}

}  // namespace kafkasim::scenarios
