// The methods of KafkaConsumer, as its application's thread runs through them.
#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "client/call_events.h"
#include "client/consumer.h"
#include "client/events.h"

namespace kafkasim::client {
namespace {

using What = ConsumerGroup::Progress::What;

}  // namespace

void Consumer::Begin(sim::Context& context, const CallRef& call) {
  CallResult& result = calls_.Mutable().Mutable(call->id());
  result.state = CallState::kOpen;
  result.started = context.now();
  if (context.tracing()) {
    const broker::ClusterImageRef& known = connection_.metadata().image();
    EmitCallStarted(context, *call, (options_.names != nullptr ? options_.names : known).get());
  }
  const Operation& operation = call->operation();
  const auto api_timeout = sim::Millis(config_->default_api_timeout_ms);
  ApiError error;
  if (closed_ && !std::holds_alternative<Close>(operation)) {
    error = IllegalState("the consumer is closed");
  } else if (ApiError refused = CheckGroupCall(operation); !refused.ok()) {
    error = std::move(refused);
  } else if (const auto* poll = std::get_if<Poll>(&operation)) {
    if (subscriptions_.type() != SubscriptionState::Type::kNone) {
      blocking_ = Blocking{.call = call, .deadline = context.now() + poll->timeout};
      return;
    }
    error = IllegalState("the consumer is not subscribed, and no partitions are assigned to it");
  } else if (const auto* seek = std::get_if<Seek>(&operation)) {
    error = CheckAssigned({seek->partition});
    if (error.ok()) subscriptions_.Seek(*subscriptions_.Find(seek->partition), seek->offset);
  } else if (const auto* to_beginning = std::get_if<SeekToBeginning>(&operation)) {
    error = CheckAssigned(to_beginning->partitions);
    if (error.ok()) SeekTo(to_beginning->partitions, OffsetReset::kEarliest);
  } else if (const auto* to_end = std::get_if<SeekToEnd>(&operation)) {
    error = CheckAssigned(to_end->partitions);
    if (error.ok()) SeekTo(to_end->partitions, OffsetReset::kLatest);
  } else if (const auto* position = std::get_if<Position>(&operation)) {
    error = CheckAssigned({position->partition});
    if (error.ok()) {
      blocking_ = Blocking{.call = call, .deadline = context.now() + api_timeout};
      return;
    }
  } else if (const auto* first = std::get_if<BeginningOffsets>(&operation)) {
    offset_fetcher_.Begin(first->partitions.empty() ? assignment() : first->partitions,
                          broker::kEarliestTimestamp);
    blocking_ = Blocking{.call = call, .deadline = context.now() + api_timeout};
    return;
  } else if (const auto* last = std::get_if<EndOffsets>(&operation)) {
    offset_fetcher_.Begin(last->partitions.empty() ? assignment() : last->partitions,
                          broker::kLatestTimestamp);
    blocking_ = Blocking{.call = call, .deadline = context.now() + api_timeout};
    return;
  } else if (const auto* times = std::get_if<OffsetsForTimes>(&operation)) {
    if (times->timestamp_ms >= 0) {
      offset_fetcher_.Begin(times->partitions.empty() ? assignment() : times->partitions,
                            times->timestamp_ms);
      blocking_ = Blocking{.call = call, .deadline = context.now() + api_timeout};
      return;
    }
    error = ClientError(Exception::kIllegalArgument, ErrorClass::kMisuse,
                        fmt::format("the time {} is negative", times->timestamp_ms));
  } else if (std::holds_alternative<Close>(operation) && (closed_ || !group_.has_value())) {
    if (!closed_) connection_.Close(context);
    closed_ = true;
  } else if (IsGroupCall(operation)) {
    CallValue value;
    if (!BeginGroupCall(context, call, value, error)) {
      Finish(context, call->id(), std::move(value), error);
    }
    return;
  } else {
    error = ClientError(Exception::kIllegalArgument, ErrorClass::kMisuse,
                        fmt::format("a consumer has no {}", Name(operation)));
  }
  Finish(context, call->id(), {}, error);
}

ApiError Consumer::CheckAssigned(const std::vector<broker::PartitionId>& partitions) const {
  for (const broker::PartitionId& partition : partitions) {
    if (subscriptions_.Find(partition) != nullptr) continue;
    const broker::ClusterImageRef& image = connection_.metadata().image();
    return IllegalState(
        fmt::format("partition {} is not assigned to this consumer",
                    image == nullptr ? broker::ConcernOf(partition) : image->NameOf(partition)));
  }
  return {};
}

void Consumer::SeekTo(const std::vector<broker::PartitionId>& partitions, OffsetReset strategy) {
  for (const broker::PartitionId& partition : partitions.empty() ? assignment() : partitions) {
    subscriptions_.RequestReset(*subscriptions_.Find(partition), strategy);
  }
}

bool Consumer::ContinueBlocking(sim::Context& context) {
  const CallRef call = blocking_->call;
  if (const auto* poll = std::get_if<Poll>(&call->operation())) return ContinuePoll(context, *poll);
  if (const auto* position = std::get_if<Position>(&call->operation())) {
    return ContinuePosition(context, *position);
  }
  if (IsGroupCall(call->operation())) return ContinueGroupCall(context);
  return ContinueOffsets(context);
}

bool Consumer::ContinuePoll(sim::Context& context, const Poll& poll) {
  ConsumerGroup::Progress progress;
  if (group_.has_value()) progress = PollGroup(context);
  if (progress.what == What::kCallback) return false;
  if (progress.what == What::kBlocked && context.now() < blocking_->deadline) return false;
  if (progress.done()) progress.error = UpdatePositions(context);
  if (!progress.error.ok()) {
    FinishBlocking(context, {}, progress.error);
    return true;
  }
  const int32_t most = poll.max_records.value_or(static_cast<int32_t>(config_->max_poll_records));
  Fetcher::Collected collected =
      fetcher_.Collect(context, *config_, connection_.metadata(), subscriptions_, most);
  const bool late = context.now() >= blocking_->deadline;
  if (collected.empty() && collected.error.ok() && progress.done()) {
    // What was collected may have moved positions into doubt; they are looked up at once.
    if (ApiError error = UpdatePositions(context); !error.ok()) collected.error = error;
  }
  if (collected.empty() && collected.error.ok()) {
    blocking_->requests +=
        fetcher_.SendFetches(context, *config_, connection_, subscriptions_, next_request_);
    if (!late) return false;
  }
  FinishBlocking(context,
                 ConsumedRecords{std::make_shared<const std::vector<ConsumedRecord>>(
                     std::move(collected.records))},
                 collected.error);
  return true;
}

bool Consumer::ContinuePosition(sim::Context& context, const Position& position) {
  const AssignedPartition& partition = *subscriptions_.Find(position.partition);
  if (partition.has_valid_position()) {
    FinishBlocking(context, PartitionOffsets{{{partition.partition, *partition.position}}}, {});
    return true;
  }
  ConsumerGroup::Progress progress;
  if (group_.has_value()) progress = InitPositions(context);
  ApiError error = progress.done() ? UpdatePositions(context) : progress.error;
  if (error.ok() && context.now() >= blocking_->deadline) error = ApiTimeout("the position");
  if (error.ok()) return false;
  FinishBlocking(context, {}, error);
  return true;
}

bool Consumer::ContinueOffsets(sim::Context& context) {
  if (std::optional<PartitionOffsets> answer = offset_fetcher_.Answer(); answer.has_value()) {
    offset_fetcher_.End();
    FinishBlocking(context, std::move(*answer), {});
    return true;
  }
  if (context.now() >= blocking_->deadline) {
    offset_fetcher_.End();
    FinishBlocking(context, {}, ApiTimeout("the offsets"));
    return true;
  }
  blocking_->requests += offset_fetcher_.Continue(context, *config_, connection_, next_request_);
  return false;
}

ApiError Consumer::UpdatePositions(sim::Context& context) {
  if (ApiError truncated = validator_.TakeError(); !truncated.ok()) return truncated;
  blocking_->requests +=
      validator_.ValidatePositions(context, *config_, connection_, subscriptions_, next_request_);
  if (config_->auto_offset_reset == OffsetReset::kNone) {
    for (const AssignedPartition& partition : subscriptions_.partitions()) {
      if (partition.position.has_value() || partition.awaits_reset()) continue;
      return ClientError(Exception::kNoOffsetForPartition, ErrorClass::kFatal,
                         "a partition has no position and auto.offset.reset is none");
    }
  } else {
    subscriptions_.ResetInitializing(config_->auto_offset_reset);
  }
  blocking_->requests +=
      offset_fetcher_.ResetPositions(context, *config_, connection_, subscriptions_, next_request_);
  return {};
}

ApiError Consumer::ApiTimeout(std::string_view what) const {
  return ClientError(Exception::kTimeout, ErrorClass::kRetriable,
                     fmt::format("{} could not be determined within default.api.timeout.ms={}",
                                 what, config_->default_api_timeout_ms));
}

void Consumer::FinishBlocking(sim::Context& context, CallValue value, const ApiError& error) {
  const CallId call = blocking_->call->id();
  calls_.Mutable().Mutable(call).requests = blocking_->requests;
  blocking_.reset();
  Finish(context, call, std::move(value), error);
}

void Consumer::Finish(sim::Context& context, CallId call, CallValue value, const ApiError& error) {
  CallResult& result = calls_.Mutable().Mutable(call);
  result.state = CallState::kDone;
  result.finished = context.now();
  result.error = error;
  result.value = std::move(value);
  if (context.tracing()) {
    EmitCallFinished(context, result, connection_.metadata().image().get());
  }
}

}  // namespace kafkasim::client
