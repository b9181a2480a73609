// The notations of log entries and transaction-log records: words separated by blanks.

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "scenarios/notation.h"
#include "scenarios/vocabulary.h"

namespace kafkasim::scenarios {
namespace {

// The non-empty pieces of `text` between any of the `separators`; an empty word if there is none.
std::vector<std::string> Words(std::string_view text, std::string_view separators) {
  std::vector<std::string> words(1);
  for (char c : text) {
    if (separators.find(c) == std::string_view::npos) {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty() && words.size() > 1) words.pop_back();
  return words;
}

// `word` is `prefix` and a number, such as `e1` for "e".
std::optional<std::int64_t> Suffix(std::string_view word, std::string_view prefix) {
  if (!word.starts_with(prefix)) return std::nullopt;
  word.remove_prefix(prefix.size());
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || value < 0) return std::nullopt;
  return value;
}

// Takes one of the words after the first; false if it is none of them.
bool TakeEntryWord(std::string_view word, EntryPattern& entry) {
  const bool record = entry.kind == EntryPattern::Kind::kRecord;
  if (const auto offset = Suffix(word, "@")) {
    entry.offset = offset;
  } else if (const auto epoch = Suffix(word, "e")) {
    entry.epoch = epoch;
  } else if (const auto coordinator_epoch = Suffix(word, "ce"); coordinator_epoch && !record) {
    entry.coordinator_epoch = coordinator_epoch;
  } else if (const auto sequence = Suffix(word, "s"); sequence && record) {
    entry.sequence = sequence;
  } else if (const auto times = Suffix(word, "x"); times && *times > 0) {
    entry.times = *times;
  } else {
    return false;
  }
  return true;
}

// `[actor:][key=]value`, or `[actor:]COMMIT`.
bool TakeRecordWord(const std::string& word, Mark mark, Reader& reader, EntryPattern& entry) {
  std::string_view rest = word;
  const std::size_t colon = rest.find(':');
  if (colon != std::string_view::npos) {
    const std::string who(rest.substr(0, colon));
    entry.producer = ParseProducer(who, mark, reader);
    if (!entry.producer) return false;
    rest.remove_prefix(colon + 1);
  }
  if (rest == "COMMIT" || rest == "ABORT") {
    entry.kind = rest == "COMMIT" ? EntryPattern::Kind::kCommit : EntryPattern::Kind::kAbort;
    return true;
  }
  const std::size_t equals = rest.find('=');
  if (equals != std::string_view::npos) {
    entry.key = std::string(rest.substr(0, equals));
    rest.remove_prefix(equals + 1);
  }
  if (rest.empty()) {
    reader.Error(mark,
                 "expected a record such as old:42=paid, or COMMIT or ABORT, found " + Quote(word));
    return false;
  }
  entry.value = std::string(rest);
  return true;
}

}  // namespace

std::optional<EntryPattern> ParseEntry(const std::string& text, Mark mark, Reader& reader) {
  EntryPattern entry;
  entry.text = text;
  entry.mark = mark;
  const std::vector<std::string> words = Words(text, " ");
  if (!TakeRecordWord(words[0], mark, reader, entry)) return std::nullopt;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (TakeEntryWord(words[i], entry)) continue;
    const bool record = entry.kind == EntryPattern::Kind::kRecord;
    reader.Error(mark, "after a " + std::string(record ? "record" : "marker") + " come " +
                           (record ? "@OFFSET, eEPOCH, sSEQUENCE or xTIMES"
                                   : "@OFFSET, eEPOCH, ceCOORDINATOR_EPOCH or xTIMES") +
                           ", found " + Quote(words[i]) +
                           (record ? "; a value with blanks is written {value: ...}" : ""));
    return std::nullopt;
  }
  return entry;
}

std::optional<TransactionRecordPattern> ParseTransactionRecord(const std::string& text, Mark mark,
                                                               Reader& reader) {
  TransactionRecordPattern record;
  record.text = text;
  record.mark = mark;
  // `ONGOING [t-0, t-1]` is as good as `ONGOING t-0 t-1`.
  const std::vector<std::string> words = Words(text, " ,[]");
  record.state = words[0] == "TOMBSTONE" ? words[0] : CanonicalTransactionState(words[0]);
  if (record.state.empty()) {
    std::vector<std::string> known = TransactionStateSpellings();
    known.emplace_back("TOMBSTONE");
    reader.Unknown(mark, "transaction state", words[0], "", known);
    return std::nullopt;
  }
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (const auto epoch = Suffix(words[i], "e")) {
      record.epoch = epoch;
    } else if (const auto id = Suffix(words[i], "pid")) {
      record.producer_id = id;
    } else if (auto partition = ParsePartition(words[i], mark, reader)) {
      if (!record.partitions) record.partitions.emplace();
      record.partitions->push_back(std::move(*partition));
    } else {
      return std::nullopt;
    }
  }
  return record;
}

}  // namespace kafkasim::scenarios
