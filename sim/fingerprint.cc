#include "sim/fingerprint.h"

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
  const XXH128_hash_t hash = XXH3_128bits(bytes_.data(), bytes_.size());
  return {.high = hash.high64, .low = hash.low64};
}

}  // namespace kafkasim::sim
