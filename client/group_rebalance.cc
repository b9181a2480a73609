// What the application's thread does when its group rebalances: gives partitions up, joins, takes
// partitions over, and calls the rebalance listener in between.
#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "client/consumer_group.h"
#include "client/events.h"

namespace kafkasim::client {
namespace {

using broker::ErrorCode;
using What = ConsumerGroup::Progress::What;

broker::PartitionList Without(const broker::PartitionList& all, const broker::PartitionList& gone) {
  broker::PartitionList rest;
  std::set_difference(all.begin(), all.end(), gone.begin(), gone.end(), std::back_inserter(rest));
  return rest;
}

const sim::EventKind& EventOf(RebalanceCallback::Kind kind) {
  switch (kind) {
    case RebalanceCallback::Kind::kRevoked:
      return events::kPartitionsRevoked;
    case RebalanceCallback::Kind::kLost:
      return events::kPartitionsLost;
    case RebalanceCallback::Kind::kAssigned:
      break;
  }
  return events::kPartitionsAssigned;
}

}  // namespace

ConsumerGroup::Progress ConsumerGroup::Poll(GroupIo& io) {
  if (async_fenced_) return {What::kFailed, FencedError()};
  const broker::ClusterImageRef& image = io.connection.metadata().image();
  if (image != nullptr && image->version > snapshot_.version) snapshot_ = SnapshotOf(io);
  if (io.subscriptions.has_auto_assigned()) {
    if (!heartbeat_.failure.ok()) {
      const Heartbeat died = std::exchange(heartbeat_, {});
      return {What::kFailed, died.failure};
    }
    heartbeat_.poll_ends_at = io.context.now() + sim::Millis(io.config.max_poll_interval_ms);
    if (stage_ != Stage::kNone) {
      if (Progress on = GoOn(io); !on.done()) return on;
    }
    ApiError error;
    if (!EnsureCoordinator(io, error)) {
      return {error.ok() ? What::kBlocked : What::kFailed, error};
    }
    if (Progress joined = JoinIfNeeded(io); !joined.done()) return joined;
  }
  MaybeAutoCommit(io);
  return {};
}

// rejoinNeededOrPending: the leader also looks at the partitions for which it has assigned.
bool ConsumerGroup::RejoinNeeded(GroupIo& io) {
  if (!io.subscriptions.has_auto_assigned()) return false;
  if (assignment_snapshot_.has_value() && !assignment_snapshot_->Matches(snapshot_)) {
    if (!rejoin_needed_) RequestRejoin(io, "cached metadata has changed");
    return true;
  }
  if (joined_topics_.has_value() && *joined_topics_ != io.subscriptions.topics()) {
    if (!rejoin_needed_) RequestRejoin(io, "subscription has changed");
    return true;
  }
  return rejoin_needed_ || join_ != Join::kNone;
}

ConsumerGroup::Snapshot ConsumerGroup::SnapshotOf(const GroupIo& io) const {
  const broker::ClusterImage& image = *io.connection.metadata().image();
  Snapshot snapshot{.version = image.version};
  std::vector<broker::TopicId> topics = group_topics_;
  topics.insert(topics.end(), io.subscriptions.topics().begin(), io.subscriptions.topics().end());
  std::sort(topics.begin(), topics.end());
  topics.erase(std::unique(topics.begin(), topics.end()), topics.end());
  for (const broker::TopicId id : topics) {
    const broker::TopicImage* topic = image.FindTopic(id);
    if (topic == nullptr || topic->partitions.empty()) continue;
    snapshot.topics.emplace_back(id, static_cast<int32_t>(topic->partitions.size()));
  }
  return snapshot;
}

// joinGroupIfNeeded.
ConsumerGroup::Progress ConsumerGroup::JoinIfNeeded(GroupIo& io) {
  heartbeat_.started = heartbeat_.started || RejoinNeeded(io);
  while (RejoinNeeded(io)) {
    ApiError unknown;
    if (!EnsureCoordinator(io, unknown)) {
      return {unknown.ok() ? What::kJoining : What::kFailed, unknown};
    }
    // Whoever becomes the leader has to know the topics.
    if (io.connection.metadata().image() == nullptr || io.context.now() < join_at_) {
      return {What::kJoining, {}};
    }
    if (prepare_needed_) {
      if (Progress prepared = PrepareJoin(io); !prepared.done()) return prepared;
    }
    InitiateJoin(io);
    if (join_ == Join::kUnderWay) return {What::kJoining, {}};
    if (join_ == Join::kSucceeded) {
      const bool was_reset =
          generation_.id == broker::kNoGeneration && generation_.protocol.empty();
      if (!was_reset && state_ == MemberState::kStable) {
        if (Progress completed = CompleteJoin(io); !completed.done()) return completed;
      } else {
        join_ = Join::kNone;
        ResetAndRejoin(io, "the member was thrown out before it took its assignment",
                       /*reset_member_id=*/true);
      }
      continue;
    }
    join_ = Join::kNone;
    const ApiError error = std::exchange(join_error_, {});
    if (error.code == ErrorCode::kMemberIdRequired) continue;
    RequestRejoin(io, fmt::format("rebalance failed due to {}", error.ExceptionName()));
    if (error.code == ErrorCode::kUnknownMemberId || error.code == ErrorCode::kIllegalGeneration ||
        error.code == ErrorCode::kRebalanceInProgress) {
      continue;
    }
    if (!error.IsRetriableException()) return {What::kFailed, error};
    join_at_ = io.context.now() + sim::Millis(io.config.retry_backoff_ms);
  }
  return {};
}

// onJoinPrepare. A member that was thrown out has lost its partitions: it may not commit for them,
// and somebody else may have them. Otherwise an EAGER member gives all of them up, a COOPERATIVE
// one only those of topics to which it is not subscribed any more.
ConsumerGroup::Progress ConsumerGroup::PrepareJoin(GroupIo& io) {
  if (!CommitBeforeJoin(io)) return {What::kJoining, {}};
  prepare_needed_ = false;
  const Partitions owned = io.subscriptions.Assigned();
  const bool lost = generation_.id == broker::kNoGeneration || generation_.member_id.empty();
  kept_.clear();
  if (!lost && cooperative_) {
    const std::vector<broker::TopicId>& topics = io.subscriptions.topics();
    for (const broker::PartitionId& partition : owned) {
      if (std::binary_search(topics.begin(), topics.end(), partition.topic)) {
        kept_.push_back(partition);
      }
    }
  }
  const Partitions gone = Without(owned, kept_);
  if (gone.empty() && (lost || cooperative_)) {
    stage_ = Stage::kPrepared;
    return GoOn(io);
  }
  return Invoke(io, lost ? RebalanceCallback::Kind::kLost : RebalanceCallback::Kind::kRevoked, gone,
                Stage::kPrepared);
}

// What was consumed is committed before it is given up, if enable.auto.commit; a commit that can be
// tried again is, until the rebalance timeout.
bool ConsumerGroup::CommitBeforeJoin(GroupIo& io) {
  const sim::Time now = io.context.now();
  if (!io.config.auto_commit()) return true;
  if (!prepare_deadline_.has_value()) {
    prepare_deadline_ = now + sim::Millis(io.config.max_poll_interval_ms);
  }
  if (!prepare_commit_ && !prepare_outcome_.has_value() && now >= prepare_at_ &&
      now < *prepare_deadline_) {
    // Otherwise what is still being fetched would move positions past what is committed.
    if (!cooperative_) io.subscriptions.MarkPendingRevocation();
    prepare_commit_ = true;
    StartCommit(io, {.of = CommitOf::kPrepare, .offsets = io.subscriptions.AllConsumed()});
  }
  if (now >= *prepare_deadline_) return true;
  if (!prepare_outcome_.has_value()) return false;
  const ApiError outcome = *std::exchange(prepare_outcome_, std::nullopt);
  prepare_commit_ = false;
  if (outcome.ok() || !outcome.IsRetriableException()) return true;
  prepare_at_ = now + sim::Millis(io.config.retry_backoff_ms);
  return false;
}

// onJoinComplete.
ConsumerGroup::Progress ConsumerGroup::CompleteJoin(GroupIo& io) {
  metadata_.generation_id = generation_.id;
  metadata_.member_id = generation_.member_id;
  if (!is_leader_) assignment_snapshot_.reset();
  const std::vector<broker::TopicId>& topics = io.subscriptions.topics();
  const bool fits = std::all_of(
      join_assignment_.begin(), join_assignment_.end(), [&](const broker::PartitionId& partition) {
        return std::binary_search(topics.begin(), topics.end(), partition.topic);
      });
  if (!fits) {
    RequestRejoin(io, "received assignment does not match the current subscription");
    join_ = Join::kNone;
    prepare_needed_ = true;
    return {};
  }
  const Partitions revoked = Without(io.subscriptions.Assigned(), join_assignment_);
  if (!cooperative_ || revoked.empty()) return AfterRevocation(io);
  return Invoke(io, RebalanceCallback::Kind::kRevoked, revoked, Stage::kRevoked);
}

ConsumerGroup::Progress ConsumerGroup::AfterRevocation(GroupIo& io) {
  if (generation_.protocol == "sticky") {
    sticky_owned_ = join_assignment_;
    sticky_generation_ = generation_.id;
  }
  if (io.config.auto_commit()) {
    auto_commit_at_ = io.context.now() + sim::Millis(io.config.auto_commit_interval_ms);
  }
  const Partitions added = Without(join_assignment_, io.subscriptions.Assigned());
  io.subscriptions.AssignFromSubscribed(join_assignment_);
  return Invoke(io, RebalanceCallback::Kind::kAssigned, added, Stage::kAssigned);
}

// onLeavePrepare.
ConsumerGroup::Progress ConsumerGroup::PrepareLeave(GroupIo& io) {
  if (stage_ == Stage::kLeft) return GoOn(io);
  const Partitions dropped = io.subscriptions.Assigned();
  if (!io.subscriptions.has_auto_assigned() || dropped.empty()) return {};
  const bool lost = generation_.id == broker::kNoGeneration || generation_.member_id.empty() ||
                    rebalance_in_progress();
  return Invoke(io, lost ? RebalanceCallback::Kind::kLost : RebalanceCallback::Kind::kRevoked,
                dropped, Stage::kLeft);
}

// ConsumerRebalanceListenerInvoker.
ConsumerGroup::Progress ConsumerGroup::Invoke(GroupIo& io, RebalanceCallback::Kind kind,
                                              const Partitions& partitions, Stage then) {
  if (io.context.tracing() && !partitions.empty()) {
    std::vector<std::string> names;
    for (const broker::PartitionId& partition : partitions) {
      names.push_back(io.connection.metadata().image()->NameOf(partition));
    }
    io.context.Emit(EventOf(kind), {{"group_id", std::string(group_id())},
                                    {"generation", int64_t{metadata_.generation_id}},
                                    {"partitions", std::move(names)}});
  }
  stage_ = then;
  if (!io.config.external_listener) return GoOn(io);
  callback_ = RebalanceCallback{.kind = kind, .partitions = partitions};
  return {What::kCallback, {}};
}

// What comes after the listener has returned.
ConsumerGroup::Progress ConsumerGroup::GoOn(GroupIo& io) {
  if (callback_.has_value()) return {What::kCallback, {}};
  switch (std::exchange(stage_, Stage::kNone)) {
    case Stage::kNone:
      return {};
    case Stage::kPrepared:
      io.subscriptions.AssignFromSubscribed(kept_);
      is_leader_ = false;
      group_topics_.clear();
      prepare_deadline_.reset();
      prepare_outcome_.reset();
      prepare_commit_ = false;
      return ThrowCallbackError();
    case Stage::kRevoked:
      RequestRejoin(io, "need to revoke partitions and re-join");
      return AfterRevocation(io);
    case Stage::kAssigned:
      // After an exception the next poll completes the same join once more.
      if (!callback_error_.ok()) return ThrowCallbackError();
      join_ = Join::kNone;
      prepare_needed_ = true;
      return {};
    case Stage::kLeft:
      io.subscriptions.AssignFromSubscribed({});
      return ThrowCallbackError();
  }
  return {};
}

ConsumerGroup::Progress ConsumerGroup::ThrowCallbackError() {
  if (callback_error_.ok()) return {};
  return {What::kFailed, WrapInKafkaException(std::exchange(callback_error_, {}),
                                              "the rebalance listener threw an exception")};
}

}  // namespace kafkasim::client
