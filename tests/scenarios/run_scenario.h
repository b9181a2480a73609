// Runs a scenario that is written in the test itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "scenarios/loader.h"
#include "scenarios/run.h"
#include "scenarios/scenario.h"

namespace kafkasim::scenarios {

// A cluster of three brokers with two topics; transactional producers t1 and t2 of their own ids,
// old and new of the same one, plain producers p and q, readers of both isolation levels, and an
// admin. A test adds its steps, and what it wants else at the top.
inline constexpr std::string_view kStage = R"(title: A test
cluster:
  brokers: 3
  config: {transaction.version: 1}
  next_producer_id: 7
topics:
  orders: {partitions: 2, replicas: 3, config: {min.insync.replicas: 2}}
actors:
  t1: {producer: {transactional.id: pay-1}}
  t2: {producer: {transactional.id: pay-2}}
  old: {producer: {transactional.id: ship-1}}
  new: {producer: {transactional.id: ship-1}}
  p: {producer: {}}
  q: {producer: {enable.idempotence: false}}
  rc: {consumer: {isolation.level: read_committed, auto.offset.reset: earliest, assign: [orders-0]}}
  ru: {consumer: {isolation.level: read_uncommitted, auto.offset.reset: earliest, assign: [orders-0]}}
  admin: {admin: {}}
steps:
)";

inline std::optional<Scenario> Load(const std::string& text) {
  LoadResult loaded = LoadScenarioText("test.yaml", text);
  if (!loaded.scenario.has_value()) {
    ADD_FAILURE() << loaded.Report();
    return std::nullopt;
  }
  return ForVariant(*loaded.scenario, 0);
}

// The scenario of these steps on the stage above.
inline std::optional<Scenario> WithSteps(std::string_view steps) {
  return Load(std::string(kStage) + std::string(steps));
}

// Runs these steps on the stage above.
inline RunResult RunSteps(std::string_view steps, const RunOptions& options = {}) {
  const std::optional<Scenario> scenario = WithSteps(steps);
  if (!scenario.has_value()) return {};
  RunResult result = Run(*scenario, options);
  for (const Diagnostic& error : result.errors) ADD_FAILURE() << error.message;
  return result;
}

// Everything that is wrong with a run, for a test's own messages.
inline std::string Complaints(const RunResult& result) {
  std::string text;
  for (const FailedClaim& failed : result.failures) {
    text += "line " + std::to_string(failed.mark.line) + ": " + failed.what + ": expected " +
            failed.expected + ", found " + failed.actual + " (" + failed.reason + ")\n";
  }
  for (const Inconclusive& doubt : result.doubts) text += doubt.what + "\n";
  return text;
}

}  // namespace kafkasim::scenarios
