// The transactions that a cleaning pass meets on its way through a log: which data was aborted, and
// when the last trace of a transaction is gone, so that its marker may go, too. Follows Kafka's
// CleanedTransactionMetadata (KIP-98, KIP-534), Kafka 4.4 development line.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "broker/ids.h"
#include "broker/record_batch.h"
#include "broker/transaction_index.h"

namespace kafkasim::broker {

class CleanedTransactions {
 public:
  // `aborted`: all aborted transactions that overlap what will be read, also those whose marker
  // comes later.
  explicit CleanedTransactions(std::vector<AbortedTxn> aborted);

  // To be called for each batch, in the order of the log.
  //
  // A data batch, also an empty one: true if its transaction was aborted, so that its records go.
  bool OnBatch(const RecordBatch& batch);
  // A control batch: true if no batch of its transaction was met on the way, so that it may go.
  bool OnControlBatch(const RecordBatch& batch);

  // The aborted transactions with a marker that has to stay: the index of the cleaned log.
  [[nodiscard]] const std::vector<AbortedTxn>& retained() const { return retained_; }

 private:
  struct Aborted {
    AbortedTxn txn{};
    bool batches_met = false;
  };

  void BeginAbortedUpTo(Offset offset);

  std::vector<AbortedTxn> upcoming_;  // by first offset
  size_t next_ = 0;
  std::vector<Aborted> ongoing_aborted_;
  std::vector<ProducerId> ongoing_committed_;
  std::vector<AbortedTxn> retained_;
};

}  // namespace kafkasim::broker
