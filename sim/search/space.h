// What a search may do: which disturbances, how many of each, and how far time goes.
//
// What heals a disturbance (a release, a restart, a resume) costs nothing. Time stands still while
// a message can arrive, unless the budget lets a timer be faster: a run without disturbances is one
// with a network that is quick and orders messages as it likes. Messages on one connection stay in
// their order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/fingerprint.h"
#include "sim/ids.h"
#include "sim/network.h"
#include "sim/payload.h"
#include "sim/search/move.h"
#include "sim/time.h"
#include "sim/world.h"

namespace kafkasim::sim {

// How many disturbances of each kind are left.
struct Budget {
  uint8_t holds = 0;
  uint8_t losses = 0;
  uint8_t crashes = 0;
  uint8_t pauses = 0;
  uint8_t orders = 0;
  uint8_t early_timers = 0;  // timers that fire while messages are on their way

  [[nodiscard]] bool IsSpent() const {
    return holds + losses + crashes + pauses + orders + early_timers == 0;
  }
  friend constexpr bool operator==(const Budget&, const Budget&) = default;
  void AppendTo(CanonicalBytes& out) const;
};

// Something that can be told to a process at any time, such as an election to the controller.
struct SearchOrder {
  std::string name{};
  ProcessId to = kNoProcess;
  PayloadRef command{};
};

struct SearchSpace {
  Budget budget{};
  // Whose messages may be held or lost: those that one of these matches. Empty: all.
  std::vector<MessageRule> struck{};
  std::vector<ProcessId> may_crash{};
  std::vector<ProcessId> may_restart{};  // beside those: who comes back after it died by itself
  std::vector<ProcessId> may_pause{};
  std::vector<SearchOrder> orders{};
  Time until = kEndOfTime;  // no timer after this fires
  // Leaves out orders of deliveries that make no difference: a client to which all answers that it
  // waits for are on their way, and that nothing else can strike, gets one of them next. What is
  // left out are states in which it knows less.
  bool reduce = true;
};

// A world in a search, and what may still be done to it.
struct SearchState {
  World world;
  Budget left{};

  void AppendTo(CanonicalBytes& out) const;
};

// All moves that are possible, in a fixed order.
[[nodiscard]] std::vector<Move> MovesOf(const SearchState& state, const SearchSpace& space);
// The moves that need only be tried, by the rule of SearchSpace::reduce, as places in `moves`; none
// if all must be. A persistent set in Godefroid's sense: deliveries to one client commute with all
// else that can happen before one of them.
[[nodiscard]] std::vector<uint32_t> OnlyMoves(const SearchState& state, const SearchSpace& space,
                                              const std::vector<Move>& moves);
// A world whose next timer is further away is at rest: what is left are sweeps for what is days
// old.
inline constexpr Duration kRest = Millis(3'600'000);
// Whether no message is on its way or held, nobody is down or pauses, and no timer is near.
[[nodiscard]] bool IsAtRest(const World& world);

// Whether a state with these moves goes on: something happens by itself or can be healed; or not,
// because it is at rest or because the clock may not run on.
enum class Standing : uint8_t { kGoesOn, kOutOfTime, kEnd };
[[nodiscard]] Standing StandingOf(const SearchState& state, const SearchSpace& space,
                                  const std::vector<Move>& moves);
void Make(SearchState& state, const SearchSpace& space, const Move& move, Observer* observer);

// "deliver EndTxn from app to broker-0", "fire app 30.101s": the same in every run, so that a list
// of moves can be written down and followed.
[[nodiscard]] std::string TextOf(const Move& move, const SearchState& state,
                                 const SearchSpace& space);

}  // namespace kafkasim::sim
