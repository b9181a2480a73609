// A stable 128-bit fingerprint of a state, and the canonical bytes it is taken from.
//
// Every state type has `void AppendTo(CanonicalBytes&) const`, which writes each field that can
// influence the future, in a fixed order and little-endian, and nothing else: no trace ids, no
// pointers, no capacities. Two states with equal bytes behave alike for ever. The fingerprint is
// XXH3-128 of the bytes. In exact mode shared parts write all their bytes instead of their cached
// fingerprint, so that a search can compare whole states when it must exclude a collision.
#pragma once

#include <array>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>

#include "sim/strong_int.h"
#include "sim/time.h"

namespace kafkasim::sim {

struct Fingerprint {
  uint64_t high = 0;
  uint64_t low = 0;

  friend constexpr auto operator<=>(const Fingerprint&, const Fingerprint&) = default;
};

// 32 hexadecimal digits.
[[nodiscard]] std::string FormatFingerprint(const Fingerprint& fingerprint);
std::ostream& operator<<(std::ostream& out, const Fingerprint& fingerprint);

class CanonicalBytes {
 public:
  enum class Mode : uint8_t { kDigest, kExact };

  explicit CanonicalBytes(Mode mode = Mode::kDigest) : mode_(mode) {}
  CanonicalBytes(const CanonicalBytes&) = delete;
  CanonicalBytes& operator=(const CanonicalBytes&) = delete;

  template <std::integral T>
  void Add(T value) {
    std::memcpy(Reserve(sizeof(T)), &value, sizeof(T));
  }
  template <typename T>
  requires std::is_enum_v<T>
  void Add(T value) { Add(static_cast<std::underlying_type_t<T>>(value)); }
  template <typename Tag, typename Rep>
  void Add(StrongInt<Tag, Rep> id) {
    Add(id.value());
  }
  void Add(Time t) { Add(t.us); }
  void Add(Duration d) { Add(d.us); }
  void Add(const Fingerprint& fingerprint) {
    Add(fingerprint.high);
    Add(fingerprint.low);
  }
  void Add(std::string_view text) {
    Add(static_cast<uint32_t>(text.size()));
    if (!text.empty()) std::memcpy(Reserve(text.size()), text.data(), text.size());
  }
  void Add(const std::string& text) { Add(std::string_view(text)); }
  template <typename T>
  void Add(const std::optional<T>& value) {
    Add(value.has_value());
    if (value.has_value()) Add(*value);
  }
  // Any state type.
  template <typename T>
  requires requires(const T& state, CanonicalBytes& out) { state.AppendTo(out); }
  void Add(const T& state) { state.AppendTo(*this); }
  // A sized range of anything that can be added: its length, then its elements.
  template <typename Range>
  void AddAll(const Range& range) {
    Add(static_cast<uint32_t>(range.size()));
    for (const auto& element : range) Add(element);
  }

  [[nodiscard]] bool exact() const { return mode_ == Mode::kExact; }
  [[nodiscard]] std::string_view bytes() const { return {data_, size_}; }
  [[nodiscard]] Fingerprint Digest() const;

 private:
  // A buffer of our own, since every field of every changed state passes through here.
  char* Reserve(size_t n) {
    if (n > capacity_ - size_) [[unlikely]]
      Grow(n);
    char* const at = data_ + size_;
    size_ += n;
    return at;
  }
  void Grow(size_t n);

  static constexpr size_t kInlineBytes = 1024;

  Mode mode_;
  size_t size_ = 0;
  size_t capacity_ = kInlineBytes;
  std::unique_ptr<char[]> heap_;
  std::array<char, kInlineBytes> inline_;  // not initialised on purpose
  char* data_ = inline_.data();
};

// The fingerprint of one state type, from its canonical bytes.
template <typename T>
[[nodiscard]] Fingerprint FingerprintOf(const T& state) {
  CanonicalBytes bytes;
  bytes.Add(state);
  return bytes.Digest();
}

}  // namespace kafkasim::sim
