#include "scenarios/pattern_match.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include <fmt/format.h>
#include <fmt/ostream.h>

namespace kafkasim::scenarios {
namespace {

bool IsKind(EntryPattern::Kind pattern, EntryKind kind) {
  switch (pattern) {
    case EntryPattern::Kind::kRecord:
      return kind == EntryKind::kRecord;
    case EntryPattern::Kind::kCommit:
      return kind == EntryKind::kCommit;
    case EntryPattern::Kind::kAbort:
      return kind == EntryKind::kAbort;
  }
  return false;
}

template <typename Wanted, typename Value>
bool Fits(const std::optional<Wanted>& wanted, Value value) {
  return !wanted.has_value() || *wanted == static_cast<Wanted>(value);
}

bool FitsText(const std::optional<std::string>& wanted, const std::optional<std::string>& text) {
  return !wanted.has_value() || MatchesText(*wanted, text.value_or("null"));
}

// The patterns one an entry, at most `limit`.
std::vector<const EntryPattern*> Unfold(const std::vector<EntryPattern>& patterns,
                                        std::size_t limit) {
  std::vector<const EntryPattern*> unfolded;
  for (const EntryPattern& pattern : patterns) {
    for (std::int64_t i = 0; i < pattern.times && unfolded.size() < limit; ++i) {
      unfolded.push_back(&pattern);
    }
  }
  return unfolded;
}

// A list as it is, entry by entry in the words of the patterns beside them.
std::string ListLike(const std::vector<const EntryPattern*>& patterns,
                     const std::vector<EntryView>& entries) {
  const bool actors = std::any_of(patterns.begin(), patterns.end(),
                                  [](const EntryPattern* p) { return p->producer.has_value(); });
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    texts.push_back(i < patterns.size() ? EntryTextLike(*patterns[i], entries[i])
                                        : EntryText(entries[i], actors || patterns.empty()));
  }
  return ListText(texts);
}

std::string Difference(const EntryPattern* pattern, const EntryView* entry) {
  if (entry == nullptr) return fmt::format("{} is missing at the end", PatternText(*pattern));
  if (pattern == nullptr) {
    return fmt::format("{} at offset {} was not expected", EntryText(*entry), entry->offset);
  }
  return fmt::format("offset {} is {}, not {}", entry->offset, EntryTextLike(*pattern, *entry),
                     PatternText(*pattern));
}

}  // namespace

bool MatchesText(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;  // the last `*`, to come back to
  std::size_t taken = 0;                      // where the text went on after it
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++taken;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool Matches(const ProducerName& pattern, std::string_view actor, std::int64_t producer_id) {
  return pattern.id.has_value() ? *pattern.id == producer_id : pattern.actor == actor;
}

bool Matches(const EntryPattern& pattern, const EntryView& entry) {
  return IsKind(pattern.kind, entry.kind) &&
         (!pattern.producer.has_value() ||
          Matches(*pattern.producer, entry.actor, entry.producer_id)) &&
         FitsText(pattern.key, entry.key) && FitsText(pattern.value, entry.value) &&
         Fits(pattern.offset, entry.offset) && Fits(pattern.epoch, entry.epoch) &&
         Fits(pattern.coordinator_epoch, entry.coordinator_epoch) &&
         Fits(pattern.sequence, entry.sequence) && Fits(pattern.transactional, entry.transactional);
}

bool Matches(const TransactionRecordPattern& pattern, const TransactionRecordView& record) {
  if (pattern.state != record.state || !Fits(pattern.producer_id, record.producer_id) ||
      !Fits(pattern.epoch, record.epoch)) {
    return false;
  }
  if (!pattern.partitions.has_value()) return true;
  std::vector<std::string> wanted;
  for (const PartitionName& name : *pattern.partitions) {
    wanted.push_back(fmt::format("{}-{}", name.topic, name.partition));
  }
  std::vector<std::string> found = record.partitions;
  std::sort(wanted.begin(), wanted.end());
  std::sort(found.begin(), found.end());
  return wanted == found;
}

std::string PatternText(const NumberPattern& pattern) {
  using Limits = std::numeric_limits<std::int64_t>;
  if (pattern.exact()) return fmt::format("{}", pattern.at_least);
  if (pattern.at_most == Limits::max()) return fmt::format("at least {}", pattern.at_least);
  if (pattern.at_least == Limits::min()) return fmt::format("at most {}", pattern.at_most);
  return fmt::format("{} to {}", pattern.at_least, pattern.at_most);
}

std::string PatternText(const ProducerName& pattern) {
  return pattern.id.has_value() ? fmt::format("producer {}", *pattern.id) : pattern.actor;
}

std::string PatternText(const EntryPattern& pattern) {
  if (!pattern.text.empty()) return pattern.text;
  std::string text;
  if (pattern.producer.has_value()) text += PatternText(*pattern.producer) + ":";
  if (pattern.kind == EntryPattern::Kind::kCommit) return text + "COMMIT";
  if (pattern.kind == EntryPattern::Kind::kAbort) return text + "ABORT";
  if (pattern.key.has_value()) text += *pattern.key + "=";
  return text + pattern.value.value_or("*");
}

std::string EntryTextLike(const EntryPattern& pattern, const EntryView& entry) {
  if (pattern.times == 1 && Matches(pattern, entry)) return PatternText(pattern);
  std::string text;
  if (pattern.producer.has_value() && !entry.is_record()) text += entry.actor + ":";
  text += EntryText(entry, pattern.producer.has_value());
  if (pattern.offset.has_value()) text += fmt::format(" @{}", entry.offset);
  if (pattern.epoch.has_value()) text += fmt::format(" e{}", entry.epoch);
  if (pattern.coordinator_epoch.has_value() && !entry.is_record()) {
    text += fmt::format(" ce{}", entry.coordinator_epoch);
  }
  if (pattern.sequence.has_value() && entry.is_record()) {
    text += fmt::format(" s{}", entry.sequence);
  }
  if (pattern.transactional.has_value() && *pattern.transactional != entry.transactional) {
    text += entry.transactional ? " (transactional)" : " (not transactional)";
  }
  return text;
}

std::optional<ListMismatch> CompareEntries(const std::vector<EntryPattern>& patterns,
                                           const std::vector<EntryView>& entries) {
  const std::vector<const EntryPattern*> wanted = Unfold(patterns, entries.size() + 1);
  const std::size_t length = std::max(wanted.size(), entries.size());
  for (std::size_t i = 0; i < length; ++i) {
    const EntryPattern* pattern = i < wanted.size() ? wanted[i] : nullptr;
    const EntryView* entry = i < entries.size() ? &entries[i] : nullptr;
    if (pattern != nullptr && entry != nullptr && Matches(*pattern, *entry)) continue;
    std::vector<std::string> texts;
    for (const EntryPattern& p : patterns) texts.push_back(PatternText(p));
    return ListMismatch{.expected = ListText(texts),
                        .actual = ListLike(wanted, entries),
                        .difference = Difference(pattern, entry)};
  }
  return std::nullopt;
}

}  // namespace kafkasim::scenarios
