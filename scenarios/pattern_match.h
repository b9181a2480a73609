// Whether what a file claims fits what the run shows, and both in words.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/entry_view.h"
#include "scenarios/patterns.h"
#include "scenarios/snapshot.h"

namespace kafkasim::scenarios {

// `*` in the pattern stands for any run of characters.
bool MatchesText(std::string_view pattern, std::string_view text);
bool Matches(const ProducerName& pattern, std::string_view actor, std::int64_t producer_id);
bool Matches(const EntryPattern& pattern, const EntryView& entry);
bool Matches(const TransactionRecordPattern& pattern, const TransactionRecordView& record);

// "6", "at least 9000", "9000 to 10500".
std::string PatternText(const NumberPattern& pattern);
std::string PatternText(const ProducerName& pattern);
// As written.
std::string PatternText(const EntryPattern& pattern);
// The entry, with the details that the pattern asks about: `COMMIT e1`. The pattern's own text if
// it matches.
std::string EntryTextLike(const EntryPattern& pattern, const EntryView& entry);

// Where a list differs from what was claimed.
struct ListMismatch {
  std::string expected{};    // the whole list as claimed
  std::string actual{};      // the whole list as it is
  std::string difference{};  // the first one: "offset 3 is COMMIT, not ABORT"
};
// nullopt if `entries` is exactly what `patterns` say, repetitions counted.
std::optional<ListMismatch> CompareEntries(const std::vector<EntryPattern>& patterns,
                                           const std::vector<EntryView>& entries);

}  // namespace kafkasim::scenarios
