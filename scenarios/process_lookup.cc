#include "scenarios/process_lookup.h"

#include <sstream>

#include "broker/ids.h"
#include "scenarios/cluster_access.h"

namespace kafkasim::scenarios {
namespace {

std::optional<sim::ProcessId> ProcessOfBroker(broker::BrokerId broker) {
  if (broker == broker::kNoBroker) return std::nullopt;
  return broker::ProcessOf(broker);
}

}  // namespace

std::optional<sim::ProcessId> FindProcess(const ProcessName& name, const Moment& moment) {
  switch (name.kind) {
    case ProcessName::Kind::kActor:
      return moment.names.FindProcess(name.name);
    case ProcessName::Kind::kController:
      return moment.names.FindProcess("controller");
    case ProcessName::Kind::kBroker:
      return ProcessOfBroker(broker::BrokerId(name.broker));
    case ProcessName::Kind::kLeaderOf: {
      const auto partition = moment.names.FindPartition(name.partition);
      if (!partition.has_value()) return std::nullopt;
      return ProcessOfBroker(LeaderOf(moment, *partition));
    }
    case ProcessName::Kind::kCoordinatorOf:
      return ProcessOfBroker(CoordinatorOf(moment, name.name));
    case ProcessName::Kind::kHandle:
      return std::nullopt;
  }
  return std::nullopt;
}

std::string NameText(const ProcessName& name) {
  std::ostringstream text;
  text << name;
  return text.str();
}

}  // namespace kafkasim::scenarios
