#include "scenarios/explain_group.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "coordinator/group_events.h"
#include "coordinator/group_view.h"
#include "scenarios/cause_chain.h"
#include "scenarios/cluster_access.h"
#include "scenarios/group_records.h"
#include "scenarios/marker_fate.h"
#include "scenarios/snapshot.h"
#include "scenarios/why_group.h"
#include "scenarios/why_offsets.h"

namespace kafkasim::scenarios {
namespace {

namespace coordinator_events = coordinator::events;
using coordinator::GroupState;
using RecordFate = GroupRecordView::Fate;

// Answers for one group that its coordinator knows.
class GroupExplainer {
 public:
  GroupExplainer(const Moment& moment, const coordinator::ClassicGroup& group, PartitionView log,
                 GroupExplanation& answer)
      : moment_(moment), group_(group), log_(std::move(log)), answer_(answer) {
    records_ = GroupRecords(log_, moment.names, group.group_id);
  }

  void Run(const std::optional<broker::PartitionId>& partition) {
    answer_.sentence = fmt::format("Group {} {}", group_.group_id, WhyGroupState(moment_, group_));
    for (const std::string& name : Concerned(partition)) {
      answer_.partitions.push_back({.partition = name,
                                    .owner = Owner(name),
                                    .committed = Committed(name),
                                    .pending = Pending(name)});
    }
    CauseChain chain(moment_);
    if (partition.has_value()) {
      AddRecords(chain);
    } else {
      AddState(chain);
    }
    answer_.chain = chain.Lines();
  }

 private:
  std::set<std::string> Concerned(const std::optional<broker::PartitionId>& partition) const {
    if (partition.has_value()) return {moment_.names.NameOf(*partition)};
    std::set<std::string> names;
    for (const auto& row : answer_.group->committed) names.insert(row.partition);
    for (const auto& row : answer_.group->pending) names.insert(row.partition);
    for (const auto& member : answer_.group->members) {
      names.insert(member.partitions.begin(), member.partitions.end());
    }
    return names;
  }

  std::string Owner(const std::string& partition) const {
    for (const auto& member : answer_.group->members) {
      const auto& has = member.partitions;
      if (std::find(has.begin(), has.end(), partition) == has.end()) continue;
      std::string text = fmt::format("{} has it as member {}", member.client, member.member_id);
      if (group_.Is(GroupState::kStable)) {
        return text + fmt::format(": assigned in generation {}, by {}", group_.generation_id,
                                  group_.protocol_name.value_or("?"));
      }
      return text + " from the generation before; the rebalance may move it";
    }
    if (group_.members.empty()) return "nobody has it: the group has no members";
    if (!group_.Is(GroupState::kStable)) return "nobody has it: the group rebalances";
    const auto id = moment_.names.FindPartition(partition);
    const bool wanted = id.has_value() && group_.IsSubscribedTo(id->topic);
    return wanted ? fmt::format("nobody has it in generation {}", group_.generation_id)
                  : "nobody has it: no member subscribes to its topic";
  }

  const EntryView* EntryAt(std::int64_t offset) const {
    const auto found = std::find_if(log_.entries.begin(), log_.entries.end(),
                                    [&](const EntryView& e) { return e.offset == offset; });
    return found == log_.entries.end() ? nullptr : &*found;
  }

  // "record 3 of __consumer_offsets-12, by first at 3.456s [event 411]"
  std::string Source(const GroupRecordView& record) const {
    const EntryView* entry = EntryAt(record.offset);
    std::string text = fmt::format("record {} of {}", record.offset, log_.name);
    // A coordinator removes what is unused by itself.
    if (!entry->actor.empty() && !record.tombstone) text += ", by " + entry->actor;
    if (entry->appended.event != sim::kNoEvent) {
      text += fmt::format(" at {} [event {}]", sim::FormatTime(entry->appended.at),
                          entry->appended.event);
    }
    return text;
  }

  std::string Transaction(const GroupRecordView& record) const {
    const EntryView& entry = *EntryAt(record.offset);
    return TransactionText(entry.transactional_id, entry.actor, entry.producer_id, entry.epoch);
  }

  std::string Committed(const std::string& partition) {
    const GroupRecordView* committed = nullptr;
    const GroupRecordView* last = nullptr;
    for (const GroupRecordView& record : records_) {
      if (record.partition != partition) continue;
      last = &record;
      if (record.fate == RecordFate::kCounts) committed = &record;  // the later record wins
    }
    if (last == nullptr) return "nothing: nobody has committed an offset for it";
    decisive_.push_back(last->offset);
    std::string text = "nothing";
    if (committed != nullptr && !committed->tombstone) {
      decisive_.push_back(committed->offset);
      text = fmt::format("{}: {}", committed->committed, Source(*committed));
      if (committed->producer_id >= 0) {
        decisive_.push_back(committed->decided_at);
        text += fmt::format("; it counts since the COMMIT marker at {}", committed->decided_at);
      }
      if (std::max(committed->offset, committed->decided_at) >= log_.high_watermark) {
        text += ", which is not replicated yet: no consumer is told of it";
      }
    } else if (committed != nullptr) {
      text += fmt::format(": {} is its tombstone", Source(*committed));
      text += ReasonOfRemoval(partition);
    }
    return text + (last == committed ? "" : WhyNot(*last));
  }

  std::string ReasonOfRemoval(const std::string& partition) const {
    const sim::TraceEvent* removed =
        LastOfGroup(moment_, coordinator_events::kOffsetsExpired, group_.group_id);
    if (removed == nullptr) return "";
    const auto* offsets = std::get_if<std::vector<std::string>>(removed->Find("offsets"));
    if (std::find(offsets->begin(), offsets->end(), partition) == offsets->end()) return "";
    return fmt::format(" ({})", removed->Text("reason"));
  }

  // What came of a later try to commit.
  std::string WhyNot(const GroupRecordView& record) {
    if (record.fate == RecordFate::kAborted) {
      decisive_.push_back(record.decided_at);
      return fmt::format("; {} of {} was dropped by the ABORT marker at {}", record.committed,
                         Transaction(record), record.decided_at);
    }
    if (record.fate == RecordFate::kOvertaken) {
      decisive_.push_back(record.decided_at);
      return fmt::format("; {} of {} was overtaken by a later record", record.committed,
                         Transaction(record));
    }
    return "";
  }

  std::vector<std::string> Pending(const std::string& partition) {
    std::vector<std::string> texts;
    for (const GroupRecordView& record : records_) {
      if (record.partition != partition || record.fate != RecordFate::kPending) continue;
      const auto open = std::find_if(
          log_.open.begin(), log_.open.end(),
          [&](const OpenTransactionView& each) { return each.producer_id == record.producer_id; });
      std::string text = fmt::format("{}: {}", record.committed, Source(record));
      if (open != log_.open.end()) text += "; " + WhyOpen(moment_, log_, *open);
      texts.push_back(std::move(text));
      decisive_.push_back(record.offset);
      pending_of_.insert(record.producer_id);
    }
    return texts;
  }

  void AddRecords(CauseChain& chain) const {
    for (const std::int64_t offset : decisive_) {
      const EntryView* entry = EntryAt(offset);
      if (entry != nullptr) chain.AddCausesOf(entry->appended.event);
    }
    for (const std::int64_t producer_id : pending_of_) {
      const auto fate = FateOfMarker(moment_, log_, producer_id);
      if (fate.has_value()) chain.AddCausesOf(fate->event);
    }
  }

  void AddState(CauseChain& chain) const {
    const sim::TraceEvent* state = StateEvent(moment_, group_);
    if (state != nullptr) chain.AddCausesOf(state->id);
    const sim::EventKind* kinds[] = {&coordinator_events::kGroupRebalancing,
                                     &coordinator_events::kMemberLeft,
                                     &coordinator_events::kMemberExpired};
    for (const sim::EventKind* kind : kinds) {
      const sim::TraceEvent* event = LastOfGroup(moment_, *kind, group_.group_id);
      if (event != nullptr) chain.AddCausesOf(event->id);
    }
    for (const auto& member : group_.members) {
      const auto process =
          moment_.names.FindProcess(ActorOf(moment_, member.member_id, member.client_id));
      if (!process.has_value()) continue;
      if (moment_.world.life(*process) == sim::Life::kCrashed) chain.AddCrash(*process);
    }
  }

  const Moment& moment_;
  const coordinator::ClassicGroup& group_;
  PartitionView log_;  // of __consumer_offsets
  GroupExplanation& answer_;
  std::vector<GroupRecordView> records_;
  std::vector<std::int64_t> decisive_;  // offsets of records and markers behind the answers
  std::set<std::int64_t> pending_of_;   // producers
};

// Why no coordinator can say anything of a group.
std::string UnknownText(const Moment& moment, const std::string& group_id,
                        const broker::PartitionId& partition) {
  const std::string name = moment.names.NameOf(partition);
  const broker::BrokerId leader = LeaderOf(moment, partition);
  if (leader == broker::kNoBroker) {
    return fmt::format("Group {} has no coordinator: {} has no leader.", group_id, name);
  }
  if (moment.world.life(broker::ProcessOf(leader)) == sim::Life::kCrashed) {
    return fmt::format(
        "The coordinator of group {}, broker-{}, is down; what {} holds of it will be "
        "read by the next one.",
        group_id, leader, name);
  }
  const sim::TraceEvent* removed = LastOfGroup(moment, coordinator_events::kGroupRemoved, group_id);
  if (removed != nullptr) {
    return fmt::format("Group {} is gone{}: it had neither members nor offsets.", group_id,
                       SinceText(removed));
  }
  std::string others;
  for (const GroupSnapshot& group : ViewGroups(moment)) others += " " + group.group_id;
  return fmt::format(
      "The coordinator broker-{} knows no group {}: nobody has joined it, and no offset is "
      "committed.{}{}",
      leader, group_id, others.empty() ? "" : " Groups at this moment:", others);
}

const coordinator::ClassicGroup* FindClassicGroup(const Moment& moment,
                                                  const GroupSnapshot& group) {
  const broker::Service* service = BrokerAt(moment, broker::BrokerId(group.coordinator))
                                       .FindService(broker::kConsumerOffsetsTopic);
  const auto& coordinator = *coordinator::AsGroupCoordinator(*service);
  return coordinator.shards().Find(group.partition)->Find(group.group_id);
}

}  // namespace

GroupExplanation ExplainGroup(const Moment& moment, std::string_view group_id,
                              std::optional<broker::PartitionId> partition) {
  GroupExplanation answer{.group_id = std::string(group_id), .at = moment.world.now()};
  const auto log = GroupPartition(moment, group_id);
  if (!log.has_value()) {
    answer.sentence = "This cluster has no __consumer_offsets, and so no groups.";
    return answer;
  }
  answer.group = ViewGroup(moment, group_id);
  if (!answer.group.has_value()) {
    answer.sentence = UnknownText(moment, answer.group_id, *log);
    return answer;
  }
  const coordinator::ClassicGroup& group = *FindClassicGroup(moment, *answer.group);
  auto view = ViewPartition(moment, *log, answer.group->coordinator);
  GroupExplainer(moment, group, std::move(*view), answer).Run(partition);
  return answer;
}

}  // namespace kafkasim::scenarios
