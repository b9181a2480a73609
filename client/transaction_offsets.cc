// Offsets of a consumer group inside a transaction: sendOffsetsToTransaction, and what the answers
// to AddOffsetsToTxn and TxnOffsetCommit do.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "client/transaction_manager.h"

namespace kafkasim::client {
namespace {

using Kind = TransactionRequest::Kind;

// With transaction.version 1 the newest version that does not add the partition by itself.
constexpr int16_t kVersionTV1 = 4;
constexpr int16_t kVersionTV2 = 6;

}  // namespace

ApiError TransactionManager::BeginSendOffsets(const SendOffsetsToTransaction& send) {
  if (send.group.generation_id > 0 && send.group.member_id.empty()) {
    return ClientError(Exception::kIllegalArgument, ErrorClass::kMisuse,
                       fmt::format("the group metadata has generation {} but no member id",
                                   send.group.generation_id));
  }
  if (ApiError error = EnsureTransactional(); !error.ok()) return error;
  offsets_result_ = {.number = offsets_result_.number + 1, .completed = send.offsets.empty()};
  if (send.offsets.empty()) return {};
  if (ApiError error = FailIfPending("sendOffsetsToTransaction"); !error.ok()) return error;
  if (ApiError error = FailWithError(); !error.ok()) return error;
  if (state_ != TransactionState::kInTransaction) {
    return ClientError(Exception::kIllegalState, ErrorClass::kMisuse,
                       fmt::format("offsets cannot be sent in state {}", Name(state_)));
  }
  TransactionRequest request{.kind = Kind::kAddOffsets,
                             .identity = identity_,
                             .offsets = std::make_shared<const SendOffsetsToTransaction>(send),
                             .offsets_result = offsets_result_.number};
  if (tv2_) {
    // The group's coordinator adds its partition to the transaction by itself.
    EnqueueTxnOffsetCommit(request);
    started_ = true;
  } else {
    Enqueue(std::move(request));
  }
  return {};
}

void TransactionManager::EnqueueTxnOffsetCommit(const TransactionRequest& like) {
  for (const broker::OffsetToCommit& row : like.offsets->offsets) {
    const auto at =
        std::lower_bound(pending_offsets_.begin(), pending_offsets_.end(), row.partition);
    if (at == pending_offsets_.end() || *at != row.partition) {
      pending_offsets_.insert(at, row.partition);
    }
  }
  Enqueue({.kind = Kind::kTxnOffsetCommit,
           .version = tv2_ ? kVersionTV2 : kVersionTV1,
           .identity = identity_,
           .offsets = like.offsets,
           .offsets_result = like.offsets_result});
}

void TransactionManager::OnAddOffsets(TransactionRequest request,
                                      const broker::AddOffsetsToTxnResponse& response) {
  if (response.error != broker::ErrorCode::kNone) {
    return React(std::move(request), response.error);
  }
  EnqueueTxnOffsetCommit(request);
  started_ = true;
}

// A request that has to be repeated carries all its offsets again.
void TransactionManager::OnTxnOffsetCommit(TransactionRequest request,
                                           const broker::TxnOffsetCommitResponse& response) {
  bool looked_up = false;
  for (const broker::CommittedPartition& result : response.partitions) {
    switch (ReactionTo(request.api(), result.error)) {
      case Reaction::kProceed:
        pending_offsets_.erase(
            std::remove(pending_offsets_.begin(), pending_offsets_.end(), result.partition),
            pending_offsets_.end());
        continue;
      case Reaction::kFindCoordinatorAndRetry:
        if (!std::exchange(looked_up, true)) Enqueue(LookupFor(request));
        continue;
      case Reaction::kRetry:
        continue;
      default:
        pending_offsets_.clear();
        return React(std::move(request), result.error);
    }
  }
  if (pending_offsets_.empty()) {
    CompleteOffsets(request);
  } else {
    Retry(std::move(request));
  }
}

void TransactionManager::CompleteOffsets(const TransactionRequest& request, const ApiError& error) {
  if (request.offsets_result != offsets_result_.number || offsets_result_.completed) return;
  offsets_result_.completed = true;
  offsets_result_.error = error;
}

}  // namespace kafkasim::client
