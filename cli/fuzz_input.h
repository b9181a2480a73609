// The arguments of `fuzz`: their values, read and checked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/option_checks.h"

#include "broker/bugs.h"
#include "scenarios/fault_counts.h"
#include "scenarios/fuzz.h"
#include "scenarios/workload.h"

namespace kafkasim::cli {

struct FuzzArguments {
  std::vector<std::string> scenarios{};  // files, or names of examples
  std::string variant{};                 // empty: all
  std::string seeds = "1..100";
  std::string shard{};   // "2/8"; empty: all seeds
  std::string faults{};  // "holds=1,crashes=2"; empty: as the scenario says
  std::string bugs{};    // "lso_is_high_watermark,init_keeps_epoch"
  std::int32_t threads = 2;
  bool generate = false;
  bool print = false;
  scenarios::WorkloadShape shape{};
  std::vector<std::string> merge{};  // documents of earlier sweeps
  std::string save{};                // a folder; empty: not asked for
  std::string json{};                // where to; empty: not asked for
  bool no_shrink = false;
  bool quiet = false;
};

[[nodiscard]] OptionCheck Seeds();         // 1..1000, 7
[[nodiscard]] OptionCheck Shard();         // 2/8
[[nodiscard]] OptionCheck FaultNumbers();  // holds=1,crashes=2
[[nodiscard]] OptionCheck BugNames();      // sequences_not_checked,init_keeps_epoch

// The values; nullopt for what the checks refuse.
[[nodiscard]] std::optional<scenarios::SeedRange> SeedsFromText(std::string_view seeds,
                                                                std::string_view shard);
[[nodiscard]] std::optional<broker::Bugs> BugsFromText(std::string_view text);

}  // namespace kafkasim::cli
