// The queue of a transaction manager's requests, and what their answers do.
#include <algorithm>

#include <fmt/format.h>

#include "broker/message.h"
#include "client/transaction_manager.h"
#include "sim/check.h"

namespace kafkasim::client {
namespace {

using broker::ErrorCode;
using Kind = TransactionRequest::Kind;
using S = TransactionState;

// The first AddPartitionsToTxn of a transaction often comes while the previous one still completes.
constexpr sim::Duration kAddPartitionsBackoff = sim::Millis(20);

// TransactionManager.Priority: the smaller goes first.
int PriorityOf(Kind kind) {
  switch (kind) {
    case Kind::kFindCoordinator:
      return 0;
    case Kind::kInitProducerId:
      return 1;
    case Kind::kAddPartitions:
    case Kind::kAddOffsets:
    case Kind::kTxnOffsetCommit:
      return 2;
    case Kind::kEndTxn:
      return 3;
    case Kind::kBumpEpoch:
      return 4;
  }
  return 0;
}

std::string_view NameOfRequest(Kind kind) {
  switch (kind) {
    case Kind::kFindCoordinator:
      return "FindCoordinator";
    case Kind::kInitProducerId:
    case Kind::kBumpEpoch:
      return "InitProducerId";
    case Kind::kAddPartitions:
      return "AddPartitionsToTxn";
    case Kind::kAddOffsets:
      return "AddOffsetsToTxn";
    case Kind::kTxnOffsetCommit:
      return "TxnOffsetCommit";
    case Kind::kEndTxn:
      return "EndTxn";
  }
  return "?";
}

}  // namespace

TransactionApi TransactionRequest::api() const {
  switch (kind) {
    case Kind::kFindCoordinator:
      return TransactionApi::kFindCoordinator;
    case Kind::kInitProducerId:
    case Kind::kBumpEpoch:
      return TransactionApi::kInitProducerId;
    case Kind::kAddPartitions:
      return TransactionApi::kAddPartitionsToTxn;
    case Kind::kAddOffsets:
      return TransactionApi::kAddOffsetsToTxn;
    case Kind::kTxnOffsetCommit:
      return TransactionApi::kTxnOffsetCommit;
    case Kind::kEndTxn:
      return committed ? TransactionApi::kEndTxnCommit : TransactionApi::kEndTxnAbort;
  }
  return TransactionApi::kFindCoordinator;
}

// --- The queue -----------------------------------------------------------------------------------

void TransactionManager::Enqueue(TransactionRequest request) {
  const auto after =
      std::find_if(queue_.begin(), queue_.end(), [&](const TransactionRequest& waiting) {
        return PriorityOf(waiting.kind) > PriorityOf(request.kind);
      });
  queue_.insert(after, std::move(request));
}

void TransactionManager::EnqueueAddPartitions() {
  for (const broker::PartitionId& partition : new_partitions_) {
    pending_partitions_.insert(
        std::lower_bound(pending_partitions_.begin(), pending_partitions_.end(), partition),
        partition);
  }
  new_partitions_.clear();
  Enqueue({.kind = Kind::kAddPartitions, .identity = identity_, .partitions = pending_partitions_});
}

void TransactionManager::RequestIdIfNeeded() {
  if (transactional() || has_producer_id() || state_ == S::kInitializing) return;
  if (!TransitionTo(S::kInitializing, Thread::kSender).ok()) return;
  Enqueue({.kind = Kind::kInitProducerId});
}

std::optional<TransactionRequest> TransactionManager::NextRequest(bool has_incomplete_batches) {
  if (!new_partitions_.empty()) EnqueueAddPartitions();
  while (!queue_.empty()) {
    const bool is_end = queue_.front().kind == Kind::kEndTxn;
    if (is_end && has_incomplete_batches) return std::nullopt;
    TransactionRequest next = std::move(queue_.front());
    queue_.erase(queue_.begin());
    if (is_abortable() || is_fatal()) {
      // To find the coordinator does no harm: it is needed for the abort.
      if (is_abortable() && next.kind == Kind::kFindCoordinator) return next;
      Fail(next, last_error_);
      continue;
    }
    if (!is_end || started_) return next;
    // The coordinator has never heard of this transaction.
    if (next.ends_transition) CompleteTransition();
    ResetTransaction();
  }
  return std::nullopt;
}

sim::PayloadRef TransactionManager::MessageOf(const TransactionRequest& request) const {
  switch (request.kind) {
    case Kind::kFindCoordinator:
      return broker::MakeMessage(broker::FindCoordinatorRequest{
          .type = request.group_id.has_value() ? broker::CoordinatorType::kGroup
                                               : broker::CoordinatorType::kTransaction,
          .key = request.group_id.has_value() ? *request.group_id : *transactional_id_});
    case Kind::kInitProducerId:
    case Kind::kBumpEpoch: {
      broker::InitProducerIdRequest message{.transactional_id = transactional_id_,
                                            .producer_id = request.identity.producer_id,
                                            .producer_epoch = request.identity.epoch};
      message.transaction_timeout_ms = transactional()
                                           ? static_cast<int32_t>(transaction_timeout_ms_)
                                           : std::numeric_limits<int32_t>::max();
      return broker::MakeMessage(std::move(message));
    }
    case Kind::kAddPartitions: {
      broker::AddPartitionsToTxnRequest message;
      message.transactions.push_back({.transactional_id = *transactional_id_,
                                      .producer_id = request.identity.producer_id,
                                      .producer_epoch = request.identity.epoch,
                                      .partitions = request.partitions});
      return broker::MakeMessage(std::move(message));
    }
    case Kind::kAddOffsets:
      return broker::MakeMessage(
          broker::AddOffsetsToTxnRequest{.transactional_id = *transactional_id_,
                                         .producer_id = request.identity.producer_id,
                                         .producer_epoch = request.identity.epoch,
                                         .group_id = request.offsets->group.group_id});
    case Kind::kTxnOffsetCommit: {
      const ConsumerGroupMetadata& group = request.offsets->group;
      return broker::MakeMessage(
          broker::TxnOffsetCommitRequest{.version = request.version,
                                         .transactional_id = *transactional_id_,
                                         .group_id = group.group_id,
                                         .producer_id = request.identity.producer_id,
                                         .producer_epoch = request.identity.epoch,
                                         .generation_id = group.generation_id,
                                         .member_id = group.member_id,
                                         .group_instance_id = group.group_instance_id,
                                         .offsets = request.offsets->offsets});
    }
    case Kind::kEndTxn:
      return broker::MakeMessage(broker::EndTxnRequest{.version = request.version,
                                                       .transactional_id = *transactional_id_,
                                                       .producer_id = request.identity.producer_id,
                                                       .producer_epoch = request.identity.epoch,
                                                       .committed = request.committed});
  }
  return nullptr;
}

TransactionRequest TransactionManager::LookupFor(const TransactionRequest& request) {
  TransactionRequest lookup{.kind = Kind::kFindCoordinator};
  if (request.kind == Kind::kTxnOffsetCommit) {
    group_coordinator_ = broker::kNoBroker;
    lookup.group_id = request.offsets->group.group_id;
  } else {
    coordinator_ = broker::kNoBroker;
  }
  return lookup;
}

void TransactionManager::FindCoordinatorFor(TransactionRequest request) {
  if (NeedsCoordinator(request)) Enqueue(LookupFor(request));
  Retry(std::move(request));
}

void TransactionManager::OnUnreachable(TransactionRequest request) {
  if (NeedsCoordinator(request)) Retry(LookupFor(request));
  Retry(std::move(request));
}

void TransactionManager::Retry(TransactionRequest request) {
  request.retry = true;
  request.backoff = retry_backoff_;
  Enqueue(std::move(request));
}

void TransactionManager::OnDisconnected(TransactionRequest request) {
  FindCoordinatorFor(std::move(request));
}

// --- Answers -------------------------------------------------------------------------------------

void TransactionManager::OnResponse(TransactionRequest request, const sim::Payload& response) {
  switch (request.kind) {
    case Kind::kFindCoordinator: {
      const auto& found = broker::BodyOf<broker::FindCoordinatorResponse>(response);
      if (found.error != ErrorCode::kNone) return React(std::move(request), found.error);
      const bool of_group = request.group_id.has_value();
      (of_group ? group_coordinator_ : coordinator_) = found.broker;
      changes_.push_back({.what = of_group ? TransactionChange::What::kGroupCoordinator
                                           : TransactionChange::What::kCoordinator,
                          .coordinator = found.broker,
                          .reason = request.group_id.value_or("")});
      return;
    }
    case Kind::kInitProducerId:
    case Kind::kBumpEpoch:
      return OnInitProducerId(request, broker::BodyOf<broker::InitProducerIdResponse>(response));
    case Kind::kAddPartitions:
      return OnAddPartitions(std::move(request),
                             broker::BodyOf<broker::AddPartitionsToTxnResponse>(response));
    case Kind::kAddOffsets:
      return OnAddOffsets(std::move(request),
                          broker::BodyOf<broker::AddOffsetsToTxnResponse>(response));
    case Kind::kTxnOffsetCommit:
      return OnTxnOffsetCommit(std::move(request),
                               broker::BodyOf<broker::TxnOffsetCommitResponse>(response));
    case Kind::kEndTxn:
      return OnEndTxn(request, broker::BodyOf<broker::EndTxnResponse>(response));
  }
}

void TransactionManager::OnInitProducerId(const TransactionRequest& request,
                                          const broker::InitProducerIdResponse& response) {
  if (response.error != ErrorCode::kNone) return React(request, response.error);
  SetIdentity({.producer_id = response.producer_id, .epoch = response.producer_epoch},
              "InitProducerId");
  (void)TransitionTo(S::kReady, Thread::kSender);
  if (request.kind == Kind::kBumpEpoch) sequences_reset_ = true;
  if (request.ends_transition) CompleteTransition();
}

void TransactionManager::OnAddPartitions(TransactionRequest request,
                                         const broker::AddPartitionsToTxnResponse& response) {
  std::string refused;
  ErrorCode refusal = ErrorCode::kNone;
  bool unauthorized = false;
  const bool whole = response.error != ErrorCode::kNone || response.transactions.empty();
  if (whole) return React(std::move(request), response.error);
  for (const auto& result : response.transactions.front().partitions) {
    switch (const Reaction reaction = ReactionTo(request.api(), result.error); reaction) {
      case Reaction::kProceed:
        continue;
      case Reaction::kAbortableKafka:
        refused += fmt::format("{}{}", refused.empty() ? "" : ", ", broker::Name(result.error));
        // The partition that was refused tells more than those that were not attempted.
        if (refusal == ErrorCode::kNone || refusal == ErrorCode::kOperationNotAttempted) {
          refusal = result.error;
        }
        continue;
      default:
        if (result.error != ErrorCode::kTopicAuthorizationFailed) {
          return React(std::move(request), result.error);
        }
        unauthorized = true;
    }
  }
  const auto answered = [&](const broker::PartitionId& partition) {
    return std::binary_search(request.partitions.begin(), request.partitions.end(), partition);
  };
  pending_partitions_.erase(
      std::remove_if(pending_partitions_.begin(), pending_partitions_.end(), answered),
      pending_partitions_.end());
  if (unauthorized) return React(std::move(request), ErrorCode::kTopicAuthorizationFailed);
  if (!refused.empty()) {
    ApiError error = ClientError(Exception::kKafka, ErrorClass::kAbortable,
                                 fmt::format("partitions could not be added: {}", refused));
    error.code = refusal;
    error.cause = Exception::kFromCode;
    Fail(request, error);
    (void)ToAbortable(error, Thread::kSender);
    return;
  }
  for (const broker::PartitionId& partition : request.partitions) {
    const auto at = std::lower_bound(partitions_.begin(), partitions_.end(), partition);
    if (at == partitions_.end() || *at != partition) partitions_.insert(at, partition);
  }
  started_ = true;
}

void TransactionManager::OnEndTxn(const TransactionRequest& request,
                                  const broker::EndTxnResponse& response) {
  if (response.error != ErrorCode::kNone) return React(request, response.error);
  // From version 5 on the coordinator bumps the epoch with every transaction.
  if (response.producer_id != broker::kNoProducerId) {
    SetIdentity({.producer_id = response.producer_id, .epoch = response.producer_epoch}, "EndTxn");
    sequences_reset_ = true;
  }
  ResetTransaction();
  if (request.ends_transition) CompleteTransition();
}

void TransactionManager::Fail(const TransactionRequest& request, const ApiError& error) {
  if (request.ends_transition && pending_.has_value()) CompleteTransition(error);
  if (request.offsets_result > 0) CompleteOffsets(request, error);
}

void TransactionManager::React(TransactionRequest request, ErrorCode code) {
  const auto error = [&](Exception exception) {
    ApiError made{.exception = exception, .code = code};
    made.message = fmt::format("{} {} was answered {}", Who(), NameOfRequest(request.kind),
                               broker::Name(code));
    if (exception != Exception::kFromCode) made.cause = Exception::kFromCode;
    return made;
  };
  const auto abortable = [&](Exception exception) {
    ApiError made = error(exception);
    made.error_class = ErrorClass::kAbortable;
    Fail(request, made);
    (void)ToAbortable(made, Thread::kSender);
  };
  const auto fatal = [&](ApiError made) {
    made.error_class = ErrorClass::kFatal;
    Fail(request, made);
    ToFatal(made);
  };
  switch (ReactionTo(request.api(), code)) {
    case Reaction::kRetry:
      return Retry(std::move(request));
    case Reaction::kRetrySoon: {
      request.retry = true;
      request.backoff =
          partitions_.empty() ? std::min(kAddPartitionsBackoff, retry_backoff_) : retry_backoff_;
      return Enqueue(std::move(request));
    }
    case Reaction::kFindCoordinatorAndRetry:
      return FindCoordinatorFor(std::move(request));
    case Reaction::kAbortable:
    case Reaction::kAbortableThenUninitialized:
      return abortable(Exception::kFromCode);
    case Reaction::kAbortableKafka:
      return abortable(Exception::kKafka);
    case Reaction::kAbortableCommitFailed:
      return abortable(Exception::kCommitFailed);
    case Reaction::kAbortableAndBump:
      Fail(request, error(Exception::kFromCode));
      return ToAbortableOrFatal(error(Exception::kFromCode));
    case Reaction::kFatal:
      return fatal(error(Exception::kFromCode));
    case Reaction::kFatalAsFenced: {
      ApiError fenced = error(Exception::kFromCode);
      fenced.code = ErrorCode::kProducerFenced;
      return fatal(std::move(fenced));
    }
    case Reaction::kFatalKafka:
      return fatal(error(Exception::kKafka));
    case Reaction::kProceed:
    case Reaction::kRetryUnlessNext:
    case Reaction::kResetAndRetry:
    case Reaction::kAbortableAsAbortable:
      break;
  }
  KAFKASIM_CHECK(false, "reactions to batches are not for requests");
}

}  // namespace kafkasim::client
