// The sticky assignment when everybody subscribed to the same topics: class
// AbstractStickyAssignor.ConstrainedAssignmentBuilder, Kafka 4.4 development line.
//
// Everybody is to have the minimum quota (partitions divided by members, rounded down), and as many
// as have to get one more get the maximum quota.
#include <algorithm>
#include <list>
#include <map>

#include "client/sticky_assignment.h"
#include "sim/check.h"

namespace kafkasim::client {
namespace {

class Constrained {
 public:
  explicit Constrained(const StickyTask& task)
      : task_(task),
        min_quota_(task.partition_count() / task.member_count()),
        max_quota_(min_quota_ + (task.partition_count() % task.member_count() > 0 ? 1 : 0)),
        expected_over_min_(task.partition_count() % task.member_count()) {
    result_.assignment.resize(task.owned.size());
    result_.transferred.emplace();
  }

  StickyResult Run() {
    for (int member = 0; member < task_.member_count(); ++member) KeepOwned(member);
    std::set<PartitionNumber> taken;
    for (const auto& row : result_.assignment) taken.insert(row.begin(), row.end());
    unfilled_.sort();
    at_min_.sort();
    next_ = unfilled_.begin();
    for (int number = 0; number < task_.partition_count(); ++number) {
      if (taken.count(number) == 0) GiveOut(number);
    }
    std::sort(result_.transferred->begin(), result_.transferred->end());
    return std::move(result_);
  }

 private:
  std::vector<PartitionNumber>& RowOf(MemberNumber member) {
    return result_.assignment[static_cast<size_t>(member)];
  }

  // assignOwnedPartitions: as many as the quota allows, those with low indexes first.
  void KeepOwned(MemberNumber member) {
    std::vector<PartitionNumber> owned = task_.owned[static_cast<size_t>(member)];
    std::erase_if(owned, [&](auto number) { return task_.claimed_twice.count(number) > 0; });
    const auto index = [&](PartitionNumber number) {
      return std::pair(task_.partitions[static_cast<size_t>(number)].id.index, number);
    };
    std::sort(owned.begin(), owned.end(), [&](auto a, auto b) { return index(a) < index(b); });
    const auto count = static_cast<int>(owned.size());
    int kept = min_quota_;
    if (count < min_quota_) {
      kept = count;
      unfilled_.push_back(member);
    } else if (count >= max_quota_ && over_min_ < expected_over_min_) {
      kept = max_quota_;
      if (++over_min_ == expected_over_min_) at_min_.clear();
    } else if (over_min_ < expected_over_min_) {
      at_min_.push_back(member);
    }
    RowOf(member).assign(owned.begin(), owned.begin() + kept);
    for (int i = kept; i < count; ++i) given_up_[owned[static_cast<size_t>(i)]] = member;
  }

  // assignRoundRobin: in turn to those below the minimum, then one more for some.
  void GiveOut(PartitionNumber number) {
    MemberNumber member = 0;
    if (unfilled_.empty()) {
      KAFKASIM_CHECK(!at_min_.empty(), "there is room for every partition");
      member = at_min_.front();
      at_min_.pop_front();
    } else {
      if (next_ == unfilled_.end()) next_ = unfilled_.begin();
      member = *next_;
    }
    const bool in_turn = !unfilled_.empty();
    RowOf(member).push_back(number);
    const auto previous = given_up_.find(number);
    const bool moves = previous != given_up_.end() && previous->second != member;
    if (moves || task_.claimed_twice.count(number) > 0) {
      result_.transferred->emplace_back(number, member);
    }
    if (!in_turn) return;
    if (static_cast<int>(RowOf(member).size()) == min_quota_) {
      next_ = unfilled_.erase(next_);
      at_min_.push_back(member);
    } else {
      ++next_;
    }
  }

  const StickyTask& task_;
  const int min_quota_;
  const int max_quota_;
  const int expected_over_min_;
  int over_min_ = 0;
  std::map<PartitionNumber, MemberNumber> given_up_;
  std::list<MemberNumber> unfilled_;  // below the minimum
  std::list<MemberNumber> at_min_;    // that may get one more
  std::list<MemberNumber>::iterator next_;
  StickyResult result_;
};

}  // namespace

StickyResult AssignConstrained(const StickyTask& task) { return Constrained(task).Run(); }

}  // namespace kafkasim::client
