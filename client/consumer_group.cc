// The group's coordinator, and the state of the member. Joining: group_join.cc, group_rebalance.cc;
// heartbeats: group_heartbeat.cc; offsets: group_offsets.cc.
#include "client/consumer_group.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "broker/channels.h"
#include "broker/messages_cluster.h"
#include "client/events.h"

namespace kafkasim::client {

using broker::ErrorCode;

std::string_view Name(MemberState state) {
  switch (state) {
    case MemberState::kUnjoined:
      return "UNJOINED";
    case MemberState::kPreparingRebalance:
      return "PREPARING_REBALANCE";
    case MemberState::kCompletingRebalance:
      return "COMPLETING_REBALANCE";
    case MemberState::kStable:
      return "STABLE";
  }
  return "?";
}

ConsumerGroup::ConsumerGroup(const ConsumerConfig& config)
    : metadata_{.group_id = *config.group_id, .group_instance_id = config.group_instance_id} {
  std::string_view names = config.partition_assignment_strategy;
  while (!names.empty()) {
    const size_t comma = std::min(names.find(','), names.size());
    assignors_.push_back(FindAssignor(names.substr(0, comma)));
    names.remove_prefix(std::min(comma + 1, names.size()));
  }
  cooperative_ = std::all_of(assignors_.begin(), assignors_.end(),
                             [](const Assignor* assignor) { return assignor->cooperative; });
}

// --- The coordinator -----------------------------------------------------------------------------

// checkAndGetCoordinator: a coordinator whose connection is gone is not known any more.
bool ConsumerGroup::CoordinatorKnown(GroupIo& io) {
  if (coordinator_ == broker::kNoBroker) return false;
  const std::optional<sim::Time> retry =
      io.connection.RetryAt(coordinator_, broker::kCoordinatorChannel);
  if (!retry.has_value() || *retry <= io.context.now()) return true;
  MarkCoordinatorUnknown(io, "coordinator unavailable", /*disconnected=*/true);
  return false;
}

// ensureCoordinatorReady. False: not yet, or never, if there is an error.
bool ConsumerGroup::EnsureCoordinator(GroupIo& io, ApiError& error) {
  if (CoordinatorKnown(io)) return true;
  if (!find_failure_.ok()) {
    error = std::exchange(find_failure_, {});
  } else if (io.context.now() >= find_at_) {
    LookupCoordinator(io);
  }
  return false;
}

void ConsumerGroup::LookupCoordinator(GroupIo& io) {
  if (requests_.Has(Kind::kFindCoordinator)) return;
  const std::optional<broker::BrokerId> any = io.connection.LeastLoaded(io.context.now());
  if (!any.has_value()) {
    find_at_ = io.context.now() + sim::Millis(io.config.retry_backoff_ms);
    io.connection.metadata().RequestUpdate();
    return;
  }
  requests_.Add({.number = ++io.number,
                 .kind = Kind::kFindCoordinator,
                 .to = *any,
                 .message = broker::MakeMessage(broker::FindCoordinatorRequest{
                     .type = broker::CoordinatorType::kGroup, .key = std::string(group_id())})});
  ++io.requests;
}

void ConsumerGroup::OnFindCoordinator(GroupIo& io, const GroupAnswer& answer) {
  const sim::Time now = io.context.now();
  const auto back_off = [&] {
    const Backoff backoff{sim::Millis(io.config.retry_backoff_ms),
                          sim::Millis(io.config.retry_backoff_max_ms)};
    find_at_ = now + backoff.After(find_attempts_++);
    io.connection.metadata().RequestUpdate();
  };
  ErrorCode error = ErrorCode::kNetworkException;
  if (answer.response != nullptr) {
    const auto& found = broker::BodyOf<broker::FindCoordinatorResponse>(*answer.response);
    error = found.error;
    if (error == ErrorCode::kNone) coordinator_ = found.broker;
  }
  if (error == ErrorCode::kNone) {
    heartbeat_.session_ends_at = now + sim::Millis(io.config.session_timeout_ms);
    const std::optional<sim::Time> retry =
        io.connection.RetryAt(coordinator_, broker::kCoordinatorChannel);
    if (retry.has_value() && *retry > now) {
      // It was found, but it cannot be reached at the moment.
      coordinator_ = broker::kNoBroker;
      back_off();
    } else {
      find_attempts_ = 0;
      (void)io.connection.Ready(io.context, coordinator_, broker::kCoordinatorChannel);
      if (io.context.tracing()) {
        io.context.Emit(events::kGroupCoordinatorFound,
                        {{"coordinator", int64_t{coordinator_.value()}},
                         {"group_id", std::string(group_id())}});
      }
    }
  } else {
    ReportRefusal(io, "FindCoordinator", error, broker::IsRetriable(error));
    if (broker::IsRetriable(error)) {
      back_off();
    } else {
      find_failure_ =
          ErrorFromCode(error, ErrorClass::kFatal,
                        fmt::format("looking for the coordinator of group {}", group_id()));
    }
  }
  // What commit_async wanted to send meanwhile goes now, or never.
  std::vector<Commit> waiting;
  for (Commit& commit : std::exchange(commits_, {})) {
    (commit.number == 0 ? waiting : commits_).push_back(std::move(commit));
  }
  for (Commit& commit : waiting) {
    if (coordinator_ != broker::kNoBroker) {
      StartCommit(io, std::move(commit));
    } else {
      const ErrorCode code =
          error == ErrorCode::kNone ? ErrorCode::kCoordinatorNotAvailable : error;
      FinishCommit(io, commit,
                   ErrorFromCode(code, ErrorClass::kRetriable, "the coordinator is not known"));
    }
  }
}

void ConsumerGroup::MarkCoordinatorUnknown(GroupIo& io, std::string_view reason,
                                           bool disconnected) {
  if (coordinator_ == broker::kNoBroker) return;
  const broker::BrokerId old = std::exchange(coordinator_, broker::kNoBroker);
  if (disconnected) return;
  if (io.context.tracing()) {
    io.context.Emit(events::kConnectionClosed,
                    {{"broker", int64_t{old.value()}}, {"reason", std::string(reason)}});
  }
  for (const GroupAnswer& lost : requests_.Disconnect(io.context, io.connection, old)) {
    OnAnswer(io, lost);
  }
}

// --- Requests and answers ------------------------------------------------------------------------

uint64_t ConsumerGroup::Send(GroupIo& io, Kind kind, sim::PayloadRef message,
                             std::optional<sim::Duration> timeout) {
  requests_.Add({.number = ++io.number,
                 .kind = kind,
                 .to = coordinator_,
                 .sent_in = generation_,
                 .message = std::move(message),
                 .timeout = timeout});
  if (kind != Kind::kHeartbeat) ++io.requests;
  return io.number;
}

bool ConsumerGroup::OnCompleted(GroupIo& io, const Completed& completed) {
  const std::optional<GroupAnswer> answer = requests_.OnCompleted(completed);
  if (!answer.has_value()) return false;
  OnAnswer(io, *answer);
  return true;
}

void ConsumerGroup::OnAnswer(GroupIo& io, const GroupAnswer& answer) {
  switch (answer.request.kind) {
    case Kind::kFindCoordinator:
      return OnFindCoordinator(io, answer);
    case Kind::kJoin:
      return OnJoin(io, answer);
    case Kind::kSync:
      return OnSync(io, answer);
    case Kind::kHeartbeat:
      return OnHeartbeat(io, answer);
    case Kind::kLeave:
      return OnLeave(io, answer);
    case Kind::kCommit:
      return OnCommit(io, answer);
    case Kind::kFetchOffsets:
      return OnFetchOffsets(io, answer);
  }
}

bool ConsumerGroup::OnLost(GroupIo& io, const GroupAnswer& answer) {
  if (answer.response != nullptr) return false;
  if (answer.request.to == coordinator_) {
    MarkCoordinatorUnknown(io, "the connection broke", /*disconnected=*/true);
  }
  return true;
}

void ConsumerGroup::ReportRefusal(GroupIo& io, std::string_view api, ErrorCode error,
                                  bool retried) {
  if (!io.context.tracing()) return;
  io.context.Emit(events::kRequestFailed,
                  {{"api", std::string(api)},
                   {"error", std::string(broker::Name(error))},
                   {"reason", fmt::format("group {}, generation {}", group_id(), generation_.id)},
                   {"retried", retried}});
}

void ConsumerGroup::Run(GroupIo& io, bool polling) {
  Beat(io, polling);
  for (;;) {
    const std::vector<GroupAnswer> lost = requests_.Send(io.context, io.connection);
    if (lost.empty()) return;
    progress_ = true;
    for (const GroupAnswer& answer : lost) OnAnswer(io, answer);
  }
}

sim::Time ConsumerGroup::NextWake(sim::Time now, Thread thread) const {
  sim::Time next = sim::kEndOfTime;
  const auto consider = [&](sim::Time at) {
    if (at > now) next = std::min(next, at);
  };
  const bool waits_to_find =
      coordinator_ == broker::kNoBroker && !requests_.Has(Kind::kFindCoordinator);
  if (heartbeat_.enabled) {
    if (coordinator_ != broker::kNoBroker) {
      consider(heartbeat_.next_at);
      consider(heartbeat_.session_ends_at);
      if (thread != Thread::kInPoll) consider(heartbeat_.poll_ends_at);
    } else if (waits_to_find) {
      consider(find_at_);
    }
  }
  if (thread == Thread::kAway) return next;
  if (waits_to_find) consider(find_at_);
  for (const sim::Time at : {join_at_, prepare_at_, sync_at_, fetch_.at}) consider(at);
  if (prepare_deadline_.has_value()) consider(*prepare_deadline_);
  if (thread == Thread::kInPoll) consider(auto_commit_at_);
  return next;
}

// --- The state of the member ---------------------------------------------------------------------

std::optional<Generation> ConsumerGroup::GenerationIfStable() const {
  return state_ == MemberState::kStable ? std::optional(generation_) : std::nullopt;
}

bool ConsumerGroup::rebalance_in_progress() const {
  return state_ == MemberState::kPreparingRebalance || state_ == MemberState::kCompletingRebalance;
}

void ConsumerGroup::RequestRejoin(GroupIo& io, std::string_view reason) {
  if (!std::exchange(rejoin_needed_, true) && io.context.tracing()) {
    io.context.Emit(events::kRejoinRequested, {{"group_id", std::string(group_id())},
                                               {"generation", int64_t{generation_.id}},
                                               {"reason", std::string(reason)}});
  }
  rejoin_reason_ = std::string(reason);
}

// resetStateAndRejoin: the coordinator does not take it for a member any more. After a generation
// that is not the current one the member id stays: it may still be good.
void ConsumerGroup::ResetAndRejoin(GroupIo& io, std::string_view reason, bool reset_member_id) {
  if (io.context.tracing() && generation_.id != broker::kNoGeneration) {
    io.context.Emit(events::kMembershipLost, {{"group_id", std::string(group_id())},
                                              {"generation", int64_t{generation_.id}},
                                              {"member_id", generation_.member_id},
                                              {"reason", std::string(reason)}});
  }
  state_ = MemberState::kUnjoined;
  generation_ = {.member_id = reset_member_id ? "" : generation_.member_id};
  rejoin_needed_ = true;
  rejoin_reason_ = std::string(reason);
  prepare_needed_ = true;
}

void ConsumerGroup::CompleteCallback(const ApiError& error) {
  callback_.reset();
  if (callback_error_.ok()) callback_error_ = error;
}

void ConsumerGroup::Commit::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(number);
  out.Add(of);
  out.Add(call);
  out.AddAll(offsets);
}

void ConsumerGroup::Snapshot::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(version);
  out.Add(static_cast<uint32_t>(topics.size()));
  for (const auto& [topic, partitions] : topics) {
    out.Add(topic);
    out.Add(partitions);
  }
}

void ConsumerGroup::Fetch::AppendTo(sim::CanonicalBytes& out) const {
  out.AddAll(partitions);
  out.Add(generation);
  out.Add(number);
  out.Add(outcome);
  out.AddAll(rows);
  out.Add(attempts);
  out.Add(at);
}

void ConsumerGroup::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(requests_);
  out.Add(coordinator_);
  out.Add(find_at_);
  out.Add(find_attempts_);
  out.Add(find_failure_);
  out.Add(state_);
  out.Add(generation_);
  out.Add(metadata_);
  out.Add(heartbeat_);
  out.Add(rejoin_needed_);
  out.Add(rejoin_reason_);
  out.Add(prepare_needed_);
  out.Add(join_);
  out.Add(join_error_);
  out.AddAll(join_assignment_);
  out.Add(join_at_);
  out.Add(stage_);
  out.Add(callback_);
  out.Add(callback_error_);
  out.AddAll(kept_);
  out.Add(is_leader_);
  out.Add(joined_topics_.has_value());
  if (joined_topics_.has_value()) out.AddAll(*joined_topics_);
  out.AddAll(group_topics_);
  out.Add(snapshot_);
  out.Add(assignment_snapshot_);
  out.AddAll(sticky_owned_);
  out.Add(sticky_generation_);
  out.Add(auto_commit_at_);
  out.Add(prepare_deadline_);
  out.Add(prepare_at_);
  out.Add(prepare_outcome_);
  out.Add(prepare_commit_);
  out.AddAll(commits_);
  out.AddAll(sync_offsets_);
  out.Add(sync_request_);
  out.Add(sync_outcome_);
  out.Add(sync_attempts_);
  out.Add(sync_at_);
  out.Add(async_fenced_);
  out.Add(fetch_);
}

}  // namespace kafkasim::client
