// Who a name of the language means at a moment of the run.

#pragma once

#include <optional>
#include <string>

#include "scenarios/moment.h"
#include "scenarios/references.h"
#include "sim/ids.h"

namespace kafkasim::scenarios {

// nullopt if nobody is it now: a partition without a leader, an id without a coordinator. A handle
// is not looked up here, as it may stand for several processes; see FaultDesk.
std::optional<sim::ProcessId> FindProcess(const ProcessName& name, const Moment& moment);

// "leader of orders-0", as written.
std::string NameText(const ProcessName& name);

}  // namespace kafkasim::scenarios
