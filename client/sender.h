// The producer's thread that talks to brokers: class Sender with RecordAccumulator.drain, Kafka
// 4.4 development line.
//
// Run does what Kafka's loop does until it would wait: first what the transaction manager wants,
// one request at a time, and while that is under way nothing else; then the batches that are ready,
// one a partition and request.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "broker/messages_data.h"
#include "client/client_options.h"
#include "client/cluster_connection.h"
#include "client/exception.h"
#include "client/producer_batch.h"
#include "client/producer_config.h"
#include "client/record_accumulator.h"
#include "client/transaction_manager.h"
#include "sim/context.h"
#include "sim/fingerprint.h"

namespace kafkasim::client {

// What happened to records that a send has appended.
struct RecordsOutcome {
  enum class What : uint8_t { kSent, kAcknowledged, kFailed };

  What what = What::kSent;
  RecordsOf records{};
  broker::Offset base_offset = broker::kNoOffset;  // of the first of them; -1 with acks=0
  ApiError error{};
};

class Sender {
 public:
  Sender(const ClientOptions& options, std::shared_ptr<const ProducerConfig> config);

  [[nodiscard]] RecordAccumulator& accumulator() { return accumulator_; }
  [[nodiscard]] const RecordAccumulator& accumulator() const { return accumulator_; }
  [[nodiscard]] TransactionManager& transactions() { return transactions_; }
  [[nodiscard]] const TransactionManager& transactions() const { return transactions_; }
  [[nodiscard]] ClusterConnection& connection() { return connection_; }
  [[nodiscard]] const ClusterConnection& connection() const { return connection_; }

  // What the application's thread waits for.
  struct Demand {
    bool flushing = false;  // batches do not linger
    bool metadata = false;  // a send waits for the metadata of its topic
  };
  // Does everything that can be done at this moment.
  void Run(sim::Context& context, const Demand& demand);
  void OnCompleted(sim::Context& context, const CompletedRequests& completed);
  // Sends what there is, ends a transaction that is open, then is_closed().
  void InitiateClose() { closing_ = true; }
  [[nodiscard]] bool is_closed() const { return closed_; }

  // Something is waiting to be sent or answered.
  [[nodiscard]] bool IsBusy() const;
  // The next moment after now at which Run has something to do.
  [[nodiscard]] sim::Time NextWake(sim::Time now, const Demand& demand) const;
  [[nodiscard]] std::vector<RecordsOutcome> TakeOutcomes() { return std::exchange(outcomes_, {}); }
  // Requests of the transaction manager sent so far.
  [[nodiscard]] int64_t transactional_requests() const { return transactional_requests_; }

  void AppendTo(sim::CanonicalBytes& out) const;

 private:
  enum class Step : uint8_t { kNothing, kGoOn, kWait };

  // sender.cc: the loop and the transaction manager's requests.
  Step RunIdempotent(sim::Context& context, const Demand& demand);
  Step Close(sim::Context& context);
  Step SendTransactional(sim::Context& context);
  Step SendTransactional(sim::Context& context, TransactionRequest request);
  void OnTransactional(sim::Context& context, const Completed& completed);
  void ReportChanges(sim::Context& context);
  void WaitUntil(sim::Time time) { wait_until_ = std::min(wait_until_, time); }

  // sender_produce.cc: from batches to requests.
  Step SendProduceData(sim::Context& context, bool flushing);
  void ExpireBatches(sim::Context& context);
  // The batches that go into one request: the one of each queue that has its number.
  struct Drained {
    broker::BrokerId broker = broker::kNoBroker;
    uint64_t request = 0;
    std::vector<PartitionQueue*> queues{};
  };
  [[nodiscard]] Drained Drain(sim::Context& context, broker::BrokerId broker);
  [[nodiscard]] bool ShouldStopDrain(const PartitionQueue& queue, const ProducerBatch& first) const;
  void AssignSequence(PartitionQueue& queue, ProducerBatch& batch);
  void SendProduce(sim::Context& context, const Drained& drained);

  // sender_batches.cc: what comes of a batch.
  void OnProduce(sim::Context& context, const Completed& completed);
  void OnPartitionAnswer(sim::Context& context, PartitionQueue& queue, uint64_t request,
                         const broker::ProduceResponse::PartitionResult& result);
  [[nodiscard]] bool CanRetry(PartitionQueue& queue, const ProducerBatch& batch,
                              const broker::ProduceResponse::PartitionResult& result,
                              sim::Time now);
  [[nodiscard]] bool IsRetriable(PartitionQueue& queue, const ProducerBatch& batch,
                                 const broker::ProduceResponse::PartitionResult& result);
  void Acknowledge(PartitionQueue& queue, ProducerBatch& batch, broker::Offset base_offset);
  void FailBatch(sim::Context& context, PartitionQueue& queue, ProducerBatch& batch,
                 const ApiError& error, bool adjust_sequences);
  void AbortBatches(const ApiError& error, bool undrained_only);
  void ResolveSequences();
  void BumpIdempotentEpochIfNeeded();
  void RequestIdempotentBump(PartitionQueue& queue);
  void AddOutcomes(RecordsOutcome::What what, const ProducerBatch& batch,
                   broker::Offset base_offset, const ApiError& error);

  [[nodiscard]] bool idempotent() const { return config_->idempotent(); }

  std::shared_ptr<const ProducerConfig> config_;
  ClusterConnection connection_;
  RecordAccumulator accumulator_;
  TransactionManager transactions_;  // used by idempotent producers only
  uint64_t next_request_ = 1;
  // A transactional request that waits for its connection, or for the end of its backoff.
  std::optional<TransactionRequest> selected_;
  sim::Time sleep_until_{};
  // The one that is under way, and under which number.
  std::optional<TransactionRequest> under_way_;
  uint64_t under_way_request_ = 0;
  bool idempotent_bump_ = false;
  bool closing_ = false;
  bool closed_ = false;
  int64_t transactional_requests_ = 0;
  sim::Time wait_until_ = sim::kEndOfTime;  // found by the last Run; follows from the state
  std::vector<RecordsOutcome> outcomes_;    // empty between events
};

}  // namespace kafkasim::client
