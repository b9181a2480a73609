// What a search asks of every state: the invariants, which know more than the kernel does.
#pragma once

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

// All methods are called from several threads at once.
class Judge {
 public:
  virtual ~Judge() = default;
  // About a step: `now` was made of `before` by one move. Asked at each transition.
  virtual void CheckStep(const World& /*before*/, const World& /*now*/,
                         std::vector<Violation>& /*found*/) const {}
  // About a state. Asked once for each.
  virtual void CheckState(const World& now, std::vector<Violation>& found) const = 0;
  // About a state in which nothing more happens.
  virtual void CheckEnd(const World& /*end*/, std::vector<Violation>& /*found*/) const {}
  // The situations that this state shows, a bit each.
  [[nodiscard]] virtual uint64_t SituationsOf(const World& /*now*/) const { return 0; }

 protected:
  Judge() = default;
  Judge(const Judge&) = default;
  Judge& operator=(const Judge&) = default;
};

}  // namespace kafkasim::sim
