// What each fault does to the world.
#include <memory>

#include <fmt/format.h>

#include "broker/controller.h"
#include "broker/error_code.h"
#include "broker/log_order.h"
#include "broker/messages_cluster.h"
#include "scenarios/cluster_access.h"
#include "scenarios/fault_desk.h"
#include "scenarios/message_match.h"
#include "scenarios/process_lookup.h"

namespace kafkasim::scenarios {

std::vector<sim::ProcessId> FaultDesk::Resolve(const std::vector<ProcessName>& names) {
  std::vector<sim::ProcessId> processes;
  for (const ProcessName& name : names) {
    if (name.kind == ProcessName::Kind::kHandle) {
      for (const Aftermath* left : LeftBy(Name{name.name, name.mark})) {
        processes.insert(processes.end(), left->processes.begin(), left->processes.end());
      }
    } else if (const auto process = FindProcess(name, moment_)) {
      processes.push_back(*process);
    } else {
      Doubt(fmt::format("there was no {}", NameText(name)));
    }
  }
  return processes;
}

void FaultDesk::Do(const Crash& fault, Aftermath& left) {
  for (const sim::ProcessId process : Resolve(fault.processes)) {
    if (moment_.world.Crash(process, fault.loses, &observer_, cause_)) {
      left.processes.push_back(process);
    } else {
      Doubt(fmt::format("{} was down already", moment_.names.NameOf(process)));
    }
  }
}

void FaultDesk::Do(const Restart& fault, Aftermath&) {
  for (const sim::ProcessId process : Resolve(fault.processes)) {
    if (moment_.world.Restart(process, &observer_, cause_)) continue;
    Doubt(fmt::format("{} was not down", moment_.names.NameOf(process)));
  }
}

void FaultDesk::Do(const Pause& fault, Aftermath& left) {
  for (const sim::ProcessId process : Resolve(fault.processes)) {
    if (moment_.world.Pause(process, &observer_, cause_)) {
      left.processes.push_back(process);
    } else {
      Doubt(fmt::format("{} was not running", moment_.names.NameOf(process)));
    }
  }
}

void FaultDesk::Do(const Resume& fault, Aftermath&) {
  for (const sim::ProcessId process : Resolve(fault.processes)) {
    if (moment_.world.Resume(process, &observer_, cause_)) continue;
    Doubt(fmt::format("{} was not paused", moment_.names.NameOf(process)));
  }
}

void FaultDesk::OrderPrograms(const std::vector<ProcessName>& names,
                              client::ProgramOrder::Kind kind) {
  for (const sim::ProcessId process : Resolve(names)) {
    if (moment_.world.Command(process, client::MakeProgramOrder(kind), &observer_, cause_))
      continue;
    Doubt(fmt::format("{} is down", moment_.names.NameOf(process)));
  }
}

void FaultDesk::Do(const Start& fault, Aftermath&) {
  OrderPrograms(fault.processes, client::ProgramOrder::Kind::kStart);
}

void FaultDesk::Do(const Stop& fault, Aftermath&) {
  OrderPrograms(fault.processes, client::ProgramOrder::Kind::kStop);
}

void FaultDesk::Do(const Partition& fault, Aftermath& left) {
  const auto cut = [&](sim::ProcessId from, sim::ProcessId to) {
    if (moment_.world.Cut(from, to, &observer_, cause_)) left.cuts.emplace_back(from, to);
  };
  std::vector<std::vector<sim::ProcessId>> groups;
  for (const std::vector<ProcessName>& group : fault.groups) groups.push_back(Resolve(group));
  for (std::size_t a = 0; a < groups.size(); ++a) {
    for (std::size_t b = a + 1; b < groups.size(); ++b) {
      for (const sim::ProcessId from : groups[a]) {
        for (const sim::ProcessId to : groups[b]) {
          cut(from, to);
          if (!fault.one_way) cut(to, from);
        }
      }
    }
  }
  if (left.cuts.empty()) Doubt("there was no link left to cut");
}

void FaultDesk::Do(const Heal& fault, Aftermath&) {
  std::vector<std::pair<sim::ProcessId, sim::ProcessId>> cuts;
  if (fault.handle.has_value()) {
    for (const Aftermath* other : LeftBy(fault.handle)) {
      cuts.insert(cuts.end(), other->cuts.begin(), other->cuts.end());
    }
  } else {
    cuts = moment_.world.network().cuts;
  }
  if (cuts.empty()) Doubt("there was no link to heal");
  for (const auto& [from, to] : cuts) moment_.world.Heal(from, to, &observer_, cause_);
}

void FaultDesk::AddRule(const MessageChoice& message, sim::MessageRule rule, Aftermath& left) {
  std::optional<sim::MessageRule> criteria = RuleFor(message.pattern, moment_);
  if (!criteria.has_value()) {
    Doubt(fmt::format("nobody was there for: {}", PatternText(message.pattern)));
    return;
  }
  criteria->action = rule.action;
  criteria->delay = rule.delay;
  criteria->copies = rule.copies;
  criteria->reset = rule.reset;
  criteria->skip = static_cast<std::uint32_t>(message.nth - 1);
  criteria->count = std::nullopt;
  if (message.count != MessageChoice::kAll) {
    criteria->count = static_cast<std::uint32_t>(message.count);
  }
  left.rules.push_back(moment_.world.AddRule(std::move(*criteria)));
}

void FaultDesk::Do(const Hold& fault, Aftermath& left) {
  AddRule(fault.message, {.action = sim::MessageAction::kHold}, left);
}

void FaultDesk::Do(const Release& fault, Aftermath&) {
  bool any = false;
  for (const Aftermath* other : LeftBy(fault.handle)) {
    if (!fault.handle.has_value() && !std::holds_alternative<Hold>(other->fault->fault)) continue;
    for (const std::uint32_t rule : other->rules) {
      moment_.world.EndRule(rule, &observer_);
      any = true;
    }
  }
  if (!any) Doubt("there was nothing to release");
}

void FaultDesk::Do(const Drop& fault, Aftermath& left) {
  AddRule(fault.message, {.action = sim::MessageAction::kDrop, .reset = fault.reset}, left);
}

void FaultDesk::Do(const Delay& fault, Aftermath& left) {
  AddRule(fault.message, {.action = sim::MessageAction::kDelay, .delay = sim::Micros(fault.by_us)},
          left);
}

void FaultDesk::Do(const Repeat& fault, Aftermath& left) {
  AddRule(fault.message,
          {.action = sim::MessageAction::kRepeat,
           .delay = sim::Micros(fault.after_us),
           .copies = static_cast<std::uint32_t>(fault.times)},
          left);
}

void FaultDesk::Do(const Elect& fault, Aftermath&) {
  std::optional<broker::PartitionId> partition;
  if (const auto* name = std::get_if<PartitionName>(&fault.what)) {
    partition = moment_.names.FindPartition(*name);
  } else {
    partition = CoordinatorPartition(moment_, std::get<Name>(fault.what).value);
  }
  const std::optional<sim::ProcessId> controller = moment_.names.FindProcess("controller");
  if (!partition.has_value() || !controller.has_value()) {
    Doubt("there was nothing to elect a leader for");
    return;
  }
  if (moment_.world.life(*controller) != sim::Life::kRunning) {
    Doubt(fmt::format("no leader was elected for {}: the controller does not run",
                      moment_.names.NameOf(*partition)));
    return;
  }
  const broker::BrokerId wanted(fault.leader.value_or(broker::kNoBroker.value()));
  moment_.world.Command(*controller,
                        broker::MakeMessage(broker::ElectLeadersRequest{
                            .partition = *partition, .leader = wanted, .unclean = fault.unclean}),
                        &observer_, cause_);
  const auto result = static_cast<const broker::Controller&>(moment_.world.process(*controller))
                          .last_election_result();
  if (result == broker::ErrorCode::kNone) return;
  Doubt(fmt::format("no other leader was elected for {}: {}", moment_.names.NameOf(*partition),
                    result.has_value() ? broker::Name(*result) : "the controller is down"));
}

void FaultDesk::Do(const LogTask& fault, Aftermath&) {
  for (const PartitionName& name : fault.partitions) {
    bool any = false;
    const auto partition = moment_.names.FindPartition(name);
    const broker::PartitionImage* image =
        partition.has_value() ? CurrentCluster(moment_).FindPartition(*partition) : nullptr;
    const std::vector<broker::BrokerId> replicas =
        image == nullptr ? std::vector<broker::BrokerId>{} : image->replicas;
    for (const broker::BrokerId replica : replicas) {
      const sim::ProcessId process = broker::ProcessOf(replica);
      if (moment_.world.life(process) != sim::Life::kRunning) continue;
      any = true;
      moment_.world.Command(process,
                            std::make_shared<const broker::LogOrder>(fault.kind, *partition),
                            &observer_, cause_);
    }
    if (!any) Doubt(fmt::format("no broker that runs has {}-{}", name.topic, name.partition));
  }
}

}  // namespace kafkasim::scenarios
