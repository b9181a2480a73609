#include "broker/transaction_verification.h"

#include <algorithm>
#include <utility>

namespace kafkasim::broker {
namespace {

VerificationOutcome All(const VerificationRequest& request, ErrorCode error) {
  VerificationOutcome outcome{.ticket = request.ticket};
  for (const PartitionId& partition : request.partitions) {
    outcome.errors.push_back({.partition = partition, .error = error});
  }
  return outcome;
}

ErrorCode AsSeenByTheClient(ErrorCode error, TransactionOperation operation) {
  if (error == ErrorCode::kProducerFenced) return ErrorCode::kInvalidProducerEpoch;
  if (error == ErrorCode::kTransactionAbortable &&
      operation == TransactionOperation::kDefaultError) {
    return ErrorCode::kInvalidTxnState;
  }
  return error;
}

}  // namespace

TransactionOperation OperationOfProduce(int16_t version) {
  if (version >= 12) return TransactionOperation::kAddPartition;
  return version == 11 ? TransactionOperation::kGenericErrorSupported
                       : TransactionOperation::kDefaultError;
}

TransactionOperation OperationOfTxnOffsetCommit(int16_t version) {
  if (version >= 5) return TransactionOperation::kAddPartition;
  return version == 4 ? TransactionOperation::kGenericErrorSupported
                      : TransactionOperation::kDefaultError;
}

void VerificationRequest::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(ticket);
  out.Add(transactional_id);
  out.Add(producer_id);
  out.Add(producer_epoch);
  out.Add(operation);
  out.AddAll(partitions);
}

void TransactionVerification::Node::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(coordinator);
  out.AddAll(in_flight);
  out.AddAll(queued);
}

void TransactionVerification::AppendTo(sim::CanonicalBytes& out) const { out.AddAll(nodes_); }

TransactionVerification::Node& TransactionVerification::NodeOf(BrokerId coordinator) {
  const auto at =
      std::lower_bound(nodes_.begin(), nodes_.end(), coordinator,
                       [](const Node& node, BrokerId wanted) { return node.coordinator < wanted; });
  if (at != nodes_.end() && at->coordinator == coordinator) return *at;
  return *nodes_.insert(
      at, Node{.coordinator = coordinator, .in_flight = {}, .queued = {}, .timer = {}});
}

TransactionVerification::Outcomes TransactionVerification::Enqueue(BrokerId coordinator,
                                                                   VerificationRequest request) {
  Outcomes outcomes;
  std::vector<VerificationRequest>& queued = NodeOf(coordinator).queued;
  const auto same =
      std::find_if(queued.begin(), queued.end(), [&](const VerificationRequest& other) {
        return other.transactional_id == request.transactional_id;
      });
  if (same != queued.end()) {
    if (same->producer_epoch > request.producer_epoch) {
      outcomes.push_back(All(request, ErrorCode::kInvalidProducerEpoch));
      return outcomes;
    }
    outcomes.push_back(All(*same, same->producer_epoch < request.producer_epoch
                                      ? ErrorCode::kInvalidProducerEpoch
                                      : ErrorCode::kNetworkException));
    queued.erase(same);
  }
  queued.push_back(std::move(request));
  return outcomes;
}

std::optional<AddPartitionsToTxnRequest> TransactionVerification::TakeRequest(
    BrokerId coordinator) {
  Node& node = NodeOf(coordinator);
  if (!node.in_flight.empty() || node.queued.empty()) return std::nullopt;
  node.in_flight = std::exchange(node.queued, {});
  AddPartitionsToTxnRequest request{.version = 5, .transactions = {}};
  for (const VerificationRequest& asked : node.in_flight) {
    request.transactions.push_back(
        {.transactional_id = asked.transactional_id,
         .producer_id = asked.producer_id,
         .producer_epoch = asked.producer_epoch,
         .verify_only = asked.operation != TransactionOperation::kAddPartition,
         .partitions = asked.partitions});
  }
  return request;
}

std::vector<VerificationRequest> TransactionVerification::TakeInFlight(BrokerId coordinator) {
  Node& node = NodeOf(coordinator);
  std::vector<VerificationRequest> in_flight = std::move(node.in_flight);
  node.in_flight.clear();
  node.timer = {};
  if (node.queued.empty()) nodes_.erase(nodes_.begin() + (&node - nodes_.data()));
  return in_flight;
}

TransactionVerification::Outcomes TransactionVerification::OnResponse(
    BrokerId coordinator, const AddPartitionsToTxnResponse& response) {
  Outcomes outcomes;
  for (const VerificationRequest& asked : TakeInFlight(coordinator)) {
    if (response.error != ErrorCode::kNone) {
      outcomes.push_back(All(asked, response.error));
      continue;
    }
    VerificationOutcome outcome{.ticket = asked.ticket};
    for (const auto& result : response.transactions) {
      if (result.transactional_id != asked.transactional_id) continue;
      for (const auto& partition : result.partitions) {
        if (partition.error == ErrorCode::kNone) continue;
        outcome.errors.push_back({.partition = partition.partition,
                                  .error = AsSeenByTheClient(partition.error, asked.operation)});
      }
    }
    outcomes.push_back(std::move(outcome));
  }
  return outcomes;
}

TransactionVerification::Outcomes TransactionVerification::OnDisconnect(BrokerId coordinator) {
  Outcomes outcomes;
  for (const VerificationRequest& asked : TakeInFlight(coordinator)) {
    outcomes.push_back(All(asked, ErrorCode::kNetworkException));
  }
  return outcomes;
}

sim::TimerId* TransactionVerification::TimerOf(BrokerId coordinator) {
  for (Node& node : nodes_) {
    if (node.coordinator == coordinator && !node.in_flight.empty()) return &node.timer;
  }
  return nullptr;
}

}  // namespace kafkasim::broker
