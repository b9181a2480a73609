// What must hold in every run, whatever the scenario: each invariant with a name, a sentence, where
// it comes from, and its check. A file may declare that it shows one broken (`breaks:`).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/invariants/subject.h"
#include "sim/search/judge.h"

namespace kafkasim::scenarios {

// Violations found by one invariant.
class Findings {
 public:
  Findings(std::string_view invariant, std::vector<sim::Violation>& found)
      : invariant_(invariant), found_(found) {}
  void Add(std::string what) {
    found_.push_back({.name = std::string(invariant_), .what = std::move(what)});
  }

 private:
  std::string_view invariant_;
  std::vector<sim::Violation>& found_;
};

struct Invariant {
  std::string_view name{};      // lso_is_first_undecided
  std::string_view sentence{};  // what holds
  std::string_view source{};    // the KIP that promises it
  // Exactly one is set: what holds of each partition, in each state, from one state to the next, or
  // at rest (no message on its way, no timer that would change anything, nobody down).
  void (*partition)(const Subject& now, const LedPartition& led, Findings& found) = nullptr;
  void (*state)(const Subject& now, Findings& found) = nullptr;
  void (*step)(const Subject& before, const Subject& now, Findings& found) = nullptr;
  void (*rest)(const Subject& end, Findings& found) = nullptr;
  // What `state` and `step` read, and nothing else: while that stays as it is, they are not asked
  // again. A check of a partition reads its leader's replica, and of the cluster the names.
  Parts reads = kAnything;

  [[nodiscard]] bool HoldsAlways() const { return partition != nullptr || state != nullptr; }
};

// All of them, by subject: logs, coordinators, groups, clients, rest.
[[nodiscard]] const std::vector<Invariant>& Invariants();
[[nodiscard]] const Invariant* FindInvariant(std::string_view name);

// The parts of the list.
[[nodiscard]] std::vector<Invariant> LogInvariants();
[[nodiscard]] std::vector<Invariant> CoordinatorInvariants();
[[nodiscard]] std::vector<Invariant> GroupInvariants();
[[nodiscard]] std::vector<Invariant> ProducerInvariants();
[[nodiscard]] std::vector<Invariant> ReaderInvariants();
[[nodiscard]] std::vector<Invariant> ServiceInvariants();
[[nodiscard]] std::vector<Invariant> RestInvariants();

}  // namespace kafkasim::scenarios
