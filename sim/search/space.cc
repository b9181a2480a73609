#include "sim/search/space.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/check.h"

namespace kafkasim::sim {
namespace {

bool IsStruck(const SearchSpace& space, const Route& route, const Message& message) {
  if (message.payload == nullptr || message.rule != 0) return false;
  if (space.struck.empty()) return true;
  return std::any_of(space.struck.begin(), space.struck.end(),
                     [&](const MessageRule& rule) { return rule.Matches(route, message); });
}

bool Contains(const std::vector<ProcessId>& processes, ProcessId process) {
  return std::find(processes.begin(), processes.end(), process) != processes.end();
}

// The busy links in the order of their routes.
std::vector<const Link*> BusyLinks(const World& world) {
  std::vector<const Link*> busy;
  for (const Link& link : world.network().links) {
    if (!link.queue.empty()) busy.push_back(&link);
  }
  std::sort(busy.begin(), busy.end(),
            [](const Link* a, const Link* b) { return a->route < b->route; });
  return busy;
}

// Deliveries, by route; then, if time may pass, the timers that are due next.
void AddWhatHappens(const SearchState& state, const SearchSpace& space, std::vector<Move>& moves) {
  std::vector<Choice> messages = state.world.Choices(World::ChoiceKind::kMessage);
  std::sort(messages.begin(), messages.end(),
            [](const Choice& a, const Choice& b) { return a.route < b.route; });
  for (const Choice& choice : messages) {
    moves.push_back({.kind = MoveKind::kDeliver,
                     .process = choice.process,
                     .choice = choice,
                     .route = choice.route});
  }
  const bool time_passes = messages.empty() || state.left.early_timers > 0;
  if (!time_passes) return;
  const std::vector<Choice> timed = state.world.Choices(World::ChoiceKind::kTimed);
  if (timed.empty()) return;
  const Time next = std::max(state.world.now(), timed.front().at);
  if (next > space.until) return;
  for (const Choice& choice : timed) {
    if (std::max(state.world.now(), choice.at) != next) break;
    moves.push_back({.kind = MoveKind::kFire, .process = choice.process, .choice = choice});
  }
}

void AddFaultsOfMessages(const SearchState& state, const SearchSpace& space,
                         std::vector<Move>& moves) {
  if (state.left.holds == 0 && state.left.losses == 0) return;
  for (const Link* link : BusyLinks(state.world)) {
    if (!IsStruck(space, link->route, link->queue.front())) continue;
    if (state.left.holds > 0) {
      moves.push_back({.kind = MoveKind::kHold, .process = link->from(), .route = link->route});
    }
    if (state.left.losses > 0) {
      moves.push_back({.kind = MoveKind::kLose, .process = link->from(), .route = link->route});
    }
  }
}

void AddFaultsOfProcesses(const SearchState& state, const SearchSpace& space,
                          std::vector<Move>& moves) {
  for (const ProcessId process : space.may_crash) {
    if (state.world.life(process) == Life::kCrashed) {
      moves.push_back({.kind = MoveKind::kRestart, .process = process});
    } else if (state.left.crashes > 0) {
      moves.push_back({.kind = MoveKind::kCrash, .process = process});
    }
  }
  for (const ProcessId process : space.may_restart) {
    if (!Contains(space.may_crash, process) && state.world.life(process) == Life::kCrashed) {
      moves.push_back({.kind = MoveKind::kRestart, .process = process});
    }
  }
  for (const ProcessId process : space.may_pause) {
    if (state.world.life(process) == Life::kPaused) {
      moves.push_back({.kind = MoveKind::kResume, .process = process});
    } else if (state.left.pauses > 0 && state.world.life(process) == Life::kRunning) {
      moves.push_back({.kind = MoveKind::kPause, .process = process});
    }
  }
}

bool IsHeld(const Link& link) {
  return link.queue.front().rule != 0 && link.queue.front().payload != nullptr;
}

std::string MessageText(const World& world, const Route& route, const PayloadRef& payload) {
  if (payload == nullptr) {
    return fmt::format("broken connection to {} at {}", world.name(route.from()),
                       world.name(route.to()));
  }
  return fmt::format("{}{} from {} to {}", payload->api(), route.to_server ? "" : " answer",
                     world.name(route.from()), world.name(route.to()));
}

PayloadRef FrontOf(const World& world, const Route& route) {
  for (const Link& link : world.network().links) {
    if (!link.queue.empty() && link.route == route) return link.queue.front().payload;
  }
  return nullptr;
}

// What happens by itself or heals.
bool GoesOn(const Move& move) {
  switch (move.kind) {
    case MoveKind::kDeliver:
    case MoveKind::kFire:
    case MoveKind::kRelease:
    case MoveKind::kRestart:
    case MoveKind::kResume:
      return true;
    case MoveKind::kHold:
    case MoveKind::kLose:
    case MoveKind::kCrash:
    case MoveKind::kPause:
    case MoveKind::kOrder:
      return false;
  }
  return false;
}

bool IsClient(const World& world, ProcessId process) {
  return world.process(process).WaitsFor().has_value();
}

// Whether deliveries to a client can be independent of all other moves at all. A server that
// crashes takes its answers with it and refuses connections until it is back; an early timer may
// come before an answer.
bool OrdersMayCommute(const SearchState& state, const SearchSpace& space,
                      const std::vector<Move>& moves) {
  if (state.left.early_timers > 0) return false;
  const auto is_server = [&](ProcessId process) { return !IsClient(state.world, process); };
  if (state.left.crashes > 0 &&
      std::any_of(space.may_crash.begin(), space.may_crash.end(), is_server)) {
    return false;
  }
  return std::none_of(moves.begin(), moves.end(), [&](const Move& move) {
    return move.kind == MoveKind::kRestart && is_server(move.process);
  });
}

// Whether the rest of the budget may be spent on this client or on an answer to it.
bool MayBeStruck(ProcessId client, const SearchState& state, const SearchSpace& space) {
  if (state.left.crashes > 0 && Contains(space.may_crash, client)) return true;
  if (state.left.pauses > 0 && Contains(space.may_pause, client)) return true;
  if (state.left.orders > 0 &&
      std::any_of(space.orders.begin(), space.orders.end(),
                  [&](const SearchOrder& order) { return order.to == client; })) {
    return true;
  }
  if (state.left.holds == 0 && state.left.losses == 0) return false;
  return std::any_of(state.world.network().links.begin(), state.world.network().links.end(),
                     [&](const Link& link) {
                       return !link.queue.empty() && link.to() == client &&
                              IsStruck(space, link.route, link.queue.front());
                     });
}

// The deliveries to this process, if they are the next things that can come to it, whatever the
// others do: each connection that it waits for has brought something. Else none.
std::vector<uint32_t> AllThatComesTo(ProcessId process, const SearchState& state,
                                     const SearchSpace& space, const std::vector<Move>& moves) {
  const auto awaited = state.world.process(process).WaitsFor();
  if (!awaited.has_value() || MayBeStruck(process, state, space)) return {};
  std::vector<uint32_t> deliveries;
  std::vector<Peer> arriving;
  for (uint32_t i = 0; i < moves.size(); ++i) {
    if (moves[i].kind != MoveKind::kDeliver || moves[i].process != process) continue;
    deliveries.push_back(i);
    arriving.push_back({.process = moves[i].route.server, .channel = moves[i].route.channel});
  }
  const bool all = std::all_of(awaited->begin(), awaited->end(), [&](const Peer& peer) {
    return std::find(arriving.begin(), arriving.end(), peer) != arriving.end();
  });
  return all ? deliveries : std::vector<uint32_t>{};
}

// Whether a timer is set for after `time` that a world at rest would not have.
bool HasTimersAfter(Time time, const World& world) {
  const std::vector<Choice> timed = world.Choices(World::ChoiceKind::kTimed);
  return std::any_of(timed.begin(), timed.end(), [&](const Choice& choice) {
    return choice.at > time && choice.at <= world.now() + kRest;
  });
}

}  // namespace

std::string_view Name(MoveKind kind) {
  switch (kind) {
    case MoveKind::kDeliver:
      return "deliver";
    case MoveKind::kFire:
      return "fire";
    case MoveKind::kHold:
      return "hold";
    case MoveKind::kRelease:
      return "release";
    case MoveKind::kLose:
      return "lose";
    case MoveKind::kCrash:
      return "crash";
    case MoveKind::kRestart:
      return "restart";
    case MoveKind::kPause:
      return "pause";
    case MoveKind::kResume:
      return "resume";
    case MoveKind::kOrder:
      return "order";
  }
  return "?";
}

void Budget::AppendTo(CanonicalBytes& out) const {
  out.Add(holds);
  out.Add(losses);
  out.Add(crashes);
  out.Add(pauses);
  out.Add(orders);
  out.Add(early_timers);
}

void SearchState::AppendTo(CanonicalBytes& out) const {
  world.AppendUnordered(out);
  out.Add(left);
}

std::vector<Move> MovesOf(const SearchState& state, const SearchSpace& space) {
  std::vector<Move> moves;
  AddWhatHappens(state, space, moves);
  for (const Link* link : BusyLinks(state.world)) {
    if (IsHeld(*link)) {
      moves.push_back({.kind = MoveKind::kRelease, .process = link->from(), .route = link->route});
    }
  }
  AddFaultsOfMessages(state, space, moves);
  AddFaultsOfProcesses(state, space, moves);
  if (state.left.orders > 0) {
    for (uint32_t i = 0; i < space.orders.size(); ++i) {
      moves.push_back({.kind = MoveKind::kOrder, .process = space.orders[i].to, .order = i});
    }
  }
  return moves;
}

std::vector<uint32_t> OnlyMoves(const SearchState& state, const SearchSpace& space,
                                const std::vector<Move>& moves) {
  if (!space.reduce || !OrdersMayCommute(state, space, moves)) return {};
  ProcessId last = kNoProcess;
  for (const Move& move : moves) {
    if (move.kind != MoveKind::kDeliver || move.process == last) continue;
    last = move.process;
    std::vector<uint32_t> deliveries = AllThatComesTo(move.process, state, space, moves);
    if (!deliveries.empty()) return deliveries;
  }
  return {};
}

Standing StandingOf(const SearchState& state, const SearchSpace& space,
                    const std::vector<Move>& moves) {
  if (std::any_of(moves.begin(), moves.end(), GoesOn)) return Standing::kGoesOn;
  return HasTimersAfter(space.until, state.world) ? Standing::kOutOfTime : Standing::kEnd;
}

bool IsAtRest(const World& world) {
  for (size_t i = 0; i < world.process_count(); ++i) {
    if (world.life(ProcessId(static_cast<int32_t>(i))) != Life::kRunning) return false;
  }
  return BusyLinks(world).empty() && !HasTimersAfter(Time{-1}, world);
}

void Make(SearchState& state, const SearchSpace& space, const Move& move, Observer* observer) {
  World& world = state.world;
  switch (move.kind) {
    case MoveKind::kDeliver:
      world.Take(move.choice, observer);
      return;
    case MoveKind::kFire: {
      const bool early = !world.Choices(World::ChoiceKind::kMessage).empty();
      if (early) --state.left.early_timers;
      world.Take(move.choice, observer);
      return;
    }
    case MoveKind::kHold:
      --state.left.holds;
      KAFKASIM_CHECK(world.HoldFront(move.route, observer), "a message can be held");
      return;
    case MoveKind::kRelease:
      KAFKASIM_CHECK(world.ReleaseFront(move.route, observer), "a message can be released");
      return;
    case MoveKind::kLose:
      --state.left.losses;
      KAFKASIM_CHECK(world.DropFront(move.route, /*reset=*/false, observer),
                     "a message can be lost");
      return;
    case MoveKind::kCrash:
      --state.left.crashes;
      world.Crash(move.process, CrashKind::kProcess, observer);
      return;
    case MoveKind::kRestart:
      world.Restart(move.process, observer);
      return;
    case MoveKind::kPause:
      --state.left.pauses;
      world.Pause(move.process, observer);
      return;
    case MoveKind::kResume:
      world.Resume(move.process, observer);
      return;
    case MoveKind::kOrder:
      --state.left.orders;
      world.Command(move.process, space.orders[move.order].command, observer);
      return;
  }
}

std::string TextOf(const Move& move, const SearchState& state, const SearchSpace& space) {
  const World& world = state.world;
  switch (move.kind) {
    case MoveKind::kDeliver:
      return fmt::format("deliver {}", MessageText(world, move.route, move.choice.payload));
    case MoveKind::kFire:
      return fmt::format("fire {} {}", world.name(move.process),
                         FormatTime(std::max(world.now(), move.choice.at)));
    case MoveKind::kHold:
    case MoveKind::kRelease:
    case MoveKind::kLose:
      return fmt::format("{} {}", Name(move.kind),
                         MessageText(world, move.route, FrontOf(world, move.route)));
    case MoveKind::kOrder:
      return fmt::format("order {}", space.orders[move.order].name);
    case MoveKind::kCrash:
    case MoveKind::kRestart:
    case MoveKind::kPause:
    case MoveKind::kResume:
      return fmt::format("{} {}", Name(move.kind), world.name(move.process));
  }
  return "?";
}

}  // namespace kafkasim::sim
