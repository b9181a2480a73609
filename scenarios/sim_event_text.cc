// The words for what happens to messages and processes, and for the script.
#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "broker/message.h"
#include "client/external_message.h"
#include "scenarios/event_text_rules.h"
#include "scenarios/run.h"
#include "scenarios/run_events.h"
#include "scenarios/second_tries.h"

namespace kafkasim::scenarios {
namespace {

using Category = EventCategory;

std::string MessageText(const Told& told) {
  return told.Text("api") + (told.Truth("answer") ? " answer" : "");
}

std::string WithInternalCounted(const std::string& contents) {
  constexpr std::size_t kMostNamed = 2;
  std::vector<std::string_view> words;
  std::vector<std::string_view> internal;
  for (std::size_t begin = 0; begin < contents.size();) {
    const std::size_t end = std::min(contents.find(' ', begin), contents.size());
    const std::string_view word = std::string_view(contents).substr(begin, end - begin);
    (word.starts_with("__") ? internal : words).push_back(word);
    begin = end + 1;
  }
  if (internal.size() <= kMostNamed) return contents;
  return fmt::format("{} {} internal partitions", fmt::join(words, " "), internal.size());
}

// What the message says. A fetch of a follower asks for all partitions that it follows; those of
// Kafka's own topics are only counted.
std::string Contents(const Told& told) {
  if (told.event.payload == nullptr) return "";
  if (client::IsExternal(*told.event.payload)) {
    return client::AsExternal(*told.event.payload).Describe();
  }
  return WithInternalCounted(broker::AsMessage(*told.event.payload).Describe(*told.names.topics));
}

void Sent(const Told& told, EventText& text) {
  text.what = "send " + MessageText(told);
  text.result = "to " + told.Text("to");
  text.reason = Contents(told);
  const ProcessEntry* sender = told.names.Find(told.event.actor);
  const bool by_client = sender != nullptr && sender->is_actor();
  if (!by_client || told.Truth("answer") || !IsSentAgain(told.event, told.history)) {
    text.importance = Importance::kVerbose;
    return;
  }
  text.what += " again";
  text.repeats = true;
}

void Delivered(const Told& told, EventText& text) {
  text.what = "receive " + MessageText(told);
  text.result = "from " + told.Text("from");
  text.reason = Contents(told);
}

void Lost(const Told& told, EventText& text) {
  text.what = "lost " + MessageText(told);
  text.result = "to " + told.Text("to");
  text.reason = told.Text("why");
  if (text.reason != "dropped by a fault") text.importance = Importance::kVerbose;
}

void Held(const Told& told, EventText& text) {
  text.what = "held " + MessageText(told);
  text.result = "to " + told.Text("to");
  text.reason = Contents(told);
}

void Released(const Told& told, EventText& text) {
  text.what = "released " + MessageText(told);
  text.result = "to " + told.Text("to");
}

void Disconnected(const Told& told, EventText& text) {
  text.what = "disconnected from " + told.Text("peer");
}

// Where the script's own line stands right before, this one says nothing new.
void HideBehindFault(const Told& told, EventText& text) {
  const sim::TraceEvent* cause = told.history.Find(told.event.cause);
  if (cause != nullptr && cause->Is(events::kFault)) text.importance = Importance::kVerbose;
}

void Crashed(const Told& told, EventText& text) {
  text.what = "crashed";
  const std::string loses = told.Text("loses");
  text.reason = loses == "process"   ? "its memory is lost"
                : loses == "machine" ? "its memory and what was not flushed are lost"
                                     : "its memory and its disk are lost";
  HideBehindFault(told, text);
}

void Restarted(const Told& told, EventText& text) {
  text.what = "restarted";
  HideBehindFault(told, text);
}

void Paused(const Told& told, EventText& text) {
  text.what = "paused";
  HideBehindFault(told, text);
}

void Resumed(const Told& told, EventText& text) {
  text.what = "resumed";
  HideBehindFault(told, text);
}

void LinkCut(const Told& told, EventText& text) {
  text.what = "cut off from " + told.Text("peer");
  HideBehindFault(told, text);
}

void LinkHealed(const Told& told, EventText& text) {
  text.what = "reaches " + told.Text("peer") + " again";
  HideBehindFault(told, text);
}

constexpr auto kSimRules = std::to_array<EventTextRule>({
    {&sim::events::kSent, Category::kMessage, Importance::kNormal, Sent},
    {&sim::events::kDelivered, Category::kMessage, Importance::kVerbose, Delivered},
    {&sim::events::kLost, Category::kFault, Importance::kNormal, Lost},
    {&sim::events::kHeld, Category::kFault, Importance::kNormal, Held},
    {&sim::events::kReleased, Category::kFault, Importance::kNormal, Released},
    {&sim::events::kDisconnected, Category::kCluster, Importance::kVerbose, Disconnected},
    {&sim::events::kCrashed, Category::kFault, Importance::kNormal, Crashed},
    {&sim::events::kRestarted, Category::kFault, Importance::kNormal, Restarted},
    {&sim::events::kPaused, Category::kFault, Importance::kNormal, Paused},
    {&sim::events::kResumed, Category::kFault, Importance::kNormal, Resumed},
    {&sim::events::kLinkCut, Category::kFault, Importance::kNormal, LinkCut},
    {&sim::events::kLinkHealed, Category::kFault, Importance::kNormal, LinkHealed},
});

void StepBegun(const Told& told, EventText& text) {
  text.what = fmt::format("step {}", told.Int("step"));
  text.reason = told.Text("text");
}

void Said(const Told& told, EventText& text) { text.what = told.Text("text"); }

void ExpectationHeld(const Told& told, EventText& text) {
  text.what = told.Texts("claims", "; ");
  text.reason = told.Text("because");
}

void OutcomeHeld(const Told& told, EventText& text) {
  text.what = "as claimed";
  text.reason = told.Text("because");
}

void ExpectationFailed(const Told& told, EventText& text) {
  text.is_error = true;
  text.what = told.Text("what");
  text.result = fmt::format("expected {}, found {}", told.Text("expected"), told.Text("actual"));
  text.reason = told.Text("reason");
}

void InvariantBroken(const Told& told, EventText& text) {
  text.is_error = true;
  text.what = fmt::format("breaks {}", told.Text("invariant"));
  text.result = told.Text("what");
}

void FaultArmed(const Told& told, EventText& text) { text.what = "waits for " + told.Text("text"); }

void TriggerFired(const Told& told, EventText& text) { text.what = "now " + told.Text("text"); }

void FaultStruck(const Told& told, EventText& text) { text.what = told.Text("text"); }

void FaultHit(const Told& told, EventText& text) {
  text.what = told.Text("text");
  text.repeats = true;
}

void NeverFired(const Told& told, EventText& text) {
  text.is_error = true;
  text.what = told.Text("text");
}

void VerdictReached(const Told& told, EventText& text) {
  text.is_error = told.Text("verdict") != VerdictName(Verdict::kHolds);
  text.what = told.Text("verdict");
  text.reason = fmt::format("{} claims, {} failures", told.Int("claims"), told.Int("failures"));
}

constexpr auto kScriptRules = std::to_array<EventTextRule>({
    {&events::kStep, Category::kScript, Importance::kVerbose, StepBegun},
    {&events::kSaid, Category::kScript, Importance::kNormal, Said},
    {&events::kExpectationHeld, Category::kJudgement, Importance::kNormal, ExpectationHeld},
    {&events::kOutcomeHeld, Category::kJudgement, Importance::kNormal, OutcomeHeld},
    {&events::kExpectationFailed, Category::kJudgement, Importance::kNormal, ExpectationFailed},
    {&events::kInvariantBroken, Category::kJudgement, Importance::kNormal, InvariantBroken},
    {&events::kFaultArmed, Category::kFault, Importance::kNormal, FaultArmed},
    {&events::kTriggerFired, Category::kFault, Importance::kNormal, TriggerFired},
    {&events::kFault, Category::kFault, Importance::kNormal, FaultStruck},
    {&events::kFaultHit, Category::kFault, Importance::kNormal, FaultHit},
    {&events::kNeverFired, Category::kJudgement, Importance::kNormal, NeverFired},
    {&events::kVerdict, Category::kJudgement, Importance::kNormal, VerdictReached},
});

}  // namespace

std::span<const EventTextRule> SimEventTexts() { return kSimRules; }
std::span<const EventTextRule> ScriptEventTexts() { return kScriptRules; }

}  // namespace kafkasim::scenarios
