// The sticky assignment when subscriptions differ: class
// AbstractStickyAssignor.GeneralAssignmentBuilder, Kafka 4.4 development line.
//
// What nobody has goes to whoever has least and wants it; then partitions are moved one by one, as
// long as that makes the assignment more even, and back to a previous owner where possible.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "client/sticky_assignment.h"
#include "sim/check.h"

namespace kafkasim::client {
namespace {

using MemberPair = std::pair<MemberNumber, MemberNumber>;  // from, to

// PartitionMovements: moves of one topic between the same two members cancel each other.
class Movements {
 public:
  void Move(PartitionNumber partition, int topic, MemberNumber from, MemberNumber to) {
    MemberPair pair{from, to};
    if (const auto moved = pair_of_.find(partition); moved != pair_of_.end()) {
      const MemberPair before = moved->second;
      by_topic_[topic][before].erase(partition);
      if (by_topic_[topic][before].empty()) by_topic_[topic].erase(before);
      pair_of_.erase(moved);
      if (before.first == to) return;  // it is back where it was
      pair = {before.first, to};
    }
    pair_of_[partition] = pair;
    by_topic_[topic][pair].insert(partition);
  }

  // The partition to move instead, so that nothing goes one way and its like the other.
  [[nodiscard]] PartitionNumber ActualToMove(PartitionNumber partition, int topic,
                                             MemberNumber from, MemberNumber to) const {
    const auto moves = by_topic_.find(topic);
    if (moves == by_topic_.end()) return partition;
    const auto moved = pair_of_.find(partition);
    const MemberNumber source = moved == pair_of_.end() ? from : moved->second.first;
    const auto reverse = moves->second.find({to, source});
    return reverse == moves->second.end() ? partition : *reverse->second.begin();
  }

 private:
  std::map<int, std::map<MemberPair, std::set<PartitionNumber>>> by_topic_;
  std::map<PartitionNumber, MemberPair> pair_of_;
};

class General {
 public:
  explicit General(const StickyTask& task) : task_(task), rows_(task.owned) {
    const GroupSubscription& group = *task.group;
    consumers_of_.resize(group.topics.size());
    topics_of_.resize(group.members.size());
    for (size_t member = 0; member < group.members.size(); ++member) {
      for (size_t topic = 0; topic < group.topics.size(); ++topic) {
        if (!IsSubscribed(group.members[member], group.topics[topic].id)) continue;
        consumers_of_[topic].push_back(static_cast<MemberNumber>(member));
        topics_of_[member].push_back(static_cast<int>(topic));
      }
    }
    owner_.resize(task.partitions.size(), -1);
    fixed_.resize(group.members.size(), false);
  }

  StickyResult Run() {
    const std::vector<PartitionNumber> all = AllByPotentialConsumers();
    FindPrevious();
    DropUnsubscribed();
    std::vector<PartitionNumber> unassigned;
    for (const PartitionNumber number : all) {
      if (OwnerOf(number) < 0) unassigned.push_back(number);
    }
    for (int member = 0; member < task_.member_count(); ++member) by_size_.insert(KeyOf(member));
    Balance(all, unassigned);
    return {.assignment = rows_};
  }

 private:
  using Key = std::pair<size_t, MemberNumber>;

  [[nodiscard]] int TopicOf(PartitionNumber number) const {
    return task_.partitions[static_cast<size_t>(number)].topic;
  }
  [[nodiscard]] const std::vector<MemberNumber>& ConsumersOf(PartitionNumber number) const {
    return consumers_of_[static_cast<size_t>(TopicOf(number))];
  }
  [[nodiscard]] MemberNumber& OwnerOf(PartitionNumber number) {
    return owner_[static_cast<size_t>(number)];
  }
  [[nodiscard]] std::vector<PartitionNumber>& RowOf(MemberNumber member) {
    return rows_[static_cast<size_t>(member)];
  }
  [[nodiscard]] Key KeyOf(MemberNumber member) { return {RowOf(member).size(), member}; }
  [[nodiscard]] bool CanTake(MemberNumber member, PartitionNumber number) const {
    const std::vector<int>& topics = topics_of_[static_cast<size_t>(member)];
    return std::find(topics.begin(), topics.end(), TopicOf(number)) != topics.end();
  }

  // Partitions that fewer members can take come first.
  [[nodiscard]] std::vector<PartitionNumber> AllByPotentialConsumers() const {
    std::vector<PartitionNumber> all(task_.partitions.size());
    for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<PartitionNumber>(i);
    std::stable_sort(all.begin(), all.end(), [this](PartitionNumber a, PartitionNumber b) {
      return ConsumersOf(a).size() < ConsumersOf(b).size();
    });
    return all;
  }

  // prepopulateCurrentAssignments: what was owned in an older generation.
  void FindPrevious() {
    std::map<PartitionNumber, int32_t> generations;
    for (int member = 0; member < task_.member_count(); ++member) {
      const int32_t generation = task_.GenerationOf(member);
      if (generation >= task_.max_generation) continue;
      for (const PartitionNumber number : task_.claimed[static_cast<size_t>(member)]) {
        const auto known = generations.find(number);
        if (known != generations.end() && generation <= known->second) continue;
        generations[number] = generation;
        previous_[number] = member;
      }
    }
  }

  // assignOwnedPartitions: nobody keeps what he is not subscribed to any more.
  void DropUnsubscribed() {
    for (int member = 0; member < task_.member_count(); ++member) {
      std::vector<PartitionNumber> kept;
      for (const PartitionNumber number : RowOf(member)) {
        if (!CanTake(member, number)) {
          revocation_required_ = true;
          continue;
        }
        kept.push_back(number);
        OwnerOf(number) = member;
      }
      RowOf(member) = std::move(kept);
    }
  }

  void GiveToLeastLoaded(PartitionNumber number) {
    for (const Key& key : by_size_) {
      const MemberNumber member = key.second;
      if (!CanTake(member, number)) continue;
      by_size_.erase(key);
      RowOf(member).push_back(number);
      OwnerOf(number) = member;
      by_size_.insert(KeyOf(member));
      return;
    }
  }

  void Balance(const std::vector<PartitionNumber>& all,
               const std::vector<PartitionNumber>& unassigned) {
    const bool initializing = by_size_.rbegin()->first == 0;
    for (const PartitionNumber number : unassigned) {
      if (!ConsumersOf(number).empty()) GiveToLeastLoaded(number);
    }
    // Only what at least two members can take can be moved, and only between members that have or
    // could have something of that kind.
    const auto movable = [this](const std::vector<PartitionNumber>& list) {
      std::vector<PartitionNumber> some;
      for (const PartitionNumber number : list) {
        if (ConsumersOf(number).size() >= 2) some.push_back(number);
      }
      return some;
    };
    for (int member = 0; member < task_.member_count(); ++member) {
      if (CanTakePart(member)) continue;
      by_size_.erase(KeyOf(member));
      fixed_[static_cast<size_t>(member)] = true;
    }
    if (by_size_.empty()) return;
    const auto rows = rows_;
    const auto owners = owner_;
    if (!revocation_required_) (void)Reassign(movable(unassigned));
    const bool reassigned = Reassign(movable(all));
    if (!initializing && reassigned && Unevenness(rows_) >= Unevenness(rows)) {
      rows_ = rows;
      owner_ = owners;
    }
  }

  [[nodiscard]] bool CanTakePart(MemberNumber member) {
    if (RowOf(member).size() < MostFor(member)) return true;
    return std::any_of(RowOf(member).begin(), RowOf(member).end(),
                       [this](PartitionNumber number) { return ConsumersOf(number).size() >= 2; });
  }
  [[nodiscard]] size_t MostFor(MemberNumber member) const {
    size_t most = 0;
    for (const int topic : topics_of_[static_cast<size_t>(member)]) {
      most += static_cast<size_t>(task_.group->topics[static_cast<size_t>(topic)].partitions);
    }
    return most;
  }

  // getBalanceScore: the sum of all differences between two members; less is better.
  [[nodiscard]] int64_t Unevenness(const std::vector<std::vector<PartitionNumber>>& rows) const {
    int64_t score = 0;
    for (size_t a = 0; a < rows.size(); ++a) {
      for (size_t b = a + 1; b < rows.size(); ++b) {
        if (fixed_[a] || fixed_[b]) continue;
        score +=
            std::abs(static_cast<int64_t>(rows[a].size()) - static_cast<int64_t>(rows[b].size()));
      }
    }
    return score;
  }

  // isBalanced: nobody could take a partition from somebody who has two more.
  [[nodiscard]] bool IsBalanced() {
    if (by_size_.begin()->first + 1 >= by_size_.rbegin()->first) return true;
    for (const auto& [size, member] : by_size_) {
      if (size == MostFor(member)) continue;
      for (const int topic : topics_of_[static_cast<size_t>(member)]) {
        const auto at = static_cast<size_t>(topic);
        for (int number = task_.first_of[at]; number < task_.first_of[at + 1]; ++number) {
          const MemberNumber other = OwnerOf(number);
          if (other == member || other < 0) continue;
          if (size + 1 < RowOf(other).size()) return false;
        }
      }
    }
    return true;
  }

  // performReassignments.
  bool Reassign(const std::vector<PartitionNumber>& list) {
    bool any = false;
    for (bool modified = true; modified;) {
      modified = false;
      for (const PartitionNumber number : list) {
        if (IsBalanced()) break;
        if (MoveIfBetter(number)) any = modified = true;
      }
    }
    return any;
  }

  bool MoveIfBetter(PartitionNumber number) {
    const MemberNumber owner = OwnerOf(number);
    const auto previous = previous_.find(number);
    if (previous != previous_.end() && !fixed_[static_cast<size_t>(previous->second)] &&
        RowOf(owner).size() > RowOf(previous->second).size() + 1) {
      Move(number, previous->second);
      return true;
    }
    for (const MemberNumber other : ConsumersOf(number)) {
      if (RowOf(owner).size() <= RowOf(other).size() + 1) continue;
      for (const Key& key : by_size_) {
        if (!CanTake(key.second, number)) continue;
        Move(number, key.second);
        return true;
      }
    }
    return false;
  }

  void Move(PartitionNumber wanted, MemberNumber to) {
    const PartitionNumber number =
        movements_.ActualToMove(wanted, TopicOf(wanted), OwnerOf(wanted), to);
    const MemberNumber from = OwnerOf(number);
    by_size_.erase(KeyOf(from));
    by_size_.erase(KeyOf(to));
    movements_.Move(number, TopicOf(number), from, to);
    auto& row = RowOf(from);
    row.erase(std::remove(row.begin(), row.end(), number), row.end());
    RowOf(to).push_back(number);
    OwnerOf(number) = to;
    by_size_.insert(KeyOf(from));
    by_size_.insert(KeyOf(to));
  }

  const StickyTask& task_;
  std::vector<std::vector<PartitionNumber>> rows_;  // by member
  std::vector<std::vector<MemberNumber>> consumers_of_;
  std::vector<std::vector<int>> topics_of_;
  std::vector<MemberNumber> owner_;
  std::vector<bool> fixed_;
  std::map<PartitionNumber, MemberNumber> previous_;
  std::set<Key> by_size_;  // members that take part, those with least first
  Movements movements_;
  bool revocation_required_ = false;
};

}  // namespace

StickyResult AssignGeneral(const StickyTask& task) { return General(task).Run(); }

}  // namespace kafkasim::client
