// The group coordinator of a broker: it keeps the members of consumer groups together, generation
// by generation, and what they have committed, in __consumer_offsets (classic protocol: KIP-62,
// KIP-345, KIP-394, KIP-800, KIP-814; offsets of transactions: KIP-98, KIP-447, KIP-890, KIP-1319;
// classes GroupCoordinatorService, GroupMetadataManager, OffsetMetadataManager and
// CoordinatorRuntime, Kafka 4.4 development line).
//
// A broker coordinates the groups whose partition of __consumer_offsets it leads. What it knows is
// volatile: OnElected reads the log from its start to its end, and all members get their session
// anew. Offsets and tombstones count in memory as soon as the log has them; whoever committed them
// is answered when they are replicated, and who asks for offsets that need not be stable sees only
// what is. (Kafka changes its memory just before the append and takes it back if the append fails;
// nobody can tell the difference.) Membership is changed first and written afterwards; a failed
// write has its own way back. Errors of all requests about a group: INVALID_GROUP_ID for "",
// COORDINATOR_LOAD_IN_PROGRESS while its partition is loaded, NOT_COORDINATOR if it is not led
// here, COORDINATOR_NOT_AVAILABLE if what was written could not be replicated in
// offsets.commit.timeout.ms.
//
// Deviations: a batch holds the records of one request (Kafka gathers those that come at the same
// time); the new protocol (KIP-848) and share groups are not modelled.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "broker/messages_group.h"
#include "broker/messages_offsets.h"
#include "broker/service.h"
#include "coordinator/group_answers.h"
#include "coordinator/group_shard.h"
#include "coordinator/slot_table.h"
#include "sim/cow.h"

namespace kafkasim::coordinator {

class GroupCoordinator final : public broker::Service {
 public:
  struct Options {
    // From an election until the log has been read; an empty one is read at once.
    sim::Duration load_time{};
  };

  GroupCoordinator() : GroupCoordinator(Options()) {}
  explicit GroupCoordinator(const Options& options) : options_(options) {}

  // ---- broker::Service ----
  [[nodiscard]] std::unique_ptr<broker::Service> Clone() const override;
  void AppendTo(sim::CanonicalBytes& out) const override;
  [[nodiscard]] std::string_view topic() const override;
  [[nodiscard]] bool Serves(broker::ApiKey key) const override;
  void OnStart(const broker::ServiceContext& context, broker::Effects& effects) override;
  void OnRequest(const broker::ServiceContext& context, const sim::RequestIn& request,
                 broker::Effects& effects) override;
  void OnWritten(const broker::ServiceContext& context, uint64_t token, broker::Offset base_offset,
                 broker::Effects& effects) override;
  void OnAppended(const broker::ServiceContext& context, uint64_t token, broker::ErrorCode error,
                  broker::Effects& effects) override;
  void OnAnswer(const broker::ServiceContext& context, uint64_t token,
                const sim::PayloadRef& response, broker::Effects& effects) override;
  void OnVerified(const broker::ServiceContext& context, uint64_t token,
                  broker::VerificationGuard guard, broker::ErrorCode error,
                  broker::Effects& effects) override;
  void OnTimer(const broker::ServiceContext& context, uint32_t kind, uint64_t argument,
               broker::Effects& effects) override;
  void OnElected(const broker::ServiceContext& context, const broker::PartitionId& partition,
                 broker::LeaderEpoch epoch, broker::Effects& effects) override;
  void OnResigned(const broker::ServiceContext& context, const broker::PartitionId& partition,
                  broker::LeaderEpoch epoch, broker::Effects& effects) override;
  // NOT_LEADER_OR_FOLLOWER while the partition is not loaded here: the transaction coordinator does
  // not know the errors of a group coordinator.
  [[nodiscard]] broker::ErrorCode CheckMarker(const broker::ServiceContext& context,
                                              const broker::PartitionId& partition) const override;
  void OnMarkerWritten(const broker::ServiceContext& context, const broker::PartitionId& partition,
                       const broker::RecordBatch& marker, broker::Effects& effects) override;
  void OnMetadata(const broker::ServiceContext& context, broker::Effects& effects) override;
  void OnCrash() override;

  // ---- For views and expectations (group_view.h) ----
  [[nodiscard]] const GroupShards& shards() const { return *shards_; }

 private:
  // One call of a handler: what it may look at, and what it wants to be done.
  struct Turn {
    const broker::ServiceContext& context;
    broker::Effects& effects;

    [[nodiscard]] sim::Time now() const { return context.now(); }
    [[nodiscard]] int64_t now_ms() const { return context.now().millis(); }
    [[nodiscard]] const broker::BrokerConfig& config() const { return context.config(); }
    void Reply(const sim::ReplyTo& to, sim::PayloadRef response) {
      effects.push_back(broker::ReplyEffect{to, std::move(response)});
    }
  };

  // A member's assignment, as the leader of a generation has sent it.
  using Assignments = std::vector<broker::SyncGroupRequest::Assignment>;

  // Something that waits for the log: for records of its own, or for those of others before it.
  struct PendingOperation {
    enum class Kind : uint8_t {
      kAnswer,        // nothing of its own was written
      kOffsets,       // offsets of a commit, plain or of a transaction
      kTombstones,    // of expired or deleted offsets, and of groups
      kNewGroup,      // the first record of a group; taken back if the append fails
      kEmptyGroup,    // a generation without members
      kAssignment,    // the leader's, which goes to the members
      kStaticMember,  // a static member under its new id
    };
    Kind kind = Kind::kAnswer;
    int32_t shard = -1;
    broker::LeaderEpoch epoch = broker::kNoLeaderEpoch;
    sim::ReplyTo to{};           // nobody waits if it names no process
    sim::PayloadRef response{};  // if all goes well
    std::string group_id{};
    broker::RecordBatch batch{};  // what was appended
    bool written = false;
    int32_t generation_id = 0;           // kAssignment
    Assignments assignments{};           // kAssignment
    std::string old_member_id{};         // kStaticMember: who it was,
    std::string member_id{};             // who it is now,
    int16_t version = 0;                 // how it asked,
    int32_t old_rebalance_timeout_ms{};  // and what it had asked for before
    int32_t old_session_timeout_ms{};
    GroupProtocols old_protocols{};

    void AppendTo(sim::CanonicalBytes& out) const;
  };

  // A TxnOffsetCommit whose transaction is being verified.
  struct Verifying {
    sim::ReplyTo to{};
    sim::PayloadRef request{};

    void AppendTo(sim::CanonicalBytes& out) const;
  };

  // ---- group_coordinator.cc ----
  // The shard of a group, or the error of every request about it.
  [[nodiscard]] GroupShard* Locate(const std::string& group_id, broker::ErrorCode& error);
  // Traces a refusal, with `group` as far as it is known.
  void NoteRefusal(Turn& turn, const GroupRequest& request, const ClassicGroup* group,
                   broker::ErrorCode error);

  // ---- group_append.cc ----
  // Appends the operation's batch (acks = 1).
  void Append(Turn& turn, PendingOperation operation,
              broker::VerificationGuard guard = broker::kNoVerificationGuard,
              std::optional<broker::PointEffect> appended = {});
  // Answers when all that is in the shard's log is replicated; at once if it is already.
  void AnswerAfterWrites(Turn& turn, const GroupShard& shard, const sim::ReplyTo& to,
                         sim::PayloadRef response);
  void AppendGroup(Turn& turn, const GroupShard& shard, const ClassicGroup& group,
                   PendingOperation operation);
  void Finish(Turn& turn, PendingOperation& operation, broker::ErrorCode log_error);

  // ---- group_join.cc ----
  void HandleJoinGroup(Turn& turn, const sim::ReplyTo& to, const broker::JoinGroupRequest& request);
  void Join(Turn& turn, GroupShard& shard, const sim::ReplyTo& to,
            const broker::JoinGroupRequest& request);
  void RefuseJoin(Turn& turn, const sim::ReplyTo& to, const broker::JoinGroupRequest& request,
                  const ClassicGroup* group, const std::string& member_id, broker::ErrorCode error);
  // True if something was written for the group.
  bool JoinNewMember(Turn& turn, GroupShard& shard, ClassicGroup& group, const sim::ReplyTo& to,
                     const broker::JoinGroupRequest& request);
  void JoinExistingMember(Turn& turn, GroupShard& shard, ClassicGroup& group,
                          const sim::ReplyTo& to, const broker::JoinGroupRequest& request);
  void AddMember(Turn& turn, GroupShard& shard, ClassicGroup& group, const std::string& member_id,
                 const sim::ReplyTo& to, const broker::JoinGroupRequest& request);
  void UpdateMember(Turn& turn, GroupShard& shard, ClassicGroup& group, GroupMember& member,
                    const sim::ReplyTo& to, const broker::JoinGroupRequest& request,
                    std::string_view reason);
  [[nodiscard]] bool AcceptsJoiningMember(const Turn& turn, const ClassicGroup& group,
                                          const std::string& member_id) const;

  // ---- group_static_join.cc ----
  bool ReplaceStaticMember(Turn& turn, GroupShard& shard, ClassicGroup& group,
                           const std::string& old_member_id, const std::string& new_member_id,
                           const sim::ReplyTo& to, const broker::JoinGroupRequest& request);
  void FinishStaticMember(Turn& turn, GroupShard& shard, ClassicGroup& group,
                          const PendingOperation& operation, broker::ErrorCode error);

  // ---- group_rebalance.cc ----
  void MaybePrepareRebalance(Turn& turn, GroupShard& shard, ClassicGroup& group,
                             std::string_view reason);
  void PrepareRebalance(Turn& turn, GroupShard& shard, ClassicGroup& group,
                        std::string_view reason);
  void MaybeCompleteJoinPhase(Turn& turn, GroupShard& shard, ClassicGroup& group);
  void CompleteJoin(Turn& turn, GroupShard& shard, ClassicGroup& group);
  void ExtendInitialRebalance(Turn& turn, GroupShard& shard, ClassicGroup& group);
  void ExpirePendingSync(Turn& turn, GroupShard& shard, ClassicGroup& group);
  void ExpireMember(Turn& turn, GroupShard& shard, ClassicGroup& group,
                    const std::string& member_id);
  void AnswerJoin(Turn& turn, GroupMember& member, broker::JoinGroupResponse response);
  void AnswerSync(Turn& turn, GroupMember& member, broker::SyncGroupResponse response);
  // Every member that waits for its assignment hears `error`.
  void FailSync(Turn& turn, GroupShard& shard, ClassicGroup& group, broker::ErrorCode error);

  // ---- group_sync.cc ----
  void HandleSyncGroup(Turn& turn, const sim::ReplyTo& to, const broker::SyncGroupRequest& request);
  void TakeAssignment(Turn& turn, GroupShard& shard, ClassicGroup& group,
                      const broker::SyncGroupRequest& request);
  void FinishAssignment(Turn& turn, GroupShard& shard, ClassicGroup& group,
                        const PendingOperation& operation, broker::ErrorCode error);

  // ---- group_members.cc ----
  void HandleHeartbeat(Turn& turn, const sim::ReplyTo& to, const broker::HeartbeatRequest& request);
  void HandleLeaveGroup(Turn& turn, const sim::ReplyTo& to,
                        const broker::LeaveGroupRequest& request);
  [[nodiscard]] broker::ErrorCode Leave(Turn& turn, GroupShard& shard, ClassicGroup& group,
                                        const broker::LeaveGroupRequest::Member& leaving);

  // ---- group_deadlines.cc ----
  void RescheduleSession(Turn& turn, GroupShard& shard, GroupMember& member, int64_t timeout_ms);
  // Arms the shard's timer if it is not armed for this time or an earlier one.
  void WakeAt(Turn& turn, GroupShard& shard, sim::Time deadline);
  void Wake(Turn& turn, GroupShard& shard);

  // ---- group_offsets.cc ----
  // The shard, if the commit may be written; else nullptr, and it is refused in `response`.
  template <typename Request, typename Response>
  GroupShard* AllowCommit(Turn& turn, const sim::ReplyTo& to, const Request& request,
                          bool topic_ids, bool transactional, Response& response);
  void HandleOffsetCommit(Turn& turn, const sim::ReplyTo& to,
                          const broker::OffsetCommitRequest& request);
  void HandleOffsetFetch(Turn& turn, const sim::ReplyTo& to,
                         const broker::OffsetFetchRequest& request);
  void HandleTxnOffsetCommit(Turn& turn, const sim::ReplyTo& to, const sim::PayloadRef& request);
  void CommitTransactionalOffsets(Turn& turn, const sim::ReplyTo& to,
                                  const broker::TxnOffsetCommitRequest& request,
                                  broker::VerificationGuard guard);
  // NONE, or why the group takes no offsets from whoever sends this request.
  [[nodiscard]] broker::ErrorCode ValidateCommit(Turn& turn, GroupShard& shard,
                                                 const GroupRequest& request, bool transactional);
  // The records of what is to be committed; fills in the results.
  [[nodiscard]] broker::RecordBatch CommitBatch(
      const Turn& turn, const std::string& group_id,
      const std::vector<broker::OffsetToCommit>& offsets,
      std::vector<broker::CommittedPartition>& results) const;

  // ---- group_expiry.cc ----
  // After each change of a group or its offsets: a sweep may have something to find.
  void ArmExpiry(Turn& turn, GroupShard& shard, const std::string& group_id);
  void ArmExpiryOfAll(Turn& turn, GroupShard& shard);
  void RemoveExpired(Turn& turn, GroupShard& shard);
  void AppendTombstones(Turn& turn, const GroupShard& shard, std::vector<broker::Record> records);

  // ---- group_loading.cc ----
  void Load(Turn& turn, int32_t index);

  Options options_;
  sim::Cow<GroupShards> shards_;
  sim::Cow<SlotTable<PendingOperation>> operations_;
  sim::Cow<SlotTable<Verifying>> verifying_;
};

}  // namespace kafkasim::coordinator
