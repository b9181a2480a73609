// A broker: it leads and follows partitions, answers clients and other brokers, and hosts the
// coordinators (Service) whose internal topics' partitions it leads. Follows Kafka's BrokerServer
// with KafkaApis and ReplicaManager (KRaft), Kafka 4.4 development line.
//
// It is told who leads what by images from the controller (UpdateMetadata) and takes only newer
// ones. It answers Produce, Fetch, ListOffsets, OffsetForLeaderEpoch, Metadata, ApiVersions,
// FindCoordinator, DeleteRecords, DescribeProducers and WriteTxnMarkers itself, hands CreateTopics,
// DeleteTopics and ElectLeaders on to the controller, and leaves other requests to the service that
// serves them. A process crash keeps its logs (page cache), a machine crash only what was flushed,
// a disk crash nothing; roles, sessions, waiting requests and all that services know are lost each
// time. After a restart it registers with the controller and refuses connections until an image
// shows it registered in its new life.
//
// Deviations: requests are handled one at a time, in the order of arrival; a consumer is always
// served by the leader (no KIP-392); expiries of a follower's fetch that would carry nothing are
// not simulated (follower_session.h), nor runs of the retention task and of the log cleaner that
// would find nothing. The cleaner takes no time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "broker/broker_state.h"
#include "broker/cluster_image.h"
#include "broker/config.h"
#include "broker/follower_session.h"
#include "broker/log_order.h"
#include "broker/partition.h"
#include "broker/pending_writes.h"
#include "broker/replica_fetcher.h"
#include "broker/service.h"
#include "broker/transaction_verification.h"
#include "broker/watermarks.h"
#include "sim/context.h"
#include "sim/cow.h"
#include "sim/cow_map.h"
#include "sim/process.h"
#include "sim/sweep.h"

namespace kafkasim::broker {

// A batch that a partition has from the start.
struct InitialBatch {
  PartitionId partition{};
  RecordBatch batch{};
};

class Broker final : public sim::Process {
 public:
  struct Options {
    BrokerId id = kNoBroker;
    sim::ProcessId controller = sim::kNoProcess;
    std::shared_ptr<const BrokerConfig> config{};
    ClusterImageRef image{};  // in force at time zero
    std::vector<std::unique_ptr<Service>> services{};
    // What its replicas have in their logs from the start: replicated, flushed, of leader epoch 0.
    std::vector<InitialBatch> initial_batches{};
  };

  explicit Broker(Options options);

  // ---- For views and expectations ----
  [[nodiscard]] BrokerId id() const { return id_; }
  [[nodiscard]] const BrokerConfig& config() const { return *config_; }
  // The newest metadata that it has.
  [[nodiscard]] const ClusterImage& image() const { return *metadata_->image; }
  // False between a restart and the first image of its new life.
  [[nodiscard]] bool active() const { return metadata_->active; }
  // Its replica; null if it has none.
  [[nodiscard]] const Partition* FindReplica(const PartitionId& partition) const;
  template <typename Visitor>
  void ForEachReplica(Visitor visit) const {
    replicas_.ForEach(
        [&](const PartitionId&, const sim::Cow<Partition>& replica) { visit(*replica); });
  }
  // True if both have the same replicas in the same state; false proves nothing.
  [[nodiscard]] bool SharesReplicasWith(const Broker& other) const {
    return replicas_.SharesWith(other.replicas_);
  }
  // The service of that internal topic; null if the broker has none.
  [[nodiscard]] const Service* FindService(std::string_view topic) const;
  [[nodiscard]] const PendingWrites& pending_writes() const { return *writes_; }

  // ---- sim::Process ----
  [[nodiscard]] std::unique_ptr<sim::Process> Clone() const override;
  void AppendTo(sim::CanonicalBytes& out) const override;
  void OnStart(sim::Context& context) override;
  void OnRequest(sim::Context& context, const sim::RequestIn& request) override;
  void OnResponse(sim::Context& context, const sim::ResponseIn& response) override;
  void OnDisconnect(sim::Context& context, sim::ProcessId peer, sim::Channel channel) override;
  void OnTimeout(sim::Context& context, sim::ProcessId peer, sim::Channel channel,
                 sim::CorrelationId correlation) override;
  void OnTimer(sim::Context& context, uint32_t kind, uint64_t argument) override;
  // A LogOrder (log_order.h).
  void OnCommand(sim::Context& context, const sim::PayloadRef& command) override;
  void OnReachability(sim::Context& context, sim::ProcessId peer, sim::Reachability seen) override;
  void BeforeCrash(sim::Time now) override { crashed_at_ = now; }
  void OnCrash(sim::CrashKind kind) override;
  void OnRestart(sim::Context& context) override;

 private:
  class Host;  // the ServiceContext

  [[nodiscard]] PartitionContext Surroundings(const sim::Context& context) const {
    return {.now = context.now(), .config = *config_, .image = image()};
  }
  // What a request by topic id hears about a partition that this broker does not host.
  [[nodiscard]] ErrorCode NotHosted(const PartitionId& partition) const;
  [[nodiscard]] bool Knows(const PartitionId& partition) const {
    return image().FindPartition(partition) != nullptr;
  }

  // ---- Routing (broker.cc) ----
  void Route(sim::Context& context, const sim::RequestIn& request);
  void SendRegistration(sim::Context& context);
  // Services learn of their finished appends after the handler that finished them.
  void Settle(sim::Context& context);

  // ---- Metadata (broker_metadata.cc) ----
  void HandleUpdateMetadata(sim::Context& context, const UpdateMetadataRequest& request);
  // Begins to work with this image, at the start or after a restart.
  void Activate(sim::Context& context, const ClusterImageRef& image, bool silent);
  void ApplyImage(sim::Context& context, const ClusterImageRef& image, bool silent);
  // A new replica with an empty log.
  void AddReplica(const PartitionId& id);
  void FillLogs(const std::vector<InitialBatch>& batches);
  void ApplyRole(sim::Context& context, const PartitionId& id, const PartitionImage& image,
                 bool silent);
  void TraceRole(sim::Context& context, const Partition& partition);
  void StopReplica(sim::Context& context, const PartitionId& id);
  void NoteLeadership(const PartitionId& id, LeaderEpoch epoch, bool elected);
  void HandleFindCoordinator(sim::Context& context, const sim::RequestIn& request);
  [[nodiscard]] BrokerId CoordinatorOf(std::string_view topic, std::string_view key) const;

  // ---- Appends and what follows from them (broker_append.cc) ----
  // Appends to a partition that this broker leads, traces it, wakes followers and readers. Errors
  // as Partition::AppendAsLeader, and NOT_LEADER_OR_FOLLOWER if there is no replica.
  absl::StatusOr<AppendInfo> Append(sim::Context& context, const PartitionId& id,
                                    const RecordBatch& batch, const AppendOptions& options,
                                    int16_t acks, std::optional<PointEffect> appended = {});
  // To be called when the watermarks of a partition may have moved since `before`.
  void AfterChange(sim::Context& context, const Partition& partition, const Watermarks& before);
  // Answers when all partitions are replicated, now or later.
  void WaitForReplication(sim::Context& context, PendingWrite write, sim::Duration timeout);
  // `replica` is null if there is none any more.
  void FinishWrites(sim::Context& context, const PartitionId& id, const Partition* replica);
  void CompleteWrite(sim::Context& context, PendingWrite write);

  // ---- Produce and verification (broker_produce.cc, broker_verification.cc) ----
  void HandleProduce(sim::Context& context, const sim::RequestIn& request);
  void AppendProduce(sim::Context& context, const sim::ReplyTo& reply_to,
                     const ProduceRequest& request, const PendingProduce* verified);
  // `last_offset` is set on success.
  [[nodiscard]] ProduceResponse::PartitionResult AppendProducedBatch(sim::Context& context,
                                                                     const ProduceRequest& request,
                                                                     size_t index,
                                                                     const PendingProduce* verified,
                                                                     Offset& last_offset);
  // Starts the verification of the partitions that need one, and says for which to ask.
  [[nodiscard]] VerificationRequest TakeGuards(sim::Context& context, PendingProduce& produce);
  void TraceVerification(sim::Context& context, const VerificationRequest& asked);
  void StartVerification(sim::Context& context, PendingProduce produce);
  void SendVerification(sim::Context& context, BrokerId coordinator);
  void TakeVerifications(sim::Context& context, TransactionVerification::Outcomes outcomes);
  void TakeVerification(sim::Context& context, const VerificationOutcome& outcome);
  void RetryVerification(sim::Context& context, uint32_t ticket);

  // ---- Verification for services (broker_service_verification.cc) ----
  void VerifyForService(sim::Context& context, uint32_t service, const VerifyEffect& effect);
  void TakeServiceVerification(sim::Context& context, const VerificationOutcome& outcome);
  void TellVerified(sim::Context& context, const ServiceVerification& verified, ErrorCode error);

  // ---- Markers (broker_markers.cc) ----
  void HandleWriteTxnMarkers(sim::Context& context, const sim::RequestIn& request);
  // Appends one marker to one partition, which may be a service's. Fills in the result, and what to
  // wait for before it counts.
  void WriteMarker(sim::Context& context, const RecordBatch& marker, int16_t transaction_version,
                   WriteTxnMarkersResponse::PartitionResult& result, PendingWrite::Wait& wait);

  // ---- Readers (broker_fetch.cc) ----
  void HandleFetch(sim::Context& context, const sim::RequestIn& request);
  void HandleListOffsets(sim::Context& context, const sim::RequestIn& request);
  [[nodiscard]] FetchOutcome ReadForConsumer(const FetchRequest& request) const;
  void TryWaitingFetches(sim::Context& context, const PartitionId& id);
  void ExpireFetch(sim::Context& context, uint32_t id);
  // Why there is no replica here: it is elsewhere, or nowhere.
  [[nodiscard]] ErrorCode ErrorForMissing(const PartitionId& id) const {
    return Knows(id) ? ErrorCode::kNotLeaderOrFollower : ErrorCode::kUnknownTopicOrPartition;
  }

  // ---- What administrators and careful readers ask (broker_admin.cc) ----
  void HandleDescribeProducers(sim::Context& context, const sim::RequestIn& request);
  void HandleOffsetForLeaderEpoch(sim::Context& context, const sim::RequestIn& request);

  // ---- Old segments, and where logs start (broker_log_cleanup.cc) ----
  void StartLogManager(sim::Context& context);
  // Sees to it that the periodic tasks run when they will find something in the log.
  void WatchLog(sim::Context& context, const PartitionLog& log);
  void WatchAllLogs(sim::Context& context);
  // The same after an append of `batch` to the log.
  void WatchAppended(sim::Context& context, const PartitionLog& log, const RecordBatch& batch);
  // The same when more of the log has become stable, which lets the cleaner go further.
  void WatchStable(sim::Context& context, const PartitionLog& log) {
    if (log.config().cleanup_policy.compact && log.HasInactiveSegment()) WatchLog(context, log);
  }
  void WantTask(sim::Context& context, bool cleaner, int64_t at_ms);
  void DeleteOldSegments(sim::Context& context, const PartitionId& id);
  void DeleteOldSegmentsOf(sim::Context& context, bool compacted);
  void CleanLogs(sim::Context& context);
  void CleanLog(sim::Context& context, const PartitionId& id);
  void RollSegment(sim::Context& context, const PartitionId& id);
  // To be called when the log start offset of a replica may have moved since `before`.
  void AfterLogStart(sim::Context& context, const Partition& partition, const Watermarks& before,
                     Offset start_before, std::string_view reason);

  // ---- Administrators (broker_topics.cc) ----
  void HandleDeleteRecords(sim::Context& context, const sim::RequestIn& request);
  // The first offset that stays; errors as Partition::DeleteRecords, and
  //   UNKNOWN_TOPIC_OR_PARTITION, INVALID_TOPIC_EXCEPTION (an internal topic)
  absl::StatusOr<Offset> DeleteRecordsBefore(sim::Context& context,
                                             const DeleteRecordsRequest::PartitionOffset& wanted);
  // Settles what no longer has to wait. True if nothing has.
  [[nodiscard]] bool Settled(PendingDelete& pending) const;
  void FinishDeletes(sim::Context& context);
  void ExpireDelete(sim::Context& context, uint32_t id);
  // The answer goes back to who asked; without one in time, its connection breaks.
  void ForwardToController(sim::Context& context, const sim::RequestIn& request);

  // ---- Followers of this leader (broker_sessions.cc) ----
  void HandleFollowerFetch(sim::Context& context, const sim::RequestIn& request);
  void TakeFollowerFetch(sim::Context& context, FollowerSession& session,
                         const FetchRequest::PartitionFetch& fetch, int64_t broker_epoch);
  void ForgetSession(BrokerId follower);
  void NoteNews(FollowerSession& session, const Partition& partition);
  void AnswerFollower(sim::Context& context, FollowerSession& session);
  void ArmSessionExpiry(sim::Context& context, FollowerSession& session);
  void WakeFollowers(sim::Context& context, const Partition& partition);
  [[nodiscard]] bool AsksForAll(const FollowerSession& session) const;
  void NoteWaitingFollowers(sim::Time now, Partition& partition);

  // ---- Replicas that follow (broker_fetcher.cc) ----
  void SendFetch(sim::Context& context, ReplicaFetcher& fetcher);
  void HandleFetchResponse(sim::Context& context, BrokerId leader, const FetchResponse& response);
  void TakeFetched(sim::Context& context, ReplicaFetcher& fetcher,
                   const FetchResponse::PartitionResult& result);
  // The leader does not have what was asked for: where its log ends and starts will tell.
  void AskLeadersOffsets(sim::Context& context, ReplicaFetcher& fetcher);
  void TakeLeadersOffset(sim::Context& context, BrokerId leader,
                         const ListOffsetsResponse& response);
  void TraceTruncated(sim::Context& context, const Partition& partition, Offset from);
  void FailFetching(BrokerId leader, const PartitionId& id);
  void DelayFetching(sim::Context& context, BrokerId leader, const PartitionId& id);
  void ArmFetcher(sim::Context& context, ReplicaFetcher& fetcher);
  void WakeFetcher(sim::Context& context, BrokerId leader);
  void LoseLeader(sim::Context& context, BrokerId leader);

  // ---- ISR (broker_isr.cc) ----
  void SendAlterPartition(sim::Context& context, const AlterPartitionRequest& request);
  void HandleAlterPartitionResponse(sim::Context& context, const AlterPartitionResponse& response);
  void RepeatAlterPartition(sim::Context& context, const PartitionId& id);
  void ExpandIsrs(sim::Context& context, const PartitionId& id);
  void TrackLag(sim::Context& context, const Partition& partition);
  void SetLagging(sim::Context& context, const PartitionId& id, bool lags);
  void ArmLagCheck(sim::Context& context);
  void CheckLag(sim::Context& context);

  // ---- Services (broker_services.cc) ----
  template <typename Handler>
  void RunService(sim::Context& context, uint32_t service, Handler handler);
  void CarryOut(sim::Context& context, uint32_t service, Effects& effects);
  void AppendForService(sim::Context& context, uint32_t service, AppendEffect& effect);
  void AwaitForService(sim::Context& context, uint32_t service, const AwaitEffect& effect);
  [[nodiscard]] bool LeadsAt(const PartitionId& partition, LeaderEpoch expected_epoch) const;
  void SendForService(sim::Context& context, uint32_t service, const SendEffect& effect);
  [[nodiscard]] std::optional<uint32_t> ServiceFor(ApiKey key) const;
  // The service whose topic this is a partition of.
  [[nodiscard]] std::optional<uint32_t> ServiceOf(const PartitionId& partition) const;
  void TellServicesOfAppends(sim::Context& context);
  void TellServicesOfRoles(sim::Context& context);
  void TakeAnswer(sim::Context& context, const sim::ResponseIn& response);
  void FailCalls(sim::Context& context, sim::ProcessId peer, sim::Channel channel);
  void ExpireCall(sim::Context& context, sim::CorrelationId correlation);

  BrokerId id_;
  sim::ProcessId controller_;
  std::shared_ptr<const BrokerConfig> config_;

  // Survives crashes, as far as Partition says.
  sim::CowMap<PartitionId, sim::Cow<Partition>> replicas_;
  int64_t broker_epoch_ = 0;  // of the current life, or the last one while it is not active
  std::optional<sim::Time> crashed_at_;
  int64_t incarnation_ = 0;  // its lives before this one

  sim::Cow<KnownMetadata> metadata_;
  sim::Cow<PendingWrites> writes_;
  sim::Cow<PendingProduces> produces_;
  sim::Cow<WaitingFetches> fetches_;
  sim::Cow<PendingDeletes> deletes_;
  sim::Cow<FollowerSessions> sessions_;
  sim::Cow<ReplicaFetchers> fetchers_;
  sim::Cow<TransactionVerification> verification_;
  sim::Cow<OpenCalls> calls_;
  sim::Cow<LagWatch> lag_;
  sim::Sweep deletions_;  // log.retention.check.interval.ms
  sim::Sweep cleanings_;  // log.cleaner.backoff.ms
  std::vector<sim::Cow<ServiceBox>> services_;

  // Empty between two handlers.
  std::vector<ServiceAppend> finished_appends_;
  std::vector<LeadershipChange> leadership_changes_;
};

}  // namespace kafkasim::broker
