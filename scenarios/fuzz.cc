#include "scenarios/fuzz.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "broker/broker.h"
#include "coordinator/group_view.h"
#include "scenarios/invariants/client_transaction.h"
#include "scenarios/invariants/subject.h"
#include "sim/rng.h"
#include "sim/search/workers.h"

namespace kafkasim::scenarios {
namespace {

void CountTransactions(const Subject& end, Reached& reached) {
  using Outcome = ClientTransaction::Outcome;
  for (const RunningProducer& running : end.producers()) {
    for (const ClientTransaction& transaction : TransactionsOf(running.producer->calls())) {
      if (transaction.outcome == Outcome::kCommitted) {
        ++reached.committed;
      } else if (transaction.outcome == Outcome::kAborted) {
        ++reached.aborted;
      } else {
        ++reached.undecided;
      }
    }
  }
}

// Each generation of a group is written down once.
void CountRebalances(const Subject& end, Reached& reached) {
  for (const LedPartition& led : end.led()) {
    if (!end.NameOf(led.id()).starts_with(broker::kConsumerOffsetsTopic)) continue;
    for (const coordinator::GroupLogEntry& entry : coordinator::DecodeGroupLog(led.log())) {
      if (!entry.record.has_value()) continue;
      const auto* group = std::get_if<coordinator::GroupMetadataRecord>(&*entry.record);
      if (group == nullptr || !group->value.has_value()) continue;
      if (group->value->generation > 0) ++reached.rebalances;
    }
  }
}

Reached ReachedBy(const Exploration& exploration, const sim::Walk& walk) {
  const Subject end(*walk.end, exploration.names);
  Reached reached{.walks = 1, .moves = walk.path.size()};
  const bool broken = !walk.violations.empty();
  reached.ended = walk.ended ? 1 : 0;
  reached.out_of_time = walk.out_of_time ? 1 : 0;
  reached.cut = !walk.ended && !walk.out_of_time && !broken ? 1 : 0;
  CountTransactions(end, reached);
  CountRebalances(end, reached);
  reached.idle = reached.committed == 0 ? 1 : 0;
  reached.faults = UsedOf(exploration.space.budget, walk.left);
  return reached;
}

// Calm walks and rough ones find different things; each seed has its own rate of disturbances.
std::uint32_t DisturbancesOf(std::uint64_t seed) {
  constexpr std::array<std::uint32_t, 4> kRates = {30, 100, 250, 500};
  return kRates[sim::Rng(seed ^ 0x66757a7au).Below(kRates.size())];
}

}  // namespace

Reached& Reached::operator+=(const Reached& other) {
  walks += other.walks;
  moves += other.moves;
  ended += other.ended;
  out_of_time += other.out_of_time;
  cut += other.cut;
  idle += other.idle;
  committed += other.committed;
  aborted += other.aborted;
  undecided += other.undecided;
  rebalances += other.rebalances;
  faults += other.faults;
  return *this;
}

void FuzzTally::Add(const FuzzTally& other) {
  reached += other.reached;
  for (const Anomaly& anomaly : other.anomalies) {
    const auto at = std::lower_bound(
        anomalies.begin(), anomalies.end(), anomaly,
        [](const Anomaly& a, const Anomaly& b) { return a.invariant < b.invariant; });
    if (at == anomalies.end() || at->invariant != anomaly.invariant) {
      anomalies.insert(at, anomaly);
      continue;
    }
    at->walks += anomaly.walks;
    if (anomaly.seed < at->seed) {
      at->seed = anomaly.seed;
      at->what = anomaly.what;
    }
  }
}

FuzzRun FuzzSeed(const Exploration& exploration, std::uint64_t seed) {
  const ExploreJudge judge = JudgeOf(exploration);
  FuzzRun run;
  run.walk = sim::WalkAtRandom(exploration.start, exploration.space, judge,
                               {.seed = seed,
                                .max_moves = kMostFuzzMoves,
                                .disturbances_per_thousand = DisturbancesOf(seed)});
  run.tally.reached = ReachedBy(exploration, run.walk);
  for (const sim::Violation& violation : run.walk.violations) {
    FuzzTally one;
    one.anomalies.push_back(
        {.invariant = violation.name, .seed = seed, .what = violation.what, .walks = 1});
    // A state may break an invariant in several places.
    const bool known =
        std::any_of(run.tally.anomalies.begin(), run.tally.anomalies.end(),
                    [&](const Anomaly& anomaly) { return anomaly.invariant == violation.name; });
    if (!known) run.tally.Add(one);
  }
  return run;
}

FuzzTally FuzzRange(const FuzzOptions& options,
                    const std::function<FuzzTally(std::uint64_t seed)>& walk,
                    const std::function<void(std::uint64_t walks)>& progress) {
  constexpr std::size_t kBatch = 1024;
  sim::Workers workers(options.threads, /*chunk=*/1);
  FuzzTally tally;
  const SeedRange& range = options.seeds;
  for (std::uint64_t seed = range.from; seed <= range.to;) {
    std::vector<std::uint64_t> seeds;
    for (; seed <= range.to && seeds.size() < kBatch; ++seed) {
      if (range.Has(seed)) seeds.push_back(seed);
      if (seed == UINT64_MAX) break;
    }
    std::vector<FuzzTally> tallies(seeds.size());
    workers.ForEachIndex(seeds.size(), [&](std::size_t i) { tallies[i] = walk(seeds[i]); });
    for (const FuzzTally& one : tallies) tally.Add(one);
    progress(tally.reached.walks);
    if (seed == UINT64_MAX) break;
  }
  return tally;
}

std::vector<std::string> NotReached(const Reached& reached, const FaultCounts& allowed,
                                    bool has_transactions) {
  std::vector<std::string> missing;
  for (const FaultCountKind& kind : FaultCountKinds()) {
    if (allowed.*kind.count > 0 && reached.faults.*kind.count == 0) {
      missing.push_back(fmt::format("there was no occasion for {}", kind.many));
    }
  }
  if (reached.moves == 0) {
    missing.emplace_back("nothing happened");
  } else if (has_transactions && reached.committed == 0) {
    missing.emplace_back("no transaction was committed in any walk");
  }
  return missing;
}

bool HasTransactions(const NameTable& names) {
  return std::any_of(names.processes.begin(), names.processes.end(),
                     [](const ProcessEntry& process) { return !process.transactional_id.empty(); });
}

}  // namespace kafkasim::scenarios
