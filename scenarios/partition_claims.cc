// Claims about one partition.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "scenarios/claim_check.h"
#include "scenarios/explain.h"
#include "scenarios/pattern_match.h"
#include "scenarios/snapshot.h"
#include "scenarios/why_offsets.h"

namespace kafkasim::scenarios {
namespace {

std::string NameText(const PartitionExpectation& claim) {
  std::string name = fmt::format("{}-{}", claim.partition.topic, claim.partition.partition);
  if (claim.broker.has_value()) name += fmt::format(" on broker-{}", *claim.broker);
  return name;
}

bool NeedsEntries(const PartitionExpectation& claim) {
  return claim.log.has_value() || claim.read_committed.has_value() ||
         claim.read_uncommitted.has_value();
}

// Checks one partition, of which it holds the view.
class PartitionCheck {
 public:
  PartitionCheck(const PartitionExpectation& claim, const Moment& moment, PartitionView view,
                 bool reasons)
      : claim_(claim),
        moment_(moment),
        view_(std::move(view)),
        reasons_(reasons),
        found_(NameText(claim)) {}

  std::vector<Mismatch> Run() {
    CheckOffsets();
    CheckLeadership();
    if (claim_.log.has_value()) CheckLog(*claim_.log);
    CheckReader(claim_.read_committed, view_.read_committed,
                broker::IsolationLevel::kReadCommitted);
    CheckReader(claim_.read_uncommitted, view_.read_uncommitted,
                broker::IsolationLevel::kReadUncommitted);
    for (const ProducerStateExpectation& producer : claim_.producers) CheckProducer(producer);
    if (claim_.aborted.has_value()) CheckAborted(*claim_.aborted);
    return found_.Take();
  }

 private:
  void CheckOffsets() {
    found_.CheckNumber(claim_.log_start_offset, "log_start_offset", view_.log_start_offset);
    found_.CheckNumber(claim_.log_end_offset, "log_end_offset", view_.log_end_offset);
    if (!view_.offsets_known()) {
      CheckLost(claim_.high_watermark, "high_watermark");
      CheckLost(claim_.last_stable_offset, "last_stable_offset");
      return;
    }
    if (!found_.CheckNumber(claim_.high_watermark, "high_watermark", view_.high_watermark)) {
      if (reasons_) found_.last().reason = WhyHighWatermark(view_);
    }
    if (!found_.CheckNumber(claim_.last_stable_offset, "last_stable_offset",
                            view_.last_stable_offset)) {
      if (reasons_) found_.last().reason = WhyLastStableOffset(moment_, view_);
    }
  }

  // A number that was in the memory of a crashed broker.
  void CheckLost(const std::optional<NumberPattern>& claim, std::string_view what) {
    if (!claim.has_value()) return;
    found_.Add(claim->mark, what, PatternText(*claim), "unknown",
               reasons_ ? WhyHighWatermark(view_) : "");
  }

  void CheckLeadership() {
    found_.CheckNumber(claim_.leader, "leader", view_.leader);
    found_.CheckNumber(claim_.leader_epoch, "leader_epoch", view_.leader_epoch);
    if (!claim_.isr.has_value()) return;
    std::vector<std::int32_t> wanted = claim_.isr->value;
    std::vector<std::int32_t> actual = view_.isr;
    std::sort(wanted.begin(), wanted.end());
    std::sort(actual.begin(), actual.end());
    if (wanted == actual) return;
    found_.Add(claim_.isr->mark, "isr", fmt::format("[{}]", fmt::join(wanted, ", ")),
               fmt::format("[{}]", fmt::join(actual, ", ")));
  }

  void CheckLog(const LogExpectation& log) {
    if (log.complete) {
      if (auto mismatch = CompareEntries(log.entries, view_.entries)) {
        found_.Add(log.mark, "log", std::move(mismatch->expected), std::move(mismatch->actual),
                   std::move(mismatch->difference));
      }
      return;
    }
    for (const EntryPattern& pattern : log.entries) CheckEntry(pattern);
  }

  void CheckEntry(const EntryPattern& pattern) {
    const std::int64_t offset = pattern.offset.value_or(0);
    const auto entry = std::find_if(view_.entries.begin(), view_.entries.end(),
                                    [&](const EntryView& e) { return e.offset == offset; });
    const std::string what = fmt::format("log offset {}", offset);
    if (entry == view_.entries.end()) {
      found_.Add(pattern.mark, what, PatternText(pattern), "nothing is there",
                 fmt::format("the log reaches from {} to {}", view_.log_start_offset,
                             view_.log_end_offset));
    } else if (!Matches(pattern, *entry)) {
      found_.Add(pattern.mark, what, PatternText(pattern), EntryTextLike(pattern, *entry));
    }
  }

  void CheckReader(const std::optional<Marked<std::vector<EntryPattern>>>& claim,
                   const std::vector<std::size_t>& places, broker::IsolationLevel level) {
    if (!claim.has_value()) return;
    const std::vector<EntryView> given = EntriesAt(view_, places);
    auto mismatch = CompareEntries(claim->value, given);
    if (!mismatch.has_value()) return;
    found_.Add(claim->mark, broker::Name(level), std::move(mismatch->expected),
               std::move(mismatch->actual), std::move(mismatch->difference));
    if (!reasons_) return;
    if (const auto offset = InQuestion(claim->value, given)) {
      found_.last().reason = Explain(moment_, view_.id, *offset, level).sentence;
    }
  }

  // The offset that the first difference is about: of a record that was claimed and is kept from
  // the reader, or else of one that the reader gets without a claim.
  std::optional<std::int64_t> InQuestion(const std::vector<EntryPattern>& claim,
                                         const std::vector<EntryView>& given) const {
    std::size_t next = 0;
    for (const EntryPattern& pattern : claim) {
      for (std::int64_t n = 0; n < pattern.times; ++n, ++next) {
        if (next < given.size() && Matches(pattern, given[next])) continue;
        if (const auto hidden = FirstHidden(pattern, given)) return hidden;
        return next < given.size() ? std::optional(given[next].offset) : std::nullopt;
      }
    }
    return next < given.size() ? std::optional(given[next].offset) : std::nullopt;
  }

  // The first record of the log that looks like this and that the reader does not get.
  std::optional<std::int64_t> FirstHidden(const EntryPattern& pattern,
                                          const std::vector<EntryView>& given) const {
    std::size_t next = 0;
    for (const EntryView& entry : view_.entries) {
      if (next < given.size() && given[next].offset == entry.offset) {
        ++next;
      } else if (entry.is_record() && Matches(pattern, entry)) {
        return entry.offset;
      }
    }
    return std::nullopt;
  }

  // The state of the producer that is meant: of the newest id that the actor ever had.
  const ProducerStateView* FindProducer(const ProducerName& name) const {
    const ProducerStateView* found = nullptr;
    for (const ProducerStateView& state : view_.producers) {
      if (name.id.has_value()) {
        if (*name.id == state.producer_id) return &state;
        continue;
      }
      const auto owners = moment_.history.OwnersOf(broker::ProducerId(state.producer_id));
      if (std::find(owners.begin(), owners.end(), name.actor) != owners.end()) found = &state;
    }
    return found;
  }

  void CheckProducer(const ProducerStateExpectation& claim) {
    const ProducerStateView* state = FindProducer(claim.producer);
    const std::string what = "producers " + PatternText(claim.producer);
    if (state == nullptr) {
      if (!claim.absent) found_.Add(claim.mark, what, "known", "absent");
      return;
    }
    if (claim.absent) {
      found_.Add(claim.mark, what, "absent",
                 fmt::format("producer {} epoch {}", state->producer_id, state->epoch));
      return;
    }
    found_.CheckNumber(claim.epoch, what + " epoch", state->epoch);
    found_.CheckNumber(claim.last_sequence, what + " last_sequence", state->last_sequence);
    found_.CheckNumber(claim.coordinator_epoch, what + " coordinator_epoch",
                       state->coordinator_epoch);
    found_.CheckNumber(claim.open_since, what + " open_since", state->open_since);
  }

  static bool Fits(const AbortedExpectation& claim, const AbortedView& row) {
    return (!claim.producer.has_value() || Matches(*claim.producer, row.actor, row.producer_id)) &&
           (!claim.first_offset.has_value() || claim.first_offset->Matches(row.first_offset)) &&
           (!claim.last_offset.has_value() || claim.last_offset->Matches(row.last_offset));
  }

  static std::string RowText(const AbortedExpectation& claim) {
    return fmt::format("{}{} to {}",
                       claim.producer.has_value() ? PatternText(*claim.producer) + " " : "",
                       claim.first_offset.has_value() ? PatternText(*claim.first_offset) : "*",
                       claim.last_offset.has_value() ? PatternText(*claim.last_offset) : "*");
  }

  void CheckAborted(const Marked<std::vector<AbortedExpectation>>& claim) {
    const bool fits = std::equal(claim.value.begin(), claim.value.end(), view_.aborted.begin(),
                                 view_.aborted.end(), Fits);
    if (fits) return;
    std::vector<std::string> wanted;
    std::vector<std::string> actual;
    for (const AbortedExpectation& row : claim.value) wanted.push_back(RowText(row));
    for (const AbortedView& row : view_.aborted) {
      actual.push_back(
          fmt::format("{} {} to {}",
                      row.actor.empty() ? fmt::format("producer {}", row.producer_id) : row.actor,
                      row.first_offset, row.last_offset));
    }
    found_.Add(claim.mark, "aborted", ListText(wanted), ListText(actual));
  }

  const PartitionExpectation& claim_;
  const Moment& moment_;
  PartitionView view_;
  bool reasons_;
  MismatchList found_;
};

}  // namespace

std::vector<Mismatch> CheckPartition(const PartitionExpectation& claim, const Moment& moment,
                                     bool reasons) {
  const auto partition = moment.names.FindPartition(claim.partition);
  std::optional<PartitionView> view;
  if (partition.has_value()) {
    view = ViewPartition(moment, *partition, claim.broker,
                         NeedsEntries(claim) ? Detail::kEverything : Detail::kNumbers);
  }
  if (!view.has_value()) {
    MismatchList found(NameText(claim));
    found.Add(claim.mark, "", "a replica", "none");
    return found.Take();
  }
  return PartitionCheck(claim, moment, std::move(*view), reasons).Run();
}

}  // namespace kafkasim::scenarios
