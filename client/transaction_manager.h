// A producer's side of the transaction protocol: class TransactionManager (KIP-98, KIP-360,
// KIP-890), Kafka 4.4 development line. Also keeps the producer id of an idempotent producer.
//
// It sends nothing itself: the sender asks for the next request, and hands the answers back. One
// transactional request is under way at a time; the queue is ordered by kind (FindCoordinator, then
// InitProducerId, then what adds partitions and offsets, EndTxn, and an InitProducerId that bumps
// the epoch last).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "broker/ids.h"
#include "broker/messages_offsets.h"
#include "broker/messages_transaction.h"
#include "client/call.h"
#include "client/call_result.h"
#include "client/exception.h"
#include "client/transaction_reactions.h"
#include "client/transaction_state.h"
#include "sim/fingerprint.h"
#include "sim/payload.h"
#include "sim/time.h"

namespace kafkasim::client {

// Set of partitions, sorted.
using PartitionSet = broker::PartitionList;

struct TransactionRequest {
  enum class Kind : uint8_t {
    kFindCoordinator,
    kInitProducerId,
    kAddPartitions,
    kAddOffsets,       // TV1: the group's partition of __consumer_offsets
    kTxnOffsetCommit,  // to the group's coordinator
    kEndTxn,
    kBumpEpoch
  };

  Kind kind = Kind::kFindCoordinator;
  bool retry = false;  // wait for `backoff` before sending
  sim::Duration backoff{};
  bool ends_transition = false;           // a blocking call waits for its outcome
  bool committed = false;                 // of EndTxn
  int16_t version = 0;                    // of EndTxn and TxnOffsetCommit
  ProducerIdentity identity{};            // as it was when the request was made
  PartitionSet partitions{};              // of AddPartitionsToTxn
  std::optional<std::string> group_id{};  // of FindCoordinator: the group's; else the transaction's
  std::shared_ptr<const SendOffsetsToTransaction> offsets{};  // of kAddOffsets, kTxnOffsetCommit
  uint64_t offsets_result = 0;                                // who waits for them

  [[nodiscard]] TransactionApi api() const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

// What a blocking call of the application waits for; kept when the call times out, so that the same
// call can be made again and no other (KAFKA-6635).
struct PendingTransition {
  TransactionState state = TransactionState::kUninitialized;  // which call it is
  std::string_view operation{};                               // "commitTransaction", a literal
  bool completed = false;
  bool acknowledged = false;  // the application has seen the outcome
  ApiError error{};

  void AppendTo(sim::CanonicalBytes& out) const;
};

// What the application's sendOffsetsToTransaction waits for. When it times out, the offsets are
// still sent, but nobody hears of it.
struct OffsetsResult {
  uint64_t number = 0;
  bool completed = false;
  ApiError error{};

  void AppendTo(sim::CanonicalBytes& out) const;
};

// For the trace: what changed, since last asked.
struct TransactionChange {
  enum class What : uint8_t { kState, kIdentity, kCoordinator, kGroupCoordinator };
  What what = What::kState;
  TransactionState from = TransactionState::kUninitialized;
  TransactionState to = TransactionState::kUninitialized;
  ProducerIdentity was{};
  ProducerIdentity now{};
  broker::BrokerId coordinator = broker::kNoBroker;
  std::string reason{};  // of kGroupCoordinator: the group
};

class TransactionManager {
 public:
  TransactionManager(std::optional<std::string> transactional_id, int64_t transaction_timeout_ms,
                     sim::Duration retry_backoff)
      : transactional_id_(std::move(transactional_id)),
        transaction_timeout_ms_(transaction_timeout_ms),
        retry_backoff_(retry_backoff) {}

  // --- Calls of the application -----------------------------------------------------------------
  // An error is what the call throws at once:
  //   IllegalStateException    not transactional; not legal in this state; or the previous blocking
  //                            call timed out and was another one
  //   ProducerFencedException, InvalidProducerEpochException   that was the last error
  //   KafkaException           another error came before; wraps it
  // Otherwise the blocking ones go on until pending_transition() is completed.
  [[nodiscard]] ApiError InitTransactions();
  [[nodiscard]] ApiError BeginTransaction();
  [[nodiscard]] ApiError BeginCommit(std::optional<int64_t> transaction_version);
  [[nodiscard]] ApiError BeginAbort(std::optional<int64_t> transaction_version);
  // Goes on until offsets_result() is completed. Besides the errors above:
  //   IllegalArgumentException  a generation without a member id
  [[nodiscard]] ApiError BeginSendOffsets(const SendOffsetsToTransaction& send);
  // A record was appended for this partition.
  [[nodiscard]] ApiError MaybeAddPartition(const broker::PartitionId& partition);
  // A send failed at once with an ApiException, on the application's thread.
  [[nodiscard]] ApiError OnSendFailed(const ApiError& error);

  [[nodiscard]] const std::optional<PendingTransition>& pending_transition() const {
    return pending_;
  }
  // Of the last sendOffsetsToTransaction.
  [[nodiscard]] const OffsetsResult& offsets_result() const { return offsets_result_; }
  // The application has got the outcome of its blocking call.
  void Acknowledge() { pending_->acknowledged = true; }
  // Takes note of the cluster's level; `initializing` after init_transactions, else an upgrade
  // makes the next transaction begin with a bumped epoch.
  void UpdateTransactionVersion(std::optional<int64_t> level, bool initializing);

  // --- The sender -------------------------------------------------------------------------------
  // An idempotent producer without an id asks for one.
  void RequestIdIfNeeded();
  // Takes the next request to send, if there is one: not while a batch is incomplete for EndTxn,
  // and not what an error has made pointless.
  [[nodiscard]] std::optional<TransactionRequest> NextRequest(bool has_incomplete_batches);
  [[nodiscard]] sim::PayloadRef MessageOf(const TransactionRequest& request) const;
  // False: any broker can answer it.
  [[nodiscard]] bool NeedsCoordinator(const TransactionRequest& request) const {
    return transactional() && request.kind != TransactionRequest::Kind::kFindCoordinator;
  }
  // Who has to answer it, of a request that needs a coordinator; kNoBroker while not known.
  [[nodiscard]] broker::BrokerId CoordinatorOf(const TransactionRequest& request) const {
    return request.kind == TransactionRequest::Kind::kTxnOffsetCommit ? group_coordinator_
                                                                      : coordinator_;
  }
  // The coordinator is not known: find it, then send the request again.
  void FindCoordinatorFor(TransactionRequest request);
  // The broker to ask is not reachable: the same after a pause. (Kafka asks again at once, as fast
  // as the network allows, until the cluster has noticed that the coordinator is gone.)
  void OnUnreachable(TransactionRequest request);
  // To be sent again after retry.backoff.ms.
  void Retry(TransactionRequest request);
  // The coordinator of this request is reachable.
  void OnCoordinatorReady(const TransactionRequest& request) {
    if (request.kind != TransactionRequest::Kind::kTxnOffsetCommit) coordinator_can_bump_ = true;
  }
  void OnDisconnected(TransactionRequest request);
  void OnResponse(TransactionRequest request, const sim::Payload& response);

  // A batch failed: an error of its partition's leader, or its delivery timeout.
  void OnBatchFailed(const ApiError& error);
  // Batches that were sent cannot be retried and may or may not have been written.
  void OnUnresolvedSequence();
  // An idempotent producer's epoch is to be bumped; the caller renumbers the batches.
  void BumpIdempotentEpoch();
  void FailForShutdown();
  // InitProducerId was not authorized: init_transactions may be tried again.
  void BackToUninitialized();

  // --- Looking ----------------------------------------------------------------------------------
  [[nodiscard]] TransactionState state() const { return state_; }
  [[nodiscard]] const ApiError& last_error() const { return last_error_; }
  [[nodiscard]] const ProducerIdentity& identity() const { return identity_; }
  [[nodiscard]] bool has_producer_id() const {
    return identity_.producer_id != broker::kNoProducerId;
  }
  [[nodiscard]] bool transactional() const { return transactional_id_.has_value(); }
  [[nodiscard]] const std::optional<std::string>& transactional_id() const {
    return transactional_id_;
  }
  [[nodiscard]] bool tv2() const { return tv2_; }
  [[nodiscard]] bool has_pending_requests() const { return !queue_.empty(); }
  [[nodiscard]] bool is_fatal() const { return state_ == TransactionState::kFatalError; }
  [[nodiscard]] bool is_abortable() const { return state_ == TransactionState::kAbortableError; }
  [[nodiscard]] bool is_aborting() const { return state_ == TransactionState::kAborting; }
  [[nodiscard]] bool is_completing() const {
    return state_ == TransactionState::kCommitting || is_aborting();
  }
  [[nodiscard]] bool has_ongoing_transaction() const {
    return state_ == TransactionState::kInTransaction || is_completing() || is_abortable();
  }
  [[nodiscard]] bool IsSendAllowed(const broker::PartitionId& partition) const;
  // True once after a new epoch: all sequences are to begin anew (resetSequenceNumbers).
  [[nodiscard]] bool TakeSequenceReset() { return std::exchange(sequences_reset_, false); }
  [[nodiscard]] std::vector<TransactionChange> TakeChanges() { return std::exchange(changes_, {}); }

  void AppendTo(sim::CanonicalBytes& out) const;

 private:
  enum class Thread : uint8_t { kApplication, kSender };

  ApiError TransitionTo(TransactionState to, Thread thread, const ApiError& error = {});
  void SetIdentity(const ProducerIdentity& identity, std::string_view reason);
  [[nodiscard]] ApiError EnsureTransactional() const;
  // KafkaProducer's maybeFailWithError.
  [[nodiscard]] ApiError FailWithError() const;
  [[nodiscard]] ApiError FailIfPending(std::string_view operation);
  // A blocking call that joins the same one that timed out before, and need not begin anew.
  [[nodiscard]] bool Rejoins(TransactionState state);
  [[nodiscard]] ApiError BeginCompleting(bool commit, std::optional<int64_t> transaction_version);
  ApiError ToAbortable(const ApiError& error, Thread thread);
  void ToFatal(const ApiError& error);
  void ToAbortableOrFatal(ApiError error);
  ApiError ToErrorState(const ApiError& error, Thread thread);
  [[nodiscard]] bool NeedsBumpFromClient() const { return coordinator_can_bump_ && !tv2_; }
  void CompleteTransition(const ApiError& error = {});
  void ResetTransaction();

  void Enqueue(TransactionRequest request);
  // Forgets the coordinator of this request, and the request that finds it again.
  [[nodiscard]] TransactionRequest LookupFor(const TransactionRequest& request);
  void EnqueueAddPartitions();
  void React(TransactionRequest request, broker::ErrorCode code);
  void Fail(const TransactionRequest& request, const ApiError& error);
  void OnInitProducerId(const TransactionRequest& request,
                        const broker::InitProducerIdResponse& response);
  void OnAddPartitions(TransactionRequest request,
                       const broker::AddPartitionsToTxnResponse& response);
  void OnEndTxn(const TransactionRequest& request, const broker::EndTxnResponse& response);
  // transaction_offsets.cc
  void EnqueueTxnOffsetCommit(const TransactionRequest& like);
  void OnAddOffsets(TransactionRequest request, const broker::AddOffsetsToTxnResponse& response);
  void OnTxnOffsetCommit(TransactionRequest request,
                         const broker::TxnOffsetCommitResponse& response);
  void CompleteOffsets(const TransactionRequest& request, const ApiError& error = {});
  [[nodiscard]] std::string Who() const;

  std::optional<std::string> transactional_id_;
  int64_t transaction_timeout_ms_;
  sim::Duration retry_backoff_;

  TransactionState state_ = TransactionState::kUninitialized;
  ApiError last_error_;
  ProducerIdentity identity_;
  bool tv2_ = false;
  bool started_ = false;        // the coordinator may know of this transaction
  bool bump_required_ = false;  // InitProducerId must follow the end of this transaction
  bool coordinator_can_bump_ = false;
  broker::BrokerId coordinator_ = broker::kNoBroker;
  // As in Kafka there is one, whatever the group: another group's answers NOT_COORDINATOR.
  broker::BrokerId group_coordinator_ = broker::kNoBroker;
  PartitionSet new_partitions_;      // to be added
  PartitionSet pending_partitions_;  // AddPartitionsToTxn is under way
  PartitionSet partitions_;          // in the transaction
  PartitionSet pending_offsets_;     // pendingTxnOffsetCommits: not taken by the group yet
  OffsetsResult offsets_result_;
  std::vector<TransactionRequest> queue_;  // by priority, then in order of arrival
  std::optional<PendingTransition> pending_;
  bool sequences_reset_ = false;
  std::vector<TransactionChange> changes_;  // not part of the state
};

}  // namespace kafkasim::client
