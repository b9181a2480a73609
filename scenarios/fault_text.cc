#include "scenarios/fault_text.h"

#include <fmt/format.h>

#include "scenarios/message_match.h"
#include "scenarios/process_lookup.h"
#include "sim/time.h"

namespace kafkasim::scenarios {
namespace {

std::string NamesText(const std::vector<ProcessName>& names) {
  std::string text;
  for (const ProcessName& name : names) {
    if (!text.empty()) text += ", ";
    text += NameText(name);
  }
  return text;
}

std::string HandleText(const std::optional<Name>& handle) {
  return handle.has_value() ? handle->value : "all";
}

std::string ChoiceText(const MessageChoice& choice) {
  std::string text = PatternText(choice.pattern);
  if (choice.nth != 1) text += fmt::format(", number {}", choice.nth);
  if (choice.count == MessageChoice::kAll) {
    text += ", all of them";
  } else if (choice.count != 1) {
    text += fmt::format(", {} of them", choice.count);
  }
  return text;
}

std::string FaultWords(const Crash& fault) {
  std::string text = "crash " + NamesText(fault.processes);
  if (fault.loses == sim::CrashKind::kMachine) text += ", which loses what is not flushed";
  if (fault.loses == sim::CrashKind::kDisk) text += ", which loses its disk";
  return text;
}
std::string FaultWords(const Restart& fault) { return "restart " + NamesText(fault.processes); }
std::string FaultWords(const Pause& fault) { return "pause " + NamesText(fault.processes); }
std::string FaultWords(const Resume& fault) { return "resume " + NamesText(fault.processes); }
std::string FaultWords(const Start& fault) { return "start " + NamesText(fault.processes); }
std::string FaultWords(const Stop& fault) { return "stop " + NamesText(fault.processes); }
std::string FaultWords(const Heal& fault) { return "heal " + HandleText(fault.handle); }
std::string FaultWords(const Hold& fault) { return "hold " + ChoiceText(fault.message); }
std::string FaultWords(const Release& fault) { return "release " + HandleText(fault.handle); }
std::string FaultWords(const Drop& fault) {
  return "drop " + ChoiceText(fault.message) + (fault.reset ? " and reset the connection" : "");
}

std::string FaultWords(const Partition& fault) {
  std::string text = "partition";
  for (std::size_t i = 0; i < fault.groups.size(); ++i) {
    if (i > 0) text += fault.one_way ? " to" : " from";
    text += " [" + NamesText(fault.groups[i]) + "]";
  }
  return text;
}

std::string FaultWords(const Delay& fault) {
  return fmt::format("delay {} by {}", ChoiceText(fault.message),
                     sim::FormatDuration(sim::Micros(fault.by_us)));
}

std::string FaultWords(const Repeat& fault) {
  const std::string times =
      fault.times == 1 ? "once more" : fmt::format("{} more times", fault.times);
  return fmt::format("repeat {} {}", ChoiceText(fault.message), times);
}

std::string FaultWords(const Elect& fault) {
  std::string text = fault.unclean ? "elect uncleanly " : "elect ";
  if (fault.leader.has_value()) text += fmt::format("broker-{} ", *fault.leader);
  if (const auto* partition = std::get_if<PartitionName>(&fault.what)) {
    return text + fmt::format("for {}-{}", partition->topic, partition->partition);
  }
  return text + "as coordinator of " + std::get<Name>(fault.what).value;
}

std::string_view TaskName(broker::LogOrder::Kind kind) {
  switch (kind) {
    case broker::LogOrder::Kind::kRoll:
      return "roll";
    case broker::LogOrder::Kind::kClean:
      return "clean";
    case broker::LogOrder::Kind::kDeleteOldSegments:
      return "check retention of";
  }
  return "";
}

std::string FaultWords(const LogTask& fault) {
  std::string text(TaskName(fault.kind));
  for (std::size_t i = 0; i < fault.partitions.size(); ++i) {
    const PartitionName& partition = fault.partitions[i];
    text += fmt::format("{} {}-{}", i == 0 ? "" : ",", partition.topic, partition.partition);
  }
  return text;
}

}  // namespace

std::string FaultText(const FaultStep& fault) {
  return std::visit([](const auto& what) { return FaultWords(what); }, fault.fault);
}

}  // namespace kafkasim::scenarios
