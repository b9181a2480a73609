// A counterexample as a file: the scenario with its text, what may be disturbed in it, the
// invariant that breaks, and every choice made on the way. It replays without a seed, to the same
// bytes, whatever has become of the scenario's own file.
//
//   kafkasim: 0.1.0
//   scenario: scenarios/ladder/late-end.yaml
//   variant: TV1
//   faults: {holds: 1}
//   breaks: only_committed_is_committed
//   what: "orders-0@3: committed, although shop has not committed it"
//   moves:
//   - hold EndTxn from shop to broker-0
//   - ...
//   text: |2
//     title: ...

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "broker/bugs.h"
#include "scenarios/fault_counts.h"
#include "scenarios/mark.h"
#include "scenarios/source.h"
#include "sim/search/schedule.h"

namespace kafkasim::scenarios {

struct ScheduleFile {
  std::string version{};                // of the program that wrote it
  std::string scenario{};               // the file that it was found in, or what made it
  std::string text{};                   // its text, see ScenarioTextOf
  std::string variant{};                // "" without a matrix
  std::optional<std::uint64_t> seed{};  // of the world, if it is not the scenario's
  broker::Bugs bugs{};                  // switched off beside those of the text
  FaultCounts faults{};
  std::string breaks{};  // name of the invariant
  std::string what{};    // what is wrong, with the values
  sim::Schedule moves{};
  std::vector<Mark> marks{};  // where each move stands, in a file that was loaded
};

// The text of a file as a schedule keeps it: without a byte order mark, lines ending in line feeds.
[[nodiscard]] std::string ScenarioTextOf(std::string_view text);

[[nodiscard]] std::string WriteSchedule(const ScheduleFile& file);

// Either a schedule, or at least one error; errors in the order of the file. What is wrong with the
// scenario in it only shows when it is prepared (counterexample.h).
struct ScheduleResult {
  std::shared_ptr<const Source> source{};
  std::optional<ScheduleFile> file{};
  std::vector<Diagnostic> errors{};
};

[[nodiscard]] ScheduleResult LoadScheduleFile(const std::string& path);
[[nodiscard]] ScheduleResult LoadScheduleText(std::string name, std::string text);

}  // namespace kafkasim::scenarios
