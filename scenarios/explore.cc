#include "scenarios/explore.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "broker/messages_cluster.h"
#include "client/program_order.h"
#include "scenarios/assembly.h"
#include "scenarios/drain.h"
#include "scenarios/message_match.h"
#include "scenarios/process_lookup.h"
#include "sim/check.h"

namespace kafkasim::scenarios {
namespace {

// Writes down all that happens.
class Recorder final : public sim::Observer {
 public:
  Recorder(const NameTable& names, History& history) : names_(names), history_(history) {}

  sim::Reaction OnEvent(const sim::TraceEvent& event) override {
    history_.Add(event, names_, /*keep=*/true);
    return sim::Reaction::kGoOn;
  }

 private:
  const NameTable& names_;
  History& history_;
};

// In a search messages take no time: their order is what is tried.
Scenario WithoutLatency(const Scenario& scenario) {
  Scenario timeless = scenario;
  timeless.cluster.network = {};
  timeless.cluster.network.latency = {.min_us = 0, .max_us = 0};
  return timeless;
}

std::vector<sim::ProcessId> Find(const std::vector<ProcessName>& wanted, const Moment& start) {
  std::vector<sim::ProcessId> found;
  for (const ProcessName& name : wanted) {
    if (const auto process = FindProcess(name, start)) found.push_back(*process);
  }
  return found;
}

// An election of each partition to each of its replicas.
std::vector<sim::SearchOrder> Elections(const ExploreSpec& spec, const NameTable& names) {
  std::vector<sim::SearchOrder> orders;
  const std::optional<sim::ProcessId> controller = names.FindProcess("controller");
  for (const PartitionName& name : spec.elect) {
    const auto partition = names.FindPartition(name);
    if (!partition.has_value() || !controller.has_value()) continue;
    const broker::PartitionImage* image = names.topics->FindPartition(*partition);
    for (const broker::BrokerId replica : image->replicas) {
      orders.push_back(
          {.name = fmt::format("elect broker-{} for {}", replica, names.NameOf(*partition)),
           .to = *controller,
           .command = broker::MakeMessage(
               broker::ElectLeadersRequest{.partition = *partition, .leader = replica})});
    }
  }
  return orders;
}

sim::SearchSpace SpaceOf(const ExploreSpec& spec, const Moment& start,
                         const ExploreOptions& options) {
  const auto number = [](std::int64_t n) { return static_cast<std::uint8_t>(n); };
  sim::SearchSpace space{.budget = {.holds = number(spec.holds),
                                    .losses = number(spec.losses),
                                    .crashes = number(spec.crashes),
                                    .pauses = number(spec.pauses),
                                    .orders = number(spec.elections),
                                    .early_timers = number(spec.early_timers)},
                         .may_crash = Find(spec.crash, start),
                         .may_pause = Find(spec.pause, start),
                         .orders = Elections(spec, start.names),
                         .until = sim::Time{spec.until_us},
                         .reduce = options.reduce};
  for (std::size_t i = 0; i < start.names.processes.size(); ++i) {
    if (!start.names.processes[i].restart_after.has_value()) continue;
    space.may_restart.push_back(sim::ProcessId(static_cast<std::int32_t>(i)));
  }
  for (const MessagePattern& pattern : spec.strike) {
    if (const auto rule = RuleFor(pattern, start)) space.struck.push_back(*rule);
  }
  return space;
}

// The reduction makes answers arrive that a violation does not need: they are left out of its way.
void LeaveOut(const Exploration& exploration, const sim::Judge& all, sim::SearchFinding& finding) {
  const sim::OneName judge(all, finding.violation.name);
  const sim::Schedule moves = sim::ScheduleOf(exploration.start, exploration.space, finding.path);
  const sim::Schedule needed =
      sim::Shrink(exploration.start, exploration.space, judge, moves, finding.violation.name);
  const sim::Followed followed = sim::Follow(exploration.start, exploration.space, judge, needed,
                                             sim::Following::kStrict, nullptr);
  const auto same = std::find_if(
      followed.violations.begin(), followed.violations.end(),
      [&](const sim::Violation& violation) { return violation.name == finding.violation.name; });
  if (same == followed.violations.end()) return;
  finding = {.violation = *same, .path = followed.path};
}

}  // namespace

ExplorationResult PrepareExploration(const Scenario& scenario, const ExploreOptions& options) {
  AssemblyResult assembled = Assemble(WithoutLatency(scenario), options.seed);
  if (!assembled.assembly.has_value()) return {.errors = std::move(assembled.errors)};
  Moment moment{.world = std::move(assembled.assembly->world),
                .names = std::move(assembled.assembly->names),
                .history = {}};
  moment.world.Start(nullptr);
  const auto has_program = [](const ActorSpec& actor) {
    return actor.application.program.has_value();
  };
  if (std::none_of(scenario.actors.begin(), scenario.actors.end(), has_program)) {
    return {.errors = {{.mark = {},
                        .message = "no actor has a program that could be explored",
                        .suggestion = "application: {producer: {...}, program: [...]}"}}};
  }
  for (std::size_t i = 0; i < moment.names.processes.size(); ++i) {
    if (moment.names.processes[i].role != ProcessRole::kApplication) continue;
    moment.world.Command(sim::ProcessId(static_cast<std::int32_t>(i)),
                         client::MakeProgramOrder(client::ProgramOrder::Kind::kStart), nullptr);
  }
  ExploreSpec spec = scenario.explore.value_or(ExploreSpec{});
  sim::SearchSpace space = SpaceOf(spec, moment, options);
  // The reduction leaves out states in which a client knows less: claims may ask for them.
  if (spec.always.has_value() || !spec.reach.empty()) space.reduce = false;
  return {.exploration = Exploration{.start = std::move(moment.world),
                                     .names = std::move(moment.names),
                                     .space = std::move(space),
                                     .spec = std::move(spec)},
          .errors = {}};
}

sim::SearchResult Explore(const Exploration& exploration, const ExploreOptions& options,
                          sim::SearchWatcher* watcher) {
  sim::SearchLimits limits{.bytes = options.bytes,
                           .threads = options.threads,
                           .exact = options.exact,
                           .depth_first = options.depth_first,
                           .stop_at_first = options.stop_at_first};
  if (exploration.spec.states.has_value()) {
    limits.states = static_cast<std::uint64_t>(*exploration.spec.states);
  }
  limits.states = options.states.value_or(limits.states);
  const ExploreJudge judge = JudgeOf(exploration);
  sim::SearchResult result =
      sim::Search(exploration.start, exploration.space, judge, limits, watcher);
  if (options.reduce) {
    for (sim::SearchFinding& finding : result.found) LeaveOut(exploration, judge, finding);
  }
  return result;
}

std::vector<std::string> NeverMade(const Exploration& exploration,
                                   const sim::SearchResult& result) {
  const sim::SearchSpace& space = exploration.space;
  std::vector<std::string> never;
  const auto add = [&](std::uint8_t allowed, sim::MoveKind kind, std::string_view what) {
    if (allowed > 0 && result.moves[static_cast<std::size_t>(kind)] == 0) never.emplace_back(what);
  };
  add(space.budget.holds, sim::MoveKind::kHold, "held messages");
  add(space.budget.losses, sim::MoveKind::kLose, "lost messages");
  add(space.budget.crashes, sim::MoveKind::kCrash, "crashes");
  add(space.budget.pauses, sim::MoveKind::kPause, "pauses");
  add(space.budget.orders, sim::MoveKind::kOrder, "elections");
  if (space.budget.early_timers > 0 && result.early_timers == 0) {
    never.emplace_back("early timers");
  }
  if (result.transitions == 0) never.emplace_back("events");
  for (std::size_t i = 0; i < exploration.spec.reach.size(); ++i) {
    if (result.situations[i] == 0) never.push_back(exploration.spec.reach[i].name.value);
  }
  return never;
}

bool IsAsDeclared(const Exploration& exploration, const sim::SearchResult& result) {
  const std::vector<Break>& breaks = exploration.spec.breaks;
  if (breaks.empty()) {
    return result.found.empty() && result.exhausted() && NeverMade(exploration, result).empty();
  }
  if (result.found.empty()) return false;
  return std::any_of(breaks.begin(), breaks.end(), [&](const Break& one) {
    return one.invariant.value == result.found.front().violation.name;
  });
}

Replayed Replay(const Exploration& exploration, const sim::Schedule& schedule,
                const std::string& violation) {
  Moment end{.world = exploration.start, .names = exploration.names, .history = {}};
  const ExploreJudge all = JudgeOf(exploration);
  const sim::OneName one(all, violation);
  const sim::Judge& judge = violation.empty() ? static_cast<const sim::Judge&>(all) : one;
  Recorder recorder(exploration.names, end.history);
  sim::Followed followed = sim::Follow(exploration.start, exploration.space, judge, schedule,
                                       sim::Following::kStrict, &recorder);
  end.world = followed.state.world;
  return {.end = std::move(end), .followed = std::move(followed)};
}

Moment ReplayDrain(const Exploration& exploration, const Moment& from) {
  KAFKASIM_CHECK(exploration.spec.drain_us.has_value(), "only a search with `drain` drains");
  Moment end = from;
  Recorder recorder(exploration.names, end.history);
  end.world = Drain(from.world, exploration.space, exploration.names,
                    sim::Micros(*exploration.spec.drain_us), &recorder)
                  .end;
  return end;
}

}  // namespace kafkasim::scenarios
