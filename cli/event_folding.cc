#include "cli/event_folding.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "cli/terminal_text.h"

namespace kafkasim::cli {
namespace {

constexpr std::size_t kLongestSeries = 8;  // that is told whole
constexpr std::size_t kToldFirst = 3;

}  // namespace

std::vector<bool> ChooseTold(const std::vector<FoldedEvent>& events) {
  using Series = std::tuple<std::size_t, std::string_view, std::string_view>;
  std::map<Series, std::vector<std::size_t>> series;
  for (std::size_t i = 0; i < events.size(); ++i) {
    series[{events[i].step, events[i].actor, events[i].name}].push_back(i);
  }
  std::vector<bool> told(events.size(), true);
  for (const auto& [key, places] : series) {
    if (places.size() <= kLongestSeries) continue;
    for (std::size_t i = kToldFirst; i + 1 < places.size(); ++i) told[places[i]] = false;
  }
  return told;
}

std::string CountLeftOut(const std::vector<FoldedEvent>& events, std::size_t first,
                         std::size_t end) {
  std::vector<std::pair<std::string_view, std::int64_t>> counts;
  for (std::size_t i = first; i < end; ++i) {
    const auto same = std::find_if(counts.begin(), counts.end(), [&](const auto& count) {
      return count.first == events[i].name;
    });
    if (same == counts.end()) {
      counts.emplace_back(events[i].name, 1);
    } else {
      ++same->second;
    }
  }
  std::string text = Grouped(static_cast<std::int64_t>(end - first)) + " more: ";
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (i > 0) text += ", ";
    text.append(counts[i].first).append(" ").append(Grouped(counts[i].second));
  }
  return text;
}

}  // namespace kafkasim::cli
