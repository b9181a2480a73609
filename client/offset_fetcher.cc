#include "client/offset_fetcher.h"

#include <algorithm>
#include <utility>

#include "broker/message.h"
#include "broker/messages_data.h"
#include "client/events.h"

namespace kafkasim::client {

using broker::BrokerId;
using broker::ErrorCode;

namespace {

int64_t TimestampOf(OffsetReset reset) {
  return reset == OffsetReset::kEarliest ? broker::kEarliestTimestamp : broker::kLatestTimestamp;
}

}  // namespace

bool OffsetFetcher::IsAsking(const Query& query) const {
  for (const UnderWay& request : under_way_) {
    for (const Query& asked : request.queries) {
      if (asked.partition == query.partition && asked.timestamp == query.timestamp &&
          asked.for_call == query.for_call) {
        return true;
      }
    }
  }
  return false;
}

int32_t OffsetFetcher::ResetPositions(sim::Context& context, const ConsumerConfig& config,
                                      ClusterConnection& connection,
                                      SubscriptionState& subscriptions, uint64_t& number) {
  std::vector<Query> queries;
  for (const AssignedPartition& partition : subscriptions.partitions()) {
    const Query query{.partition = partition.partition, .timestamp = TimestampOf(partition.reset)};
    if (!partition.awaits_reset() || partition.retry_at > context.now() || IsAsking(query)) {
      continue;
    }
    queries.push_back(query);
  }
  return Send(context, config, connection, queries, number);
}

void OffsetFetcher::Begin(const std::vector<broker::PartitionId>& partitions, int64_t timestamp) {
  wanted_.clear();
  for (const broker::PartitionId& partition : partitions) {
    wanted_.push_back(
        {.query = {.partition = partition, .timestamp = timestamp, .for_call = true}});
  }
}

int32_t OffsetFetcher::Continue(sim::Context& context, const ConsumerConfig& config,
                                ClusterConnection& connection, uint64_t& number) {
  std::vector<Query> queries;
  for (const Wanted& wanted : wanted_) {
    if (wanted.offset.has_value() || wanted.retry_at > context.now() || IsAsking(wanted.query)) {
      continue;
    }
    queries.push_back(wanted.query);
  }
  return Send(context, config, connection, queries, number);
}

std::optional<PartitionOffsets> OffsetFetcher::Answer() const {
  PartitionOffsets offsets;
  for (const Wanted& wanted : wanted_) {
    if (!wanted.offset.has_value()) return std::nullopt;
    offsets.rows.push_back({wanted.query.partition, *wanted.offset});
  }
  return offsets;
}

int32_t OffsetFetcher::Send(sim::Context& context, const ConsumerConfig& config,
                            ClusterConnection& connection, const std::vector<Query>& queries,
                            uint64_t& number) {
  std::vector<std::pair<BrokerId, std::vector<Query>>> by_broker;
  for (const Query& query : queries) {
    const BrokerId leader = connection.metadata().LeaderOf(query.partition);
    if (leader == broker::kNoBroker) {
      connection.metadata().RequestUpdate();
      continue;
    }
    auto at = std::find_if(by_broker.begin(), by_broker.end(),
                           [leader](const auto& group) { return group.first == leader; });
    if (at == by_broker.end()) at = by_broker.insert(by_broker.end(), {leader, {}});
    at->second.push_back(query);
  }
  int32_t sent = 0;
  for (auto& [leader, group] : by_broker) {
    if (!connection.Ready(context, leader)) continue;
    broker::ListOffsetsRequest request;
    request.isolation_level = config.isolation_level;
    for (const Query& query : group) {
      request.partitions.push_back(
          {.partition = query.partition,
           .timestamp = query.timestamp,
           .current_leader_epoch = connection.metadata().LeaderEpochOf(query.partition)});
    }
    connection.Send(context, leader, broker::MakeMessage(std::move(request)), ++number);
    under_way_.push_back({.number = number, .queries = std::move(group)});
    ++sent;
  }
  return sent;
}

bool OffsetFetcher::OnCompleted(sim::Context& context, const ConsumerConfig& config,
                                const Completed& completed, ClientMetadata& metadata,
                                SubscriptionState& subscriptions) {
  const auto at = std::find_if(under_way_.begin(), under_way_.end(), [&](const UnderWay& request) {
    return request.number == completed.token;
  });
  if (at == under_way_.end()) return false;
  const UnderWay asked = std::move(*at);
  under_way_.erase(at);
  const sim::Time retry_at = context.now() + sim::Millis(config.retry_backoff_ms);
  const broker::ListOffsetsResponse* response =
      completed.how == Completed::How::kAnswered
          ? &broker::BodyOf<broker::ListOffsetsResponse>(*completed.response)
          : nullptr;
  for (const Query& query : asked.queries) {
    ErrorCode error = ErrorCode::kNetworkException;
    for (size_t i = 0; response != nullptr && i < response->partitions.size(); ++i) {
      const auto& result = response->partitions[i];
      if (result.partition != query.partition) continue;
      error = result.error;
      if (error == ErrorCode::kNone) OnAnswer(query, result.offset, subscriptions);
      break;
    }
    if (error == ErrorCode::kNone) continue;
    // Kafka tries again after any error but a lack of authorization.
    OnFailure(query, retry_at, subscriptions);
    metadata.RequestUpdate();
    if (!context.tracing()) continue;
    context.Emit(events::kRequestFailed, {{"api", std::string("ListOffsets")},
                                          {"error", std::string(broker::Name(error))},
                                          {"reason", "asking for an offset of " +
                                                         metadata.image()->NameOf(query.partition)},
                                          {"retried", true}});
  }
  return true;
}

void OffsetFetcher::OnAnswer(const Query& query, broker::Offset offset,
                             SubscriptionState& subscriptions) {
  if (!query.for_call) {
    AssignedPartition* partition = subscriptions.Find(query.partition);
    if (partition != nullptr && partition->awaits_reset() &&
        TimestampOf(partition->reset) == query.timestamp) {
      subscriptions.OnResetOffset(*partition, partition->reset, offset);
    }
    return;
  }
  for (Wanted& wanted : wanted_) {
    if (wanted.query.partition == query.partition && wanted.query.timestamp == query.timestamp) {
      wanted.offset = offset;
    }
  }
}

void OffsetFetcher::OnFailure(const Query& query, sim::Time retry_at,
                              SubscriptionState& subscriptions) {
  if (!query.for_call) {
    AssignedPartition* partition = subscriptions.Find(query.partition);
    if (partition != nullptr) partition->retry_at = retry_at;
    return;
  }
  for (Wanted& wanted : wanted_) {
    if (wanted.query.partition == query.partition) wanted.retry_at = retry_at;
  }
}

sim::Time OffsetFetcher::NextWake(sim::Time now, const ClusterConnection& connection,
                                  const SubscriptionState& subscriptions) const {
  sim::Time next = sim::kEndOfTime;
  const auto consider = [&](const broker::PartitionId& partition, sim::Time retry_at) {
    if (retry_at > now) {
      next = std::min(next, retry_at);
      return;
    }
    const BrokerId leader = connection.metadata().LeaderOf(partition);
    if (leader == broker::kNoBroker) return;
    const sim::Time retry = connection.RetryAt(leader).value_or(sim::kEndOfTime);
    if (retry > now) next = std::min(next, retry);
  };
  for (const AssignedPartition& partition : subscriptions.partitions()) {
    if (partition.awaits_reset()) consider(partition.partition, partition.retry_at);
  }
  for (const Wanted& wanted : wanted_) {
    if (!wanted.offset.has_value()) consider(wanted.query.partition, wanted.retry_at);
  }
  return next;
}

void OffsetFetcher::AppendTo(sim::CanonicalBytes& out) const {
  const auto add = [&out](const Query& query) {
    out.Add(query.partition);
    out.Add(query.timestamp);
    out.Add(query.for_call);
  };
  out.Add(static_cast<uint32_t>(under_way_.size()));
  for (const UnderWay& request : under_way_) {
    out.Add(request.number);
    out.Add(static_cast<uint32_t>(request.queries.size()));
    for (const Query& query : request.queries) add(query);
  }
  out.Add(static_cast<uint32_t>(wanted_.size()));
  for (const Wanted& wanted : wanted_) {
    add(wanted.query);
    out.Add(wanted.offset);
    out.Add(wanted.retry_at);
  }
}

}  // namespace kafkasim::client
