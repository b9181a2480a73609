// Offsets of a group: commits of all kinds, and what was committed.
#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "broker/message.h"
#include "client/consumer_group.h"
#include "client/events.h"

namespace kafkasim::client {
namespace {

using broker::ErrorCode;
using What = ConsumerGroup::Progress::What;

ApiError CommitFailed(ErrorCode code, std::string message) {
  ApiError error =
      ClientError(Exception::kCommitFailed, ErrorClass::kAbortable, std::move(message));
  error.code = code;
  return error;
}

ApiError RebalanceInProgress(std::string message) {
  return ErrorFromCode(ErrorCode::kRebalanceInProgress, ErrorClass::kRetriable, std::move(message));
}

ApiError Unexpected(ErrorCode code, std::string_view what) {
  ApiError error =
      ErrorFromCode(code, ErrorClass::kFatal,
                    fmt::format("unexpected error in {}: {}", what, broker::Name(code)));
  error.exception = Exception::kKafka;
  error.cause = Exception::kFromCode;
  return error;
}

ApiError Disconnected() {
  return ClientError(Exception::kDisconnect, ErrorClass::kRetriable,
                     "the connection to the group's coordinator broke");
}

}  // namespace

ApiError ConsumerGroup::FencedError() const {
  return ErrorFromCode(
      ErrorCode::kFencedInstanceId, ErrorClass::kFatal,
      fmt::format("group.instance.id {} belongs to another member by now, this one was {}",
                  metadata_.group_instance_id.value_or("unset"), metadata_.member_id));
}

// --- Commits -------------------------------------------------------------------------------------

bool ConsumerGroup::has_async_commits() const {
  return std::any_of(commits_.begin(), commits_.end(),
                     [](const Commit& commit) { return commit.of != CommitOf::kSync; });
}

std::vector<CallId> ConsumerGroup::AbandonCommits() {
  std::vector<CallId> calls;
  for (const Commit& commit : std::exchange(commits_, {})) {
    if (commit.of == CommitOf::kAsync) calls.push_back(commit.call);
  }
  return calls;
}

void ConsumerGroup::MaybeAutoCommit(GroupIo& io) {
  if (!io.config.auto_commit()) return;
  const sim::Time now = io.context.now();
  const sim::Duration interval = sim::Millis(io.config.auto_commit_interval_ms);
  if (auto_commit_at_ == sim::kEndOfTime) auto_commit_at_ = now + interval;
  if (now < auto_commit_at_) return;
  auto_commit_at_ = now + interval;
  StartCommit(io, {.of = CommitOf::kAuto, .offsets = io.subscriptions.AllConsumed()});
}

void ConsumerGroup::CommitAsync(GroupIo& io, std::vector<broker::OffsetToCommit> offsets,
                                CallId call) {
  StartCommit(io, {.of = CommitOf::kAsync, .call = call, .offsets = std::move(offsets)});
}

// commitOffsetsAsync: without a coordinator it waits for one look-up.
void ConsumerGroup::StartCommit(GroupIo& io, Commit commit) {
  if (commit.offsets.empty()) return FinishCommit(io, commit, {});
  if (!CoordinatorKnown(io)) {
    LookupCoordinator(io);
    if (requests_.Has(Kind::kFindCoordinator)) {
      commit.number = 0;
      commits_.push_back(std::move(commit));
    } else {
      FinishCommit(io, commit,
                   ErrorFromCode(ErrorCode::kCoordinatorNotAvailable, ErrorClass::kRetriable,
                                 "no broker can be asked for the coordinator"));
    }
    return;
  }
  if (ApiError error = SendCommit(io, commit.offsets, commit.number); !error.ok()) {
    return FinishCommit(io, commit, std::move(error));
  }
  commits_.push_back(std::move(commit));
}

void ConsumerGroup::BeginCommitSync(std::vector<broker::OffsetToCommit> offsets) {
  sync_offsets_ = std::move(offsets);
  sync_request_.reset();
  sync_outcome_.reset();
  sync_attempts_ = 0;
  sync_at_ = sim::Time{};
}

// commitOffsetsSync.
ConsumerGroup::Progress ConsumerGroup::ContinueCommitSync(GroupIo& io) {
  if (async_fenced_) return {What::kFailed, FencedError()};
  if (sync_offsets_.empty() && !has_async_commits()) return {};
  const auto retry_or_fail = [&](const ApiError& error) -> Progress {
    if (!error.IsRetriableException()) return {What::kFailed, error};
    const Backoff backoff{sim::Millis(io.config.retry_backoff_ms),
                          sim::Millis(io.config.retry_backoff_max_ms)};
    sync_at_ = io.context.now() + backoff.After(sync_attempts_++);
    return {What::kBlocked, {}};
  };
  if (sync_outcome_.has_value()) {
    const ApiError outcome = *std::exchange(sync_outcome_, std::nullopt);
    sync_request_.reset();
    if (outcome.ok()) return {};
    if (Progress failed = retry_or_fail(outcome); failed.what == What::kFailed) return failed;
  }
  ApiError error;
  const bool ready = EnsureCoordinator(io, error);
  if (!error.ok()) return {What::kFailed, error};
  if (!ready || sync_offsets_.empty() || sync_request_.has_value() || io.context.now() < sync_at_) {
    return {What::kBlocked, {}};
  }
  Commit commit{.of = CommitOf::kSync, .offsets = sync_offsets_};
  error = SendCommit(io, commit.offsets, commit.number);
  if (!error.ok()) return retry_or_fail(error);
  sync_request_ = commit.number;
  commits_.push_back(std::move(commit));
  return {What::kBlocked, {}};
}

// sendOffsetCommitRequest.
ApiError ConsumerGroup::SendCommit(GroupIo& io, const std::vector<broker::OffsetToCommit>& offsets,
                                   uint64_t& number) {
  for (const broker::OffsetToCommit& row : offsets) {
    if (row.offset >= broker::Offset(0)) continue;
    return ClientError(Exception::kIllegalArgument, ErrorClass::kMisuse,
                       fmt::format("offset {} cannot be committed", row.offset));
  }
  broker::OffsetCommitRequest request{.group_id = metadata_.group_id, .offsets = offsets};
  if (io.subscriptions.has_auto_assigned()) {
    if (state_ != MemberState::kStable) {
      if (rebalance_in_progress()) {
        return RebalanceInProgress(
            "the consumer is in a rebalance; poll until it is over and commit again");
      }
      return CommitFailed(ErrorCode::kNone,
                          "the consumer is not part of an active group; it was probably thrown "
                          "out");
    }
    request.generation_id = generation_.id;
    request.member_id = generation_.member_id;
    request.group_instance_id = metadata_.group_instance_id;
  }
  number = Send(io, Kind::kCommit, broker::MakeMessage(std::move(request)));
  return {};
}

// OffsetCommitResponseHandler.
void ConsumerGroup::OnCommit(GroupIo& io, const GroupAnswer& answer) {
  const bool lost = OnLost(io, answer);
  const auto at = std::find_if(commits_.begin(), commits_.end(), [&](const Commit& commit) {
    return commit.number == answer.request.number;
  });
  if (at == commits_.end()) return;
  const Commit commit = std::move(*at);
  commits_.erase(at);
  if (lost) return FinishCommit(io, commit, Disconnected());
  const auto& response = broker::BodyOf<broker::OffsetCommitResponse>(*answer.response);
  ApiError unauthorized;
  for (const broker::CommittedPartition& result : response.partitions) {
    if (result.error == ErrorCode::kNone) continue;
    if (result.error == ErrorCode::kTopicAuthorizationFailed) {
      unauthorized =
          ErrorFromCode(result.error, ErrorClass::kFatal, "not authorized to commit for a topic");
      continue;
    }
    return FinishCommit(io, commit, CommitError(io, answer.request.sent_in, result.error));
  }
  FinishCommit(io, commit, unauthorized);
}

ApiError ConsumerGroup::CommitError(GroupIo& io, const Generation& sent_in, ErrorCode code) {
  const bool retriable = broker::IsRetriable(code);
  ReportRefusal(io, "OffsetCommit", code, /*retried=*/false);
  switch (code) {
    case ErrorCode::kGroupAuthorizationFailed:
    case ErrorCode::kOffsetMetadataTooLarge:
      return ErrorFromCode(code, ErrorClass::kFatal, "the commit was refused");
    case ErrorCode::kCoordinatorLoadInProgress:
    case ErrorCode::kUnknownTopicOrPartition:
    case ErrorCode::kCoordinatorNotAvailable:
    case ErrorCode::kNotCoordinator:
    case ErrorCode::kRequestTimedOut:
      if (code != ErrorCode::kCoordinatorLoadInProgress &&
          code != ErrorCode::kUnknownTopicOrPartition) {
        MarkCoordinatorUnknown(io, "error response to OffsetCommit", /*disconnected=*/false);
      }
      return ErrorFromCode(code, retriable ? ErrorClass::kRetriable : ErrorClass::kFatal,
                           "the commit was not taken");
    case ErrorCode::kFencedInstanceId:
      if (sent_in == generation_) return FencedError();
      if (state_ == MemberState::kPreparingRebalance) {
        return RebalanceInProgress("the generation of the commit was fenced by its instance id");
      }
      return CommitFailed(code, "the generation of the commit was fenced by its instance id");
    case ErrorCode::kRebalanceInProgress:
      RequestRejoin(io, "offset commit failed since group is already rebalancing");
      return RebalanceInProgress(
          "the group is in a rebalance; poll until it is over and commit again");
    case ErrorCode::kUnknownMemberId:
    case ErrorCode::kIllegalGeneration:
      if (sent_in != generation_ && state_ == MemberState::kPreparingRebalance) {
        return RebalanceInProgress("the generation of the commit is over; poll and commit again");
      }
      ResetAndRejoin(io, fmt::format("encountered {} from OFFSET_COMMIT", broker::Name(code)),
                     code != ErrorCode::kIllegalGeneration);
      return CommitFailed(code, fmt::format("the group has rebalanced and given the partitions to "
                                            "others: {} for generation {}",
                                            broker::Name(code), sent_in.id));
    default:
      return Unexpected(code, "a commit");
  }
}

void ConsumerGroup::FinishCommit(GroupIo& io, const Commit& commit, ApiError error) {
  const bool retriable = error.IsRetriableException();
  if (error.ok() && io.context.tracing() && !commit.offsets.empty()) {
    constexpr std::string_view kHow[] = {"commit_sync", "commit_async", "auto commit",
                                         "auto commit before a rebalance"};
    std::vector<std::string> offsets;
    for (const broker::OffsetToCommit& row : commit.offsets) {
      const broker::ClusterImageRef& image = io.connection.metadata().image();
      offsets.push_back(fmt::format(
          "{}={}",
          image == nullptr ? broker::ConcernOf(row.partition) : image->NameOf(row.partition),
          row.offset));
    }
    io.context.Emit(events::kCommitAcknowledged,
                    {{"group_id", std::string(group_id())},
                     {"generation", int64_t{generation_.id}},
                     {"how", std::string(kHow[static_cast<size_t>(commit.of)])},
                     {"offsets", std::move(offsets)}});
  }
  if (commit.of == CommitOf::kSync) {
    if (sync_request_ == commit.number) sync_outcome_ = std::move(error);
    return;
  }
  if (error.code == ErrorCode::kFencedInstanceId && error.exception == Exception::kFromCode) {
    async_fenced_ = true;
  }
  if (commit.of == CommitOf::kPrepare && prepare_commit_) prepare_outcome_ = error;
  if (commit.of != CommitOf::kAsync) {
    if (retriable) auto_commit_at_ = io.context.now() + sim::Millis(io.config.retry_backoff_ms);
    return;
  }
  if (retriable) {
    error.cause = error.exception;
    error.exception = Exception::kRetriableCommitFailed;
  }
  async_results_.push_back({commit.call, std::move(error)});
}

// --- What was committed --------------------------------------------------------------------------

ConsumerGroup::Progress ConsumerGroup::FetchCommitted(GroupIo& io, const Partitions& partitions,
                                                      std::vector<broker::OffsetToCommit>& rows) {
  rows.clear();
  if (partitions.empty()) return {};
  // An answer to another question, or for another generation, does not count.
  const std::optional<Generation> generation = GenerationIfStable();
  if (fetch_.partitions != partitions || fetch_.generation != generation) {
    fetch_ = {.partitions = partitions, .generation = generation};
  }
  if (fetch_.outcome.has_value()) {
    const ApiError outcome = *std::exchange(fetch_.outcome, std::nullopt);
    fetch_.number = 0;
    if (outcome.ok()) {
      rows = std::move(fetch_.rows);
      fetch_ = {};
      return {};
    }
    if (!outcome.IsRetriableException()) {
      fetch_ = {};
      return {What::kFailed, outcome};
    }
    const Backoff backoff{sim::Millis(io.config.retry_backoff_ms),
                          sim::Millis(io.config.retry_backoff_max_ms)};
    fetch_.at = io.context.now() + backoff.After(fetch_.attempts++);
  }
  if (fetch_.number > 0 || io.context.now() < fetch_.at) return {What::kBlocked, {}};
  ApiError error;
  if (!EnsureCoordinator(io, error)) {
    return {error.ok() ? What::kBlocked : What::kFailed, error};
  }
  broker::OffsetFetchRequest request{.group_id = metadata_.group_id, .require_stable = true};
  request.partitions = partitions;
  fetch_.number = Send(io, Kind::kFetchOffsets, broker::MakeMessage(std::move(request)));
  return {What::kBlocked, {}};
}

// OffsetFetchResponseHandler.
void ConsumerGroup::OnFetchOffsets(GroupIo& io, const GroupAnswer& answer) {
  const bool lost = OnLost(io, answer);
  if (answer.request.number != fetch_.number) return;
  if (lost) {
    fetch_.outcome = Disconnected();
    return;
  }
  const auto& response = broker::BodyOf<broker::OffsetFetchResponse>(*answer.response);
  ErrorCode refusal = response.error;
  fetch_.rows.clear();
  for (const auto& row : response.partitions) {
    // The worst of the partitions decides: an unstable offset can become stable.
    if (row.error != ErrorCode::kNone &&
        (refusal == ErrorCode::kNone || refusal == ErrorCode::kUnstableOffsetCommit)) {
      refusal = row.error;
    }
    fetch_.rows.push_back({.partition = row.partition,
                           .offset = row.offset,
                           .leader_epoch = row.leader_epoch,
                           .metadata = row.metadata});
  }
  if (refusal == ErrorCode::kNone) {
    fetch_.outcome = ApiError{};
    return;
  }
  const bool retried =
      broker::IsRetriable(refusal) && refusal != ErrorCode::kUnknownTopicOrPartition;
  if (!retried || fetch_.attempts == 0) ReportRefusal(io, "OffsetFetch", refusal, retried);
  if (refusal == ErrorCode::kNotCoordinator || refusal == ErrorCode::kCoordinatorNotAvailable) {
    MarkCoordinatorUnknown(io, "error response to OffsetFetch", /*disconnected=*/false);
  }
  if (retried || refusal == ErrorCode::kGroupAuthorizationFailed ||
      refusal == ErrorCode::kTopicAuthorizationFailed) {
    fetch_.outcome = ErrorFromCode(refusal, retried ? ErrorClass::kRetriable : ErrorClass::kFatal,
                                   "the committed offsets were not told");
  } else {
    fetch_.outcome = Unexpected(refusal, "a fetch of committed offsets");
  }
}

}  // namespace kafkasim::client
