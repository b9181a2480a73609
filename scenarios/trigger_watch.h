// Watches a run for the named protocol points that a `when:` or a `wait_until:` waits for.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/history.h"
#include "scenarios/moment.h"
#include "scenarios/triggers.h"
#include "sim/trace.h"

namespace kafkasim::scenarios {

// Whether `event` is such a point.
bool MatchesTrigger(const Trigger& trigger, const sim::TraceEvent& event, const Moment& moment);

// "transaction_record PREPARE_COMMIT of pay-1 replicated", for people.
std::string TriggerText(const Trigger& trigger);

class TriggerWatch {
 public:
  // Starts to count; the points before do not. Returns the watch's number.
  std::size_t Arm(const Trigger& trigger);
  void Disarm(std::size_t watch) { watches_[watch].armed = false; }

  // The watches whose moment this event is.
  std::vector<std::size_t> OnEvent(const sim::TraceEvent& event, const Moment& moment);

  // When it fired; nullopt if it has not.
  std::optional<Happening> FiredAt(std::size_t watch) const { return watches_[watch].fired; }

 private:
  struct Watch {
    Trigger trigger{};
    std::int64_t seen = 0;
    bool armed = true;
    std::optional<Happening> fired{};
  };

  std::vector<Watch> watches_{};
};

}  // namespace kafkasim::scenarios
