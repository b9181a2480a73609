// An integer with a meaning: a producer epoch cannot be passed where an offset is wanted.
// Ids support comparison and ++; the arithmetic is that of a position (id + n, id - id).
#pragma once

#include <compare>
#include <concepts>
#include <ostream>

#include <fmt/format.h>

namespace kafkasim::sim {

template <typename Tag, std::integral Rep>
class StrongInt {
 public:
  using rep = Rep;

  constexpr StrongInt() = default;
  constexpr explicit StrongInt(Rep value) : value_(value) {}

  [[nodiscard]] constexpr Rep value() const { return value_; }

  friend constexpr auto operator<=>(StrongInt, StrongInt) = default;

  constexpr StrongInt& operator++() {
    ++value_;
    return *this;
  }
  friend constexpr StrongInt operator+(StrongInt position, Rep n) {
    return StrongInt(static_cast<Rep>(position.value_ + n));
  }
  friend constexpr StrongInt operator-(StrongInt position, Rep n) {
    return StrongInt(static_cast<Rep>(position.value_ - n));
  }
  friend constexpr Rep operator-(StrongInt a, StrongInt b) {
    return static_cast<Rep>(a.value_ - b.value_);
  }
  friend std::ostream& operator<<(std::ostream& out, StrongInt id) { return out << +id.value_; }

 private:
  Rep value_ = 0;
};

}  // namespace kafkasim::sim

template <typename Tag, typename Rep>
struct fmt::formatter<kafkasim::sim::StrongInt<Tag, Rep>> : fmt::formatter<Rep> {
  template <typename Context>
  auto format(kafkasim::sim::StrongInt<Tag, Rep> id, Context& context) const {
    return fmt::formatter<Rep>::format(id.value(), context);
  }
};
