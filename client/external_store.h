// A database outside Kafka, seen from an application: one table with an optional unique constraint.
// Each statement is a transaction of its own, committed before it is answered; Kafka's transactions
// do not reach it. Rows survive a crash.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "client/delayed_answers.h"
#include "client/external_message.h"
#include "sim/process.h"
#include "sim/time.h"

namespace kafkasim::client {

class ExternalStore final : public sim::Process {
 public:
  struct Options {
    std::vector<std::string> unique{};  // columns that no two rows share; empty: none
    sim::Duration latency{};            // from the change of the table to the answer
  };

  explicit ExternalStore(Options options) : options_(std::move(options)) {}

  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  // Inserts that the unique constraint has refused.
  [[nodiscard]] int64_t refused() const { return refused_; }

  [[nodiscard]] std::unique_ptr<sim::Process> Clone() const override {
    return std::make_unique<ExternalStore>(*this);
  }
  void AppendTo(sim::CanonicalBytes& out) const override;
  // An ExternalMessage with kInsert or kUpsert; an upsert needs unique columns.
  void OnRequest(sim::Context& context, const sim::RequestIn& request) override;
  void OnResponse(sim::Context&, const sim::ResponseIn&) override {}
  void OnDisconnect(sim::Context&, sim::ProcessId, sim::Channel) override {}
  void OnTimer(sim::Context& context, uint32_t kind, uint64_t argument) override;
  void OnCommand(sim::Context&, const sim::PayloadRef&) override {}
  void OnCrash(sim::CrashKind kind) override;
  void OnRestart(sim::Context&) override {}

 private:
  [[nodiscard]] Row* FindConflict(const Row& row);

  Options options_;
  std::vector<Row> rows_;  // in the order of their first insert
  int64_t refused_ = 0;
  DelayedAnswers answers_;
};

}  // namespace kafkasim::client
