#include "client/text_template.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace kafkasim::client {
namespace {

using Place = TextTemplate::Place;

constexpr std::array<std::pair<std::string_view, Place>, 7> kPlaces{{
    {"key", Place::kKey},
    {"value", Place::kValue},
    {"topic", Place::kTopic},
    {"partition", Place::kPartition},
    {"offset", Place::kOffset},
    {"answer", Place::kAnswer},
    {"n", Place::kNumber},
}};

bool IsWord(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  });
}

}  // namespace

const std::vector<std::string>& TextTemplate::Places() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& [name, place] : kPlaces) all.push_back(fmt::format("{{{}}}", name));
    return all;
  }();
  return names;
}

TextTemplate TextTemplate::Parse(std::string_view text) {
  TextTemplate parsed;
  const auto add_text = [&](std::string_view piece) {
    if (!piece.empty()) parsed.pieces_.push_back({.text = std::string(piece)});
  };
  while (!text.empty()) {
    const size_t open = text.find('{');
    const size_t close = open == std::string_view::npos ? open : text.find('}', open);
    if (close == std::string_view::npos) break;
    const std::string_view word = text.substr(open + 1, close - open - 1);
    if (!IsWord(word)) {
      add_text(text.substr(0, open + 1));
      text.remove_prefix(open + 1);
      continue;
    }
    add_text(text.substr(0, open));
    text.remove_prefix(close + 1);
    const auto found = std::find_if(kPlaces.begin(), kPlaces.end(),
                                    [&](const auto& row) { return row.first == word; });
    if (found != kPlaces.end()) {
      parsed.pieces_.push_back({.place = found->second});
    } else if (parsed.bad_place_.empty()) {
      parsed.bad_place_ = std::string(word);
    }
  }
  add_text(text);
  return parsed;
}

bool TextTemplate::NeedsRecord() const {
  return std::any_of(pieces_.begin(), pieces_.end(), [](const Piece& piece) {
    return piece.place != Place::kText && piece.place != Place::kAnswer &&
           piece.place != Place::kNumber;
  });
}

std::string TextTemplate::Fill(const Filling& filling) const {
  std::string text;
  for (const Piece& piece : pieces_) {
    const ConsumedRecord* record = filling.record;
    switch (piece.place) {
      case Place::kText:
        text += piece.text;
        break;
      case Place::kAnswer:
        text += filling.answer;
        break;
      case Place::kNumber:
        text += fmt::format("{}", filling.number);
        break;
      case Place::kKey:
        if (record != nullptr) text += record->key.value_or("");
        break;
      case Place::kValue:
        if (record != nullptr) text += record->value.value_or("");
        break;
      case Place::kTopic:
        text += filling.topic;
        break;
      case Place::kPartition:
        if (record != nullptr) text += fmt::format("{}", record->partition.index);
        break;
      case Place::kOffset:
        if (record != nullptr) text += fmt::format("{}", record->offset);
        break;
    }
  }
  return text;
}

}  // namespace kafkasim::client
