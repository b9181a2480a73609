// A place in a scenario file, carried by whatever was read from there, so that an error and a
// failed expectation can both point at the line that asked for it.

#pragma once

#include <compare>
#include <ostream>
#include <string>
#include <utility>

namespace kafkasim::scenarios {

// Line and column count from 1, as editors do; columns count characters, not bytes. {0, 0} =
// nowhere.
struct Mark {
  int line = 0;
  int column = 0;

  friend auto operator<=>(const Mark&, const Mark&) = default;
  friend std::ostream& operator<<(std::ostream& out, Mark mark) {
    return out << mark.line << ':' << mark.column;
  }
};

// A value together with the place it was written at. Two are equal if their values are.
template <typename T>
struct Marked {
  T value{};
  Mark mark{};

  friend bool operator==(const Marked& a, const Marked& b) { return a.value == b.value; }
};

// A name the author chose or refers to: an actor, a handle, a variant, a transactional id.
using Name = Marked<std::string>;

}  // namespace kafkasim::scenarios
