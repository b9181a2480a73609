// A fingerprint that is taken once and kept, beside a value that several threads may read.
#pragma once

#include <atomic>
#include <cstdint>

#include "sim/fingerprint.h"

namespace kafkasim::sim {

class CachedFingerprint {
 public:
  // The cached fingerprint, or that of `value`, which is then cached. When two threads ask at once,
  // one of them caches and both compute.
  template <typename T>
  Fingerprint Get(const T& value) {
    if (state_.load(std::memory_order_acquire) == State::kReady) return cached_;
    const Fingerprint fresh = FingerprintOf(value);
    State expected = State::kEmpty;
    if (state_.compare_exchange_strong(expected, State::kBusy, std::memory_order_acquire)) {
      cached_ = fresh;
      state_.store(State::kReady, std::memory_order_release);
    }
    return fresh;
  }

  // To be called by the only owner of the value, before it changes.
  void Forget() { state_.store(State::kEmpty, std::memory_order_relaxed); }

 private:
  enum class State : uint8_t { kEmpty, kBusy, kReady };

  std::atomic<State> state_{State::kEmpty};
  Fingerprint cached_;
};

}  // namespace kafkasim::sim
