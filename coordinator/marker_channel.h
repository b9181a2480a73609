// Markers on their way from a coordinator to the leaders of a transaction's partitions, and the
// transactions whose markers are not all written (KIP-98, KIP-1228; classes
// TransactionMarkerChannelManager, TxnMarkerQueue and PendingCompleteTxn, Kafka 4.4 development
// line). Pure state: the coordinator carries out what it says.
//
// Each broker has one WriteTxnMarkers request under way at a time; what gathers meanwhile, of any
// transaction, goes together in the next one. (Kafka's thread makes a request of what has gathered
// each time it wakes, so that several may wait in line: the requests are more, the markers and
// their order are the same.) Nothing is ever given up for want of an answer: a marker that could
// not be written goes to whoever leads the partition then. A partition without a leader waits for
// one; a partition that exists no more needs no marker. (Kafka 4.3 and 4.4 take a partition without
// a leader for one that exists no more, KAFKA-20734; followed here is what the releases before do
// and the fix restores.)
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "broker/cluster_image.h"
#include "broker/ids.h"
#include "broker/messages_transaction.h"
#include "sim/fingerprint.h"
#include "sim/time.h"

namespace kafkasim::coordinator {

// After a connection broke, a new one is tried after so long (the sender's reconnect backoff).
inline constexpr sim::Duration kReconnectBackoff = sim::Millis(50);

// A marker of one transaction for some partitions.
struct MarkerEntry {
  std::string transactional_id;
  int32_t txn_partition = -1;  // of __transaction_state
  broker::CoordinatorEpoch coordinator_epoch = broker::kNoCoordinatorEpoch;
  broker::ProducerId producer_id = broker::kNoProducerId;
  broker::ProducerEpoch producer_epoch = broker::kNoProducerEpoch;
  bool committed = true;
  int8_t transaction_version = 0;
  broker::PartitionList partitions;

  void AppendTo(sim::CanonicalBytes& out) const;
};

// A decided transaction that is to be completed once all its partitions have their marker.
struct PendingCompletion {
  std::string transactional_id;
  int32_t txn_partition = -1;
  broker::CoordinatorEpoch coordinator_epoch = broker::kNoCoordinatorEpoch;

  friend bool operator==(const PendingCompletion&, const PendingCompletion&) = default;
  void AppendTo(sim::CanonicalBytes& out) const;
};

class MarkerChannel {
 public:
  // Where the partitions of an enqueued marker went that did not go to a broker.
  struct Strays {
    broker::PartitionList deleted;  // they exist no more: no marker is needed
    broker::PartitionList parked;   // they have no leader
  };

  // ---- Transactions to be completed ----
  // Remembers one; an older one of the same id is replaced.
  void AddCompletion(PendingCompletion completion);
  // Forgets it; a newer one of the same id stays (KAFKA-16352). False if it was not there.
  bool RemoveCompletion(const PendingCompletion& completion);
  [[nodiscard]] const PendingCompletion* FindCompletion(const std::string& transactional_id) const;
  // COMPLETE_* could not be appended: to be tried again at the next pass of the sender.
  void AddAppendRetry(PendingCompletion completion);
  [[nodiscard]] bool has_append_retries() const { return !append_retries_.empty(); }
  [[nodiscard]] std::vector<PendingCompletion> TakeAppendRetries();

  // ---- Markers ----
  // Queues a marker for the leaders of its partitions as `image` knows them.
  [[nodiscard]] Strays Enqueue(const MarkerEntry& entry, const broker::ClusterImage& image);
  // Brokers to which a request may go now: something waits, none is under way, no backoff.
  [[nodiscard]] std::vector<broker::BrokerId> ReadyBrokers() const;
  // What waits for the broker is now under way.
  [[nodiscard]] const std::vector<MarkerEntry>& StartRequest(broker::BrokerId broker);
  // The request was answered, or its connection broke, which begins a backoff: what was under way.
  [[nodiscard]] std::vector<MarkerEntry> FinishRequest(broker::BrokerId broker, bool disconnected);
  void EndBackoff(broker::BrokerId broker);
  // Leaders may have moved: takes out what has no broker or waits for one that is out of reach.
  [[nodiscard]] std::vector<MarkerEntry> TakeUnsettled();
  // The partition of __transaction_state is no longer coordinated here, or anew: drops its markers
  // and completions, except for what is under way.
  void RemovePartition(int32_t txn_partition);

  [[nodiscard]] bool empty() const {
    return queues_.empty() && parked_.empty() && append_retries_.empty();
  }

  // ---- For views ----
  [[nodiscard]] size_t waiting_for(broker::BrokerId broker) const;
  [[nodiscard]] size_t in_flight_to(broker::BrokerId broker) const;
  [[nodiscard]] const std::vector<MarkerEntry>& parked() const { return parked_; }

  void AppendTo(sim::CanonicalBytes& out) const;

 private:
  struct Queue {
    broker::BrokerId broker = broker::kNoBroker;
    std::vector<MarkerEntry> waiting;
    std::vector<MarkerEntry> in_flight;
    bool backing_off = false;  // the connection broke; the coordinator has a timer

    [[nodiscard]] bool idle() const { return waiting.empty() && in_flight.empty() && !backing_off; }

    void AppendTo(sim::CanonicalBytes& out) const;
  };

  [[nodiscard]] const Queue* Find(broker::BrokerId broker) const;
  Queue& QueueOf(broker::BrokerId broker);
  void EraseIdleQueues();

  std::vector<Queue> queues_;  // sorted by broker
  std::vector<MarkerEntry> parked_;
  std::vector<PendingCompletion> completions_;  // sorted by transactional id
  std::vector<PendingCompletion> append_retries_;
};

}  // namespace kafkasim::coordinator
