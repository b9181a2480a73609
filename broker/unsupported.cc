#include "broker/unsupported.h"

#include "broker/messages_admin.h"
#include "broker/messages_cluster.h"
#include "broker/messages_transaction.h"

namespace kafkasim::broker {

sim::PayloadRef UnsupportedAnswer(const Message& request) {
  constexpr ErrorCode kError = ErrorCode::kUnsupportedVersion;
  switch (request.key()) {
    case ApiKey::kInitProducerId:
      return MakeMessage(InitProducerIdResponse{.error = kError});
    case ApiKey::kAddPartitionsToTxn:
      return MakeMessage(AddPartitionsToTxnResponse{.error = kError});
    case ApiKey::kAddOffsetsToTxn:
      return MakeMessage(AddOffsetsToTxnResponse{.error = kError});
    case ApiKey::kEndTxn:
      return MakeMessage(EndTxnResponse{.error = kError});
    case ApiKey::kListTransactions:
      return MakeMessage(ListTransactionsResponse{.error = kError});
    case ApiKey::kAllocateProducerIds:
      return MakeMessage(AllocateProducerIdsResponse{.error = kError});
    default:
      return nullptr;
  }
}

}  // namespace kafkasim::broker
