#include "scenarios/rule_watch.h"

#include <utility>
#include <variant>

#include <fmt/format.h>

#include "sim/network.h"
#include "sim/time.h"

namespace kafkasim::scenarios {
namespace {

std::string EffectText(const sim::MessageRule& rule) {
  if (rule.action == sim::MessageAction::kDelay) {
    return fmt::format("comes {} later", sim::FormatDuration(rule.delay));
  }
  return rule.copies == 1 ? "comes twice" : fmt::format("comes {} times", rule.copies + 1);
}

}  // namespace

std::vector<RuleWatch::Hit> RuleWatch::TakeHits(const sim::World& world) {
  std::vector<Hit> hits;
  for (const sim::MessageRule& rule : world.network().rules) {
    const std::uint32_t before = std::exchange(matched_[rule.id], rule.matched);
    const bool tells =
        rule.action == sim::MessageAction::kDelay || rule.action == sim::MessageAction::kRepeat;
    if (!tells || rule.matched == before || rule.matched <= rule.skip) continue;
    hits.push_back({.sent = sent_, .text = message_ + " " + EffectText(rule)});
  }
  return hits;
}

void RuleWatch::OnSent(const sim::TraceEvent& event) {
  const bool* answer = std::get_if<bool>(event.Find("answer"));
  sent_ = event.id;
  message_ = fmt::format("{}{} to {}", event.Text("api"),
                         answer != nullptr && *answer ? " answer" : "", event.Text("to"));
}

}  // namespace kafkasim::scenarios
