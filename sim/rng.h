// The simulator's only source of chance: SplitMix64 (Steele, Lea, Flood 2014), whose output is
// fully specified, so that a seed means the same run on every machine and compiler. Bounded draws
// are ours as well: the standard distributions are not specified.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace kafkasim::sim {

class Rng {
 public:
  constexpr explicit Rng(uint64_t seed = 0) : state_(seed) {}

  // The next 64 bits.
  constexpr uint64_t Next() {
    state_ += 0x9e3779b97f4a7c15u;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  // A number in [0, bound), unbiased (rejection). `bound` must be positive.
  constexpr uint64_t Below(uint64_t bound) {
    const uint64_t threshold = (0 - bound) % bound;
    for (;;) {
      const uint64_t draw = Next();
      if (draw >= threshold) return draw % bound;
    }
  }

  // A number in [low, high], both included.
  constexpr int64_t Between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(Below(static_cast<uint64_t>(high - low) + 1));
  }

  [[nodiscard]] constexpr uint64_t state() const { return state_; }
  friend constexpr bool operator==(const Rng&, const Rng&) = default;

 private:
  uint64_t state_;
};

// One stream a purpose, so that a new draw in one place does not shift the draws of the others.
enum class RngStream : uint8_t { kNetwork, kClients, kFaults };
inline constexpr size_t kRngStreams = 3;

// All streams of a run, derived from one seed.
class RngStreams {
 public:
  constexpr explicit RngStreams(uint64_t seed = 0) {
    for (size_t i = 0; i < kRngStreams; ++i) {
      Rng mixer(seed ^ (0xd1b54a32d192ed03u * (i + 1)));
      streams_[i] = Rng(mixer.Next());
    }
  }

  constexpr Rng& operator[](RngStream stream) { return streams_[static_cast<size_t>(stream)]; }
  [[nodiscard]] constexpr const std::array<Rng, kRngStreams>& streams() const { return streams_; }

 private:
  std::array<Rng, kRngStreams> streams_;
};

}  // namespace kafkasim::sim
