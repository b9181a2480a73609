// The states that a search has seen, by fingerprint or, in exact mode, by all their bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <absl/container/btree_set.h>

#include "sim/fingerprint.h"

namespace kafkasim::sim {

// What a state is recognised by. `bytes` only in exact mode.
struct StateKey {
  Fingerprint fingerprint{};
  std::string bytes{};
};

class StateTable {
 public:
  explicit StateTable(bool exact) : exact_(exact), slots_(kFirstSlots) {}

  template <typename State>
  [[nodiscard]] StateKey KeyOf(const State& state) const {
    CanonicalBytes bytes(exact_ ? CanonicalBytes::Mode::kExact : CanonicalBytes::Mode::kDigest);
    bytes.Add(state);
    if (exact_) return {.fingerprint = {}, .bytes = std::string(bytes.bytes())};
    return {.fingerprint = bytes.Digest(), .bytes = {}};
  }
  // May be called from several threads while nothing is inserted.
  [[nodiscard]] bool Contains(const StateKey& key) const;
  // False if it was there.
  bool Insert(const StateKey& key);

  [[nodiscard]] uint64_t bytes() const;

 private:
  static constexpr size_t kFirstSlots = 1024;  // a power of two

  // The slot that holds this fingerprint, or the free one where it belongs. 0 means free: a state
  // with that fingerprint would be looked at again and again, and is as likely as a collision.
  [[nodiscard]] size_t SlotOf(const Fingerprint& fingerprint) const;
  void Grow();

  bool exact_;
  uint64_t size_ = 0;
  std::vector<Fingerprint> slots_;  // open addressing
  absl::btree_set<std::string> exact_states_;
  uint64_t exact_bytes_ = 0;
};

// How likely it is that two of `states` different states have the same 128 bits.
[[nodiscard]] double CollisionChance(uint64_t states);

}  // namespace kafkasim::sim
