#include "scenarios/trial.h"

#include <cstddef>

#include <fmt/format.h>

#include "scenarios/loader.h"
#include "scenarios/mark.h"
#include "scenarios/scenario.h"
#include "sim/time.h"

namespace kafkasim::scenarios {
namespace {

constexpr const char* kTrialFile = "scenario.yaml";

// "scenario.yaml:37: ", or nothing for what is not in a line of the file.
std::string PlaceInFile(Mark mark) {
  return mark.line == 0 ? "" : fmt::format("{}:{}: ", kTrialFile, mark.line);
}

std::string FailureLine(const FailedClaim& failure) {
  std::string text =
      fmt::format("{}{} at {}: expected {}, found {}", PlaceInFile(failure.mark), failure.what,
                  sim::FormatTime(failure.at), failure.expected, failure.actual);
  if (!failure.reason.empty()) text += fmt::format(" ({})", failure.reason);
  return text + "\n";
}

// Everything that keeps this run from holding; "" if nothing does.
std::string WhatKeepsFromHolding(const RunResult& result) {
  std::string text;
  for (const Diagnostic& error : result.errors) text += error.message + "\n";
  for (const FailedClaim& failure : result.failures) text += FailureLine(failure);
  for (const Inconclusive& doubt : result.doubts) {
    text += PlaceInFile(doubt.mark) + doubt.what + "\n";
  }
  if (text.empty() && result.verdict != Verdict::kHolds) text = "the run was stopped early\n";
  if (text.empty() || result.variant.empty()) return text;
  return fmt::format("variant {}:\n{}", result.variant, text);
}

}  // namespace

Trial TryScenario(const std::string& text, const RunOptions& options) {
  const LoadResult loaded = LoadScenarioText(kTrialFile, text);
  std::string complaints = loaded.Report();
  if (loaded.scenario.has_value()) {
    for (std::size_t i = 0; i < loaded.scenario->RunCount(); ++i) {
      complaints += WhatKeepsFromHolding(Run(ForVariant(*loaded.scenario, i), options));
    }
  }
  if (complaints.empty()) return {.holds = true};
  return {.report = fmt::format("{}\n--- {} ---\n{}--- end ---\n", complaints, kTrialFile, text)};
}

}  // namespace kafkasim::scenarios
