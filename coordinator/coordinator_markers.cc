#include <utility>
#include <vector>

#include "broker/channels.h"
#include "broker/messages_transaction.h"
#include "coordinator/coordinator_timers.h"
#include "coordinator/coordinator_trace.h"
#include "coordinator/events.h"
#include "coordinator/transaction_coordinator.h"
#include "sim/check.h"

namespace kafkasim::coordinator {

using broker::BrokerId;
using broker::ErrorCode;
using broker::PartitionId;
using broker::WriteTxnMarkersRequest;
using broker::WriteTxnMarkersResponse;

namespace {

// What the coordinator makes of a partition's answer (TransactionMarkerRequestCompletionHandler).
enum class MarkerReaction : uint8_t { kDone, kRetry, kGiveUp };

MarkerReaction ReactionTo(ErrorCode error) {
  switch (error) {
    case ErrorCode::kNone:
    case ErrorCode::kUnsupportedForMessageFormat:
    case ErrorCode::kUnsupportedVersion:
      return MarkerReaction::kDone;
    case ErrorCode::kUnknownTopicOrPartition:
    case ErrorCode::kNotLeaderOrFollower:
    case ErrorCode::kNotEnoughReplicas:
    case ErrorCode::kNotEnoughReplicasAfterAppend:
    case ErrorCode::kRequestTimedOut:
    case ErrorCode::kKafkaStorageError:
      return MarkerReaction::kRetry;
    case ErrorCode::kInvalidProducerEpoch:
    case ErrorCode::kTransactionCoordinatorFenced:
      return MarkerReaction::kGiveUp;
    default:
      KAFKASIM_CHECK(false, "a leader answers a marker with an error that coordinators know");
  }
}

// The answer for a partition of a marker. Answers are found by producer id, not by position.
ErrorCode AnswerFor(const WriteTxnMarkersResponse& response, broker::ProducerId producer_id,
                    const PartitionId& partition) {
  for (const WriteTxnMarkersResponse::MarkerResult& marker : response.markers) {
    if (marker.producer_id != producer_id) continue;
    for (const auto& result : marker.partitions) {
      if (result.partition == partition) return result.error;
    }
  }
  KAFKASIM_CHECK(false, "a leader answers for each marker that it was sent");
}

broker::PointEffect StrayPoint(const sim::EventKind& kind, const MarkerEntry& entry,
                               const PartitionId& partition, const broker::ClusterImage& names,
                               std::string_view reason) {
  return {&kind,
          {sim::Field{"transactional_id", entry.transactional_id},
           sim::Field{"marked_partition", names.NameOf(partition)},
           sim::Field{"reason", std::string(reason)}}};
}

PendingCompletion CompletionOf(const MarkerEntry& entry) {
  return {entry.transactional_id, entry.txn_partition, entry.coordinator_epoch};
}

}  // namespace

void TransactionCoordinator::StartMarkers(Turn& turn, int32_t partition,
                                          broker::CoordinatorEpoch epoch,
                                          const std::string& transactional_id) {
  const TransactionCache::Located located = cache_->Locate(transactional_id);
  const TransactionValue& value = located.metadata->value;
  markers_.Mutable().AddCompletion({transactional_id, partition, epoch});
  EnqueueMarker(turn, MarkerEntry{.transactional_id = transactional_id,
                                  .txn_partition = partition,
                                  .coordinator_epoch = epoch,
                                  .producer_id = value.producer_id,
                                  .producer_epoch = value.producer_epoch,
                                  .committed = value.state == TransactionState::kPrepareCommit,
                                  .transaction_version = value.client_transaction_version,
                                  .partitions = value.partitions});
  MaybeComplete(turn, transactional_id);
  RunSender(turn);
}

void TransactionCoordinator::EnqueueMarker(Turn& turn, const MarkerEntry& entry) {
  const broker::ClusterImage& image = turn.context.image();
  const MarkerChannel::Strays strays = markers_.Mutable().Enqueue(entry, image);
  if (turn.context.tracing()) {
    for (const PartitionId& partition : strays.parked) {
      turn.effects.push_back(StrayPoint(events::kMarkerParked, entry, partition, image,
                                        "no replica leads the partition now"));
    }
  }
  if (strays.deleted.empty()) return;
  if (cache_->Find(entry.txn_partition, entry.coordinator_epoch) == nullptr) {
    markers_.Mutable().RemoveCompletion(CompletionOf(entry));
    return;
  }
  TransactionMetadata& metadata =
      cache_.Mutable().Mutable(entry.txn_partition, entry.transactional_id);
  for (const PartitionId& partition : strays.deleted) {
    RemovePartition(metadata, partition);
    if (turn.context.tracing()) {
      turn.effects.push_back(StrayPoint(events::kMarkerDropped, entry, partition, image,
                                        "the partition exists no more"));
    }
  }
  MaybeComplete(turn, entry.transactional_id);
}

void TransactionCoordinator::MaybeComplete(Turn& turn, const std::string& transactional_id) {
  const PendingCompletion* found = markers_->FindCompletion(transactional_id);
  if (found == nullptr) return;
  const TransactionCache::Partition* partition =
      cache_->Find(found->txn_partition, found->coordinator_epoch);
  if (partition == nullptr) return;
  const TransactionMetadata* metadata = cache_->Find(*partition, transactional_id);
  if (!metadata->value.partitions.empty()) return;
  const PendingCompletion completion = *found;
  markers_.Mutable().RemoveCompletion(completion);
  AppendComplete(turn, completion);
}

void TransactionCoordinator::AppendComplete(Turn& turn, const PendingCompletion& completion) {
  const TransactionCache::Partition* partition =
      cache_->Find(completion.txn_partition, completion.coordinator_epoch);
  if (partition == nullptr) return;  // whoever coordinates it now has repeated everything
  const TransactionMetadata* metadata = cache_->Find(*partition, completion.transactional_id);
  KAFKASIM_CHECK(metadata != nullptr && metadata->pending.has_value(),
                 "a transaction whose markers are written is to be completed");
  Append(turn, *metadata,
         PendingAppend{.kind = PendingAppend::Kind::kComplete,
                       .partition = completion.txn_partition,
                       .epoch = completion.coordinator_epoch,
                       .transactional_id = completion.transactional_id});
}

void TransactionCoordinator::OnMarkersAnswered(Turn& turn, BrokerId broker,
                                               const sim::PayloadRef& response) {
  const bool disconnected = response == nullptr;
  const std::vector<MarkerEntry> entries = markers_.Mutable().FinishRequest(broker, disconnected);
  if (disconnected) {
    turn.effects.push_back(
        broker::TimerEffect{.delay = kReconnectBackoff,
                            .kind = static_cast<uint32_t>(CoordinatorTimer::kReconnect),
                            .argument = static_cast<uint64_t>(broker.value())});
  }
  const WriteTxnMarkersResponse* body =
      disconnected ? nullptr : &broker::BodyOf<WriteTxnMarkersResponse>(*response);
  for (const MarkerEntry& entry : entries) OnMarkerAnswered(turn, broker, entry, body);
  RunSender(turn);
}

void TransactionCoordinator::OnMarkerAnswered(Turn& turn, BrokerId broker, const MarkerEntry& entry,
                                              const WriteTxnMarkersResponse* response) {
  if (cache_->Find(entry.txn_partition, entry.coordinator_epoch) == nullptr) {
    // Asked in another coordinator's time: its successor has asked again.
    markers_.Mutable().RemoveCompletion(CompletionOf(entry));
    return;
  }
  const broker::ClusterImage& image = turn.context.image();
  const bool tracing = turn.context.tracing();
  TransactionMetadata& metadata =
      cache_.Mutable().Mutable(entry.txn_partition, entry.transactional_id);
  MarkerEntry again = entry;
  again.partitions.clear();
  bool given_up = false;
  for (const PartitionId& partition : entry.partitions) {
    const ErrorCode error = response == nullptr
                                ? ErrorCode::kNetworkException
                                : AnswerFor(*response, entry.producer_id, partition);
    const MarkerReaction reaction =
        response == nullptr ? MarkerReaction::kRetry : ReactionTo(error);
    const sim::EventKind* failed = nullptr;
    if (reaction == MarkerReaction::kDone) {
      RemovePartition(metadata, partition);
      if (tracing) {
        turn.effects.push_back(broker::PointEffect{
            &events::kMarkerAcknowledged,
            {sim::Field{"transactional_id", entry.transactional_id},
             sim::Field{"broker", int64_t{broker.value()}},
             sim::Field{"marked_partition", image.NameOf(partition)},
             sim::Field{"remaining", static_cast<int64_t>(metadata.value.partitions.size())}}});
      }
    } else if (reaction == MarkerReaction::kRetry) {
      again.partitions.push_back(partition);
      failed = &events::kMarkerRetried;
    } else {
      markers_.Mutable().RemoveCompletion(CompletionOf(entry));
      given_up = true;
      failed = &events::kMarkersGivenUp;
    }
    if (tracing && failed != nullptr) {
      turn.effects.push_back(MarkerFailedPoint(*failed, entry, broker, partition, error, image));
    }
  }
  if (given_up) return;
  if (!again.partitions.empty()) return EnqueueMarker(turn, again);
  MaybeComplete(turn, entry.transactional_id);
}

void TransactionCoordinator::RunSender(Turn& turn) {
  if (markers_->has_append_retries()) {
    for (const PendingCompletion& completion : markers_.Mutable().TakeAppendRetries()) {
      AppendComplete(turn, completion);
    }
  }
  for (const BrokerId broker : markers_->ReadyBrokers()) {
    WriteTxnMarkersRequest request;
    for (const MarkerEntry& entry : markers_.Mutable().StartRequest(broker)) {
      if (turn.context.tracing()) {
        turn.effects.push_back(MarkersSentPoint(entry, broker, turn.context.image()));
      }
      request.markers.push_back({.producer_id = entry.producer_id,
                                 .producer_epoch = entry.producer_epoch,
                                 .committed = entry.committed,
                                 .partitions = entry.partitions,
                                 .coordinator_epoch = entry.coordinator_epoch,
                                 .transaction_version = entry.transaction_version});
    }
    turn.effects.push_back(
        broker::SendEffect{.to = broker::ProcessOf(broker),
                           .channel = broker::kMarkerChannel,
                           .request = broker::MakeMessage(std::move(request)),
                           .timeout = sim::Millis(turn.context.config().request_timeout_ms),
                           .token = MarkersToken(broker)});
  }
}

}  // namespace kafkasim::coordinator
