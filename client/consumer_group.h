// A consumer as a member of its group, classic protocol: classes ConsumerCoordinator and
// AbstractCoordinator, Kafka 4.4 development line. It finds the group's coordinator, joins, assigns
// if it is the leader, beats its heart, and commits and fetches offsets.
//
// Java's methods block; here each is a step that is taken again after every event until it is done,
// so that the application's thread is where Java's would stand. The heartbeat thread goes on
// whatever the application does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "broker/messages_group.h"
#include "broker/messages_offsets.h"
#include "broker/messages_transaction.h"
#include "client/assignor.h"
#include "client/call.h"
#include "client/cluster_connection.h"
#include "client/consumer_config.h"
#include "client/consumer_group_metadata.h"
#include "client/coordinator_requests.h"
#include "client/exception.h"
#include "client/heartbeat.h"
#include "client/rebalance_callback.h"
#include "client/subscription_state.h"
#include "sim/context.h"
#include "sim/fingerprint.h"
#include "sim/time.h"

namespace kafkasim::client {

// AbstractCoordinator.MemberState.
enum class MemberState : uint8_t {
  kUnjoined,             // not in the group
  kPreparingRebalance,   // JoinGroup is under way
  kCompletingRebalance,  // SyncGroup is under way
  kStable,               // has its assignment
};
[[nodiscard]] std::string_view Name(MemberState state);  // "STABLE"

// What a group works with, besides its own state.
struct GroupIo {
  sim::Context& context;
  const ConsumerConfig& config;
  ClusterConnection& connection;
  SubscriptionState& subscriptions;
  uint64_t& number;      // counts requests
  int32_t requests = 0;  // sent on behalf of the application's call
};

class ConsumerGroup {
 public:
  // `config` must have a group.id.
  explicit ConsumerGroup(const ConsumerConfig& config);

  // Where the application's thread is after a step.
  struct Progress {
    enum class What : uint8_t {
      kDone,
      kBlocked,   // waits, and nothing else is done meanwhile
      kJoining,   // the group is being joined; fetching goes on
      kCallback,  // stands in the rebalance listener
      kFailed,    // throws `error`
    };
    What what = What::kDone;
    ApiError error{};

    [[nodiscard]] bool done() const { return what == What::kDone; }
  };

  // --- The application's thread -----------------------------------------------------------------
  // ConsumerCoordinator.poll: finds the coordinator, joins if that is needed, commits if it is
  // time. Errors, each thrown once: what the heartbeat thread died of; FencedInstanceIdException
  // for ever after a commit_async was answered so; GroupMaxSizeReachedException and other refusals;
  // KafkaException if the rebalance listener threw.
  [[nodiscard]] Progress Poll(GroupIo& io);
  // onLeavePrepare: tells the listener that all partitions go, then they are gone.
  [[nodiscard]] Progress PrepareLeave(GroupIo& io);
  // maybeLeaveGroup: a static member stays, so that it can come back as the same.
  void Leave(GroupIo& io, std::string_view reason);
  // The consumer closes: no more heartbeats.
  void StopHeartbeat() { heartbeat_ = {}; }

  void BeginCommitSync(std::vector<broker::OffsetToCommit> offsets);
  // Errors: CommitFailedException, RebalanceInProgressException, FencedInstanceIdException,
  // IllegalArgumentException for an offset below 0, KafkaException.
  [[nodiscard]] Progress ContinueCommitSync(GroupIo& io);
  void CommitAsync(GroupIo& io, std::vector<broker::OffsetToCommit> offsets, CallId call);
  // What has come of commit_async calls since last asked. A retriable error becomes
  // RetriableCommitFailedException: it is not retried.
  struct AsyncResult {
    CallId call{};
    ApiError error{};
  };
  [[nodiscard]] std::vector<AsyncResult> TakeAsyncResults() {
    return std::exchange(async_results_, {});
  }
  [[nodiscard]] bool has_async_commits() const;
  // The consumer is closed: commit_async calls whose answer will not come.
  [[nodiscard]] std::vector<CallId> AbandonCommits();
  // fetchCommittedOffsets, only stable ones: asks until the group has decided about all of them.
  [[nodiscard]] Progress FetchCommitted(GroupIo& io, const broker::PartitionList& partitions,
                                        std::vector<broker::OffsetToCommit>& rows);
  void RequestRejoin(GroupIo& io, std::string_view reason);

  // The listener's method that is being called.
  [[nodiscard]] const std::optional<RebalanceCallback>& pending_callback() const {
    return callback_;
  }
  // It has returned, or thrown this.
  void CompleteCallback(const ApiError& error);

  // --- All threads ------------------------------------------------------------------------------
  // False if it is none of the group's requests.
  bool OnCompleted(GroupIo& io, const Completed& completed);
  // Whether this is the answer to a JoinGroup, which only the application's thread can take.
  [[nodiscard]] bool IsJoinAnswer(const Completed& completed) const {
    return requests_.Is(completed.token, GroupRequest::Kind::kJoin);
  }
  // The heartbeat thread, and sending. `polling`: the application's thread is in poll.
  void Run(GroupIo& io, bool polling);
  // The next moment after now at which there is something to do.
  enum class Thread : uint8_t { kAway, kInCall, kInPoll };
  [[nodiscard]] sim::Time NextWake(sim::Time now, Thread thread) const;
  // Whether requests were lost since last asked, so that the application's thread may go on.
  [[nodiscard]] bool TakeProgress() { return std::exchange(progress_, false); }
  // Whether it looks for the coordinator by itself: the metadata has to be fresh for that.
  [[nodiscard]] bool seeks_coordinator() const {
    return coordinator_ == broker::kNoBroker && (heartbeat_.enabled || !commits_.empty());
  }

  [[nodiscard]] MemberState state() const { return state_; }
  [[nodiscard]] const Generation& generation() const { return generation_; }
  [[nodiscard]] broker::BrokerId coordinator() const { return coordinator_; }
  [[nodiscard]] bool has_pending_requests() const { return requests_.HasPending(); }
  // As of the last assignment: a member that was thrown out does not know it yet.
  [[nodiscard]] const ConsumerGroupMetadata& metadata() const { return metadata_; }

  void AppendTo(sim::CanonicalBytes& out) const;

 private:
  using Kind = GroupRequest::Kind;
  using Partitions = broker::PartitionList;

  // Where the application's thread goes on after a callback.
  enum class Stage : uint8_t { kNone, kPrepared, kRevoked, kAssigned, kLeft };
  // Of the JoinGroup and SyncGroup together (joinFuture).
  enum class Join : uint8_t { kNone, kUnderWay, kSucceeded, kFailed };
  // Who waits for a commit.
  enum class CommitOf : uint8_t { kSync, kAsync, kAuto, kPrepare };
  struct Commit {
    uint64_t number = 0;  // 0: waits until the coordinator is found
    CommitOf of = CommitOf::kAsync;
    CallId call{};
    std::vector<broker::OffsetToCommit> offsets{};

    void AppendTo(sim::CanonicalBytes& out) const;
  };
  // Partitions that subscribed topics have: a change needs a new assignment.
  struct Snapshot {
    int64_t version = -1;
    std::vector<std::pair<broker::TopicId, int32_t>> topics{};

    [[nodiscard]] bool Matches(const Snapshot& other) const {
      return version == other.version || topics == other.topics;
    }
    void AppendTo(sim::CanonicalBytes& out) const;
  };

  // consumer_group.cc: the coordinator, and the state of the member.
  [[nodiscard]] bool CoordinatorKnown(GroupIo& io);
  [[nodiscard]] bool EnsureCoordinator(GroupIo& io, ApiError& error);
  void LookupCoordinator(GroupIo& io);
  void OnFindCoordinator(GroupIo& io, const GroupAnswer& answer);
  void MarkCoordinatorUnknown(GroupIo& io, std::string_view reason, bool disconnected);
  uint64_t Send(GroupIo& io, Kind kind, sim::PayloadRef message,
                std::optional<sim::Duration> timeout = std::nullopt);
  void OnAnswer(GroupIo& io, const GroupAnswer& answer);
  // True if the connection broke; then the coordinator is not known any more.
  bool OnLost(GroupIo& io, const GroupAnswer& answer);
  void ReportRefusal(GroupIo& io, std::string_view api, broker::ErrorCode error, bool retried);
  void ResetAndRejoin(GroupIo& io, std::string_view reason, bool reset_member_id);
  [[nodiscard]] std::optional<Generation> GenerationIfStable() const;
  [[nodiscard]] bool rebalance_in_progress() const;
  [[nodiscard]] std::string_view group_id() const { return metadata_.group_id; }

  // group_join.cc: JoinGroup, SyncGroup, LeaveGroup.
  void InitiateJoin(GroupIo& io);
  void OnJoin(GroupIo& io, const GroupAnswer& answer);
  void OnSync(GroupIo& io, const GroupAnswer& answer);
  void OnLeave(GroupIo& io, const GroupAnswer& answer);
  [[nodiscard]] std::vector<broker::JoinGroupRequest::Protocol> Protocols(
      const GroupIo& io, const Partitions& owned) const;
  [[nodiscard]] GroupAssignment AssignAsLeader(GroupIo& io,
                                               const broker::JoinGroupResponse& joined);
  void FailJoin(ApiError error);

  // group_heartbeat.cc
  void Beat(GroupIo& io, bool polling);
  void OnHeartbeat(GroupIo& io, const GroupAnswer& answer);

  // group_rebalance.cc: what the application's thread does to join.
  [[nodiscard]] Progress JoinIfNeeded(GroupIo& io);
  [[nodiscard]] bool RejoinNeeded(GroupIo& io);
  [[nodiscard]] Progress PrepareJoin(GroupIo& io);
  [[nodiscard]] bool CommitBeforeJoin(GroupIo& io);
  [[nodiscard]] Progress CompleteJoin(GroupIo& io);
  [[nodiscard]] Progress AfterRevocation(GroupIo& io);
  [[nodiscard]] Progress Invoke(GroupIo& io, RebalanceCallback::Kind kind,
                                const Partitions& partitions, Stage then);
  [[nodiscard]] Progress GoOn(GroupIo& io);
  [[nodiscard]] Progress ThrowCallbackError();
  [[nodiscard]] Snapshot SnapshotOf(const GroupIo& io) const;

  // group_offsets.cc
  void MaybeAutoCommit(GroupIo& io);
  void StartCommit(GroupIo& io, Commit commit);
  // Sends it; an error at once if that makes no sense now. `number` is 0 for nothing to commit.
  [[nodiscard]] ApiError SendCommit(GroupIo& io, const std::vector<broker::OffsetToCommit>& offsets,
                                    uint64_t& number);
  void OnCommit(GroupIo& io, const GroupAnswer& answer);
  [[nodiscard]] ApiError CommitError(GroupIo& io, const Generation& sent_in,
                                     broker::ErrorCode code);
  void FinishCommit(GroupIo& io, const Commit& commit, ApiError error);
  void OnFetchOffsets(GroupIo& io, const GroupAnswer& answer);
  [[nodiscard]] ApiError FencedError() const;

  std::vector<const Assignor*> assignors_;
  bool cooperative_ = false;  // the highest protocol that all of them know
  CoordinatorRequests requests_;

  broker::BrokerId coordinator_ = broker::kNoBroker;
  sim::Time find_at_{};  // not to be looked up before
  int32_t find_attempts_ = 0;
  ApiError find_failure_;  // fatal; the next call throws it

  MemberState state_ = MemberState::kUnjoined;
  Generation generation_;
  ConsumerGroupMetadata metadata_;
  Heartbeat heartbeat_;
  bool rejoin_needed_ = true;
  std::string rejoin_reason_;
  bool prepare_needed_ = true;  // onJoinPrepare must come before the next JoinGroup
  Join join_ = Join::kNone;
  ApiError join_error_;
  Partitions join_assignment_;
  sim::Time join_at_{};  // after a failure, not before

  Stage stage_ = Stage::kNone;
  std::optional<RebalanceCallback> callback_;
  ApiError callback_error_;
  Partitions kept_;  // what is left when the listener has returned from a revocation

  bool is_leader_ = false;
  std::optional<std::vector<broker::TopicId>> joined_topics_;
  std::vector<broker::TopicId> group_topics_;  // of the leader: what anybody subscribed to
  Snapshot snapshot_;
  std::optional<Snapshot> assignment_snapshot_;
  // What sticky assignors remember of the last assignment.
  Partitions sticky_owned_;
  int32_t sticky_generation_ = broker::kNoGeneration;

  sim::Time auto_commit_at_ = sim::kEndOfTime;
  std::optional<sim::Time> prepare_deadline_;
  sim::Time prepare_at_{};
  std::optional<ApiError> prepare_outcome_;  // of the commit before the rebalance
  bool prepare_commit_ = false;              // it is under way
  std::vector<Commit> commits_;
  std::vector<broker::OffsetToCommit> sync_offsets_;
  std::optional<uint64_t> sync_request_;
  std::optional<ApiError> sync_outcome_;
  int32_t sync_attempts_ = 0;
  sim::Time sync_at_{};
  bool async_fenced_ = false;
  std::vector<AsyncResult> async_results_;  // empty between events

  // pendingCommittedOffsetRequest.
  struct Fetch {
    Partitions partitions{};
    std::optional<Generation> generation{};
    uint64_t number = 0;
    std::optional<ApiError> outcome{};
    std::vector<broker::OffsetToCommit> rows{};
    int32_t attempts = 0;
    sim::Time at{};

    void AppendTo(sim::CanonicalBytes& out) const;
  };
  Fetch fetch_;
  bool progress_ = false;  // false between events
};

}  // namespace kafkasim::client
