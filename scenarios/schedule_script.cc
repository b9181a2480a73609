#include "scenarios/schedule_script.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "scenarios/yaml_text.h"
#include "sim/check.h"
#include "sim/network.h"
#include "sim/trace.h"

namespace kafkasim::scenarios {
namespace {

// Numbers the messages as they are sent.
class Numbering final : public sim::Observer {
 public:
  Numbering(const NameTable& names, std::vector<ScriptMessage>& messages)
      : names_(names), messages_(messages) {}

  sim::Reaction OnEvent(const sim::TraceEvent& event) override {
    if (!event.Is(sim::events::kSent) || event.payload == nullptr) return sim::Reaction::kGoOn;
    const bool* answer = std::get_if<bool>(event.Find("answer"));
    ScriptMessage message{.api = std::string(event.payload->api()),
                          .answer = answer != nullptr && *answer,
                          .from = std::string(names_.NameOf(event.actor)),
                          .to = std::string(event.Text("to"))};
    message.nth = 1 + std::count_if(messages_.begin(), messages_.end(),
                                    [&](const auto& earlier) { return earlier.IsLike(message); });
    by_event_[event.id] = messages_.size();
    messages_.push_back(std::move(message));
    return sim::Reaction::kGoOn;
  }

  // The message at the front of a link.
  [[nodiscard]] std::optional<std::size_t> FrontOf(const sim::World& world,
                                                   const sim::Route& route) const {
    for (const sim::Link& link : world.network().links) {
      if (link.queue.empty() || link.route != route) continue;
      const auto found = by_event_.find(link.queue.front().sent);
      if (found != by_event_.end()) return found->second;
    }
    return std::nullopt;
  }

 private:
  const NameTable& names_;
  std::vector<ScriptMessage>& messages_;
  std::map<sim::EventId, std::size_t> by_event_;
};

bool IsOfMessage(sim::MoveKind kind) {
  return kind == sim::MoveKind::kDeliver || kind == sim::MoveKind::kHold ||
         kind == sim::MoveKind::kRelease || kind == sim::MoveKind::kLose;
}

// What a run would have taken before the move, and what after it.
void ReadOthers(const sim::World& world, const sim::Move& chosen, const Numbering& numbering,
                ScriptMove& move) {
  if (chosen.kind != sim::MoveKind::kDeliver && chosen.kind != sim::MoveKind::kFire) return;
  bool passed = false;
  for (const sim::Choice& choice : world.Choices()) {
    if (choice.sequence == chosen.choice.sequence) {
      passed = true;
      continue;
    }
    if (choice.is_timed) {
      const bool same_time = choice.at <= chosen.choice.at;
      if (chosen.kind == sim::MoveKind::kFire && same_time && !passed) move.chooses_timer = true;
      continue;
    }
    const std::optional<std::size_t> message = numbering.FrontOf(world, choice.route);
    if (!message.has_value()) {
      // Timers come after all messages.
      if (!passed || chosen.kind == sim::MoveKind::kFire) move.overtakes_unknown = true;
      continue;
    }
    const bool later = passed && chosen.kind == sim::MoveKind::kDeliver;
    (later ? move.after : move.before).push_back(*message);
  }
}

// `{request: EndTxn, from: shop, to: broker-0, nth: 2}`
std::vector<NodeEntry> PatternEntries(const ScriptMessage& message, std::int64_t nth) {
  std::vector<NodeEntry> entries;
  entries.push_back(EntryOf(message.answer ? "answer" : "request", ScalarNode(message.api)));
  entries.push_back(EntryOf("from", ScalarNode(message.from)));
  entries.push_back(EntryOf("to", ScalarNode(message.to)));
  if (nth > 1) entries.push_back(EntryOf("nth", ScalarNode(std::to_string(nth))));
  return entries;
}

Node StepNode(std::string verb, Node arguments) {
  return MappingNode({EntryOf(std::move(verb), std::move(arguments))});
}

class ScriptWriter {
 public:
  ScriptWriter(const ScriptReading& reading, const std::set<std::size_t>& held)
      : reading_(reading), held_(held) {}

  Node Write(const std::vector<std::string>& programs, ScriptEnd end) {
    ArmRules();
    for (const std::string& program : programs) {
      steps_.push_back(StepNode("start", ScalarNode(program)));
    }
    for (std::size_t i = 0; i < reading_.moves.size(); ++i) WriteMove(i);
    if (end == ScriptEnd::kLastArrival || reading_.moves.empty()) {
      WaitFor(reading_.moves.size());
    } else {
      steps_.push_back(
          StepNode("wait_until", ScalarNode(sim::FormatTime(reading_.moves.back().at))));
    }
    return SequenceNode(std::move(steps_));
  }

 private:
  // What is to be held back or lost, before anything is sent.
  void ArmRules() {
    for (const std::size_t number : held_) {
      const ScriptMessage& message = reading_.messages[number];
      const std::size_t same = ++handles_[message.api];
      names_[number] = fmt::format("{}-{}", message.api, same);
      steps_.push_back(
          MappingNode({EntryOf("hold", MappingNode(PatternEntries(message, message.nth))),
                       EntryOf("as", ScalarNode(names_[number]))}));
    }
    for (const ScriptMove& move : reading_.moves) {
      if (move.kind != sim::MoveKind::kLose || !move.message.has_value()) continue;
      const ScriptMessage& message = reading_.messages[*move.message];
      steps_.push_back(StepNode("drop", MappingNode(PatternEntries(message, message.nth))));
    }
  }

  void WriteMove(std::size_t index) {
    const ScriptMove& move = reading_.moves[index];
    switch (move.kind) {
      case sim::MoveKind::kDeliver:
        if (!move.message.has_value() || held_.count(*move.message) == 0) return;
        WaitFor(index);
        steps_.push_back(StepNode("release", ScalarNode(names_[*move.message])));
        return;
      case sim::MoveKind::kCrash:
      case sim::MoveKind::kRestart:
      case sim::MoveKind::kPause:
      case sim::MoveKind::kResume:
        WaitFor(index);
        steps_.push_back(StepNode(std::string(sim::Name(move.kind)), ScalarNode(move.process)));
        return;
      case sim::MoveKind::kOrder:
        WaitFor(index);
        steps_.push_back(StepNode("elect", ElectionOf(move.order)));
        return;
      case sim::MoveKind::kFire:
      case sim::MoveKind::kHold:
      case sim::MoveKind::kRelease:
      case sim::MoveKind::kLose:
        return;
    }
  }

  // "elect broker-1 for orders-0"
  static Node ElectionOf(const std::string& order) {
    constexpr std::string_view kBroker = "elect broker-";
    constexpr std::string_view kFor = " for ";
    const std::size_t at = order.find(kFor);
    KAFKASIM_CHECK(order.starts_with(kBroker) && at != std::string::npos,
                   "an order of a search is an election");
    const std::string leader = order.substr(kBroker.size(), at - kBroker.size());
    return MappingNode({EntryOf("partition", ScalarNode(order.substr(at + kFor.size()))),
                        EntryOf("leader", ScalarNode(leader))});
  }

  // Waits for the last thing that happened by itself before the move.
  void WaitFor(std::size_t index) {
    for (std::size_t i = index; i-- > waited_;) {
      const ScriptMove& move = reading_.moves[i];
      if (move.kind == sim::MoveKind::kFire) {
        steps_.push_back(StepNode("wait_until", ScalarNode(sim::FormatTime(move.at))));
      } else if (move.kind == sim::MoveKind::kDeliver && move.message.has_value()) {
        WaitForArrival(i);
      } else {
        continue;
      }
      break;
    }
    waited_ = index;
  }

  void WaitForArrival(std::size_t index) {
    const ScriptMessage& message = reading_.messages[*reading_.moves[index].message];
    std::int64_t nth = 0;
    for (std::size_t i = waited_; i <= index; ++i) {
      const ScriptMove& move = reading_.moves[i];
      if (move.kind != sim::MoveKind::kDeliver || !move.message.has_value()) continue;
      if (reading_.messages[*move.message].IsLike(message)) ++nth;
    }
    std::vector<NodeEntry> entries = PatternEntries(message, nth);
    entries.push_back(EntryOf("point", ScalarNode("delivered")));
    Node step = StepNode("wait_until", MappingNode(std::move(entries)));
    const sim::Time from = waited_ == 0 ? sim::Time{} : reading_.moves[waited_ - 1].at;
    const sim::Duration passes = reading_.moves[index].at - from;
    if (passes >= sim::Seconds(60)) {
      step.entries.push_back(
          EntryOf("within", ScalarNode(sim::FormatDuration(passes + sim::Seconds(1)))));
    }
    steps_.push_back(std::move(step));
  }

  const ScriptReading& reading_;
  const std::set<std::size_t>& held_;
  std::vector<Node> steps_;
  std::map<std::string, std::size_t> handles_;
  std::map<std::size_t, std::string> names_;  // of messages that are held back
  std::size_t waited_ = 0;                    // moves before this one have been waited for
};

}  // namespace

ScriptReading ReadMoves(const Exploration& exploration, const sim::Schedule& schedule) {
  ScriptReading reading;
  Numbering numbering(exploration.names, reading.messages);
  sim::SearchState state{.world = exploration.start, .left = exploration.space.budget};
  for (const std::string& text : schedule) {
    const std::vector<sim::Move> moves = sim::MovesOf(state, exploration.space);
    const std::vector<std::string> texts = sim::TextsOf(moves, state, exploration.space);
    const auto at = std::find(texts.begin(), texts.end(), text);
    KAFKASIM_CHECK(at != texts.end(), "the schedule is possible");
    const sim::Move& chosen = moves[static_cast<std::size_t>(at - texts.begin())];
    ScriptMove move{.kind = chosen.kind};
    if (IsOfMessage(chosen.kind)) {
      move.message = numbering.FrontOf(state.world, chosen.route);
    } else {
      move.process = std::string(exploration.names.NameOf(chosen.process));
    }
    if (chosen.kind == sim::MoveKind::kOrder) {
      move.order = exploration.space.orders[chosen.order].name;
    }
    ReadOthers(state.world, chosen, numbering, move);
    sim::Make(state, exploration.space, chosen, &numbering);
    move.at = state.world.now();
    reading.moves.push_back(std::move(move));
  }
  return reading;
}

std::set<std::size_t> HeldBySchedule(const ScriptReading& reading) {
  std::set<std::size_t> held;
  for (const ScriptMove& move : reading.moves) {
    if (move.kind == sim::MoveKind::kHold && move.message.has_value()) held.insert(*move.message);
  }
  return held;
}

std::set<std::size_t> HeldBack(const ScriptReading& reading) {
  std::set<std::size_t> held = HeldBySchedule(reading);
  for (std::size_t before = held.size() + 1; before != held.size();) {
    before = held.size();
    for (const ScriptMove& move : reading.moves) {
      held.insert(move.before.begin(), move.before.end());
      // What is released goes to the end of the queue.
      if (!move.message.has_value() || held.count(*move.message) == 0) continue;
      held.insert(move.after.begin(), move.after.end());
    }
  }
  return held;
}

Node ScriptOf(const ScriptReading& reading, const std::set<std::size_t>& held,
              const std::vector<std::string>& programs, ScriptEnd end) {
  return ScriptWriter(reading, held).Write(programs, end);
}

}  // namespace kafkasim::scenarios
