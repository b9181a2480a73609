// Copy on write: the handle from which a world is built, so that copying a world costs a few dozen
// reference counts and taking its fingerprint hashes only the parts that changed.
//
// Copies share one block. `Mutable()` gives a reference for writing: to the block itself when this
// handle is its only owner, else to a fresh copy. The block caches the fingerprint of its value;
// `Mutable()` forgets it. Blocks may be shared between threads (each handle belongs to one thread).
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "sim/cached_fingerprint.h"
#include "sim/fingerprint.h"

namespace kafkasim::sim {

template <typename T>
class Cow {
 public:
  Cow() : Cow(T{}) {}
  explicit Cow(T value) : block_(new Block(std::move(value))) {}
  Cow(const Cow& other) : block_(other.block_) {
    block_->owners.fetch_add(1, std::memory_order_relaxed);
  }
  Cow(Cow&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  Cow& operator=(const Cow& other) {
    if (block_ != other.block_) Cow(other).swap(*this);
    return *this;
  }
  Cow& operator=(Cow&& other) noexcept {
    Cow(std::move(other)).swap(*this);
    return *this;
  }
  ~Cow() { Release(); }

  void swap(Cow& other) noexcept { std::swap(block_, other.block_); }

  const T& operator*() const { return block_->value; }
  const T* operator->() const { return &block_->value; }

  // The value for writing. Ask anew in each handler: a reference kept from an earlier call may
  // belong to other copies by now, and writing through it would not refresh the fingerprint.
  [[nodiscard]] T& Mutable() {
    if (block_->owners.load(std::memory_order_acquire) != 1) {
      Detach();
    } else {
      block_->cache.Forget();
    }
    return block_->value;
  }

  // True if both handles share one block, which implies equal values.
  [[nodiscard]] bool SharesWith(const Cow& other) const { return block_ == other.block_; }

  [[nodiscard]] Fingerprint fingerprint() const { return block_->cache.Get(block_->value); }

  void AppendTo(CanonicalBytes& out) const {
    if (out.exact()) {
      out.Add(block_->value);
    } else {
      out.Add(fingerprint());
    }
  }

 private:
  struct Block {
    explicit Block(T v) : value(std::move(v)) {}

    std::atomic<uint32_t> owners{1};
    CachedFingerprint cache;
    T value;
  };

  // Out of line: in a run that nobody copies it is never needed.
  [[gnu::noinline]] void Detach() {
    Block* copy = new Block(block_->value);
    Release();
    block_ = copy;
  }

  void Release() {
    if (block_ != nullptr && block_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      delete block_;
    }
  }

  Block* block_;
};

}  // namespace kafkasim::sim
