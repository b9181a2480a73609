#include "sim/fingerprint.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <xxhash.h>

namespace kafkasim::sim {

std::string FormatFingerprint(const Fingerprint& fingerprint) {
  return fmt::format("{:016x}{:016x}", fingerprint.high, fingerprint.low);
}

std::ostream& operator<<(std::ostream& out, const Fingerprint& fingerprint) {
  return out << FormatFingerprint(fingerprint);
}

Fingerprint CanonicalBytes::Digest() const {
  const XXH128_hash_t hash = XXH3_128bits(data_, size_);
  return {.high = hash.high64, .low = hash.low64};
}

void CanonicalBytes::Grow(size_t n) {
  const size_t capacity = std::max(2 * capacity_, size_ + n);
  std::unique_ptr<char[]> larger(new char[capacity]);
  std::memcpy(larger.get(), data_, size_);
  heap_ = std::move(larger);
  data_ = heap_.get();
  capacity_ = capacity;
}

}  // namespace kafkasim::sim
