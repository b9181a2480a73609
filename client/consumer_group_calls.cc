// The methods of KafkaConsumer that are about its group: subscriptions, commits, what was
// committed, leaving.
#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "client/consumer.h"
#include "client/events.h"

namespace kafkasim::client {
namespace {

using What = ConsumerGroup::Progress::What;

// KafkaConsumer.DEFAULT_CLOSE_TIMEOUT_MS.
constexpr int64_t kCloseTimeoutMs = 30'000;

}  // namespace

// What is wrong with such a call before it is looked at more closely.
ApiError Consumer::CheckGroupCall(const Operation& operation) const {
  const bool subscribes = std::holds_alternative<Subscribe>(operation) ||
                          std::holds_alternative<Unsubscribe>(operation);
  const bool closes = std::holds_alternative<Close>(operation);
  if (outer_.has_value() &&
      (subscribes || closes || std::holds_alternative<client::Poll>(operation))) {
    return IllegalState(fmt::format("{} inside a rebalance listener", Name(operation)));
  }
  if (std::holds_alternative<Subscribe>(operation) && group_.has_value() &&
      subscriptions_.type() == SubscriptionState::Type::kUserAssigned) {
    return IllegalState("partitions are assigned; a subscription excludes that");
  }
  if (group_.has_value() || closes || !IsGroupCall(operation) ||
      std::holds_alternative<Unsubscribe>(operation)) {
    return {};
  }
  if (std::holds_alternative<EnforceRebalance>(operation)) {
    return IllegalState("the consumer has no group.id");
  }
  return ErrorFromCode(broker::ErrorCode::kInvalidGroupId, ErrorClass::kMisuse,
                       fmt::format("{} needs a group.id", Name(operation)));
}

bool Consumer::BeginGroupCall(sim::Context& context, const CallRef& call, CallValue& value,
                              ApiError&) {
  const Operation& operation = call->operation();
  const auto block = [&](int64_t timeout_ms) {
    blocking_ = Blocking{.call = call, .deadline = context.now() + sim::Millis(timeout_ms)};
    return true;
  };
  const auto offsets_of = [&](const std::optional<std::vector<broker::OffsetToCommit>>& offsets) {
    return offsets.has_value() ? *offsets : subscriptions_.AllConsumed();
  };
  if (const auto* subscribe = std::get_if<Subscribe>(&operation);
      subscribe != nullptr && !subscribe->topics.empty()) {
    subscriptions_.Subscribe(subscribe->topics);
    fetcher_.DropOtherTopics(subscriptions_.topics());
    connection_.metadata().RequestUpdate();
    return false;
  }
  if (std::holds_alternative<Unsubscribe>(operation) ||
      std::holds_alternative<Subscribe>(operation)) {
    fetcher_.DropOtherTopics({});
    return block(config_->default_api_timeout_ms);
  }
  if (const auto* sync = std::get_if<CommitSync>(&operation)) {
    group_->BeginCommitSync(offsets_of(sync->offsets));
    return block(config_->default_api_timeout_ms);
  }
  if (const auto* async = std::get_if<CommitAsync>(&operation)) {
    return WithGroup(context, [&](GroupIo& io) {
      group_->CommitAsync(io, offsets_of(async->offsets), call->id());
      return true;
    });
  }
  if (std::holds_alternative<GroupMetadata>(operation)) {
    value = group_->metadata();
    return false;
  }
  if (std::holds_alternative<EnforceRebalance>(operation)) {
    return WithGroup(context, [&](GroupIo& io) {
      group_->RequestRejoin(io, "rebalance enforced by user");
      return false;
    });
  }
  if (std::holds_alternative<Close>(operation)) {
    group_->BeginCommitSync(subscriptions_.AllConsumed());
    return block(std::min(kCloseTimeoutMs, config_->request_timeout_ms));
  }
  return block(config_->default_api_timeout_ms);  // committed, seek_to_committed
}

bool Consumer::ContinueGroupCall(sim::Context& context) {
  const CallRef call = blocking_->call;
  const Operation& operation = call->operation();
  if (std::holds_alternative<CommitSync>(operation)) return ContinueCommit(context);
  if (std::holds_alternative<Close>(operation)) return ContinueClose(context);
  if (std::holds_alternative<Committed>(operation) ||
      std::holds_alternative<SeekToCommitted>(operation)) {
    return ContinueCommitted(context, operation);
  }
  return ContinueUnsubscribe(context);
}

bool Consumer::ContinueCommit(sim::Context& context) {
  ConsumerGroup::Progress step =
      WithGroup(context, [&](GroupIo& io) { return group_->ContinueCommitSync(io); });
  if (step.what == What::kBlocked) {
    if (context.now() < blocking_->deadline) return false;
    step.error = ClientError(Exception::kTimeout, ErrorClass::kRetriable,
                             fmt::format("the offsets were not committed within "
                                         "default.api.timeout.ms={}",
                                         config_->default_api_timeout_ms));
  }
  FinishBlocking(context, {}, step.error);
  return true;
}

bool Consumer::ContinueCommitted(sim::Context& context, const Operation& operation) {
  const auto* committed = std::get_if<Committed>(&operation);
  broker::PartitionList partitions = subscriptions_.Assigned();
  if (committed != nullptr && !committed->partitions.empty()) {
    partitions.assign(committed->partitions.begin(), committed->partitions.end());
  }
  std::vector<broker::OffsetToCommit> rows;
  const ConsumerGroup::Progress step =
      WithGroup(context, [&](GroupIo& io) { return group_->FetchCommitted(io, partitions, rows); });
  if (step.what == What::kBlocked && context.now() < blocking_->deadline) return false;
  if (step.what == What::kBlocked) {
    FinishBlocking(context, {}, ApiTimeout("the committed offsets"));
  } else if (!step.done()) {
    FinishBlocking(context, {}, step.error);
  } else {
    if (committed == nullptr) ApplyCommitted(context, rows, /*reset_others=*/true);
    FinishBlocking(context, CommittedOffsets{std::move(rows)}, {});
  }
  return true;
}

bool Consumer::ContinueUnsubscribe(sim::Context& context) {
  if (group_.has_value()) {
    const ConsumerGroup::Progress step = WithGroup(context, [&](GroupIo& io) {
      ConsumerGroup::Progress prepared = group_->PrepareLeave(io);
      if (prepared.done()) group_->Leave(io, "the consumer unsubscribed from all topics");
      return prepared;
    });
    if (step.what == What::kCallback) return false;
    if (!step.done()) {
      FinishBlocking(context, {}, step.error);
      return true;
    }
  }
  subscriptions_.Unsubscribe();
  FinishBlocking(context, {}, {});
  return true;
}

// ConsumerCoordinator.close: commit, give up, leave; each as far as the time allows.
bool Consumer::ContinueClose(sim::Context& context) {
  using Stage = Blocking::Stage;
  const bool late = context.now() >= blocking_->deadline;
  if (blocking_->stage == Stage::kCommit) {
    if (config_->auto_commit() && !late) {
      const ConsumerGroup::Progress step =
          WithGroup(context, [&](GroupIo& io) { return group_->ContinueCommitSync(io); });
      if (step.what == What::kBlocked) return false;  // a failure is not told
    }
    group_->StopHeartbeat();
    blocking_->stage = Stage::kLeave;
  }
  if (blocking_->stage == Stage::kLeave) {
    const ConsumerGroup::Progress step = WithGroup(context, [&](GroupIo& io) {
      ConsumerGroup::Progress prepared = group_->PrepareLeave(io);
      if (prepared.done()) group_->Leave(io, "the consumer is being closed");
      return prepared;
    });
    if (step.what == What::kCallback) return false;
    if (!step.done()) {
      blocking_->error = WrapInKafkaException(step.error, "failed to close the consumer");
    }
    blocking_->stage = Stage::kEnd;
    RunGroup(context);
  }
  const bool pending = group_->coordinator() != broker::kNoBroker && group_->has_pending_requests();
  if (pending && !late) return false;
  for (const CallId call : group_->AbandonCommits()) {
    Finish(context, call, {},
           ClientError(Exception::kDisconnect, ErrorClass::kFatal, "the consumer was closed"));
  }
  connection_.Close(context);
  closed_ = true;
  const ApiError error = blocking_->error;
  FinishBlocking(context, {}, error);
  return true;
}

// --- Polls and positions -------------------------------------------------------------------------

ConsumerGroup::Progress Consumer::PollGroup(sim::Context& context) {
  ConsumerGroup::Progress step = WithGroup(context, [&](GroupIo& io) { return group_->Poll(io); });
  return step.done() ? InitPositions(context) : step;
}

ConsumerGroup::Progress Consumer::InitPositions(sim::Context& context) {
  const broker::PartitionList wanted = subscriptions_.Initializing();
  if (wanted.empty()) return {};
  std::vector<broker::OffsetToCommit> rows;
  ConsumerGroup::Progress step =
      WithGroup(context, [&](GroupIo& io) { return group_->FetchCommitted(io, wanted, rows); });
  if (step.done()) ApplyCommitted(context, rows, /*reset_others=*/false);
  return step;
}

void Consumer::ApplyCommitted(sim::Context& context,
                              const std::vector<broker::OffsetToCommit>& rows, bool reset_others) {
  for (const broker::OffsetToCommit& row : rows) {
    AssignedPartition* partition = subscriptions_.Find(row.partition);
    if (partition == nullptr) continue;
    if (row.offset >= broker::Offset(0)) {
      if (context.tracing()) {
        context.Emit(events::kPositionMoved,
                     {{"partition", connection_.metadata().image()->NameOf(row.partition)},
                      {"from", partition->position.value_or(broker::kNoOffset).value()},
                      {"to", row.offset.value()},
                      {"reason", std::string("committed by the group")}});
      }
      subscriptions_.SeekUnvalidated(*partition, row.offset, row.leader_epoch);
    } else if (reset_others && config_->auto_offset_reset == OffsetReset::kNone) {
      subscriptions_.Forget(*partition);
    } else if (reset_others) {
      subscriptions_.RequestReset(*partition, config_->auto_offset_reset);
    }
  }
}

}  // namespace kafkasim::client
