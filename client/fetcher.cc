#include "client/fetcher.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "broker/message.h"
#include "client/events.h"

namespace kafkasim::client {

using broker::BrokerId;
using broker::ErrorCode;

bool Fetcher::IsFetchable(const AssignedPartition& partition, sim::Time now) const {
  if (!partition.has_valid_position() || partition.retry_at > now) return false;
  return std::none_of(buffer_.begin(), buffer_.end(), [&](const CompletedFetch& fetch) {
    return fetch.partition() == partition.partition;
  });
}

bool Fetcher::IsAsking(BrokerId broker) const {
  return std::any_of(under_way_.begin(), under_way_.end(),
                     [broker](const UnderWay& request) { return request.broker == broker; });
}

int32_t Fetcher::SendFetches(sim::Context& context, const ConsumerConfig& config,
                             ClusterConnection& connection, SubscriptionState& subscriptions,
                             uint64_t& number) {
  std::vector<std::pair<BrokerId, std::vector<const AssignedPartition*>>> by_broker;
  for (const AssignedPartition& partition : subscriptions.partitions()) {
    if (!subscriptions.IsFetchable(partition)) continue;
    if (!IsFetchable(partition, context.now())) continue;
    if (connection.metadata().LeaderOf(partition.partition) == broker::kNoBroker) {
      connection.metadata().RequestUpdate();
      continue;
    }
    const BrokerId leader = partition.current_leader.leader;
    if (IsAsking(leader)) continue;
    auto at = std::find_if(by_broker.begin(), by_broker.end(),
                           [leader](const auto& group) { return group.first == leader; });
    if (at == by_broker.end()) at = by_broker.insert(by_broker.end(), {leader, {}});
    at->second.push_back(&partition);
  }
  int32_t sent = 0;
  for (const auto& [leader, partitions] : by_broker) {
    if (!connection.Ready(context, leader)) continue;
    broker::FetchRequest request;
    request.isolation_level = config.isolation_level;
    request.max_wait_ms = static_cast<int32_t>(config.fetch_max_wait_ms);
    request.min_bytes = static_cast<int32_t>(config.fetch_min_bytes);
    request.max_bytes = static_cast<int32_t>(config.fetch_max_bytes);
    UnderWay asked{.number = ++number, .broker = leader};
    for (const AssignedPartition* partition : partitions) {
      request.partitions.push_back(
          {.partition = partition->partition,
           .fetch_offset = *partition->position,
           .current_leader_epoch = partition->current_leader.epoch,
           .max_bytes = static_cast<int32_t>(config.max_partition_fetch_bytes)});
      asked.partitions.push_back({partition->partition, *partition->position});
    }
    connection.Send(context, leader, broker::MakeMessage(std::move(request)), asked.number);
    under_way_.push_back(std::move(asked));
    ++sent;
  }
  return sent;
}

bool Fetcher::OnCompleted(sim::Context& context, const ConsumerConfig& config,
                          const Completed& completed, SubscriptionState& subscriptions) {
  const auto at = std::find_if(under_way_.begin(), under_way_.end(), [&](const UnderWay& request) {
    return request.number == completed.token;
  });
  if (at == under_way_.end()) return false;
  const UnderWay asked = std::move(*at);
  under_way_.erase(at);
  if (completed.how != Completed::How::kAnswered) {
    for (const Asked& lost : asked.partitions) {
      AssignedPartition* partition = subscriptions.Find(lost.partition);
      if (partition == nullptr) continue;
      partition->retry_at = context.now() + sim::Millis(config.retry_backoff_ms);
    }
    return true;
  }
  const auto& response = broker::BodyOf<broker::FetchResponse>(*completed.response);
  for (const auto& result : response.partitions) {
    for (const Asked& wanted : asked.partitions) {
      if (wanted.partition == result.partition) buffer_.emplace_back(result, wanted.offset);
    }
  }
  return true;
}

Fetcher::Collected Fetcher::Collect(sim::Context& context, const ConsumerConfig& config,
                                    ClientMetadata& metadata, SubscriptionState& subscriptions,
                                    int32_t most) {
  Collected collected;
  while (!buffer_.empty()) {
    const auto room = most - static_cast<int32_t>(collected.records.size());
    if (room <= 0) break;
    CompletedFetch& fetch = buffer_.front();
    if (!fetch.initialized) {
      ApiError error;
      const bool usable = Initialize(context, config, metadata, subscriptions, fetch, error);
      // An error waits until the records before it have been delivered.
      if (!error.ok() && !collected.empty()) break;
      if (!usable) {
        buffer_.erase(buffer_.begin());
        if (error.ok()) continue;
        collected.error = std::move(error);
        break;
      }
    }
    TakeRecords(context, config, metadata, subscriptions, room, collected);
    if (buffer_.front().consumed()) buffer_.erase(buffer_.begin());
  }
  return collected;
}

// FetchCollector.initialize.
bool Fetcher::Initialize(sim::Context& context, const ConsumerConfig& config,
                         ClientMetadata& metadata, SubscriptionState& subscriptions,
                         CompletedFetch& fetch, ApiError& error) {
  AssignedPartition* partition = subscriptions.Find(fetch.partition());
  if (partition == nullptr || !partition->has_valid_position()) return false;
  // An answer to a question that is no longer asked: the position has moved since.
  const bool stale = *partition->position != fetch.next_fetch_offset();
  if (fetch.error() != ErrorCode::kNone) {
    if (!stale || fetch.error() != ErrorCode::kOffsetOutOfRange) {
      OnFetchError(context, config, metadata, subscriptions, *partition, fetch, error);
    }
    return false;
  }
  if (stale) return false;
  if (fetch.high_watermark() >= broker::Offset(0)) {
    partition->high_watermark = fetch.high_watermark();
  }
  if (fetch.last_stable_offset() >= broker::Offset(0)) {
    partition->last_stable_offset = fetch.last_stable_offset();
  }
  if (fetch.log_start_offset() >= broker::Offset(0)) {
    partition->log_start_offset = fetch.log_start_offset();
  }
  fetch.initialized = true;
  return true;
}

// FetchCollector.handleInitializeErrors.
void Fetcher::OnFetchError(sim::Context& context, const ConsumerConfig& config,
                           ClientMetadata& metadata, SubscriptionState& subscriptions,
                           AssignedPartition& partition, const CompletedFetch& fetch,
                           ApiError& error) {
  const ErrorCode code = fetch.error();
  const auto at = [&] {
    return fmt::format("fetching {} at offset {}", metadata.image()->NameOf(partition.partition),
                       fetch.next_fetch_offset());
  };
  bool retried = true;
  if (code == ErrorCode::kOffsetOutOfRange && config.auto_offset_reset != OffsetReset::kNone) {
    subscriptions.RequestReset(partition, config.auto_offset_reset);
  } else if (code == ErrorCode::kOffsetOutOfRange) {
    error = ErrorFromCode(code, ErrorClass::kFatal, at() + " and auto.offset.reset is none");
    retried = false;
  } else if (broker::IsRetriable(code) || code == ErrorCode::kUnknownServerError) {
    if (code != ErrorCode::kUnknownLeaderEpoch && code != ErrorCode::kUnknownServerError) {
      metadata.RequestUpdate();
    }
    partition.retry_at = context.now() + sim::Millis(config.retry_backoff_ms);
  } else {
    error = ErrorFromCode(code, ErrorClass::kFatal, at());
    if (code != ErrorCode::kTopicAuthorizationFailed) error.exception = Exception::kIllegalState;
    retried = false;
  }
  if (context.tracing()) {
    context.Emit(events::kRequestFailed, {{"api", std::string("Fetch")},
                                          {"error", std::string(broker::Name(code))},
                                          {"reason", at()},
                                          {"retried", retried}});
  }
}

// FetchCollector.fetchRecords, from the answer at the front of the buffer.
void Fetcher::TakeRecords(sim::Context& context, const ConsumerConfig& config,
                          const ClientMetadata& metadata, SubscriptionState& subscriptions,
                          int32_t most, Collected& collected) {
  CompletedFetch& fetch = buffer_.front();
  AssignedPartition* partition = subscriptions.Find(fetch.partition());
  if (partition == nullptr || !partition->has_valid_position() ||
      !subscriptions.IsFetchable(*partition) || partition->position != fetch.next_fetch_offset()) {
    fetch.Drain();
    return;
  }
  std::vector<CompletedFetch::Skipped> skipped;
  fetch.Take({config.isolation_level, config.bugs}, most, collected.records, skipped);
  if (fetch.next_fetch_offset() > *partition->position) {
    partition->position = fetch.next_fetch_offset();
    partition->offset_epoch = fetch.last_epoch();
    collected.position_advanced = true;
  }
  if (fetch.exhausted()) fetch.Drain();
  if (!context.tracing()) return;
  for (const CompletedFetch::Skipped& batch : skipped) {
    context.Emit(events::kSkipped, {{"partition", metadata.image()->NameOf(fetch.partition())},
                                    {"first_offset", batch.first_offset.value()},
                                    {"last_offset", batch.last_offset.value()},
                                    {"producer_id", batch.producer_id.value()},
                                    {"why", std::string(batch.control ? "control" : "aborted")}});
  }
}

void Fetcher::DropOtherTopics(const std::vector<broker::TopicId>& topics) {
  std::erase_if(buffer_, [&](const CompletedFetch& fetch) {
    return !std::binary_search(topics.begin(), topics.end(), fetch.partition().topic);
  });
}

sim::Time Fetcher::NextWake(sim::Time now, const ClusterConnection& connection,
                            const SubscriptionState& subscriptions) const {
  sim::Time next = sim::kEndOfTime;
  for (const AssignedPartition& partition : subscriptions.partitions()) {
    if (!partition.has_valid_position()) continue;
    if (partition.retry_at > now) {
      next = std::min(next, partition.retry_at);
      continue;
    }
    const BrokerId leader = connection.metadata().LeaderOf(partition.partition);
    if (leader == broker::kNoBroker || !IsFetchable(partition, now)) continue;
    const sim::Time retry = connection.RetryAt(leader).value_or(sim::kEndOfTime);
    if (retry > now) next = std::min(next, retry);
  }
  return next;
}

void Fetcher::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(static_cast<uint32_t>(under_way_.size()));
  for (const UnderWay& request : under_way_) {
    out.Add(request.number);
    out.Add(request.broker);
    out.Add(static_cast<uint32_t>(request.partitions.size()));
    for (const Asked& asked : request.partitions) {
      out.Add(asked.partition);
      out.Add(asked.offset);
    }
  }
  out.AddAll(buffer_);
}

}  // namespace kafkasim::client
