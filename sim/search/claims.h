// Who comes first to a state that several moves of one window lead to. In a window nothing is
// inserted into the table of states, so that each of them finds the state new: what they have found
// is settled afterwards, in order. That costs a whole place each, which is why those who know that
// they are not the first give up early.
//
// Small and of a fixed size: a claim may be forgotten, and then nobody gives up.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "sim/fingerprint.h"

namespace kafkasim::sim {

class Claims {
 public:
  // False if somebody with a lower number has claimed the state: `number` will not be the first.
  // Whoever makes a move again may ask again. From several threads. The numbers of a later window
  // must be higher.
  [[nodiscard]] bool Claim(const Fingerprint& state, uint64_t number);

 private:
  struct Claimed {
    Fingerprint state{};
    uint64_t number = 0;
  };
  static constexpr size_t kSlots = size_t{1} << 15;
  static constexpr size_t kLocks = 64;

  std::vector<Claimed> slots_ = std::vector<Claimed>(kSlots);
  std::array<std::mutex, kLocks> locks_{};
};

}  // namespace kafkasim::sim
