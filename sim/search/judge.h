// What a search asks of every state: the invariants, which know more than the kernel does.
#pragma once

#include <bitset>
#include <cstdint>
#include <memory>
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

// What a judge sees in a world, which must outlive it and not change meanwhile.
class View {
 public:
  explicit View(const World& world) : world_(world) {}
  virtual ~View() = default;
  View(const View&) = delete;
  View& operator=(const View&) = delete;

  [[nodiscard]] const World& world() const { return world_; }

 private:
  const World& world_;
};

// All methods are called from several threads at once, but only one at a time uses a view.
class Judge {
 public:
  virtual ~Judge() = default;
  // `before`, if not null, is a view of the world that one move made this one of. What is the same
  // in both was asked about there: CheckState need not say again what was wrong with it.
  [[nodiscard]] virtual std::unique_ptr<View> Look(const World& world,
                                                   const View* /*before*/) const {
    return std::make_unique<View>(world);
  }
  // About a step: `now` was made of `before` by one move. Asked at each transition.
  virtual void CheckStep(const View& /*before*/, const View& /*now*/,
                         std::vector<Violation>& /*found*/) const {}
  // About a state. Gives the situations that it shows, a bit each.
  virtual Situations CheckState(const View& now, std::vector<Violation>& found) const = 0;
  // About a state in which nothing more happens.
  virtual void CheckEnd(const View& /*end*/, std::vector<Violation>& /*found*/) const {}

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

  [[nodiscard]] std::unique_ptr<View> Look(const World& world, const View* before) const override {
    return judge_.Look(world, before);
  }
  void CheckStep(const View& before, const View& now,
                 std::vector<Violation>& found) const override {
    judge_.CheckStep(before, now, found);
    LeaveOutOthers(found);
  }
  Situations CheckState(const View& now, std::vector<Violation>& found) const override {
    const Situations shown = judge_.CheckState(now, found);
    LeaveOutOthers(found);
    return shown;
  }
  void CheckEnd(const View& end, std::vector<Violation>& found) const override {
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
