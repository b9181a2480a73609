// Laws of the group coordinator over random sequences of requests, times and faults: its log
// replayed is its memory, as far as a log keeps it, and a copy of the coordinator behaves as the
// original.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <fmt/format.h>
#include <rapidcheck/gtest.h>

#include "coordinator/group_shard.h"
#include "sim/fingerprint.h"
#include "tests/coordinator/group_consumer.h"

namespace kafkasim::coordinator {
namespace {

enum class GroupOp {
  kJoin,
  kSync,
  kBeat,
  kLeave,
  kCommit,
  kTxnCommit,
  kMark,
  kWait,
  kHold,
  kFail,
  kReplicate,
  kFailover,
  kRebalance
};

struct GroupStep {
  GroupOp op = GroupOp::kJoin;
  int who = 0;
  int amount = 0;
};

std::ostream& operator<<(std::ostream& out, const GroupStep& step) {
  return out << "{op " << static_cast<int>(step.op) << ", who " << step.who << ", amount "
             << step.amount << "}";
}

rc::Gen<GroupStep> AnyGroupStep() {
  return rc::gen::exec([] {
    return GroupStep{.op = *rc::gen::weightedElement<GroupOp>({{2, GroupOp::kJoin},
                                                               {2, GroupOp::kSync},
                                                               {1, GroupOp::kBeat},
                                                               {1, GroupOp::kLeave},
                                                               {2, GroupOp::kCommit},
                                                               {2, GroupOp::kTxnCommit},
                                                               {2, GroupOp::kMark},
                                                               {3, GroupOp::kWait},
                                                               {1, GroupOp::kHold},
                                                               {1, GroupOp::kFail},
                                                               {2, GroupOp::kReplicate},
                                                               {1, GroupOp::kFailover},
                                                               {2, GroupOp::kRebalance}}),
                     .who = *rc::gen::inRange(0, 3),
                     .amount = *rc::gen::inRange(0, 60)};
  });
}

// A coordinator and the clients that talk to it: two dynamic members, one static, one producer
// each.
struct Play {
  GroupHost host{};
  std::vector<std::string> member_ids = {"", "", ""};
  std::vector<int32_t> generations = {-1, -1, -1};
  std::vector<uint64_t> joins = {0, 0, 0};
  std::vector<int16_t> epochs = {0, 0, 0};
  int32_t leader_epoch = 0;

  [[nodiscard]] GroupConsumer Consumer(size_t who) {
    const auto instance = who == 2 ? std::optional<std::string>("i") : std::nullopt;
    GroupConsumer consumer(host, "c" + std::to_string(who), instance);
    consumer.member_id = member_ids[who];
    consumer.generation = generations[who];
    consumer.rebalance_timeout_ms = 20'000;
    consumer.session_timeout_ms = 10'000;
    return consumer;
  }
  void TakeAnswers() {
    for (size_t who = 0; who < 3; ++who) {
      const auto answer = host.ReplyOf<broker::JoinGroupResponse>(joins[who]);
      if (!answer.has_value()) continue;
      member_ids[who] = answer->member_id;
      generations[who] = answer->generation_id;
    }
  }
  void Join(size_t who) {
    joins[who] = host.Submit(broker::MakeMessage(Consumer(who).JoinRequest()));
    TakeAnswers();
  }
  // Everybody assigns, though only the leader is listened to; the same in a generation, as a leader
  // that repeats its request does. (Were it another assignment, Kafka's memory would be what the
  // first said and its log what the second said.)
  void Sync(size_t who) {
    const std::string partition = fmt::format("foo-{}", std::max(generations[who], 0) % 3);
    std::vector<broker::SyncGroupRequest::Assignment> all;
    for (const std::string& id : member_ids) all.push_back({id, {host.Id(partition)}});
    Consumer(who).Sync(all);
  }
  // What members do that hear of a rebalance: all join and, once they are answered, sync.
  void Rebalance() {
    for (const size_t who : {0, 1, 2}) {
      const bool unknown = member_ids[who].empty() && who != 2;
      Join(who);
      if (unknown) Join(who);
    }
    host.Advance(sim::Seconds(9));
    TakeAnswers();
    for (const size_t who : {0, 1, 2}) Sync(who);
  }
  void Take(const GroupStep& step) {
    const auto who = static_cast<size_t>(step.who);
    GroupConsumer consumer = Consumer(who);
    const std::string partition = "foo-" + std::to_string(step.amount % 3);
    switch (step.op) {
      case GroupOp::kJoin:
        Join(who);
        break;
      case GroupOp::kSync:
        Sync(who);
        break;
      case GroupOp::kBeat:
        (void)host.Submit(broker::MakeMessage(broker::HeartbeatRequest{
            .group_id = "g", .generation_id = generations[who], .member_id = member_ids[who]}));
        break;
      case GroupOp::kLeave:
        (void)host.Submit(broker::MakeMessage(broker::LeaveGroupRequest{
            .group_id = "g", .members = {{.member_id = member_ids[who]}}}));
        break;
      case GroupOp::kCommit:
        (void)consumer.Commit(partition, step.amount);
        break;
      case GroupOp::kTxnCommit:
        (void)host.Submit(broker::MakeMessage(
            broker::TxnOffsetCommitRequest{.version = 5,
                                           .transactional_id = "t",
                                           .group_id = step.amount % 4 == 0 ? "h" : "g",
                                           .producer_id = broker::ProducerId(10 + step.who),
                                           .producer_epoch = broker::ProducerEpoch(epochs[who]),
                                           .offsets = {{.partition = host.Id(partition),
                                                        .offset = broker::Offset(step.amount)}}}));
        break;
      case GroupOp::kMark:
        if (host.Mark(10 + step.who, static_cast<int16_t>(epochs[who] + 1), step.amount % 2 == 0) ==
            broker::ErrorCode::kNone) {
          ++epochs[who];
        }
        break;
      case GroupOp::kWait:
        // Now and then longer than the retention of offsets.
        host.Advance(sim::Seconds(step.amount == 0 ? 8 * 86'400 : step.amount));
        break;
      case GroupOp::kHold:
        host.appends = GroupHost::Appends::kHold;
        break;
      case GroupOp::kFail:
        host.appends = GroupHost::Appends::kFail;
        break;
      case GroupOp::kReplicate:
        host.ReleaseAll();
        break;
      case GroupOp::kFailover:
        host.Resign(0);
        host.Elect(0, ++leader_epoch);
        break;
      case GroupOp::kRebalance:
        Rebalance();
        break;
    }
    TakeAnswers();
  }
};

// What a log keeps of a group in a state in which all of it is written.
void CheckGroup(const ClassicGroup& memory, const ClassicGroup& loaded) {
  RC_ASSERT(memory.generation_id == loaded.generation_id);
  RC_ASSERT(memory.state == loaded.state);
  RC_ASSERT(memory.members.size() == loaded.members.size());
  RC_ASSERT(memory.leader == loaded.leader);
  for (const GroupMember& member : memory.members) {
    const GroupMember* other = loaded.FindMember(member.member_id);
    RC_ASSERT(other != nullptr);
    RC_ASSERT(member.assignment == other->assignment);
    RC_ASSERT(member.group_instance_id == other->group_instance_id);
    RC_ASSERT(member.session_timeout_ms == other->session_timeout_ms);
  }
}

// `faults`: an append has failed, of which Kafka takes back no more than it must.
void CheckGroupReplayIsMemory(const GroupHost& host, bool faults) {
  const GroupShard& shard = *host.coordinator.shards().Find(0);
  GroupShard loaded;
  loaded.Replay(host.log(0));
  OffsetStore offsets = shard.offsets;
  offsets.Forget(host.log(0).high_watermark());
  RC_ASSERT(sim::FingerprintOf(offsets) == sim::FingerprintOf(loaded.offsets));
  if (faults) return;
  RC_ASSERT(shard.groups.size() == loaded.groups.size());
  for (const auto& [group_id, group] : shard.groups) {
    const ClassicGroup* other = loaded.Find(group_id);
    RC_ASSERT(other != nullptr);
    const bool written = group->Is(GroupState::kStable) ||
                         (group->Is(GroupState::kEmpty) && group->generation_id > 0);
    const bool joins =
        std::any_of(group->members.begin(), group->members.end(),
                    [](const GroupMember& member) { return member.awaiting_join.has_value(); });
    if (written && !joins) CheckGroup(*group, *other);
  }
}

RC_GTEST_PROP(GroupLaws, TheLogReplayedIsTheMemory, ()) {
  Play play;
  bool faults = false;
  bool stable = false;
  for (const GroupStep& step : *rc::gen::container<std::vector<GroupStep>>(AnyGroupStep())) {
    play.Take(step);
    faults = faults || step.op == GroupOp::kFail;
    stable = stable || (play.host.Knows("g") && play.host.Find("g").state == GroupState::kStable);
    if (play.host.held() == 0) CheckGroupReplayIsMemory(play.host, faults);
  }
  play.host.ReleaseAll();
  CheckGroupReplayIsMemory(play.host, faults);
  RC_CLASSIFY(stable);
}

RC_GTEST_PROP(GroupLaws, MembersAndGroupsGoWhenNobodyIsHeardOf, ()) {
  Play play;
  for (const GroupStep& step : *rc::gen::container<std::vector<GroupStep>>(AnyGroupStep()))
    play.Take(step);
  play.host.ReleaseAll();
  // Sessions, the timeout of new members, and then the retention of offsets.
  play.host.Advance(sim::Seconds(400));
  for (const GroupView& group : ViewGroups(play.host.coordinator)) {
    RC_ASSERT(group.state == GroupState::kEmpty);
    RC_ASSERT(group.members.empty());
  }
  for (int64_t who = 0; who < 3; ++who) {
    (void)play.host.Mark(10 + who, static_cast<int16_t>(play.epochs[static_cast<size_t>(who)] + 1),
                         false);
  }
  play.host.Advance(sim::Seconds(8 * 86'400));
  RC_ASSERT(ViewGroups(play.host.coordinator).empty());
  RC_ASSERT(play.host.armed_timers() == 0u);
}

RC_GTEST_PROP(GroupLaws, ACopyGoesOnAsTheOriginal, ()) {
  Play original;
  for (const GroupStep& step : *rc::gen::container<std::vector<GroupStep>>(AnyGroupStep()))
    original.Take(step);
  Play copy = original;
  const sim::Fingerprint before = sim::FingerprintOf(original.host.coordinator);
  RC_ASSERT(sim::FingerprintOf(copy.host.coordinator) == before);
  const auto steps = *rc::gen::container<std::vector<GroupStep>>(AnyGroupStep());
  for (const GroupStep& step : steps) copy.Take(step);
  RC_ASSERT(sim::FingerprintOf(original.host.coordinator) == before);
  for (const GroupStep& step : steps) original.Take(step);
  RC_ASSERT(sim::FingerprintOf(copy.host.coordinator) ==
            sim::FingerprintOf(original.host.coordinator));
}

}  // namespace
}  // namespace kafkasim::coordinator
