#include "cli/event_rows.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "cli/glyphs.h"
#include "cli/shortened.h"
#include "cli/terminal_text.h"
#include <fmt/format.h>

#include "broker/events.h"

namespace kafkasim::cli {
namespace {

using scenarios::EventCategory;
using scenarios::EventText;

constexpr int kColumnGap = 2;
constexpr int kWidestActor = 16;
constexpr int kWidestWhat = 34;
constexpr int kWidestResult = 24;
constexpr int kNarrowestReason = 28;  // beside the rest; else it goes below

Role RoleOfEvent(const sim::TraceEvent& event, const EventText& text) {
  if (text.is_error) return Role::kError;
  if (event.Is(broker::events::kLastStableOffset)) return Role::kLastStable;
  if (event.Is(broker::events::kHighWatermark)) return Role::kHighWatermark;
  switch (text.category) {
    case EventCategory::kMarker:
      return event.Text("type") == "ABORT" ? Role::kAbortMarker : Role::kCommitMarker;
    case EventCategory::kTransaction:
    case EventCategory::kGroup:
      return Role::kTransaction;
    case EventCategory::kFault:
    case EventCategory::kCluster:
      return Role::kFault;
    case EventCategory::kReplication:
    case EventCategory::kMessage:
      return Role::kFaint;
    case EventCategory::kJudgement:
      return Role::kGood;
    case EventCategory::kCall:
      return Role::kStrong;
    case EventCategory::kScript:
    case EventCategory::kAppend:
    case EventCategory::kPosition:
      return Role::kPlain;
  }
  return Role::kPlain;
}

Sign SignOf(const EventText& text) {
  if (text.category == EventCategory::kFault) return Sign::kFault;
  if (text.is_error) return Sign::kBad;
  return text.category == EventCategory::kJudgement ? Sign::kGood : Sign::kNone;
}

void AddSign(Sign sign, Line& line) {
  const Glyphs& glyphs = GlyphsOf(line.look());
  switch (sign) {
    case Sign::kNone:
      return;
    case Sign::kGood:
      line.Add(glyphs.good, Role::kGood);
      return;
    case Sign::kBad:
      line.Add(glyphs.bad, Role::kError);
      return;
    case Sign::kFault:
      line.Add(glyphs.fault, Role::kFault);
      return;
  }
}

}  // namespace

EventRow RowOf(const sim::TraceEvent& event, const EventText& text) {
  std::string_view reason = text.reason;
  // What the result says already.
  if (!text.result.empty() && reason.starts_with(text.result + ": ")) {
    reason.remove_prefix(text.result.size() + 2);
  }
  return {.at = event.at,
          .actor = text.actor,
          .what = Shortened(text.what),
          .result = Shortened(text.result),
          .reason = Shortened(reason),
          .role = RoleOfEvent(event, text),
          .sign = SignOf(text)};
}

std::string ClockText(sim::Time at, Precision precision) {
  const std::int64_t seconds = at.us / 1'000'000;
  const std::int64_t rest = at.us % 1'000'000;
  if (precision == Precision::kMilli) return fmt::format("{}.{:03}s", seconds, rest / 1000);
  return fmt::format("{}.{:06}s", seconds, rest);
}

void EventColumns::Fit(const EventRow& row) {
  time_ = std::max(time_, static_cast<int>(ClockText(row.at, precision_).size()));
  actor_ = std::max(actor_, Line(look_, row.actor).width());
  what_ = std::max(what_, Line(look_, row.what).width());
  result_ = std::max(result_, Line(look_, row.result).width());
}

void EventColumns::Finish() {
  actor_ = std::min(actor_, kWidestActor);
  // A few long ones shall not push all others apart.
  const int room = std::max(look_.width - what_column(), kNarrowestReason);
  result_ = std::min({result_, kWidestResult, room * 2 / 5});
  what_ = std::min({what_, kWidestWhat, room - kColumnGap - result_});
}

int EventColumns::sign_column() const { return time_ + kColumnGap + actor_ + kColumnGap; }

Line EventColumns::DrawTime(sim::Time at) const {
  const std::string clock = ClockText(at, precision_);
  return Line(look_).PadTo(time_ - DisplayWidth(clock)).Add(clock, Role::kFaint);
}

void EventColumns::AddResult(const EventRow& row, std::vector<Line>& lines) const {
  if (row.result.empty()) return;
  const Line result(look_, row.result, row.role == Role::kStrong ? Role::kPlain : row.role);
  const int column = what_column() + what_ + kColumnGap;
  if (column + result.width() <= look_.width) {
    lines.front().PadTo(column).Append(result);
  } else {
    AddBelow(result, lines);
  }
}

void EventColumns::AddReason(const EventRow& row, std::vector<Line>& lines) const {
  if (row.reason.empty()) return;
  const Line reason(look_, row.reason, Role::kFaint);
  const int column = what_column() + what_ + kColumnGap + result_ + kColumnGap;
  const int beside = std::max(column, lines.back().width() + kColumnGap);
  if (lines.size() > 1 || (beside + reason.width() > look_.width &&
                           (beside > column || look_.width - column < kNarrowestReason))) {
    AddBelow(reason, lines);
    return;
  }
  const std::vector<Line> parts = reason.Wrap(look_.width - beside);
  lines.back().PadTo(beside).Append(parts.front());
  for (std::size_t i = 1; i < parts.size(); ++i) {
    lines.emplace_back(look_).PadTo(beside).Append(parts[i]);
  }
}

void EventColumns::AddBelow(const Line& text, std::vector<Line>& lines) const {
  const int column = what_column() + kColumnGap;
  for (const Line& part : text.Wrap(look_.width - column)) {
    lines.emplace_back(look_).PadTo(column).Append(part);
  }
}

std::vector<Line> EventColumns::Draw(const EventRow& row) const {
  Line line = DrawTime(row.at);
  line.PadTo(time_ + kColumnGap);
  line.Add(Abbreviate(SafeText(row.actor, look_.unicode), actor_, look_.unicode), row.actor_role);
  line.PadTo(sign_column());
  AddSign(row.sign, line);
  // What does not fit its column goes on below it, so that the result stands where it belongs.
  const int room = row.result.empty() ? look_.width - what_column() : what_;
  std::vector<Line> lines;
  for (const Line& part : Line(look_, row.what, row.role).Wrap(room, kColumnGap)) {
    if (!lines.empty()) line = Line(look_);
    lines.push_back(line.PadTo(what_column()).Append(part));
  }
  AddResult(row, lines);
  AddReason(row, lines);
  return lines;
}

}  // namespace kafkasim::cli
