#include "client/external_store.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "client/events.h"
#include "sim/check.h"
#include "sim/context.h"

namespace kafkasim::client {
namespace {

std::string_view ValueOf(const Row& row, std::string_view column) {
  const auto found =
      std::find_if(row.begin(), row.end(), [&](const auto& cell) { return cell.first == column; });
  return found == row.end() ? std::string_view() : found->second;
}

}  // namespace

Row* ExternalStore::FindConflict(const Row& row) {
  if (options_.unique.empty()) return nullptr;
  const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const Row& other) {
    return std::all_of(
        options_.unique.begin(), options_.unique.end(),
        [&](const std::string& column) { return ValueOf(other, column) == ValueOf(row, column); });
  });
  return found == rows_.end() ? nullptr : &*found;
}

void ExternalStore::OnRequest(sim::Context& context, const sim::RequestIn& request) {
  const auto& asked = std::get<ExternalRequest>(AsExternal(*request.payload).body());
  KAFKASIM_CHECK(asked.verb != ExternalVerb::kCall, "a database is not called");
  ExternalAnswer answer{.verb = asked.verb};
  Row* conflict = FindConflict(asked.row);
  if (conflict == nullptr) {
    rows_.push_back(asked.row);
  } else if (asked.verb == ExternalVerb::kUpsert) {
    *conflict = asked.row;
  } else {
    ++refused_;
    answer.outcome = ExternalAnswer::Outcome::kRefused;
    answer.text = fmt::format("there is a row with {} already: {}",
                              fmt::join(options_.unique, ", "), RowText(*conflict));
  }
  if (context.tracing()) {
    const bool refused = answer.outcome == ExternalAnswer::Outcome::kRefused;
    context.Emit(events::kRowWritten, {{"verb", std::string(Name(asked.verb))},
                                       {"row", RowText(asked.row)},
                                       {"replaced", conflict != nullptr && !refused},
                                       {"refused", refused}});
  }
  answers_.Give(context, request.reply_to, MakeExternal(std::move(answer)), options_.latency);
}

void ExternalStore::OnTimer(sim::Context& context, uint32_t, uint64_t argument) {
  answers_.OnTimer(context, argument);
}

void ExternalStore::OnCrash(sim::CrashKind kind) {
  answers_.Clear();
  if (kind != sim::CrashKind::kDisk) return;
  rows_.clear();
  refused_ = 0;
}

void ExternalStore::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(static_cast<uint32_t>(rows_.size()));
  for (const Row& row : rows_) {
    out.Add(static_cast<uint32_t>(row.size()));
    for (const auto& [column, value] : row) {
      out.Add(column);
      out.Add(value);
    }
  }
  out.Add(refused_);
  out.Add(answers_);
}

}  // namespace kafkasim::client
