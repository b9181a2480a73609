#include "cli/event_folding.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include "cli/terminal_text.h"

#include "scenarios/number_text.h"

namespace kafkasim::cli {
namespace {

constexpr std::size_t kLongestSeries = 8;  // that is told whole
constexpr std::size_t kToldFirst = 3;
constexpr std::size_t kMostRepetitions = 2;  // that are told

// Places of like events, in their order.
using Places = std::vector<std::size_t>;

class Folder {
 public:
  explicit Folder(const std::vector<FoldedEvent>& events) : events_(events) {
    folding_.told.assign(events.size(), true);
  }

  Folding Run() {
    FoldRepetitions();
    FoldSeries();
    return std::move(folding_);
  }

 private:
  void FoldRepetitions() {
    using Key = std::tuple<sim::EventId, std::string_view, std::string_view, std::string_view>;
    std::map<Key, Places> all;
    for (std::size_t i = 0; i < events_.size(); ++i) {
      const FoldedEvent& event = events_[i];
      if (event.repeats) {
        all[{event.origin, event.actor, event.what, event.result}].push_back(i);
      }
    }
    for (const auto& [key, places] : all) {
      if (places.size() <= kMostRepetitions) continue;
      for (std::size_t i = 1; i < places.size(); ++i) folding_.told[places[i]] = false;
      const FoldedEvent& last = events_[places.back()];
      folding_.notes[places[1]].push_back(
          last.what + ": " + Counted(places.size() - 1, "more time") + ", until " + last.clock);
    }
  }

  void FoldSeries() {
    using Key = std::tuple<std::size_t, std::string_view, std::string_view>;
    std::map<Key, Places> all;
    for (std::size_t i = 0; i < events_.size(); ++i) {
      const FoldedEvent& event = events_[i];
      if (!event.repeats) all[{event.step, event.actor, event.name}].push_back(i);
    }
    std::map<std::size_t, Places> left_out;  // of each step
    for (const auto& [key, places] : all) {
      if (places.size() <= kLongestSeries) continue;
      Places& of_step = left_out[std::get<std::size_t>(key)];
      for (std::size_t i = kToldFirst; i + 1 < places.size(); ++i) {
        folding_.told[places[i]] = false;
        of_step.push_back(places[i]);
      }
    }
    for (auto& [step, places] : left_out) {
      std::sort(places.begin(), places.end());
      folding_.notes[places.front()].push_back(CountLeftOut(places));
    }
  }

  // "8 986 more, until 60.213s: send 2 998, appended 5 988".
  std::string CountLeftOut(const Places& places) const {
    std::vector<std::pair<std::string_view, long long>> counts;
    for (const std::size_t place : places) {
      const std::string_view name = events_[place].name;
      const auto same = std::find_if(counts.begin(), counts.end(),
                                     [&](const auto& count) { return count.first == name; });
      if (same == counts.end()) {
        counts.emplace_back(name, 1);
      } else {
        ++same->second;
      }
    }
    std::string text =
        scenarios::Grouped(places.size()) + " more, until " + events_[places.back()].clock + ": ";
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (i > 0) text += ", ";
      text.append(counts[i].first).append(" ").append(scenarios::Grouped(counts[i].second));
    }
    return text;
  }

  const std::vector<FoldedEvent>& events_;
  Folding folding_{};
};

}  // namespace

Folding Fold(const std::vector<FoldedEvent>& events) { return Folder(events).Run(); }

}  // namespace kafkasim::cli
