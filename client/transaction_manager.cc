// The application's calls and the changes of state. Requests and answers: transaction_requests.cc.
#include "client/transaction_manager.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/check.h"

namespace kafkasim::client {
namespace {

using broker::ErrorCode;
using S = TransactionState;

bool Insert(PartitionSet& set, const broker::PartitionId& partition) {
  const auto at = std::lower_bound(set.begin(), set.end(), partition);
  if (at != set.end() && *at == partition) return false;
  set.insert(at, partition);
  return true;
}

bool Contains(const PartitionSet& set, const broker::PartitionId& partition) {
  return std::binary_search(set.begin(), set.end(), partition);
}

bool IsFatalForAnyProducer(const ApiError& error) {
  return error.exception == Exception::kFromCode &&
         (error.code == ErrorCode::kProducerFenced ||
          error.code == ErrorCode::kInvalidProducerIdMapping ||
          error.code == ErrorCode::kTransactionalIdAuthorizationFailed ||
          error.code == ErrorCode::kUnsupportedVersion);
}

}  // namespace

// --- Calls of the application --------------------------------------------------------------------

ApiError TransactionManager::InitTransactions() {
  if (ApiError error = FailWithError(); !error.ok()) return error;
  if (ApiError error = EnsureTransactional(); !error.ok()) return error;
  if (Rejoins(S::kInitializing)) return {};
  if (ApiError error = FailIfPending("initTransactions"); !error.ok()) return error;
  ApiError error = TransitionTo(S::kInitializing, Thread::kApplication);
  if (!error.ok()) return error;
  Enqueue({.kind = TransactionRequest::Kind::kInitProducerId, .ends_transition = true});
  pending_ = PendingTransition{.state = S::kInitializing, .operation = "initTransactions"};
  return {};
}

ApiError TransactionManager::BeginTransaction() {
  if (ApiError error = EnsureTransactional(); !error.ok()) return error;
  if (ApiError error = FailIfPending("beginTransaction"); !error.ok()) return error;
  if (ApiError error = FailWithError(); !error.ok()) return error;
  return TransitionTo(S::kInTransaction, Thread::kApplication);
}

ApiError TransactionManager::BeginCommit(std::optional<int64_t> transaction_version) {
  if (ApiError error = EnsureTransactional(); !error.ok()) return error;
  if (Rejoins(S::kCommitting)) return {};
  if (ApiError error = FailIfPending("commitTransaction"); !error.ok()) return error;
  if (ApiError error = FailWithError(); !error.ok()) return error;
  return BeginCompleting(/*commit=*/true, transaction_version);
}

ApiError TransactionManager::BeginAbort(std::optional<int64_t> transaction_version) {
  if (ApiError error = EnsureTransactional(); !error.ok()) return error;
  if (Rejoins(S::kAborting)) return {};
  if (ApiError error = FailIfPending("abortTransaction"); !error.ok()) return error;
  if (!is_abortable()) {
    if (ApiError error = FailWithError(); !error.ok()) return error;
  }
  return BeginCompleting(/*commit=*/false, transaction_version);
}

ApiError TransactionManager::BeginCompleting(bool commit,
                                             std::optional<int64_t> transaction_version) {
  const S target = commit ? S::kCommitting : S::kAborting;
  ApiError error = TransitionTo(target, Thread::kApplication);
  if (!error.ok()) return error;
  if (!commit) new_partitions_.clear();
  if (!new_partitions_.empty()) EnqueueAddPartitions();
  TransactionRequest end{.kind = TransactionRequest::Kind::kEndTxn,
                         .ends_transition = true,
                         .committed = commit,
                         .version = static_cast<int16_t>(tv2_ ? 5 : 4),
                         .identity = identity_};
  // The transaction ends with the version with which it began; the next one may have another.
  UpdateTransactionVersion(transaction_version, /*initializing=*/false);
  end.ends_transition = !bump_required_;
  Enqueue(std::move(end));
  if (bump_required_) {
    Enqueue({.kind = TransactionRequest::Kind::kBumpEpoch,
             .ends_transition = true,
             .identity = identity_});
  }
  pending_ = PendingTransition{.state = target,
                               .operation = commit ? "commitTransaction" : "abortTransaction"};
  return {};
}

ApiError TransactionManager::MaybeAddPartition(const broker::PartitionId& partition) {
  if (ApiError error = FailWithError(); !error.ok()) return error;
  if (ApiError error = FailIfPending("send"); !error.ok()) return error;
  if (!transactional()) return {};
  if (!has_producer_id()) {
    return IllegalState("a record cannot be sent before initTransactions has succeeded");
  }
  if (state_ != S::kInTransaction) {
    return IllegalState(fmt::format("a record cannot be sent in state {}", Name(state_)));
  }
  if (tv2_) {
    Insert(partitions_, partition);
    started_ = true;
  } else if (!Contains(partitions_, partition) && !Contains(pending_partitions_, partition)) {
    Insert(new_partitions_, partition);
  }
  return {};
}

ApiError TransactionManager::OnSendFailed(const ApiError& error) {
  return ToErrorState(error, Thread::kApplication);
}

void TransactionManager::UpdateTransactionVersion(std::optional<int64_t> level, bool initializing) {
  if (!transactional() || !level.has_value()) return;
  const bool was = std::exchange(tv2_, *level >= 2);
  if (!initializing && !was && tv2_) bump_required_ = true;
}

ApiError TransactionManager::EnsureTransactional() const {
  if (transactional()) return {};
  return IllegalState("a transactional method was called on a producer without transactional.id");
}

ApiError TransactionManager::FailWithError() const {
  if (!is_abortable() && !is_fatal()) return {};
  if (last_error_.exception == Exception::kFromCode) {
    if (last_error_.code == ErrorCode::kProducerFenced ||
        last_error_.code == ErrorCode::kInvalidProducerEpoch) {
      return last_error_;
    }
  }
  if (last_error_.exception == Exception::kIllegalState) return last_error_;
  return WrapInKafkaException(
      last_error_, fmt::format("the producer is in state {} after an error", Name(state_)));
}

ApiError TransactionManager::FailIfPending(std::string_view operation) {
  if (!pending_.has_value()) return {};
  if (pending_->acknowledged) {
    pending_.reset();
    return {};
  }
  return IllegalState(fmt::format("{} cannot be called because {} timed out and must be retried",
                                  operation, pending_->operation));
}

bool TransactionManager::Rejoins(S state) {
  return pending_.has_value() && !pending_->acknowledged && pending_->state == state;
}

// --- Changes of state ----------------------------------------------------------------------------

// An illegal change leaves the state alone when the application asked for it; when the sender runs
// into one, the producer is poisoned.
ApiError TransactionManager::TransitionTo(S to, Thread thread, const ApiError& error) {
  if (!IsLegal(state_, to)) {
    ApiError illegal = IllegalState(
        fmt::format("{} no legal change from {} to {}", Who(), Name(state_), Name(to)));
    if (thread == Thread::kSender) {
      illegal.error_class = ErrorClass::kFatal;
      changes_.push_back({.from = state_, .to = S::kFatalError, .reason = illegal.message});
      state_ = S::kFatalError;
      last_error_ = illegal;
    }
    return illegal;
  }
  const bool to_error = to == S::kFatalError || to == S::kAbortableError;
  KAFKASIM_CHECK(to_error != error.ok(), "error states come with an error, others without");
  changes_.push_back({.from = state_, .to = to, .reason = error.ToString()});
  last_error_ = error;
  state_ = to;
  return {};
}

ApiError TransactionManager::ToAbortable(const ApiError& error, Thread thread) {
  if (is_aborting()) return {};  // it is being aborted already
  ApiError abortable = error;
  abortable.error_class = ErrorClass::kAbortable;
  return TransitionTo(S::kAbortableError, thread, abortable);
}

void TransactionManager::ToFatal(const ApiError& error) {
  ApiError fatal = error;
  fatal.error_class = ErrorClass::kFatal;
  (void)TransitionTo(S::kFatalError, Thread::kSender, fatal);
  if (pending_.has_value()) CompleteTransition(fatal);
}

void TransactionManager::ToAbortableOrFatal(ApiError error) {
  if (!coordinator_can_bump_ && !tv2_) {
    ToFatal(error);
    return;
  }
  if (NeedsBumpFromClient()) bump_required_ = true;
  (void)ToAbortable(error, Thread::kSender);
}

// TransactionManager.maybeTransitionToErrorState.
ApiError TransactionManager::ToErrorState(const ApiError& error, Thread thread) {
  if (IsFatalForAnyProducer(error)) {
    ToFatal(error);
    return {};
  }
  if (!transactional()) return {};
  ApiError shown = error;
  if (error.IsRetriableException() ||
      (error.exception == Exception::kFromCode && error.code == ErrorCode::kInvalidTxnState)) {
    shown = ErrorFromCode(ErrorCode::kTransactionAbortable, ErrorClass::kAbortable,
                          fmt::format("retries are exhausted: {}", error.ToString()));
    shown.cause = error.exception;
  }
  if (NeedsBumpFromClient() && !is_completing()) bump_required_ = true;
  return ToAbortable(shown, thread);
}

void TransactionManager::OnBatchFailed(const ApiError& error) {
  (void)ToErrorState(error, Thread::kSender);
}

void TransactionManager::OnUnresolvedSequence() {
  ToAbortableOrFatal(ClientError(
      Exception::kKafka, ErrorClass::kAbortable,
      "records that were sent before were not acknowledged and can no longer be retried"));
}

void TransactionManager::SetIdentity(const ProducerIdentity& identity, std::string_view reason) {
  changes_.push_back({.what = TransactionChange::What::kIdentity,
                      .was = identity_,
                      .now = identity,
                      .reason = std::string(reason)});
  identity_ = identity;
}

void TransactionManager::BumpIdempotentEpoch() {
  if (identity_.epoch == broker::kExhaustedEpoch) {
    SetIdentity({}, "the epoch is exhausted");
    (void)TransitionTo(S::kUninitialized, Thread::kSender);
    return;
  }
  SetIdentity({.producer_id = identity_.producer_id, .epoch = identity_.epoch + 1},
              "bumped by the client because of a gap in the sequence");
}

void TransactionManager::CompleteTransition(const ApiError& error) {
  pending_->completed = true;
  if (!error.ok()) pending_->error = error;
}

void TransactionManager::ResetTransaction() {
  (void)TransitionTo(bump_required_ ? S::kInitializing : S::kReady, Thread::kSender);
  bump_required_ = false;
  started_ = false;
  new_partitions_.clear();
  pending_partitions_.clear();
  partitions_.clear();
}

void TransactionManager::FailForShutdown() {
  const ApiError closed =
      ClientError(Exception::kKafka, ErrorClass::kFatal, "the producer was closed by force");
  for (const TransactionRequest& request : std::exchange(queue_, {})) {
    Fail(request, closed);
    ToFatal(closed);
  }
  if (pending_.has_value()) CompleteTransition(closed);
}

void TransactionManager::BackToUninitialized() {
  const ApiError error = last_error_;
  for (const TransactionRequest& request : std::exchange(queue_, {})) Fail(request, error);
  (void)TransitionTo(S::kUninitialized, Thread::kSender);
  if (pending_.has_value()) CompleteTransition(error);
}

bool TransactionManager::IsSendAllowed(const broker::PartitionId& partition) const {
  if (is_fatal()) return false;
  return !transactional() || Contains(partitions_, partition);
}

std::string TransactionManager::Who() const {
  if (!transactional()) {
    return fmt::format("producer id {}, epoch {}:", identity_.producer_id, identity_.epoch);
  }
  return fmt::format("transactional id {}, producer id {}, epoch {}:", *transactional_id_,
                     identity_.producer_id, identity_.epoch);
}

}  // namespace kafkasim::client
