// Text with places for what a program has at hand: "{key}", "{value}", "{topic}", "{partition}" and
// "{offset}" of the current record, "{answer}" of the last call outside Kafka, "{n}" for how often
// the line was run before. Braces around anything but a word are text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/call_result.h"

namespace kafkasim::client {

class TextTemplate {
 public:
  enum class Place : uint8_t { kText, kKey, kValue, kTopic, kPartition, kOffset, kAnswer, kNumber };

  // What the places are filled with.
  struct Filling {
    const ConsumedRecord* record = nullptr;  // of the for_each around; null outside of one
    std::string_view topic{};                // its name
    std::string_view answer{};
    int64_t number = 0;
  };

  TextTemplate() = default;

  // A template, or the name of the first place that does not exist: see bad_place.
  [[nodiscard]] static TextTemplate Parse(std::string_view text);
  // "seller" for "{seller}"; "" if all places exist.
  [[nodiscard]] const std::string& bad_place() const { return bad_place_; }
  // The names of all places, for suggestions.
  [[nodiscard]] static const std::vector<std::string>& Places();

  // Whether it says something of a record, and so makes sense only in a for_each.
  [[nodiscard]] bool NeedsRecord() const;
  // A null key or value of the record gives "".
  [[nodiscard]] std::string Fill(const Filling& filling) const;

 private:
  struct Piece {
    Place place = Place::kText;
    std::string text{};  // kText
  };

  std::vector<Piece> pieces_;
  std::string bad_place_;
};

}  // namespace kafkasim::client
