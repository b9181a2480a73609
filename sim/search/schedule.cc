#include "sim/search/schedule.h"

#include <algorithm>
#include <utility>

#include <absl/container/btree_map.h>
#include <fmt/format.h>

#include "sim/search/judged_way.h"

namespace kafkasim::sim {
namespace {

bool HasOf(const std::vector<Violation>& violations, const std::string& name) {
  return std::any_of(violations.begin(), violations.end(),
                     [&](const Violation& violation) { return violation.name == name; });
}

size_t FindIn(const std::vector<std::string>& texts, const std::string& text) {
  return static_cast<size_t>(std::find(texts.begin(), texts.end(), text) - texts.begin());
}

// Where among `texts` the move is; their number if it is not there.
size_t PlaceOf(const std::string& move, const std::vector<std::string>& texts,
               Following following) {
  size_t place = FindIn(texts, move);
  if (place < texts.size() || following == Following::kStrict) return place;
  // "#2" may be the only one by now.
  const std::string alone = move.substr(0, move.find(" #"));
  place = FindIn(texts, alone);
  if (place < texts.size() || !move.starts_with("fire ")) return place;
  // "fire app 30.1s" stands for a timer of that process, whenever it is due.
  const std::string owner = alone.substr(0, alone.rfind(' ') + 1);
  const auto other = std::find_if(texts.begin(), texts.end(), [&](const std::string& text) {
    return text.starts_with(owner) && text.find(' ', owner.size()) == std::string::npos;
  });
  return static_cast<size_t>(other - texts.begin());
}

}  // namespace

std::vector<std::string> TextsOf(const std::vector<Move>& moves, const SearchState& state,
                                 const SearchSpace& space) {
  std::vector<std::string> texts;
  absl::btree_map<std::string, int> seen;
  for (const Move& move : moves) {
    std::string text = TextOf(move, state, space);
    const int place = ++seen[text];
    if (place > 1) text += fmt::format(" #{}", place);
    texts.push_back(std::move(text));
  }
  return texts;
}

Schedule ScheduleOf(const World& start, const SearchSpace& space, const SearchPath& path) {
  Schedule schedule;
  SearchState state{.world = start, .left = space.budget};
  for (const uint32_t number : path) {
    const std::vector<Move> moves = MovesOf(state, space);
    schedule.push_back(TextsOf(moves, state, space)[number]);
    Make(state, space, moves[number], nullptr);
  }
  return schedule;
}

Followed Follow(const World& start, const SearchSpace& space, const Judge& judge,
                const Schedule& schedule, Following following, Observer* observer) {
  JudgedWay way(start, space, judge);
  SearchPath path;
  Schedule made;
  std::optional<size_t> stuck_at;
  for (size_t i = 0; i < schedule.size() && way.violations().empty(); ++i) {
    const std::vector<Move> moves = MovesOf(way.state(), space);
    const std::vector<std::string> texts = TextsOf(moves, way.state(), space);
    const size_t place = PlaceOf(schedule[i], texts, following);
    if (place == texts.size()) {
      if (following == Following::kLoose) continue;
      stuck_at = i;
      break;
    }
    way.Go(moves[place], observer);
    path.push_back(static_cast<uint32_t>(place));
    made.push_back(texts[place]);
  }
  const bool goes_on = !stuck_at.has_value() && way.violations().empty();
  if (goes_on && StandingOf(way.state(), space, MovesOf(way.state(), space)) == Standing::kEnd) {
    way.CheckEnd();
  }
  return {.state = way.state(),
          .path = std::move(path),
          .made = std::move(made),
          .violations = way.violations(),
          .stuck_at = stuck_at};
}

Schedule Shrink(const World& start, const SearchSpace& space, const Judge& judge,
                const Schedule& schedule, const std::string& violation) {
  Schedule best = schedule;
  const auto shows = [&](const Schedule& candidate, Schedule& made) {
    Followed followed = Follow(start, space, judge, candidate, Following::kLoose, nullptr);
    made = std::move(followed.made);
    return HasOf(followed.violations, violation);
  };
  // Large pieces first, then smaller ones, until no single move can be left out.
  for (size_t piece = std::max<size_t>(best.size() / 2, 1);;
       piece = std::max<size_t>(piece / 2, 1)) {
    bool shorter = false;
    for (size_t end = best.size(); end > 0;) {
      const size_t begin = end > piece ? end - piece : 0;
      Schedule candidate(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(begin));
      candidate.insert(candidate.end(), best.begin() + static_cast<std::ptrdiff_t>(end),
                       best.end());
      Schedule made;
      if (shows(candidate, made) && made.size() < best.size()) {
        best = std::move(made);
        shorter = true;
        end = std::min(begin, best.size());
      } else {
        end = begin;
      }
    }
    if (piece == 1 && !shorter) return best;
  }
}

}  // namespace kafkasim::sim
