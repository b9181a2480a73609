// What may stand behind an option. Each check answers "" for a good value, else one clear sentence.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/log_layout.h"

#include "sim/time.h"

namespace kafkasim::cli {

using OptionCheck = std::function<std::string(const std::string& value)>;

// One of these words; a misspelt one is answered with the nearest.
[[nodiscard]] OptionCheck OneOf(std::vector<std::string> words);
[[nodiscard]] OptionCheck NotEmpty();
[[nodiscard]] OptionCheck NumberBetween(std::int64_t least, std::int64_t greatest);
[[nodiscard]] OptionCheck Seed();
[[nodiscard]] OptionCheck VirtualTime();
[[nodiscard]] OptionCheck Offsets();             // 4500..4520
[[nodiscard]] OptionCheck PartitionAndOffset();  // orders-0:4

// The values themselves; nullopt for what the checks refuse.
[[nodiscard]] std::optional<std::uint64_t> SeedFromText(std::string_view text);
[[nodiscard]] std::optional<sim::Time> TimeFromText(std::string_view text);  // 0.412s, 60s
[[nodiscard]] std::optional<OffsetRange> OffsetsFromText(std::string_view text);

struct OffsetPlace {
  std::string partition{};
  std::int64_t offset = 0;
};
[[nodiscard]] std::optional<OffsetPlace> PlaceFromText(std::string_view text);

}  // namespace kafkasim::cli
