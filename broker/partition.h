// One replica of a partition on one broker: its log, its role, and as a leader the ISR and the
// progress of the followers, from which the high watermark follows. Follows Kafka's Partition with
// PartitionState (KIP-497, KIP-903), and the part of AbstractFetcherThread that is about one
// partition; Kafka 4.4 development line.
//
// A value that knows its broker and nothing else: whatever surrounds it comes in as
// PartitionContext, and what it wants from the controller goes out as an AlterPartitionRequest.
// Its log survives a crash, all else does not. Three of Kafka's periodic tasks are taken account of
// without being run: the checkpoints of the high watermark and of the log start offset (as of the
// last whole multiple of replica.high.watermark.checkpoint.interval.ms and of
// log.flush.start.offset.checkpoint.interval.ms) and the expiry of producer ids.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include <absl/container/inlined_vector.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include "broker/cluster_image.h"
#include "broker/config.h"
#include "broker/follower_progress.h"
#include "broker/messages_cluster.h"
#include "broker/messages_data.h"
#include "broker/messages_leader_epoch.h"
#include "broker/partition_log.h"
#include "sim/process.h"

namespace kafkasim::broker {

using BrokerList = absl::InlinedVector<BrokerId, 4>;

// What surrounds a partition while it does something.
struct PartitionContext {
  sim::Time now{};
  const BrokerConfig& config;
  const ClusterImage& image;
};

class Partition {
 public:
  enum class Role : uint8_t {
    kOffline,   // not told yet, or not any more
    kFollower,  // of leader(), which may be -1
    kLeader,
  };
  // What a follower does about its leader.
  enum class Fetching : uint8_t {
    kNo,
    kYes,
    kDelayed,     // after an error: again in replica.fetch.backoff.ms
    kOutOfRange,  // it asks the leader where its log ends and starts
    kFailed,      // until the next metadata
  };

  Partition(BrokerId self, const PartitionId& id, const TopicConfig& topic, const LogConfig& log);

  [[nodiscard]] const PartitionId& id() const { return id_; }
  [[nodiscard]] const PartitionLog& log() const { return log_; }
  [[nodiscard]] PartitionLog& mutable_log() { return log_; }
  // The producers that it knows at `now`, by producer id. Expiries are carried out in log() when
  // the partition is touched next.
  [[nodiscard]] std::vector<ProducerStateEntry> ProducersAt(sim::Time now,
                                                            const BrokerConfig& config) const;
  [[nodiscard]] Role role() const { return role_; }
  [[nodiscard]] bool is_leader() const { return role_ == Role::kLeader; }
  [[nodiscard]] BrokerId leader() const { return leader_; }
  [[nodiscard]] LeaderEpoch leader_epoch() const { return leader_epoch_; }
  [[nodiscard]] int32_t partition_epoch() const { return partition_epoch_; }
  // As committed by the controller; empty unless leader. Sorted.
  [[nodiscard]] const BrokerList& isr() const { return isr_; }
  // The ISR with those whose joining the controller has not confirmed yet.
  [[nodiscard]] BrokerList maximal_isr() const;
  [[nodiscard]] bool isr_change_pending() const { return pending_isr_.has_value(); }
  // min(min.insync.replicas, number of replicas).
  [[nodiscard]] int32_t effective_min_isr() const;
  [[nodiscard]] const absl::InlinedVector<FollowerProgress, 2>& followers() const {
    return followers_;
  }
  // Where the leader's epoch began; -1 unless leader.
  [[nodiscard]] Offset leader_epoch_start_offset() const { return leader_epoch_start_offset_; }

  // ---- Roles (partition_role.cc) ----
  // Takes the role that `image` gives. Older partition epochs than the known one are ignored. What
  // changed:
  struct RoleChange {
    Role before = Role::kOffline;
    BrokerId leader_before = kNoBroker;
    LeaderEpoch epoch_before = kNoLeaderEpoch;
    bool new_epoch = false;  // a follower must start to fetch anew; a leader begins an epoch
  };
  RoleChange Apply(const PartitionImage& image, const PartitionContext& context);
  // A crash at `now`: what of the log is lost depends on `kind`, the role is always lost.
  void Crash(sim::CrashKind kind, sim::Time now, const BrokerConfig& config);
  // Loads the log after a crash.
  void Restart(sim::Time now) { log_.Recover(now.millis()); }

  // ---- Leader: data (partition_data.cc) ----
  // Appends a batch and moves the high watermark if no follower is needed for that.
  //   NOT_LEADER_OR_FOLLOWER
  //   NOT_ENOUGH_REPLICAS     acks = -1 and the ISR is smaller than effective_min_isr()
  //   those of PartitionLog::AppendAsLeader
  [[nodiscard]] absl::StatusOr<AppendInfo> AppendAsLeader(const RecordBatch& batch,
                                                          const AppendOptions& options,
                                                          int16_t acks,
                                                          const PartitionContext& context);
  // See PartitionLog::MaybeStartTransactionVerification; NOT_LEADER_OR_FOLLOWER besides.
  [[nodiscard]] absl::StatusOr<VerificationGuard> MaybeStartTransactionVerification(
      const RecordBatch& batch, bool supports_epoch_bump, const PartitionContext& context);
  // Whether an append with acks = -1 can be answered: all replicas of the ISR have everything below
  // `required`. The error counts even before that:
  //   NOT_LEADER_OR_FOLLOWER, NOT_ENOUGH_REPLICAS_AFTER_APPEND (the ISR has shrunk meanwhile)
  struct AckState {
    bool enough = false;
    ErrorCode error = ErrorCode::kNone;
  };
  [[nodiscard]] AckState CheckEnoughReplicasReachOffset(Offset required) const;
  // What one partition answers to a fetch, and its size.
  struct FetchRead {
    FetchResponse::PartitionResult result;
    int64_t bytes = 0;
    [[nodiscard]] bool must_be_told_at_once() const {
      return result.error != ErrorCode::kNone || result.diverging_epoch.has_value();
    }
  };
  // Reads for a consumer, at most `max_bytes` (a first batch that is larger is returned whole if
  // `min_one_message`). Errors are in the result:
  //   NOT_LEADER_OR_FOLLOWER; FENCED_LEADER_EPOCH, UNKNOWN_LEADER_EPOCH (the request's epoch is
  //   older or newer than this leader's); OFFSET_OUT_OF_RANGE
  [[nodiscard]] FetchRead Read(const FetchRequest::PartitionFetch& fetch, IsolationLevel isolation,
                               int64_t max_bytes, bool min_one_message) const;
  // The same errors, and OFFSET_NOT_AVAILABLE as PartitionLog::ListOffsets has it.
  [[nodiscard]] ListOffsetsResponse::PartitionResult ListOffsets(
      const ListOffsetsRequest::PartitionQuery& query, FetchIsolation isolation) const;
  // Where the log of an epoch ends; (-1, -1) if nothing is known of it. Errors as Read's, without
  // OFFSET_OUT_OF_RANGE.
  [[nodiscard]] OffsetForLeaderEpochResponse::PartitionResult LastOffsetForLeaderEpoch(
      const OffsetForLeaderEpochRequest::PartitionQuery& query) const;

  // ---- Leader: followers (partition_followers.cc) ----
  // A follower's fetch that names this partition: takes note of its progress, which may ask for a
  // larger ISR and move the high watermark, and of what it asks for. Errors as Read's;
  // UNKNOWN_LEADER_EPOCH also for a broker that is no replica, NOT_LEADER_OR_FOLLOWER also for an
  // earlier life of a broker. After an error the partition is not in the follower's session.
  struct FollowerFetch {
    ErrorCode error = ErrorCode::kNone;
    std::optional<AlterPartitionRequest> isr_change;
  };
  [[nodiscard]] FollowerFetch OnFollowerFetch(BrokerId follower, int64_t broker_epoch,
                                              const FetchRequest::PartitionFetch& fetch,
                                              const PartitionContext& context);
  // The follower fetched (or waits) again at `when` without naming this partition.
  void OnFollowerFetchAgain(BrokerId follower, sim::Time when);
  // What a follower in session would be told: data or a divergence is worth an answer at once, a
  // moved high watermark or log start only goes along.
  enum class News : uint8_t { kNothing, kGoesAlong, kAtOnce };
  [[nodiscard]] News NewsFor(const FollowerProgress& follower) const;
  [[nodiscard]] const FollowerProgress* FindFollower(BrokerId follower) const;
  // Reads for a follower in session and remembers what it is told.
  [[nodiscard]] FetchRead ReadForFollower(BrokerId follower, int64_t max_bytes,
                                          bool min_one_message);
  void LeaveSession(BrokerId follower);

  // ---- Log start and old segments (partition_upkeep.cc) ----
  // DeleteRecords: the log starts at `offset` (-1: the high watermark), which is returned.
  //   NOT_LEADER_OR_FOLLOWER
  //   POLICY_VIOLATION     cleanup.policy has no delete
  //   OFFSET_OUT_OF_RANGE  negative, or above the high watermark
  [[nodiscard]] absl::StatusOr<Offset> DeleteRecords(Offset offset,
                                                     const PartitionContext& context);
  // For a leader: the lowest log start offset of its log and of all followers that are alive.
  [[nodiscard]] Offset LowWatermark(const ClusterImage& image) const;
  // See PartitionLog.
  int DeleteOldSegments(const PartitionContext& context);
  CleaningResult Clean(const PartitionContext& context);
  void RollSegment() { log_.Roll(); }

  // ---- Leader: ISR (partition_isr.cc) ----
  // Asks for `follower` to join the ISR if it has reached the high watermark and this epoch's
  // start, is alive in its last life, and no other change is pending.
  [[nodiscard]] std::optional<AlterPartitionRequest> MaybeExpandIsr(
      BrokerId follower, const PartitionContext& context);
  // Asks for the removal of all members that are not caught up (FollowerProgress::IsCaughtUp).
  [[nodiscard]] std::optional<AlterPartitionRequest> MaybeShrinkIsr(
      const PartitionContext& context);
  // When a member of the ISR will not count as caught up any more, unless it fetches; nullopt if
  // all are at the leader's end.
  [[nodiscard]] std::optional<sim::Time> NextLag(const BrokerConfig& config) const;
  // The controller's answer. After FENCED_LEADER_EPOCH, INVALID_UPDATE_VERSION and the like the
  // change stays pending until newer metadata arrives; INELIGIBLE_REPLICA and
  // OPERATION_NOT_ATTEMPTED take it back; any other error repeats it.
  [[nodiscard]] std::optional<AlterPartitionRequest> OnAlterPartitionResponse(
      const AlterPartitionResponse& response, const PartitionContext& context);
  // The request for the pending change; nullopt if there is none.
  [[nodiscard]] std::optional<AlterPartitionRequest> PendingIsrRequest() const;

  // ---- Follower (partition_follower.cc) ----
  [[nodiscard]] Fetching fetching() const { return fetching_; }
  void set_fetching(Fetching fetching);
  // What to ask the leader for; remembered, to recognise the answer.
  [[nodiscard]] FetchRequest::PartitionFetch NextFetch();
  // Whether an answer is to what this replica asks for now: not if it got another leader epoch or
  // position since.
  [[nodiscard]] bool ExpectsAnswer() const;
  // Whether the leader's session has to be told another fetch position.
  [[nodiscard]] bool FetchChanged() const { return !ExpectsAnswer(); }
  // Takes over what was fetched: the data, high watermark = min(leader's, own end), log start.
  [[nodiscard]] absl::Status AppendAsFollower(const FetchResponse::PartitionResult& result,
                                              const PartitionContext& context);
  // The leader has nothing at the own end: it ends at `leader_end`. Cuts the log to there, if it is
  // longer. False if it is not; then the leader's log start decides.
  bool TruncateToLeadersEnd(Offset leader_end, const PartitionContext& context);
  // The leader's log starts at `leader_start`: all is given up for that, if it is above the own
  // end.
  bool RestartAtLeadersStart(Offset leader_start, const PartitionContext& context);
  // Cuts the log where it diverges from the leader's. False if nothing was cut.
  bool TruncateOnFetchResponse(const FetchResponse::DivergingEpoch& leaders,
                               const PartitionContext& context);

  void AppendTo(sim::CanonicalBytes& out) const;

 private:
  // A change of the ISR that the controller was asked for.
  struct PendingIsr {
    BrokerList isr;  // as asked for
    bool expands = false;
  };

  void BecomeLeader(const PartitionImage& image, bool new_epoch, const PartitionContext& context);
  void BecomeFollower(const PartitionImage& image, bool new_epoch);
  [[nodiscard]] ErrorCode CheckLeader(LeaderEpoch current_leader_epoch) const;
  [[nodiscard]] FetchRead ReadLog(const FetchRequest::PartitionFetch& fetch,
                                  FetchIsolation isolation, int64_t max_bytes,
                                  bool min_one_message) const;
  [[nodiscard]] absl::StatusOr<std::optional<FetchResponse::DivergingEpoch>> FindDivergence(
      LeaderEpoch last_fetched_epoch, Offset fetch_offset) const;
  [[nodiscard]] FollowerProgress* ProgressOf(BrokerId follower);
  [[nodiscard]] bool IsIsrEligible(const FollowerProgress& follower,
                                   const ClusterImage& image) const;
  void MaybeIncrementHighWatermark(const PartitionContext& context);
  // To be called before each change of the high watermark.
  void PassCheckpoints(sim::Time now, const BrokerConfig& config);
  // To be called before each change of the log start offset.
  void PassLogStartCheckpoints(sim::Time now, const BrokerConfig& config);
  void PassProducerExpiry(sim::Time now, const BrokerConfig& config);

  BrokerId self_;
  PartitionId id_;
  int64_t min_insync_replicas_;

  Role role_ = Role::kOffline;
  BrokerId leader_ = kNoBroker;
  LeaderEpoch leader_epoch_ = kNoLeaderEpoch;
  int32_t partition_epoch_ = -1;
  BrokerList replicas_;

  BrokerList isr_;
  std::optional<PendingIsr> pending_isr_;
  Offset leader_epoch_start_offset_ = kNoOffset;
  absl::InlinedVector<FollowerProgress, 2> followers_;

  Fetching fetching_ = Fetching::kNo;
  Offset asked_offset_ = kNoOffset;
  LeaderEpoch asked_epoch_ = kNoLeaderEpoch;

  PartitionLog log_;
  int64_t checkpoints_passed_ = 0;        // when the high watermark changed last
  int64_t start_checkpoints_passed_ = 0;  // when the log start offset changed last
  int64_t producer_expiries_passed_ = 0;  // no state: repeating an expiry changes nothing
};

}  // namespace kafkasim::broker
