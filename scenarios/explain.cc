#include "scenarios/explain.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/cause_chain.h"

namespace kafkasim::scenarios {
namespace {

std::string BrokersText(const std::vector<std::int32_t>& brokers) {
  std::string text;
  for (std::size_t i = 0; i < brokers.size(); ++i) {
    if (i > 0) text += i + 1 == brokers.size() ? " and " : ", ";
    text += fmt::format("broker-{}", brokers[i]);
  }
  return text;
}

// "transaction pay-1 (old, producer 7, epoch 0)".
std::string TransactionText(std::string_view transactional_id, std::string_view actor,
                            std::int64_t producer_id, std::int32_t epoch) {
  return fmt::format("transaction {}({}producer {}, epoch {})",
                     transactional_id.empty() ? "" : fmt::format("{} ", transactional_id),
                     actor.empty() ? "" : fmt::format("{}, ", actor), producer_id, epoch);
}

std::string EventText(const Happening& happening) {
  if (happening.event == sim::kNoEvent) return "";
  return fmt::format(" since {} [event {}]", sim::FormatTime(happening.at), happening.event);
}

// What the coordinator says of a transaction that is open on a partition: why it is still open.
std::string CoordinatorText(const Moment& moment, const OpenTransactionView& open) {
  if (open.transactional_id.empty()) return "";
  const TransactionView view = ViewTransaction(moment, open.transactional_id);
  if (view.coordinator < 0) return "; it has no coordinator now";
  if (!view.known) return fmt::format("; its coordinator broker-{} is loading", view.coordinator);
  if (view.producer_id != open.producer_id) return "";
  if (view.state == "ONGOING" && !view.pending_state.empty()) {
    return fmt::format("; its coordinator broker-{} is writing {}", view.coordinator,
                       view.pending_state);
  }
  return fmt::format("; its coordinator broker-{} says {}", view.coordinator, view.state);
}

std::string PinText(const Moment& moment, const OpenTransactionView& open) {
  const std::string who =
      TransactionText(open.transactional_id, open.actor, open.producer_id, open.epoch);
  if (open.ended) {
    return fmt::format("pinned by {} from offset {}: its marker at offset {} is not replicated yet",
                       who, open.first_offset, open.marker_offset);
  }
  return fmt::format("pinned by {}, open at offset {}{}{}", who, open.first_offset,
                     EventText(open.opened), CoordinatorText(moment, open));
}

std::vector<std::int32_t> InSyncWithout(const PartitionView& view, std::int64_t offset) {
  std::vector<std::int32_t> lagging;
  for (const ReplicaView& replica : view.replicas) {
    if (replica.in_sync && replica.log_end_offset <= offset) lagging.push_back(replica.broker);
  }
  return lagging;
}

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
        return fmt::format("is gone: the log starts at offset {}", view_.log_start_offset);
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

  std::string HighWatermarkReason() {
    answer_.lagging = InSyncWithout(view_, answer_.offset);
    if (answer_.lagging.empty()) {
      return fmt::format(
          "the high watermark is {}; the leader has yet to learn that all in-sync "
          "replicas have it",
          view_.high_watermark);
    }
    return fmt::format("the high watermark is {}, as in-sync {} {} not have it",
                       view_.high_watermark, BrokersText(answer_.lagging),
                       answer_.lagging.size() == 1 ? "does" : "do");
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
    if (answer_.pinned.has_value()) chain.AddCausesOf(answer_.pinned->opened.event);
    if (answer_.entry.has_value() && answer_.entry->marker_offset >= 0) {
      const auto marker =
          moment_.history.AppendOf(view_.id, broker::Offset(answer_.entry->marker_offset));
      if (marker.has_value()) chain.AddCausesOf(marker->event);
    }
    if (answer_.visibility == Visibility::kVisible) {
      chain.AddRise(view_.name, answer_.offset, committed());
    }
    answer_.chain = chain.Lines();
  }

  const Moment& moment_;
  const PartitionView& view_;
  Explanation& answer_;
};

}  // namespace

std::string_view VisibilityName(Visibility visibility) {
  switch (visibility) {
    case Visibility::kVisible:
      return "visible";
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
  const std::optional<PartitionView> view = ViewPartition(moment, partition);
  if (!view.has_value()) {
    answer.visibility = Visibility::kBeyondLogEnd;
    answer.sentence = fmt::format("{} has no replica that could be read.", answer.partition_name);
    return answer;
  }
  answer.log_end_offset = view->log_end_offset;
  answer.high_watermark = view->high_watermark;
  answer.last_stable_offset = view->last_stable_offset;
  Explainer(moment, *view, answer).Run();
  return answer;
}

std::string WhyLastStableOffset(const Moment& moment, const PartitionView& view) {
  const bool pinned =
      !view.open.empty() && view.open.front().first_offset <= view.last_stable_offset;
  if (pinned && view.last_stable_offset < view.high_watermark) {
    return fmt::format("the last stable offset is {}, {}", view.last_stable_offset,
                       PinText(moment, view.open.front()));
  }
  return fmt::format(
      "the last stable offset is {}, the high watermark: {}", view.last_stable_offset,
      view.open.empty() ? "no transaction is open" : "the first open transaction begins behind it");
}

std::string WhyHighWatermark(const PartitionView& view) {
  if (view.high_watermark == view.log_end_offset) {
    return "all in-sync replicas have the whole log";
  }
  const std::vector<std::int32_t> lagging = InSyncWithout(view, view.log_end_offset - 1);
  if (lagging.empty()) return "the leader has yet to learn how far its followers are";
  return fmt::format("in-sync {} {} not have the whole log yet", BrokersText(lagging),
                     lagging.size() == 1 ? "does" : "do");
}

}  // namespace kafkasim::scenarios
