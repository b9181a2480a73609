#include "coordinator/group_coordinator.h"

#include "coordinator/coordinator_timers.h"
#include "coordinator/group_timers.h"
#include "coordinator/group_trace.h"
#include "sim/check.h"

namespace kafkasim::coordinator {

using broker::ApiKey;
using broker::BodyOf;
using broker::Effects;
using broker::ErrorCode;
using broker::ServiceContext;

std::unique_ptr<broker::Service> GroupCoordinator::Clone() const {
  return std::make_unique<GroupCoordinator>(*this);
}

void GroupCoordinator::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(shards_);
  out.Add(operations_);
  out.Add(verifying_);
}

void GroupCoordinator::PendingOperation::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(kind);
  out.Add(shard);
  out.Add(epoch);
  out.Add(to);
  out.Add(response != nullptr);
  if (response != nullptr) out.Add(response->fingerprint());
  out.Add(group_id);
  out.Add(batch.records != nullptr);
  if (batch.records != nullptr) out.Add(batch);
  out.Add(written);
  out.Add(generation_id);
  out.Add(static_cast<uint32_t>(assignments.size()));
  for (const auto& assignment : assignments) {
    out.Add(assignment.member_id);
    out.AddAll(assignment.partitions);
  }
  out.Add(old_member_id);
  out.Add(member_id);
  out.Add(version);
  out.Add(old_rebalance_timeout_ms);
  out.Add(old_session_timeout_ms);
  out.AddAll(old_protocols);
}

void GroupCoordinator::Verifying::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(to);
  out.Add(request->fingerprint());
}

std::string_view GroupCoordinator::topic() const { return broker::kConsumerOffsetsTopic; }

bool GroupCoordinator::Serves(ApiKey key) const {
  switch (key) {
    case ApiKey::kJoinGroup:
    case ApiKey::kSyncGroup:
    case ApiKey::kHeartbeat:
    case ApiKey::kLeaveGroup:
    case ApiKey::kOffsetCommit:
    case ApiKey::kOffsetFetch:
    case ApiKey::kTxnOffsetCommit:
      return true;
    default:
      return false;
  }
}

void GroupCoordinator::OnStart(const ServiceContext&, Effects&) {}

void GroupCoordinator::OnRequest(const ServiceContext& context, const sim::RequestIn& request,
                                 Effects& effects) {
  Turn turn{context, effects};
  const sim::ReplyTo& to = request.reply_to;
  const sim::Payload& payload = *request.payload;
  switch (broker::AsMessage(payload).key()) {
    case ApiKey::kJoinGroup:
      return HandleJoinGroup(turn, to, BodyOf<broker::JoinGroupRequest>(payload));
    case ApiKey::kSyncGroup:
      return HandleSyncGroup(turn, to, BodyOf<broker::SyncGroupRequest>(payload));
    case ApiKey::kHeartbeat:
      return HandleHeartbeat(turn, to, BodyOf<broker::HeartbeatRequest>(payload));
    case ApiKey::kLeaveGroup:
      return HandleLeaveGroup(turn, to, BodyOf<broker::LeaveGroupRequest>(payload));
    case ApiKey::kOffsetCommit:
      return HandleOffsetCommit(turn, to, BodyOf<broker::OffsetCommitRequest>(payload));
    case ApiKey::kOffsetFetch:
      return HandleOffsetFetch(turn, to, BodyOf<broker::OffsetFetchRequest>(payload));
    case ApiKey::kTxnOffsetCommit:
      return HandleTxnOffsetCommit(turn, to, request.payload);
    default:
      break;
  }
  KAFKASIM_CHECK(false, "a request that the coordinator serves");
}

void GroupCoordinator::OnAnswer(const ServiceContext&, uint64_t, const sim::PayloadRef&, Effects&) {
  KAFKASIM_CHECK(false, "a group coordinator asks nobody");
}

void GroupCoordinator::OnTimer(const ServiceContext& context, uint32_t kind, uint64_t argument,
                               Effects& effects) {
  Turn turn{context, effects};
  const auto [index, epoch] = LoadArgument(argument);
  const GroupShard* known = shards_->Find(index);
  if (known == nullptr || known->epoch.value() != epoch.value()) return;
  const auto timer = static_cast<GroupTimer>(kind);
  if (timer == GroupTimer::kLoad) return Load(turn, index);
  GroupShard& shard = shards_.Mutable().Mutable(index);
  if (timer == GroupTimer::kWake) return Wake(turn, shard);
  if (shard.expiry.IsDue(turn.now())) RemoveExpired(turn, shard);
}

GroupShard* GroupCoordinator::Locate(const std::string& group_id, ErrorCode& error) {
  const GroupShards::Located located = shards_->Locate(group_id);
  switch (located.standing) {
    case GroupShards::Standing::kElsewhere:
      error = ErrorCode::kNotCoordinator;
      return nullptr;
    case GroupShards::Standing::kLoading:
      error = ErrorCode::kCoordinatorLoadInProgress;
      return nullptr;
    case GroupShards::Standing::kHere:
      break;
  }
  error = ErrorCode::kNone;
  return &shards_.Mutable().Mutable(located.index);
}

void GroupCoordinator::NoteRefusal(Turn& turn, const GroupRequest& request,
                                   const ClassicGroup* group, ErrorCode error) {
  if (!turn.context.tracing()) return;
  turn.effects.push_back(GroupRefusedPoint(request, group, error));
}

void GroupCoordinator::OnCrash() {
  shards_ = {};
  operations_ = {};
  verifying_ = {};
}

}  // namespace kafkasim::coordinator
