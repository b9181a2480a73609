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
    case ApiKey::kFindCoordinator:
      return "FindCoordinator";
    case ApiKey::kApiVersions:
      return "ApiVersions";
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
