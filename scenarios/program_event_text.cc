// The words for what programs of applications do, and what happens outside Kafka.
#include <array>
#include <string>

#include <fmt/format.h>

#include "client/events.h"
#include "scenarios/event_text_rules.h"

namespace kafkasim::scenarios {
namespace {

namespace client_events = client::events;
using Category = EventCategory;

std::string ToldError(const Told& told) {
  const std::string code = told.Text("code");
  return code.empty() || code == "NONE" ? told.Text("error") : code;
}

void ProgramStarted(const Told& told, EventText& text) {
  text.what = told.Truth("again") ? "program starts again, from the top" : "program starts";
}

void ProgramEnded(const Told& told, EventText& text) {
  const std::string how = told.Text("how");
  text.what = how == "restarts"  ? "program closed its clients, to begin anew"
              : how == "stopped" ? "program stopped"
                                 : "program is through";
}

void ProgramCrashed(const Told& told, EventText& text) {
  text.is_error = true;
  text.what = "uncaught at: " + told.Text("text");
  text.result = ToldError(told);
  text.reason = told.Text("reason");
}

void Line(const Told& told, EventText& text) {
  text.what = fmt::format("line {}", told.Int("line"));
  text.reason = told.Text("text");
}

void ErrorCaught(const Told& told, EventText& text) {
  text.is_error = true;
  text.what = "caught at: " + told.Text("text");
  text.result = ToldError(told);
  text.reason = "on_error: " + told.Text("handler");
}

void CallbackRun(const Told& told, EventText& text) {
  text.what = told.Text("callback");
  text.result = told.Texts("partitions");
}

void ProgramIdle(const Told&, EventText& text) { text.what = "nothing to do"; }

void RowWritten(const Told& told, EventText& text) {
  const std::string verb = told.Text("verb");
  text.is_error = told.Truth("refused");
  text.what = verb + " " + told.Text("row");
  if (text.is_error) {
    text.result = "refused";
    text.reason = "the unique constraint";
  } else if (told.Truth("replaced")) {
    text.result = "replaced";
  }
}

void ServiceCalled(const Told& told, EventText& text) {
  text.is_error = told.Truth("failed");
  text.what = fmt::format("called: {}", told.Text("with"));
  text.result = fmt::format("call number {}", told.Int("number"));
  if (text.is_error) {
    text.reason = "it fails";
  } else if (!told.Truth("effect")) {
    text.reason = "no effect: the idempotency key " + told.Text("idempotency_key") + " is known";
  }
}

constexpr auto kProgramRules = std::to_array<EventTextRule>({
    {&client_events::kProgramStarted, Category::kScript, Importance::kNormal, ProgramStarted},
    {&client_events::kProgramEnded, Category::kScript, Importance::kNormal, ProgramEnded},
    {&client_events::kProgramCrashed, Category::kFault, Importance::kNormal, ProgramCrashed},
    {&client_events::kLineBegun, Category::kCall, Importance::kVerbose, Line},
    {&client_events::kLineDone, Category::kCall, Importance::kVerbose, Line},
    {&client_events::kErrorCaught, Category::kCall, Importance::kNormal, ErrorCaught},
    {&client_events::kCallbackRun, Category::kCall, Importance::kNormal, CallbackRun},
    {&client_events::kProgramIdle, Category::kCall, Importance::kVerbose, ProgramIdle},
    {&client_events::kRowWritten, Category::kCall, Importance::kNormal, RowWritten},
    {&client_events::kServiceCalled, Category::kCall, Importance::kNormal, ServiceCalled},
});

}  // namespace

std::span<const EventTextRule> ProgramEventTexts() { return kProgramRules; }

}  // namespace kafkasim::scenarios
