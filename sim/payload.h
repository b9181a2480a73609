// The immutable body of a message between processes. The kernel moves it, holds it, drops it or
// repeats it without knowing what it says; it only asks for the API's name and for the attributes
// by which a fault chooses its victim.
#pragma once

#include <memory>
#include <string_view>

#include "sim/cached_fingerprint.h"
#include "sim/fingerprint.h"

namespace kafkasim::sim {

class Payload {
 public:
  Payload() = default;
  Payload(const Payload&) = delete;
  Payload& operator=(const Payload&) = delete;
  virtual ~Payload() = default;

  // The name of the API, e.g. "EndTxn"; the same for the request and its answer.
  [[nodiscard]] virtual std::string_view api() const = 0;
  // True if the payload concerns `value` under `attribute` (e.g. "partition", "orders-0").
  [[nodiscard]] virtual bool Concerns(std::string_view attribute, std::string_view value) const = 0;
  virtual void AppendTo(CanonicalBytes& out) const = 0;

  [[nodiscard]] Fingerprint fingerprint() const { return cache_.Get(*this); }

 private:
  mutable CachedFingerprint cache_;
};

using PayloadRef = std::shared_ptr<const Payload>;

}  // namespace kafkasim::sim
