// A schedule as steps of a script. A run takes what is due in the order in which it was sent, when
// messages take no time; where a schedule has another order, the script holds a message back and
// releases it when its turn has come.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "scenarios/explore.h"
#include "scenarios/yaml_tree.h"
#include "sim/search/move.h"
#include "sim/search/schedule.h"
#include "sim/time.h"

namespace kafkasim::scenarios {

// A message as a script can point at it: the nth of its kind since the programs began.
struct ScriptMessage {
  std::string api{};
  bool answer = false;
  std::string from{};
  std::string to{};
  std::int64_t nth = 0;

  [[nodiscard]] bool IsLike(const ScriptMessage& other) const {
    return api == other.api && answer == other.answer && from == other.from && to == other.to;
  }
};

// One move, with what a script has to know of it. Messages by their numbers.
struct ScriptMove {
  sim::MoveKind kind = sim::MoveKind::kDeliver;
  std::string process{};  // who crashes, pauses, ...
  std::string order{};    // kOrder: its name
  sim::Time at{};         // after the move
  // Of kDeliver, kHold, kRelease, kLose. None: it is no message, or was sent before the programs
  // began.
  std::optional<std::size_t> message{};
  // What could have arrived instead: before it, when nobody chooses, and after it.
  std::vector<std::size_t> before{};
  std::vector<std::size_t> after{};
  bool overtakes_unknown = false;  // something that no script can hold back
  bool chooses_timer = false;      // another timer was due first
};

struct ScriptReading {
  std::vector<ScriptMessage> messages{};
  std::vector<ScriptMove> moves{};
};

// Follows the schedule, which has to be possible.
[[nodiscard]] ScriptReading ReadMoves(const Exploration& exploration,
                                      const sim::Schedule& schedule);

// The messages that a script has to hold back so that all arrive in the order of the moves.
[[nodiscard]] std::set<std::size_t> HeldBack(const ScriptReading& reading);
// Those that the schedule itself holds.
[[nodiscard]] std::set<std::size_t> HeldBySchedule(const ScriptReading& reading);

// What a script waits for at its end: the last arrival of the schedule, at which a violation shows
// that is gone soon after; or all that happens until the time of the last move, where no arrival
// can be waited for: that of an answer to a client that has closed.
enum class ScriptEnd { kLastArrival, kLastTime };

// The steps; `programs` are started first.
[[nodiscard]] Node ScriptOf(const ScriptReading& reading, const std::set<std::size_t>& held,
                            const std::vector<std::string>& programs, ScriptEnd end);

}  // namespace kafkasim::scenarios
