// Events as rows in aligned columns: time, actor, sign, what, result, reason.
#pragma once

#include <string>
#include <vector>

#include "cli/line.h"
#include "cli/look.h"
#include "cli/style.h"

#include "scenarios/event_text.h"
#include "scenarios/history.h"
#include "scenarios/name_table.h"
#include "sim/time.h"
#include "sim/trace.h"

namespace kafkasim::cli {

enum class Sign { kNone, kGood, kBad, kFault };

struct EventRow {
  sim::Time at{};
  std::string actor{};
  std::string what{};
  std::string result{};
  std::string reason{};
  Role actor_role = Role::kStrong;
  Role role = Role::kPlain;  // of what and result
  Sign sign = Sign::kNone;
};

[[nodiscard]] EventRow RowOf(const sim::TraceEvent& event, const scenarios::EventText& text);

// To the millisecond, or to the microsecond.
enum class Precision { kMilli, kMicro };
// "0.412s", "0.412000s".
[[nodiscard]] std::string ClockText(sim::Time at, Precision precision = Precision::kMilli);

// How wide the columns of a set of rows are.
class EventColumns {
 public:
  explicit EventColumns(const Look& look, Precision precision = Precision::kMilli)
      : look_(look), precision_(precision) {}

  void Fit(const EventRow& row);  // for each row that is going to be drawn
  void Finish();                  // then once

  // One line, or more where the reason does not fit beside the rest.
  [[nodiscard]] std::vector<Line> Draw(const EventRow& row) const;
  // The moment alone in its column, for lines that are no events.
  [[nodiscard]] Line DrawTime(sim::Time at) const;
  // The column where the sign stands, and where `what` begins.
  [[nodiscard]] int sign_column() const;
  [[nodiscard]] int what_column() const { return sign_column() + 2; }

 private:
  // These put their text beside what the last line holds, or below it.
  void AddResult(const EventRow& row, std::vector<Line>& lines) const;
  void AddReason(const EventRow& row, std::vector<Line>& lines) const;
  void AddBelow(const Line& text, std::vector<Line>& lines) const;

  Look look_;
  Precision precision_;
  int time_ = 0;
  int actor_ = 0;
  int what_ = 0;
  int result_ = 0;
};

}  // namespace kafkasim::cli
