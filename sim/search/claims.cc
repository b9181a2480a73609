#include "sim/search/claims.h"

namespace kafkasim::sim {

bool Claims::Claim(const Fingerprint& state, uint64_t number) {
  const size_t slot = state.low % kSlots;
  const std::lock_guard lock(locks_[slot % kLocks]);
  Claimed& known = slots_[slot];
  if (known.state == state && known.number < number) return false;
  known = {.state = state, .number = number};
  return true;
}

}  // namespace kafkasim::sim
