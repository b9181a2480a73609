#include "scenarios/trace_digest.h"

#include <type_traits>
#include <variant>
#include <vector>

#include <xxhash.h>

namespace kafkasim::scenarios {
namespace {

void AppendValue(sim::CanonicalBytes& bytes, const sim::FieldValue& value) {
  bytes.Add(static_cast<std::uint8_t>(value.index()));
  std::visit(
      [&bytes](const auto& v) {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, std::vector<std::string>>) {
          bytes.AddAll(v);
        } else {
          bytes.Add(v);
        }
      },
      value);
}

}  // namespace

void TraceDigest::Add(const sim::TraceEvent& event) {
  sim::CanonicalBytes bytes;
  bytes.Add(value_);
  bytes.Add(event.id);
  bytes.Add(event.at);
  bytes.Add(event.actor);
  bytes.Add(event.kind->name);
  bytes.Add(event.cause);
  bytes.Add(static_cast<std::uint32_t>(event.fields.size()));
  for (const sim::Field& field : event.fields) {
    bytes.Add(field.name);
    AppendValue(bytes, field.value);
  }
  value_ = bytes.Digest();
  ++events_;
}

std::string ContentDigest(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return sim::FormatFingerprint({.high = hash.high64, .low = hash.low64});
}

}  // namespace kafkasim::scenarios
