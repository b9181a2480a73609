#include "scenarios/fault_desk.h"

#include <algorithm>

#include <fmt/format.h>

#include "scenarios/fault_text.h"
#include "scenarios/process_lookup.h"
#include "scenarios/run_events.h"

namespace kafkasim::scenarios {

void FaultDesk::Order(const FaultStep& fault, std::size_t step, sim::EventId cause) {
  if (fault.after_us == 0) {
    CarryOut(fault, step, cause);
    return;
  }
  later_.push_back({.at = moment_.world.now() + sim::Micros(fault.after_us),
                    .fault = &fault,
                    .step = step,
                    .cause = cause});
  std::stable_sort(later_.begin(), later_.end(),
                   [](const Later& a, const Later& b) { return a.at < b.at; });
}

std::optional<sim::Time> FaultDesk::NextDue() const {
  if (later_.empty()) return std::nullopt;
  return later_.front().at;
}

void FaultDesk::CarryOutDue() {
  while (!later_.empty() && later_.front().at <= moment_.world.now()) {
    const Later due = later_.front();
    later_.erase(later_.begin());
    CarryOut(*due.fault, due.step, due.cause);
  }
}

void FaultDesk::CarryOut(const FaultStep& fault, std::size_t step, sim::EventId cause) {
  current_ = &fault;
  step_ = step;
  cause_ = moment_.world.Note(events::kFault, {{"text", FaultText(fault)}}, &observer_, cause);
  Aftermath left{.fault = &fault, .step = step};
  std::visit([&](const auto& what) { Do(what, left); }, fault.fault);
  aftermaths_.push_back(std::move(left));
}

std::optional<sim::Reaction> FaultDesk::Strike(const FaultStep& fault, std::size_t step,
                                               sim::ProcessId acting) {
  const auto* crash = std::get_if<Crash>(&fault.fault);
  const auto* pause = std::get_if<Pause>(&fault.fault);
  if (fault.after_us > 0 || (crash == nullptr && pause == nullptr)) return std::nullopt;
  const std::vector<ProcessName>& names = crash != nullptr ? crash->processes : pause->processes;
  if (names.size() != 1 || FindProcess(names.front(), moment_) != acting) return std::nullopt;
  aftermaths_.push_back({.fault = &fault, .step = step, .processes = {acting}});
  return crash != nullptr ? sim::Reaction::kCrash : sim::Reaction::kPause;
}

std::vector<Inconclusive> FaultDesk::Unfired() const {
  std::vector<Inconclusive> unfired = doubts_;
  for (const Aftermath& left : aftermaths_) {
    if (left.fault->optional || left.rules.empty()) continue;
    const bool hit = std::any_of(left.rules.begin(), left.rules.end(), [&](std::uint32_t id) {
      const sim::MessageRule* rule = moment_.world.FindRule(id);
      return rule != nullptr && rule->matched > rule->skip;
    });
    if (hit) continue;
    unfired.push_back({.mark = left.fault->mark,
                       .step = left.step,
                       .what = fmt::format("no message was hit by: {}", FaultText(*left.fault))});
  }
  for (const Later& later : later_) {
    if (later.fault->optional) continue;
    unfired.push_back({.mark = later.fault->mark,
                       .step = later.step,
                       .what = fmt::format("the run ended before: {}", FaultText(*later.fault))});
  }
  return unfired;
}

std::vector<Remark> FaultDesk::StillHeld() const {
  std::vector<Remark> remarks;
  for (const Aftermath& left : aftermaths_) {
    const auto held_by_it = [&](const sim::Message& message) {
      return std::find(left.rules.begin(), left.rules.end(), message.rule) != left.rules.end();
    };
    std::size_t held = 0;
    for (const sim::Link& link : moment_.world.network().links) {
      held +=
          static_cast<std::size_t>(std::count_if(link.queue.begin(), link.queue.end(), held_by_it));
    }
    if (held == 0) continue;
    remarks.push_back({.mark = left.fault->mark,
                       .what = fmt::format("{} never released, of: {}",
                                           held == 1 ? "a message was" : "messages were",
                                           FaultText(*left.fault))});
  }
  return remarks;
}

void FaultDesk::Doubt(std::string what) {
  if (current_->optional) return;
  doubts_.push_back({.mark = current_->mark, .step = step_, .what = std::move(what)});
}

std::vector<const FaultDesk::Aftermath*> FaultDesk::LeftBy(
    const std::optional<Name>& handle) const {
  std::vector<const Aftermath*> found;
  for (const Aftermath& left : aftermaths_) {
    const std::optional<Name>& mine = left.fault->handle;
    if (!handle.has_value() || (mine.has_value() && mine->value == handle->value)) {
      found.push_back(&left);
    }
  }
  return found;
}

}  // namespace kafkasim::scenarios
