// The deadlines of members and of rebalances. Kafka has a timer for each, which every heartbeat
// sets anew (CoordinatorTimer). Here a shard has one, for the earliest of them; when it fires,
// whatever is due happens in the order of the deadlines, and it is set for the next.
#include <optional>
#include <string>
#include <utility>

#include "coordinator/coordinator_timers.h"
#include "coordinator/group_coordinator.h"
#include "coordinator/group_timers.h"

namespace kafkasim::coordinator {

namespace {

// The earliest deadline of a shard, and whose it is: of the group's join phase, of its sync phase,
// or of a member.
struct Deadline {
  sim::Time at{};
  std::string group_id{};
  enum class Kind : uint8_t { kJoin, kSync, kMember } kind = Kind::kJoin;
  std::string member_id{};
};

class Earliest {
 public:
  void Take(sim::Time at, const std::string& group_id, Deadline::Kind kind,
            const std::string& member_id = "") {
    if (found_.has_value() && found_->at <= at) return;
    found_ = Deadline{at, group_id, kind, member_id};
  }
  [[nodiscard]] const std::optional<Deadline>& found() const { return found_; }

 private:
  std::optional<Deadline> found_;
};

std::optional<Deadline> FindEarliest(const GroupShard& shard) {
  Earliest earliest;
  for (const auto& [group_id, group] : shard.groups) {
    if (group->join_timer.has_value()) {
      earliest.Take(group->join_timer->deadline, group_id, Deadline::Kind::kJoin);
    }
    if (group->sync_deadline.has_value()) {
      earliest.Take(*group->sync_deadline, group_id, Deadline::Kind::kSync);
    }
    for (const PendingMember& member : group->pending_members) {
      earliest.Take(member.deadline, group_id, Deadline::Kind::kMember, member.member_id);
    }
    for (const GroupMember& member : group->members) {
      if (!member.session_deadline.has_value()) continue;
      earliest.Take(*member.session_deadline, group_id, Deadline::Kind::kMember, member.member_id);
    }
  }
  return earliest.found();
}

}  // namespace

void GroupCoordinator::RescheduleSession(Turn& turn, GroupShard& shard, GroupMember& member,
                                         int64_t timeout_ms) {
  member.session_deadline = turn.now() + sim::Millis(timeout_ms);
  WakeAt(turn, shard, *member.session_deadline);
}

void GroupCoordinator::WakeAt(Turn& turn, GroupShard& shard, sim::Time deadline) {
  if (shard.wake.has_value() && *shard.wake <= deadline) return;
  shard.wake = deadline;
  turn.effects.push_back(broker::TimerEffect{
      .delay = deadline - turn.now(),
      .kind = static_cast<uint32_t>(GroupTimer::kWake),
      .argument = LoadArgument(shard.index, broker::CoordinatorEpoch(shard.epoch.value()))});
}

void GroupCoordinator::Wake(Turn& turn, GroupShard& shard) {
  // A timer that an earlier deadline has overtaken.
  if (!shard.wake.has_value() || turn.now() < *shard.wake) return;
  std::optional<Deadline> next = FindEarliest(shard);
  for (; next.has_value() && next->at <= turn.now(); next = FindEarliest(shard)) {
    ClassicGroup& group = *shard.FindMutable(next->group_id);
    if (next->kind == Deadline::Kind::kJoin) {
      if (group.join_timer->initial) {
        ExtendInitialRebalance(turn, shard, group);
      } else {
        CompleteJoin(turn, shard, group);
      }
    } else if (next->kind == Deadline::Kind::kSync) {
      ExpirePendingSync(turn, shard, group);
    } else if (GroupMember* member = group.FindMember(next->member_id);
               member != nullptr && member->HasSatisfiedHeartbeat()) {
      member->session_deadline.reset();  // until it is answered
    } else {
      ExpireMember(turn, shard, group, next->member_id);
    }
  }
  shard.wake.reset();
  if (next.has_value()) WakeAt(turn, shard, next->at);
}

}  // namespace kafkasim::coordinator
