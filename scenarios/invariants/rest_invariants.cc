// What holds when nothing more happens: nobody is down, no message is on its way, no timer is set.
#include <fmt/format.h>

#include "coordinator/transaction_view.h"
#include "scenarios/invariants/client_transaction.h"
#include "scenarios/invariants/invariant.h"

namespace kafkasim::scenarios {
namespace {

void LsoReachesHighWatermark(const Subject& end, Findings& found) {
  for (const LedPartition& led : end.led()) {
    const broker::PartitionLog& log = led.log();
    if (log.last_stable_offset() == log.log_end_offset()) continue;
    found.Add(fmt::format("{}: LSO {}, high watermark {}, log end {}", end.NameOf(led.id()),
                          log.last_stable_offset(), log.high_watermark(), log.log_end_offset()));
  }
}

void TransactionsEnd(const Subject& end, Findings& found) {
  for (const RunningCoordinator& running : end.coordinators()) {
    for (const auto& view : coordinator::ViewTransactions(*running.coordinator)) {
      const bool ended = coordinator::IsExpirationAllowed(view.value.state);
      if (ended && !view.pending.has_value()) continue;
      found.Add(fmt::format("{}: {}", view.transactional_id, UpperName(view.value.state)));
    }
  }
}

void TransactionsAreWhole(const Subject& end, Findings& found) {
  for (const RunningProducer& running : end.producers()) {
    for (const ClientTransaction& transaction : TransactionsOf(running.producer->calls())) {
      bool committed = false;
      bool aborted = false;
      for (const client::RecordMetadata& record : transaction.acknowledged) {
        const LedPartition* led = end.FindLed(record.partition);
        if (led == nullptr) continue;
        const Fate fate = led->reading().FateOf(record.offset);
        committed = committed || fate == Fate::kCommitted;
        aborted = aborted || fate == Fate::kAborted;
      }
      if (committed && aborted) {
        found.Add(fmt::format("{}: of one transaction some records are committed, some aborted",
                              running.name));
      }
    }
  }
}

void CallsReturn(const Subject& end, Findings& found) {
  for (const RunningProducer& running : end.producers()) {
    if (running.crashed) continue;
    for (const client::CallResult& result : running.producer->calls().results()) {
      const bool open =
          result.state == client::CallState::kOpen || result.state == client::CallState::kWaiting;
      if (open) found.Add(fmt::format("{}: {} does not return", running.name, result.operation));
    }
  }
}

}  // namespace

std::vector<Invariant> RestInvariants() {
  return {
      {.name = "lso_reaches_high_watermark",
       .sentence =
           "In the end the last stable offset reaches the high watermark and the end of each log.",
       .source = "KIP-890",
       .rest = LsoReachesHighWatermark},
      {.name = "transactions_end",
       .sentence = "In the end no transaction is open or being ended.",
       .source = "KIP-98",
       .rest = TransactionsEnd},
      {.name = "transactions_are_whole",
       .sentence = "In the end all records of a transaction are committed, or all are aborted.",
       .source = "KIP-98",
       .rest = TransactionsAreWhole},
      {.name = "calls_return",
       .sentence = "In the end every call of a living producer has returned.",
       .source = "KIP-98",
       .rest = CallsReturn},
  };
}

}  // namespace kafkasim::scenarios
