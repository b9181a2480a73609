// Runs a scenario: carries out its steps on a simulated cluster and judges it. The same scenario,
// seed and options give the same result, byte for byte.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/findings.h"
#include "scenarios/moment.h"
#include "scenarios/scenario.h"
#include "scenarios/source.h"
#include "sim/fingerprint.h"
#include "sim/time.h"
#include "sim/trace.h"

namespace kafkasim::scenarios {

enum class Verdict {
  kHolds,      // every claim was checked and held
  kFails,      // some claim did not hold
  kNoVerdict,  // a limit was reached, a fault never fired, or nothing was claimed
};
std::string_view VerdictName(Verdict verdict);  // HOLDS, FAILS, NO_VERDICT

struct RunOptions {
  std::optional<std::uint64_t> seed{};  // default: the scenario's, else 1
  // The run ends at this virtual time, in the middle of whatever is going on; nothing later is
  // judged. What was to come gives no failure and no doubt.
  std::optional<sim::Time> until{};
  bool keep_trace = false;  // RunResult::end.history.trace() and the chains of failures need it
  // A run that takes more events than this gives no verdict.
  std::uint64_t max_events = 2'000'000;
};

// One step as it was carried out.
struct StepRecord {
  std::size_t step = 0;  // index in Scenario::steps
  Mark mark{};
  sim::Time began{};
  sim::Time ended{};
  sim::EventId first_event = sim::kNoEvent;
  sim::EventId last_event = sim::kNoEvent;
  std::size_t failures = 0;
};

struct RunResult {
  // Not empty: the scenario cannot be run, and the rest says nothing (exit code 2).
  std::vector<Diagnostic> errors{};

  Verdict verdict = Verdict::kNoVerdict;
  std::vector<FailedClaim> failures{};
  std::vector<Inconclusive> doubts{};
  std::vector<Remark> remarks{};
  std::size_t claims = 0;                 // how many were checked
  std::vector<BrokenInvariant> broken{};  // whether the scenario said so (`breaks:`) or not
  std::vector<StepRecord> steps{};
  bool stopped_early = false;  // by RunOptions::until
  // Rules of Kafka were switched off, and all claims failed that were to catch it, and no others.
  bool caught = false;

  std::uint64_t seed = 0;
  bool is_random = false;  // something was drawn: another seed may give another run
  std::string variant{};   // "" without a matrix
  std::uint64_t events = 0;
  sim::Fingerprint trace_digest{};
  sim::Fingerprint world_fingerprint{};
  std::uint64_t next_draw = 0;  // one more random number, to show that nothing was drawn in secret

  std::optional<Moment> end{};  // the cluster at the end of the run; set unless there are errors
};

// Runs `scenario`, which has to be of one variant (ForVariant).
[[nodiscard]] RunResult Run(const Scenario& scenario, const RunOptions& options = {});

// What the run says of the file: where rules of Kafka are switched off, it is good that they are
// caught.
[[nodiscard]] Verdict JudgeFile(const Scenario& scenario, const RunResult& result);

// The moment `time` of the run, by running it to there; with its trace. Empty exactly if the
// scenario cannot be run.
[[nodiscard]] std::optional<Moment> MomentAt(const Scenario& scenario, sim::Time time,
                                             std::optional<std::uint64_t> seed = std::nullopt);

}  // namespace kafkasim::scenarios
