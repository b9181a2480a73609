// Carries out faults, now or later, and remembers what can still be undone: held messages, cut
// links, crashed processes, by the names that the script gave them.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client/program_order.h"
#include "scenarios/faults.h"
#include "scenarios/findings.h"
#include "scenarios/moment.h"
#include "sim/ids.h"
#include "sim/time.h"
#include "sim/trace.h"

namespace kafkasim::scenarios {

class FaultDesk {
 public:
  FaultDesk(Moment& moment, sim::Observer& observer) : moment_(moment), observer_(observer) {}

  // Carries out a fault now, or puts it down for later if it says `after:`. `cause` is the event
  // that asked for it.
  void Order(const FaultStep& fault, std::size_t step, sim::EventId cause);
  // When the next fault that was put down is due.
  std::optional<sim::Time> NextDue() const;
  // Carries out what is due now.
  void CarryOutDue();

  // A fault that hits only the process that is acting at this very point can strike in the middle
  // of what it does: then this is how, and the fault counts as carried out. Else nullopt.
  std::optional<sim::Reaction> Strike(const FaultStep& fault, std::size_t step,
                                      sim::ProcessId acting);

  // What never happened and was not marked optional: message faults without an occasion, faults
  // that hit nobody, faults still waiting.
  std::vector<Inconclusive> Unfired() const;
  // Holds with a message in them that was never released.
  std::vector<Remark> StillHeld() const;

 private:
  // What a fault left behind and a later one may end.
  struct Aftermath {
    const FaultStep* fault = nullptr;
    std::size_t step = 0;
    std::vector<std::uint32_t> rules{};                             // of the network
    std::vector<std::pair<sim::ProcessId, sim::ProcessId>> cuts{};  // directions
    std::vector<sim::ProcessId> processes{};                        // crashed or paused
  };
  struct Later {
    sim::Time at{};
    const FaultStep* fault = nullptr;
    std::size_t step = 0;
    sim::EventId cause = sim::kNoEvent;
  };

  void CarryOut(const FaultStep& fault, std::size_t step, sim::EventId cause);
  void Do(const Crash& fault, Aftermath& left);
  void Do(const Restart& fault, Aftermath& left);
  void Do(const Pause& fault, Aftermath& left);
  void Do(const Resume& fault, Aftermath& left);
  void Do(const Start& fault, Aftermath& left);
  void Do(const Stop& fault, Aftermath& left);
  void Do(const Partition& fault, Aftermath& left);
  void Do(const Heal& fault, Aftermath& left);
  void Do(const Hold& fault, Aftermath& left);
  void Do(const Release& fault, Aftermath& left);
  void Do(const Drop& fault, Aftermath& left);
  void Do(const Delay& fault, Aftermath& left);
  void Do(const Repeat& fault, Aftermath& left);
  void Do(const Elect& fault, Aftermath& left);
  void Do(const LogTask& fault, Aftermath& left);

  void OrderPrograms(const std::vector<ProcessName>& names, client::ProgramOrder::Kind kind);
  std::vector<sim::ProcessId> Resolve(const std::vector<ProcessName>& names);
  void AddRule(const MessageChoice& message, sim::MessageRule rule, Aftermath& left);
  void Doubt(std::string what);
  std::vector<const Aftermath*> LeftBy(const std::optional<Name>& handle) const;

  Moment& moment_;
  sim::Observer& observer_;
  std::vector<Aftermath> aftermaths_{};
  std::vector<Later> later_{};
  std::vector<Inconclusive> doubts_{};
  // Of the fault that is being carried out.
  const FaultStep* current_ = nullptr;
  std::size_t step_ = 0;
  sim::EventId cause_ = sim::kNoEvent;
};

}  // namespace kafkasim::scenarios
