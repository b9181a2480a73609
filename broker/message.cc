#include "broker/message.h"

#include <fmt/format.h>

namespace kafkasim::broker {

std::string_view Name(ApiKey key) {
  switch (key) {
    case ApiKey::kProduce:
      return "Produce";
    case ApiKey::kFetch:
      return "Fetch";
    case ApiKey::kListOffsets:
      return "ListOffsets";
    case ApiKey::kMetadata:
      return "Metadata";
    case ApiKey::kUpdateMetadata:
      return "UpdateMetadata";
    case ApiKey::kOffsetCommit:
      return "OffsetCommit";
    case ApiKey::kOffsetFetch:
      return "OffsetFetch";
    case ApiKey::kFindCoordinator:
      return "FindCoordinator";
    case ApiKey::kJoinGroup:
      return "JoinGroup";
    case ApiKey::kHeartbeat:
      return "Heartbeat";
    case ApiKey::kLeaveGroup:
      return "LeaveGroup";
    case ApiKey::kSyncGroup:
      return "SyncGroup";
    case ApiKey::kApiVersions:
      return "ApiVersions";
    case ApiKey::kCreateTopics:
      return "CreateTopics";
    case ApiKey::kDeleteTopics:
      return "DeleteTopics";
    case ApiKey::kDeleteRecords:
      return "DeleteRecords";
    case ApiKey::kInitProducerId:
      return "InitProducerId";
    case ApiKey::kOffsetForLeaderEpoch:
      return "OffsetForLeaderEpoch";
    case ApiKey::kAddPartitionsToTxn:
      return "AddPartitionsToTxn";
    case ApiKey::kAddOffsetsToTxn:
      return "AddOffsetsToTxn";
    case ApiKey::kEndTxn:
      return "EndTxn";
    case ApiKey::kWriteTxnMarkers:
      return "WriteTxnMarkers";
    case ApiKey::kTxnOffsetCommit:
      return "TxnOffsetCommit";
    case ApiKey::kElectLeaders:
      return "ElectLeaders";
    case ApiKey::kAlterPartition:
      return "AlterPartition";
    case ApiKey::kDescribeProducers:
      return "DescribeProducers";
    case ApiKey::kBrokerRegistration:
      return "BrokerRegistration";
    case ApiKey::kDescribeTransactions:
      return "DescribeTransactions";
    case ApiKey::kListTransactions:
      return "ListTransactions";
    case ApiKey::kAllocateProducerIds:
      return "AllocateProducerIds";
  }
  return "?";
}

std::string ConcernOf(const PartitionId& partition) {
  return fmt::format("{}:{}", partition.topic.value(), partition.index);
}

}  // namespace kafkasim::broker
