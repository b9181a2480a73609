#include "cli/story.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cli/event_folding.h"
#include "cli/event_rows.h"
#include "cli/glyphs.h"
#include "cli/line.h"
#include "cli/shortened.h"
#include <fmt/format.h>

#include "coordinator/events.h"
#include "scenarios/event_text.h"
#include "scenarios/run_events.h"

namespace kafkasim::cli {
namespace {

namespace events = scenarios::events;

// One line of the story before it has a place.
struct Told {
  bool is_voice = false;
  EventRow row{};
  std::string because{};  // the author's reason for a claim
};

// What events of this kind are called when they are counted: a call by the name of its operation,
// anything else by its kind.
std::string CountedName(const sim::TraceEvent& event) {
  const std::string_view operation = event.Text("operation");
  std::string name(operation.empty() ? event.kind->name : operation);
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

// As fine as the finest of its events.
Precision PrecisionOf(const scenarios::RunResult& result) {
  if (!result.end.has_value()) return Precision::kMilli;
  const auto& trace = result.end->history.trace();
  const bool fine = std::any_of(trace.begin(), trace.end(),
                                [](const auto& event) { return event.at.us % 1000 != 0; });
  return fine ? Precision::kMicro : Precision::kMilli;
}

// The start of a coordinator on a partition with nothing in it: a broker has dozens of them.
bool IsIdleStart(const sim::TraceEvent& event, const scenarios::EventText& text) {
  return event.Is(coordinator::events::kCoordinatorLoaded) &&
         text.importance == scenarios::Importance::kVerbose;
}

class Story {
 public:
  Story(const scenarios::RunResult& result, const Look& look, const StoryOptions& options)
      : look_(look),
        options_(options),
        columns_(look, options.verbose ? PrecisionOf(result) : Precision::kMilli) {
    if (!result.end.has_value()) return;
    const scenarios::History& history = result.end->history;
    for (const sim::TraceEvent& event : history.trace()) {
      if (event.Is(events::kStep)) {
        ++step_;
        line_ = event.Int("line");
      }
      if (options_.after != sim::kNoEvent && event.id <= options_.after) continue;
      if (event.Is(events::kVerdict) || !IsTold(scenarios::HighestImportance(*event.kind))) {
        continue;
      }
      Take(event, scenarios::TextOf(event, result.end->names, history),
           history.StepBehind(event.id));
    }
    folding_ =
        options_.verbose ? Folding{.told = std::vector<bool>(told_.size(), true)} : Fold(folded_);
    for (std::size_t i = 0; i < told_.size(); ++i) {
      if (folding_.told[i] && !told_[i].is_voice) columns_.Fit(told_[i].row);
    }
    columns_.Finish();
  }

  void Tell(std::ostream& out) const {
    for (std::size_t i = 0; i < told_.size(); ++i) {
      const auto notes = folding_.notes.find(i);
      if (notes != folding_.notes.end()) {
        for (const std::string& note : notes->second) TellNote(out, note);
      }
      if (folding_.told[i]) TellOne(out, told_[i]);
    }
  }

 private:
  [[nodiscard]] bool IsTold(scenarios::Importance importance) const {
    return options_.verbose || importance == scenarios::Importance::kNormal;
  }

  void Take(const sim::TraceEvent& event, const scenarios::EventText& text, sim::EventId origin) {
    if (!IsTold(text.importance)) return;
    if (!IsIdleStart(event, text)) {
      idle_starts_ = 0;
    } else if (JoinsIdleStarts(event, text)) {
      return;
    }
    if (event.Is(events::kOutcomeHeld)) {
      MarkHeld(event, text.reason);
      return;
    }
    if (event.Is(events::kExpectationHeld)) {
      TakeClaims(event, text);
      return;
    }
    Told told{.is_voice = event.Is(events::kSaid), .row = RowOf(event, text)};
    if (told.is_voice) told.row.what = event.Text("text");  // however long it is
    // Why it did not hold is told at the end, with all that belongs to it.
    if (event.Is(events::kExpectationFailed)) told.row.reason.clear();
    if (told.row.actor.empty() && line_ > 0) {
      told.row.actor = fmt::format("line {}", line_);
      told.row.actor_role = Role::kFaint;
    }
    // One refusal passes through several hands; its reason is told once.
    if (told.row.sign == Sign::kBad && !told.row.reason.empty()) {
      const std::string reason = told.row.reason;
      if (!options_.verbose && reason == reason_) told.row.reason.clear();
      reason_ = reason;
    }
    places_[event.id] = told_.size();
    folded_.push_back({.step = step_,
                       .actor = told.row.actor,
                       .name = CountedName(event),
                       .clock = ClockText(event.at),
                       .repeats = text.repeats,
                       .origin = origin,
                       .what = text.what,
                       .result = text.result});
    told_.push_back(std::move(told));
  }

  // Counts the start in the row before if that is about the same broker and moment.
  bool JoinsIdleStarts(const sim::TraceEvent& event, const scenarios::EventText& text) {
    if (idle_starts_ > 0 && told_.back().row.actor == text.actor &&
        told_.back().row.at == event.at) {
      EventRow& row = told_.back().row;
      row.what = fmt::format("coordinate {} partitions", ++idle_starts_);
      row.result = "of __transaction_state";
      return true;
    }
    idle_starts_ = 1;
    return false;
  }

  // A row for each thing that was claimed something of, and below them why.
  void TakeClaims(const sim::TraceEvent& event, const scenarios::EventText& text) {
    const auto* claims = std::get_if<std::vector<std::string>>(event.Find("claims"));
    if (claims == nullptr) return;
    for (const std::string& claim : *claims) {
      Told told{.row = RowOf(event, text)};
      told.row.actor = fmt::format("line {}", line_);
      told.row.actor_role = Role::kFaint;
      told.row.what = Shortened(claim);
      told.row.reason.clear();
      folded_.push_back({.step = step_, .actor = told.row.actor, .name = claim});
      told_.push_back(std::move(told));
    }
    if (!told_.empty()) told_.back().because = text.reason;
  }

  // The call that has done what was claimed of it.
  void MarkHeld(const sim::TraceEvent& event, const std::string& because) {
    const auto place = places_.find(event.cause);
    if (place == places_.end()) return;
    told_[place->second].row.sign = Sign::kGood;
    told_[place->second].because = because;
  }

  void TellNote(std::ostream& out, const std::string& note) const {
    Line line(look_);
    line.PadTo(columns_.what_column()).Add(GlyphsOf(look_).ellipsis, Role::kFaint);
    line.Add(" " + note, Role::kFaint);
    out << line.Wrap(look_.width, columns_.what_column() + 2);
  }

  void TellOne(std::ostream& out, const Told& told) const {
    if (told.is_voice) {
      out << DrawVoice(told.row.what, look_);
    } else {
      out << columns_.Draw(told.row);
    }
    if (told.because.empty()) return;
    const int column = columns_.what_column() + 2;
    for (const Line& part :
         Line(look_, "because " + told.because, Role::kFaint).Wrap(look_.width - column)) {
      out << Line(look_).PadTo(column).Append(part);
    }
  }

  Look look_;
  StoryOptions options_;
  EventColumns columns_;
  std::vector<Told> told_;
  std::vector<FoldedEvent> folded_;             // of each in told_
  std::map<sim::EventId, std::size_t> places_;  // in told_
  Folding folding_;
  int idle_starts_ = 0;  // in the last row, if it is about them
  std::size_t step_ = 0;
  std::int64_t line_ = 0;  // of the step in the file
  std::string reason_{};   // the last one that was told
};

}  // namespace

std::vector<Line> DrawVoice(std::string_view text, const Look& look) {
  std::vector<Line> lines{Line(look)};
  for (const Line& part : Line(look, text, Role::kVoice).Wrap(look.width - 2)) {
    lines.push_back(Line(look, GlyphsOf(look).voice, Role::kVoice).Add(" ").Append(part));
  }
  lines.emplace_back(look);
  return lines;
}

void TellStory(std::ostream& out, const scenarios::RunResult& result, const Look& look,
               const StoryOptions& options) {
  Story(result, look, options).Tell(out);
}

}  // namespace kafkasim::cli
