// What a search asks of every state: the invariants, which know more than the kernel does.
#pragma once

#include <bitset>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/world.h"

namespace kafkasim::sim {

struct Violation {
  std::string name{};  // of the invariant
  std::string what{};  // what is wrong, with the values

  friend bool operator==(const Violation&, const Violation&) = default;
};

// What a state is an instance of, by the judge's own numbering. A search counts how many states
// show each, so that it can be told which situations it never came across.
using Situations = std::bitset<64>;

// All methods are called from several threads at once.
class Judge {
 public:
  virtual ~Judge() = default;
  // About a step: `now` was made of `before` by one move. Asked at each transition.
  virtual void CheckStep(const World& /*before*/, const World& /*now*/,
                         std::vector<Violation>& /*found*/) const {}
  // About a state. Gives the situations that it shows, a bit each.
  virtual Situations CheckState(const World& now, std::vector<Violation>& found) const = 0;
  // About a state in which nothing more happens.
  virtual void CheckEnd(const World& /*end*/, std::vector<Violation>& /*found*/) const {}

 protected:
  Judge() = default;
  Judge(const Judge&) = default;
  Judge& operator=(const Judge&) = default;
};

// Says of another judge's violations only those of one name: for ways that lead past others.
class OneName final : public Judge {
 public:
  // Both must outlive it.
  OneName(const Judge& judge, const std::string& name) : judge_(judge), name_(name) {}

  void CheckStep(const World& before, const World& now,
                 std::vector<Violation>& found) const override {
    judge_.CheckStep(before, now, found);
    LeaveOutOthers(found);
  }
  Situations CheckState(const World& now, std::vector<Violation>& found) const override {
    const Situations shown = judge_.CheckState(now, found);
    LeaveOutOthers(found);
    return shown;
  }
  void CheckEnd(const World& end, std::vector<Violation>& found) const override {
    judge_.CheckEnd(end, found);
    LeaveOutOthers(found);
  }

 private:
  void LeaveOutOthers(std::vector<Violation>& found) const {
    std::erase_if(found, [&](const Violation& violation) { return violation.name != name_; });
  }

  const Judge& judge_;
  const std::string& name_;
};

}  // namespace kafkasim::sim
