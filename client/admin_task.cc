// The stages of a call, what they ask, and how errors are taken. What answers say: admin_stages.cc.
#include "client/admin_task.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "broker/messages_admin.h"
#include "broker/messages_cluster.h"
#include "broker/messages_data.h"
#include "broker/messages_transaction.h"

namespace kafkasim::client {

using broker::ApiKey;
using broker::BodyOf;
using broker::ErrorCode;

bool AdminTask::NeedsMetadata() const {
  return Is<DescribeTransactions>() == nullptr && Is<FenceProducers>() == nullptr &&
         Is<ForceTerminateTransaction>() == nullptr && Is<ElectLeaders>() == nullptr;
}

bool AdminTask::StageIsSettled() const {
  return std::all_of(keys_.begin(), keys_.end(),
                     [](const AdminKey& key) { return key.answer != nullptr; });
}

void AdminTask::Ask(ApiKey api, AdminLookup lookup) {
  api_ = api;
  lookup_ = lookup;
  keys_.clear();
}

void AdminTask::AskPartitions(ApiKey api, const std::vector<broker::PartitionId>& partitions,
                              std::optional<broker::BrokerId> broker) {
  Ask(api, broker.has_value() ? AdminLookup::kBroker : AdminLookup::kLeader);
  for (const broker::PartitionId& partition : partitions) {
    keys_.push_back({.partition = partition, .broker = broker.value_or(broker::kNoBroker)});
  }
}

void AdminTask::AskIds(ApiKey api, const std::vector<std::string>& transactional_ids) {
  Ask(api, AdminLookup::kCoordinator);
  for (const std::string& id : transactional_ids) keys_.push_back({.transactional_id = id});
}

void AdminTask::AskAllBrokers(ApiKey api, const broker::ClusterImage& image) {
  Ask(api, AdminLookup::kBroker);
  for (const broker::BrokerId broker : image.brokers) {
    if (image.IsAlive(broker)) keys_.push_back({.broker = broker});
  }
}

void AdminTask::Begin(const broker::ClusterImage* image, const AdminConfig& config) {
  begun_ = true;
  transaction_timeout_ms_ = static_cast<int32_t>(config.request_timeout_ms);
  if (const auto* producers = Is<DescribeProducers>()) {
    AskPartitions(ApiKey::kDescribeProducers, producers->partitions, producers->broker);
  } else if (Is<ListTransactions>() != nullptr) {
    AskAllBrokers(ApiKey::kListTransactions, *image);
  } else if (const auto* described = Is<DescribeTransactions>()) {
    AskIds(ApiKey::kDescribeTransactions, described->transactional_ids);
  } else if (const auto* search = Is<FindHanging>()) {
    std::vector<broker::PartitionId> partitions = search->partitions;
    for (size_t t = 0; partitions.empty() && t < image->topics.size(); ++t) {
      const broker::TopicImage& topic = image->topics[t];
      for (size_t p = 0; !topic.deleted && p < topic.partitions.size(); ++p) {
        const std::vector<broker::BrokerId>& replicas = topic.partitions[p].replicas;
        if (std::find(replicas.begin(), replicas.end(), search->broker) == replicas.end()) continue;
        partitions.push_back({broker::TopicId(static_cast<int32_t>(t)), static_cast<int32_t>(p)});
      }
    }
    AskPartitions(ApiKey::kDescribeProducers, partitions, search->broker);
  } else if (const auto* abort = Is<AbortTransactionOn>()) {
    AskPartitions(
        abort->start_offset.has_value() ? ApiKey::kDescribeProducers : ApiKey::kWriteTxnMarkers,
        {abort->partition});
  } else if (const auto* fence = Is<FenceProducers>()) {
    if (fence->timeout.has_value()) {
      transaction_timeout_ms_ = static_cast<int32_t>(fence->timeout->millis());
    }
    AskIds(ApiKey::kInitProducerId, fence->transactional_ids);
  } else if (const auto* terminate = Is<ForceTerminateTransaction>()) {
    AskIds(ApiKey::kInitProducerId, {terminate->transactional_id});
  } else if (const auto* offsets = Is<ListOffsets>()) {
    AskPartitions(ApiKey::kListOffsets, offsets->partitions);
  } else {
    Ask(ApiKey::kElectLeaders, AdminLookup::kAnyBroker);
    keys_.push_back({.partition = Is<ElectLeaders>()->partition});
  }
}

bool AdminTask::BatchesKeys() const {
  return api_ == ApiKey::kDescribeProducers || api_ == ApiKey::kDescribeTransactions ||
         api_ == ApiKey::kListOffsets;
}

sim::PayloadRef AdminTask::MakeListing() const {
  broker::ListTransactionsRequest request;
  if (const auto* filters = Is<ListTransactions>()) {
    request = {.state_filters = filters->states,
               .producer_id_filters = filters->producer_ids,
               .transactional_id_pattern = filters->pattern};
    if (filters->running_longer_than.has_value()) {
      request.duration_filter_ms = filters->running_longer_than->millis();
    }
    return broker::MakeMessage(std::move(request));
  }
  for (const PartitionProducers::Row& row : candidates_.rows) {
    auto& ids = request.producer_id_filters;
    const bool known = std::find(ids.begin(), ids.end(), row.state.producer_id) != ids.end();
    if (!known) ids.push_back(row.state.producer_id);
  }
  return broker::MakeMessage(std::move(request));
}

sim::PayloadRef AdminTask::MakeMarker() const {
  const auto& abort = *Is<AbortTransactionOn>();
  broker::WriteTxnMarkersRequest::Marker marker{.producer_id = abort.producer_id,
                                                .producer_epoch = abort.producer_epoch,
                                                .committed = false,
                                                .partitions = {abort.partition},
                                                .coordinator_epoch = abort.coordinator_epoch};
  if (!candidates_.rows.empty()) {
    const auto& state = candidates_.rows.front().state;
    marker.producer_id = state.producer_id;
    marker.producer_epoch = state.producer_epoch;
    marker.coordinator_epoch = state.coordinator_epoch;
  }
  // Before its first marker a producer has no coordinator epoch; 0 is not above any.
  marker.coordinator_epoch = std::max(marker.coordinator_epoch, broker::CoordinatorEpoch(0));
  broker::WriteTxnMarkersRequest request;
  request.markers.push_back(std::move(marker));
  return broker::MakeMessage(std::move(request));
}

sim::PayloadRef AdminTask::MakeRequest(const std::vector<size_t>& keys) const {
  const AdminKey& first = keys_[keys.front()];
  switch (api_) {
    case ApiKey::kDescribeProducers: {
      broker::DescribeProducersRequest request;
      for (const size_t key : keys) request.partitions.push_back(keys_[key].partition);
      return broker::MakeMessage(std::move(request));
    }
    case ApiKey::kDescribeTransactions: {
      broker::DescribeTransactionsRequest request;
      for (const size_t key : keys) {
        request.transactional_ids.push_back(keys_[key].transactional_id);
      }
      return broker::MakeMessage(std::move(request));
    }
    case ApiKey::kListTransactions:
      return MakeListing();
    case ApiKey::kWriteTxnMarkers:
      return MakeMarker();
    case ApiKey::kInitProducerId:
      return broker::MakeMessage(
          broker::InitProducerIdRequest{.transactional_id = first.transactional_id,
                                        .transaction_timeout_ms = transaction_timeout_ms_});
    case ApiKey::kListOffsets: {
      const auto& asked = *Is<ListOffsets>();
      broker::ListOffsetsRequest request{.isolation_level = asked.isolation_level};
      for (const size_t key : keys) {
        request.partitions.push_back(
            {.partition = keys_[key].partition, .timestamp = asked.timestamp});
      }
      return broker::MakeMessage(std::move(request));
    }
    default:
      return broker::MakeMessage(broker::ElectLeadersRequest{
          .partition = first.partition, .unclean = Is<ElectLeaders>()->unclean});
  }
}

namespace {

template <typename Results>
ErrorCode ErrorOfPartition(const Results& results, const broker::PartitionId& partition) {
  for (const auto& result : results) {
    if (result.partition == partition) return result.error;
  }
  return ErrorCode::kUnknownServerError;
}

}  // namespace

ErrorCode AdminTask::ErrorFor(const AdminKey& key, const sim::Payload& response) const {
  switch (api_) {
    case ApiKey::kDescribeProducers:
      return ErrorOfPartition(BodyOf<broker::DescribeProducersResponse>(response).partitions,
                              key.partition);
    case ApiKey::kListOffsets:
      return ErrorOfPartition(BodyOf<broker::ListOffsetsResponse>(response).partitions,
                              key.partition);
    case ApiKey::kWriteTxnMarkers:
      return ErrorOfPartition(
          BodyOf<broker::WriteTxnMarkersResponse>(response).markers.front().partitions,
          key.partition);
    case ApiKey::kDescribeTransactions:
      for (const auto& state :
           BodyOf<broker::DescribeTransactionsResponse>(response).transactions) {
        if (state.transactional_id == key.transactional_id) return state.error;
      }
      return ErrorCode::kUnknownServerError;
    case ApiKey::kListTransactions:
      return BodyOf<broker::ListTransactionsResponse>(response).error;
    case ApiKey::kInitProducerId:
      return BodyOf<broker::InitProducerIdResponse>(response).error;
    default:
      return BodyOf<broker::ElectLeadersResponse>(response).error;
  }
}

// The handleError of each handler: AbortTransactionHandler, DescribeProducersHandler, ...
AdminReaction AdminTask::ReactionTo(ErrorCode error) const {
  if (error == ErrorCode::kNone) return AdminReaction::kSettled;
  switch (api_) {
    case ApiKey::kDescribeProducers:
      if (error == ErrorCode::kNotLeaderOrFollower && lookup_ == AdminLookup::kLeader) {
        return AdminReaction::kFindAgain;
      }
      return error == ErrorCode::kUnknownTopicOrPartition ? AdminReaction::kRetry
                                                          : AdminReaction::kFail;
    case ApiKey::kWriteTxnMarkers:
      return error == ErrorCode::kNotLeaderOrFollower ||
                     error == ErrorCode::kUnknownTopicOrPartition
                 ? AdminReaction::kFindAgain
                 : AdminReaction::kFail;
    case ApiKey::kListOffsets:
      if (error == ErrorCode::kNotLeaderOrFollower || error == ErrorCode::kLeaderNotAvailable) {
        return AdminReaction::kFindAgain;
      }
      return broker::IsRetriable(error) ? AdminReaction::kRetry : AdminReaction::kFail;
    case ApiKey::kListTransactions:
      return error == ErrorCode::kCoordinatorLoadInProgress ? AdminReaction::kRetry
                                                            : AdminReaction::kFail;
    case ApiKey::kDescribeTransactions:
    case ApiKey::kInitProducerId:
      if (error == ErrorCode::kNotCoordinator || error == ErrorCode::kCoordinatorNotAvailable) {
        return AdminReaction::kFindAgain;
      }
      if (error == ErrorCode::kCoordinatorLoadInProgress) return AdminReaction::kRetry;
      if (error == ErrorCode::kConcurrentTransactions && api_ == ApiKey::kInitProducerId) {
        return AdminReaction::kRetry;
      }
      // The search for hanging transactions takes note that the id is gone.
      return error == ErrorCode::kTransactionalIdNotFound && Is<FindHanging>() != nullptr
                 ? AdminReaction::kSettled
                 : AdminReaction::kFail;
    default:
      return error == ErrorCode::kRequestTimedOut ? AdminReaction::kFindAgain
                                                  : AdminReaction::kFail;
  }
}

std::string AdminTask::NameOf(const AdminKey& key, const broker::ClusterImage* image) const {
  if (!key.transactional_id.empty()) return key.transactional_id;
  if (key.partition.index < 0) return fmt::format("broker-{}", key.broker);
  return image == nullptr ? broker::ConcernOf(key.partition) : image->NameOf(key.partition);
}

void AdminTask::Fail(ApiError error) {
  finished_ = true;
  error_ = std::move(error);
}

void AdminTask::Finish(CallValue value) {
  finished_ = true;
  value_ = std::move(value);
}

void AdminKey::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(partition);
  out.Add(transactional_id);
  out.Add(broker);
  out.Add(request);
  out.Add(failures);
  out.Add(retry_at);
  out.Add(answer != nullptr);
  if (answer != nullptr) out.Add(answer->fingerprint());
}

void AdminTask::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(call_->id());
  out.Add(deadline_);
  out.Add(begun_);
  out.Add(api_);
  out.Add(lookup_);
  out.AddAll(keys_);
  AdminResult{candidates_}.AppendTo(out);
  AdminResult{known_ids_}.AppendTo(out);
  AdminResult{known_transactions_}.AppendTo(out);
}

}  // namespace kafkasim::client
