#include "client/position_validator.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "broker/message.h"
#include "client/events.h"

namespace kafkasim::client {

using broker::BrokerId;
using broker::ErrorCode;

bool PositionValidator::IsAsking(const broker::PartitionId& partition) const {
  return std::any_of(under_way_.begin(), under_way_.end(), [&](const UnderWay& request) {
    return std::any_of(
        request.asked.begin(), request.asked.end(),
        [&](const AssignedPartition& asked) { return asked.partition == partition; });
  });
}

int32_t PositionValidator::ValidatePositions(sim::Context& context, const ConsumerConfig& config,
                                             ClusterConnection& connection,
                                             SubscriptionState& subscriptions, uint64_t& number) {
  std::vector<std::pair<BrokerId, UnderWay>> by_broker;
  for (AssignedPartition& partition : subscriptions.partitions()) {
    subscriptions.OnLeader(partition,
                           {.leader = connection.metadata().LeaderOf(partition.partition),
                            .epoch = connection.metadata().LeaderEpochOf(partition.partition)});
    if (!partition.awaits_validation || partition.retry_at > context.now() ||
        IsAsking(partition.partition)) {
      continue;
    }
    const BrokerId leader = partition.current_leader.leader;
    auto at = std::find_if(by_broker.begin(), by_broker.end(),
                           [leader](const auto& group) { return group.first == leader; });
    if (at == by_broker.end()) at = by_broker.insert(by_broker.end(), {leader, {}});
    at->second.asked.push_back(partition);
  }
  int32_t sent = 0;
  for (auto& [leader, group] : by_broker) {
    if (!connection.Ready(context, leader)) continue;
    broker::OffsetForLeaderEpochRequest request;
    for (const AssignedPartition& partition : group.asked) {
      request.partitions.push_back({.partition = partition.partition,
                                    .current_leader_epoch = partition.current_leader.epoch,
                                    .leader_epoch = partition.offset_epoch});
      subscriptions.Find(partition.partition)->retry_at =
          context.now() + sim::Millis(config.request_timeout_ms);
    }
    connection.Send(context, leader, broker::MakeMessage(std::move(request)), ++number);
    group.number = number;
    under_way_.push_back(std::move(group));
    ++sent;
  }
  return sent;
}

bool PositionValidator::OnCompleted(sim::Context& context, const ConsumerConfig& config,
                                    const Completed& completed, ClientMetadata& metadata,
                                    SubscriptionState& subscriptions) {
  const auto at = std::find_if(under_way_.begin(), under_way_.end(), [&](const UnderWay& request) {
    return request.number == completed.token;
  });
  if (at == under_way_.end()) return false;
  const UnderWay request = std::move(*at);
  under_way_.erase(at);
  const broker::OffsetForLeaderEpochResponse* response =
      completed.how == Completed::How::kAnswered
          ? &broker::BodyOf<broker::OffsetForLeaderEpochResponse>(*completed.response)
          : nullptr;
  for (const AssignedPartition& asked : request.asked) {
    AssignedPartition* partition = subscriptions.Find(asked.partition);
    if (partition == nullptr) continue;
    broker::OffsetForLeaderEpochResponse::PartitionResult end{
        .partition = asked.partition, .error = ErrorCode::kNetworkException};
    for (size_t i = 0; response != nullptr && i < response->partitions.size(); ++i) {
      if (response->partitions[i].partition == asked.partition) end = response->partitions[i];
    }
    if (end.error == ErrorCode::kNone) {
      // An answer to a question that is no longer asked: the position has moved since.
      if (partition->awaits_validation && partition->HasSamePosition(asked)) {
        OnEndOffset(context, config, metadata, subscriptions, *partition, end);
      }
      continue;
    }
    partition->retry_at = context.now() + sim::Millis(config.retry_backoff_ms);
    metadata.RequestUpdate();
    if (!context.tracing()) continue;
    context.Emit(
        events::kRequestFailed,
        {{"api", std::string(broker::Name(broker::ApiKey::kOffsetForLeaderEpoch))},
         {"error", std::string(broker::Name(end.error))},
         {"reason", "validating the position on " + metadata.image()->NameOf(asked.partition)},
         {"retried", true}});
  }
  return true;
}

// SubscriptionState.maybeCompleteValidation.
void PositionValidator::OnEndOffset(
    sim::Context& context, const ConsumerConfig& config, const ClientMetadata& metadata,
    SubscriptionState& subscriptions, AssignedPartition& partition,
    const broker::OffsetForLeaderEpochResponse::PartitionResult& end) {
  const bool known =
      end.end_offset != broker::kNoOffset && end.leader_epoch != broker::kNoLeaderEpoch;
  const broker::Offset position = *partition.position;
  if (known && end.end_offset >= position) {
    subscriptions.CompleteValidation(partition);
    return;
  }
  const std::string name = metadata.image()->NameOf(partition.partition);
  const std::string truncated =
      known ? fmt::format("epoch {} ends at offset {} of {} now, the log was truncated",
                          end.leader_epoch, end.end_offset, name)
            : fmt::format("nothing is known of epoch {} of {} any more", partition.offset_epoch,
                          name);
  if (config.auto_offset_reset == OffsetReset::kNone) {
    error_ = ClientError(
        Exception::kLogTruncation, ErrorClass::kFatal,
        fmt::format("{}, the position is {} and auto.offset.reset is none", truncated, position));
    return;
  }
  if (known) {
    subscriptions.MoveTo(partition, end.end_offset, end.leader_epoch);
  } else {
    subscriptions.RequestReset(partition, config.auto_offset_reset);
  }
  if (!context.tracing()) return;
  context.Emit(events::kPositionMoved, {{"partition", name},
                                        {"from", position.value()},
                                        {"to", known ? end.end_offset.value() : int64_t{-1}},
                                        {"reason", truncated}});
}

ApiError PositionValidator::TakeError() {
  if (!error_.has_value()) return {};
  return *std::exchange(error_, std::nullopt);
}

sim::Time PositionValidator::NextWake(sim::Time now, const ClusterConnection& connection,
                                      const SubscriptionState& subscriptions) const {
  sim::Time next = sim::kEndOfTime;
  for (const AssignedPartition& partition : subscriptions.partitions()) {
    if (!partition.awaits_validation) continue;
    if (partition.retry_at > now) {
      next = std::min(next, partition.retry_at);
      continue;
    }
    const sim::Time retry =
        connection.RetryAt(partition.current_leader.leader).value_or(sim::kEndOfTime);
    if (retry > now) next = std::min(next, retry);
  }
  return next;
}

void PositionValidator::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(static_cast<uint32_t>(under_way_.size()));
  for (const UnderWay& request : under_way_) {
    out.Add(request.number);
    out.AddAll(request.asked);
  }
  out.Add(error_.has_value());
  if (error_.has_value()) out.Add(*error_);
}

}  // namespace kafkasim::client
