// The transaction coordinator of a broker: it hands out producer ids and epochs, keeps the state of
// each transactional id in __transaction_state, decides the end of transactions and sees to it that
// every partition gets its marker (KIP-98, KIP-360, KIP-588, KIP-890; classes
// TransactionCoordinator, TransactionStateManager and TransactionMarkerChannelManager, Kafka 4.4
// development line).
//
// A broker coordinates the ids whose partition of __transaction_state it leads; the leader epoch is
// the coordinator epoch. What it knows is volatile: OnElected reads the log from its start to its
// end (not to the high watermark) and goes on from there. Every change is one record, appended with
// acks=all and a timeout of the transaction's own; it counts when it is replicated. Errors of all
// requests about a transactional id: COORDINATOR_LOAD_IN_PROGRESS while its partition is loaded,
// NOT_COORDINATOR if it is not led here, COORDINATOR_NOT_AVAILABLE if the record could not be
// replicated. The rules of each request are in *_rules.h.
//
// Kafka runs its sweeps at every multiple of their interval since the start of the broker. Here a
// timer is set only for multiples at which something can be found, so that a world at rest stays
// quiet; what is found is found at the same times.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "broker/messages_admin.h"
#include "broker/service.h"
#include "coordinator/init_producer_id_rules.h"
#include "coordinator/marker_channel.h"
#include "coordinator/producer_id_blocks.h"
#include "coordinator/refusal.h"
#include "coordinator/slot_table.h"
#include "coordinator/transaction_cache.h"
#include "sim/cow.h"
#include "sim/sweep.h"

namespace kafkasim::coordinator {

class TransactionCoordinator final : public broker::Service {
 public:
  struct Options {
    // From an election until the log has been read; an empty one is read at once.
    sim::Duration load_time{};
  };

  TransactionCoordinator() : TransactionCoordinator(Options()) {}
  explicit TransactionCoordinator(const Options& options) : options_(options) {}

  // ---- broker::Service ----
  [[nodiscard]] std::unique_ptr<broker::Service> Clone() const override;
  void AppendTo(sim::CanonicalBytes& out) const override;
  [[nodiscard]] std::string_view topic() const override;
  [[nodiscard]] bool Serves(broker::ApiKey key) const override;
  void OnStart(const broker::ServiceContext& context, broker::Effects& effects) override;
  void OnRequest(const broker::ServiceContext& context, const sim::RequestIn& request,
                 broker::Effects& effects) override;
  void OnAppended(const broker::ServiceContext& context, uint64_t token, broker::ErrorCode error,
                  broker::Effects& effects) override;
  void OnAnswer(const broker::ServiceContext& context, uint64_t token,
                const sim::PayloadRef& response, broker::Effects& effects) override;
  void OnTimer(const broker::ServiceContext& context, uint32_t kind, uint64_t argument,
               broker::Effects& effects) override;
  void OnElected(const broker::ServiceContext& context, const broker::PartitionId& partition,
                 broker::LeaderEpoch epoch, broker::Effects& effects) override;
  void OnResigned(const broker::ServiceContext& context, const broker::PartitionId& partition,
                  broker::LeaderEpoch epoch, broker::Effects& effects) override;
  void OnMetadata(const broker::ServiceContext& context, broker::Effects& effects) override;
  void OnCrash() override;

  // ---- For views and expectations (transaction_view.h) ----
  [[nodiscard]] const TransactionCache& cache() const { return *cache_; }
  [[nodiscard]] const MarkerChannel& markers() const { return *markers_; }

 private:
  // One call of a handler: what it may look at, and what it wants to be done.
  struct Turn {
    const broker::ServiceContext& context;
    broker::Effects& effects;

    [[nodiscard]] int64_t now_ms() const { return context.now().millis(); }
  };

  // Who waits for an answer; nobody if `to` names no process.
  struct Waiting {
    sim::ReplyTo to{};
    broker::ApiKey api = broker::ApiKey::kEndTxn;
    int16_t version = 0;

    void AppendTo(sim::CanonicalBytes& out) const;
  };

  // A record of __transaction_state on its way.
  struct PendingAppend {
    enum class Kind : uint8_t {
      kInitProducerId,
      kAddPartitions,
      kAddOffsets,
      kEndTxn,
      kFence,  // PREPARE_ABORT after InitProducerId or a timeout
      kComplete,
      kExpire,
    };
    Kind kind = Kind::kEndTxn;
    int32_t partition = -1;
    broker::CoordinatorEpoch epoch = broker::kNoCoordinatorEpoch;
    std::string transactional_id{};
    Waiting waiting{};
    uint32_t request = 0;      // kAddPartitions: its slot
    uint32_t transaction = 0;  // and which of its parts
    std::vector<std::pair<std::string, broker::ProducerEpoch>> expired{};  // kExpire

    void AppendTo(sim::CanonicalBytes& out) const;
  };

  // An AddPartitionsToTxn request some of whose transactions are being written.
  struct AddPartitionsJob {
    Waiting waiting{};
    broker::AddPartitionsToTxnResponse response{};
    uint32_t remaining = 0;

    void AppendTo(sim::CanonicalBytes& out) const;
  };

  // The epoch that the rules look at: the one of the request, unless they are switched off.
  [[nodiscard]] static broker::ProducerEpoch EpochToCheck(const Turn& turn,
                                                          const TransactionMetadata& metadata,
                                                          broker::ProducerEpoch asked);

  // coordinator_init_producer_id.cc
  void HandleInitProducerId(Turn& turn, const Waiting& waiting,
                            const broker::InitProducerIdRequest& request);
  void AssignProducerId(Turn& turn, const Waiting& waiting, const Asked& asked);
  void InitTransactionalId(Turn& turn, const Waiting& waiting, const Asked& asked,
                           int32_t timeout_ms, const std::optional<ProducerIdAndEpoch>& expected);
  void AnswerInit(Turn& turn, const Waiting& waiting, const std::string& transactional_id,
                  broker::ProducerId producer_id, broker::ProducerEpoch epoch);
  void RefuseInit(Turn& turn, const Waiting& waiting, broker::ErrorCode error);
  // What is known of the id; a new one gets a producer id. Null if there is none to give.
  [[nodiscard]] const TransactionMetadata* FindOrCreate(Turn& turn,
                                                        const TransactionCache::Located& located,
                                                        std::string_view transactional_id,
                                                        int32_t timeout_ms);
  // Fences the producer of an open transaction and aborts it. nullopt, or why it could not begin.
  [[nodiscard]] std::optional<Refusal> FenceAndAbort(Turn& turn, int32_t partition,
                                                     const std::string& transactional_id,
                                                     const Waiting& waiting,
                                                     std::string_view reason);
  [[nodiscard]] std::optional<broker::ProducerId> GenerateProducerId(Turn& turn);
  void OnProducerIds(Turn& turn, const sim::PayloadRef& response);

  // coordinator_add_partitions.cc
  void HandleAddPartitions(Turn& turn, const Waiting& waiting,
                           const broker::AddPartitionsToTxnRequest& request);
  // The error of one transaction of the request, or nullopt if its record is being written.
  [[nodiscard]] std::optional<broker::ErrorCode> AddPartitions(Turn& turn, const Asked& asked,
                                                               const broker::PartitionList& added,
                                                               int8_t client_transaction_version,
                                                               PendingAppend append);
  void VerifyPartitions(Turn& turn, const Asked& asked,
                        broker::AddPartitionsToTxnResponse::TransactionResult& result);
  void HandleAddOffsets(Turn& turn, const Waiting& waiting,
                        const broker::AddOffsetsToTxnRequest& request);
  void FinishAddPartitions(Turn& turn, const PendingAppend& append, broker::ErrorCode error);

  // coordinator_end_txn.cc
  void HandleEndTxn(Turn& turn, const Waiting& waiting, const broker::EndTxnRequest& request);
  void ReplyEndTxn(Turn& turn, const Waiting& waiting, broker::ErrorCode error,
                   const TransactionValue* value);
  // The decision is written: answers, and begins to write markers.
  void FinishEndTxn(Turn& turn, const PendingAppend& append, broker::ErrorCode error);

  // coordinator_append.cc
  // The leader epoch in which a coordinator of this epoch may write.
  [[nodiscard]] static broker::LeaderEpoch LogEpoch(const Turn& turn,
                                                    broker::CoordinatorEpoch epoch);
  // Writes the pending value of the id.
  void Append(Turn& turn, const TransactionMetadata& metadata, PendingAppend append);
  void OnRecordAppended(Turn& turn, const PendingAppend& append, broker::ErrorCode log_error);
  // Makes the pending value current, or gives it up: the error for whoever waits.
  [[nodiscard]] broker::ErrorCode Settle(Turn& turn, const PendingAppend& append,
                                         broker::ErrorCode log_error);
  // After each change: the sweeps may have something to find.
  void ArmSweeps(Turn& turn, const TransactionMetadata& metadata);

  // coordinator_markers.cc
  void StartMarkers(Turn& turn, int32_t partition, broker::CoordinatorEpoch epoch,
                    const std::string& transactional_id);
  void EnqueueMarker(Turn& turn, const MarkerEntry& entry);
  void MaybeComplete(Turn& turn, const std::string& transactional_id);
  void AppendComplete(Turn& turn, const PendingCompletion& completion);
  void OnMarkersAnswered(Turn& turn, broker::BrokerId broker, const sim::PayloadRef& response);
  void OnMarkerAnswered(Turn& turn, broker::BrokerId broker, const MarkerEntry& entry,
                        const broker::WriteTxnMarkersResponse* response);
  // One pass of the sender: appends that failed, markers that wait.
  void RunSender(Turn& turn);

  // coordinator_admin.cc
  void HandleListTransactions(Turn& turn, const Waiting& waiting,
                              const broker::ListTransactionsRequest& request);
  void HandleDescribeTransactions(Turn& turn, const Waiting& waiting,
                                  const broker::DescribeTransactionsRequest& request);

  // coordinator_loading.cc
  void Load(Turn& turn, int32_t index, broker::CoordinatorEpoch epoch);

  // coordinator_expiry.cc
  void AbortTimedOutTransactions(Turn& turn);
  void RemoveExpiredTransactionalIds(Turn& turn);
  void ExpireIdsOf(Turn& turn, int32_t partition);
  void FinishExpiry(Turn& turn, const PendingAppend& append, broker::ErrorCode error);

  // Traces the refusal; returns the error code for the answer.
  broker::ErrorCode Refuse(Turn& turn, Refusal refusal, const Asked& asked, int16_t version,
                           const TransactionMetadata* metadata);
  // Whether the coordinator may speak for the id, and what it knows of it.
  [[nodiscard]] static std::optional<Refusal> StandingRefusal(
      const TransactionCache::Located& located);

  Options options_;
  sim::Cow<TransactionCache> cache_;
  sim::Cow<MarkerChannel> markers_;
  sim::Cow<SlotTable<PendingAppend>> appends_;
  sim::Cow<SlotTable<AddPartitionsJob>> jobs_;
  ProducerIdBlocks producer_ids_;
  sim::Sweep abort_sweep_;
  sim::Sweep expiry_sweep_;
  bool append_retry_armed_ = false;
};

}  // namespace kafkasim::coordinator
