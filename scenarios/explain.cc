#include "scenarios/explain.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "broker/events.h"
#include "scenarios/cause_chain.h"
#include "scenarios/group_records.h"
#include "scenarios/marker_fate.h"
#include "scenarios/why_offsets.h"

namespace kafkasim::scenarios {
namespace {

// Answers for one partition, of which it has the view.
class Explainer {
 public:
  Explainer(const Moment& moment, const PartitionView& view, Explanation& answer)
      : moment_(moment), view_(view), answer_(answer) {}

  void Run() {
    const auto found = std::find_if(view_.entries.begin(), view_.entries.end(),
                                    [&](const EntryView& e) { return e.offset == answer_.offset; });
    if (found != view_.entries.end()) answer_.entry = *found;
    answer_.visibility = Decide();
    const std::string where =
        answer_.entry.has_value()
            ? fmt::format("{} offset {} ({})", answer_.partition_name, answer_.offset,
                          EntryText(*answer_.entry))
            : fmt::format("{} offset {}", answer_.partition_name, answer_.offset);
    answer_.sentence = where + " " + Reason() + ".";
    MakeChain();
  }

 private:
  bool committed() const {
    return answer_.isolation_level == broker::IsolationLevel::kReadCommitted;
  }
  std::string reader() const { return std::string(broker::Name(answer_.isolation_level)); }

  Visibility Decide() const {
    if (!view_.readable()) return Visibility::kUnreadable;
    if (answer_.offset < view_.log_start_offset) return Visibility::kGone;
    if (answer_.offset >= view_.log_end_offset) return Visibility::kBeyondLogEnd;
    if (!answer_.entry.has_value()) return Visibility::kGone;
    if (!answer_.entry->is_record()) return Visibility::kControlRecord;
    if (answer_.offset >= view_.high_watermark) return Visibility::kBeyondHighWatermark;
    if (committed() && answer_.offset >= view_.last_stable_offset) {
      return Visibility::kHeldByLastStableOffset;
    }
    const auto& places = committed() ? view_.read_committed : view_.read_uncommitted;
    const bool given = std::any_of(places.begin(), places.end(), [&](std::size_t place) {
      return view_.entries[place].offset == answer_.offset;
    });
    return given ? Visibility::kVisible : Visibility::kAborted;
  }

  std::string Reason() {
    switch (answer_.visibility) {
      case Visibility::kVisible:
        return VisibleReason();
      case Visibility::kUnreadable:
        return UnreadableReason();
      case Visibility::kBeyondHighWatermark:
        return fmt::format("is not given to any reader yet: {}", HighWatermarkReason());
      case Visibility::kHeldByLastStableOffset:
        return HeldReason();
      case Visibility::kAborted:
        return AbortedReason();
      case Visibility::kControlRecord:
        return fmt::format("is a marker of {}: no reader is ever given one",
                           TransactionText(answer_.entry->transactional_id, answer_.entry->actor,
                                           answer_.entry->producer_id, answer_.entry->epoch));
      case Visibility::kGone:
        return GoneReason();
      case Visibility::kBeyondLogEnd:
        return fmt::format("does not exist yet: the log ends at offset {}", view_.log_end_offset);
    }
    return "";
  }

  std::string VisibleReason() const {
    if (!committed()) {
      std::string text = fmt::format("is given to {}: it is below the high watermark {}", reader(),
                                     view_.high_watermark);
      if (answer_.entry->state == EntryState::kAborted) text += ", though it was aborted";
      if (answer_.entry->state == EntryState::kUndecided) text += ", though undecided";
      return text;
    }
    std::string text = fmt::format("is given to {}: it is below the last stable offset {}",
                                   reader(), view_.last_stable_offset);
    if (answer_.entry->state == EntryState::kCommitted) {
      text +=
          fmt::format(" and committed by the marker at offset {}", answer_.entry->marker_offset);
    } else {
      text += " and not part of a transaction";
    }
    return text;
  }

  std::string GoneReason() {
    if (answer_.offset >= view_.log_start_offset) {
      removed_by_ = FindRemoval(broker::events::kCleaned);
      return "is gone: the cleaner has removed it from the compacted log";
    }
    removed_by_ = FindRemoval(broker::events::kLogStartOffset);
    std::string text = fmt::format("is gone: the log starts at offset {}", view_.log_start_offset);
    if (removed_by_ != nullptr) text += fmt::format(" ({})", removed_by_->Text("reason"));
    return text;
  }

  // The event on the leader's side that removed the offset; null if the trace was not kept.
  const sim::TraceEvent* FindRemoval(const sim::EventKind& kind) const {
    const sim::ProcessId seen_on = broker::ProcessOf(broker::BrokerId(view_.seen_on));
    for (const sim::TraceEvent& event : moment_.history.trace()) {
      if (event.Is(kind) && event.actor == seen_on && event.Int("to") > answer_.offset &&
          event.Text("partition") == view_.name) {
        return &event;
      }
    }
    return nullptr;
  }

  std::string UnreadableReason() const {
    std::vector<std::int32_t> keepers;
    for (const ReplicaView& replica : view_.replicas) {
      if (replica.log_end_offset > answer_.offset) keepers.push_back(replica.broker);
    }
    std::string text = fmt::format("cannot be read by anybody now: {}", WhyUnreadable(view_));
    if (keepers.empty()) return text + "; no log has it";
    return text + fmt::format("; it stands in the {} of {}", keepers.size() == 1 ? "log" : "logs",
                              BrokersText(view_, keepers));
  }

  std::string HighWatermarkReason() {
    answer_.lagging = InSyncWithout(view_, answer_.offset);
    return fmt::format("the high watermark is {}; {}", view_.high_watermark,
                       WhyHighWatermark(view_, answer_.offset));
  }

  std::string HeldReason() {
    if (!view_.open.empty()) answer_.pinned = view_.open.front();
    return fmt::format("is held back from {}: {}", reader(), WhyLastStableOffset(moment_, view_));
  }

  std::string AbortedReason() {
    answer_.marker_offset = answer_.entry->marker_offset;
    return fmt::format("is left out by {}: {} was aborted by the marker at offset {}", reader(),
                       TransactionText(answer_.entry->transactional_id, answer_.entry->actor,
                                       answer_.entry->producer_id, answer_.entry->epoch),
                       answer_.marker_offset);
  }

  // How the entry was written, and what decided its fate.
  void MakeChain() {
    CauseChain chain(moment_);
    if (answer_.entry.has_value()) chain.AddCausesOf(answer_.entry->appended.event);
    if (removed_by_ != nullptr) {
      AddAppend(answer_.offset, chain);
      chain.AddCausesOf(removed_by_->id);
    }
    if (answer_.pinned.has_value()) {
      chain.AddCausesOf(answer_.pinned->opened.event);
      AddAppend(answer_.pinned->marker_offset, chain);
      const auto fate = FateOfMarker(moment_, view_, answer_.pinned->producer_id);
      if (fate.has_value()) chain.AddCausesOf(fate->event);
    }
    for (const ReplicaView& replica : view_.replicas) {
      if (Matters(replica)) chain.AddCrash(broker::ProcessOf(broker::BrokerId(replica.broker)));
    }
    if (answer_.entry.has_value()) AddAppend(answer_.entry->marker_offset, chain);
    if (answer_.visibility == Visibility::kVisible) {
      chain.AddRise(view_.name, answer_.offset, committed());
    }
    answer_.chain = chain.Lines();
  }

  // How what stands at an offset was written; -1 for nothing.
  void AddAppend(std::int64_t offset, CauseChain& chain) const {
    if (offset < 0) return;
    const auto append = moment_.history.AppendOf(view_.id, broker::Offset(offset));
    if (append.has_value()) chain.AddCausesOf(append->event);
  }

  // Whether the crash of this replica's broker is a reason for the answer.
  bool Matters(const ReplicaView& replica) const {
    if (replica.life != sim::Life::kCrashed || !replica.in_sync) return false;
    if (answer_.visibility == Visibility::kUnreadable) {
      return view_.leader < 0 || replica.broker == view_.leader;
    }
    return answer_.visibility == Visibility::kBeyondHighWatermark ||
           (answer_.pinned.has_value() && answer_.pinned->ended);
  }

  const Moment& moment_;
  const PartitionView& view_;
  Explanation& answer_;
  const sim::TraceEvent* removed_by_ = nullptr;
};

}  // namespace

std::string_view VisibilityName(Visibility visibility) {
  switch (visibility) {
    case Visibility::kVisible:
      return "visible";
    case Visibility::kUnreadable:
      return "not readable now";
    case Visibility::kBeyondHighWatermark:
      return "beyond the high watermark";
    case Visibility::kHeldByLastStableOffset:
      return "held by the last stable offset";
    case Visibility::kAborted:
      return "aborted";
    case Visibility::kControlRecord:
      return "control record";
    case Visibility::kGone:
      return "gone";
    case Visibility::kBeyondLogEnd:
      return "beyond the log end";
  }
  return "";
}

Explanation Explain(const Moment& moment, const broker::PartitionId& partition, std::int64_t offset,
                    broker::IsolationLevel isolation_level) {
  Explanation answer{.partition = partition,
                     .partition_name = moment.names.NameOf(partition),
                     .offset = offset,
                     .isolation_level = isolation_level,
                     .at = moment.world.now()};
  std::optional<PartitionView> view = ViewPartition(moment, partition);
  if (!view.has_value()) {
    answer.visibility = Visibility::kUnreadable;
    answer.sentence = fmt::format("{} has no replica that could be read.", answer.partition_name);
    return answer;
  }
  if (IsOffsetsLog(*view)) view = WithGroupTexts(std::move(*view), moment.names);
  answer.log_end_offset = view->log_end_offset;
  answer.high_watermark = view->high_watermark;
  answer.last_stable_offset = view->last_stable_offset;
  Explainer(moment, *view, answer).Run();
  return answer;
}

}  // namespace kafkasim::scenarios
