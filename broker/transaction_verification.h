// What a partition leader asks transaction coordinators before the first batch of a transaction:
// whether the partition belongs to it (transaction.version 1), or to add it (version 2). Follows
// Kafka's AddPartitionsToTxnManager (KIP-890), Kafka 4.4 development line.
//
// A value: whoever hosts it sends what TakeRequest gives and hands in answers and disconnects. One
// request is in flight per coordinator; what comes meanwhile waits, at most once per transactional
// id:
//   same id, same epoch    the newer displaces the older one, which hears NETWORK_EXCEPTION: the
//                          producer has sent the batch again
//   same id, newer epoch   displaces the older one, which hears INVALID_PRODUCER_EPOCH
//   same id, older epoch   is refused with INVALID_PRODUCER_EPOCH
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "broker/error_code.h"
#include "broker/ids.h"
#include "broker/messages_transaction.h"
#include "sim/context.h"
#include "sim/fingerprint.h"

namespace kafkasim::broker {

// What the client that started it all can understand (TransactionSupportedOperation).
enum class TransactionOperation : uint8_t {
  kDefaultError,           // before TRANSACTION_ABORTABLE
  kGenericErrorSupported,  // knows TRANSACTION_ABORTABLE
  kAddPartition,           // transaction.version 2: partitions are added on its behalf
};
[[nodiscard]] TransactionOperation OperationOfProduce(int16_t version);
[[nodiscard]] TransactionOperation OperationOfTxnOffsetCommit(int16_t version);

// One transaction's partitions to be verified or added. `ticket` is the asker's.
struct VerificationRequest {
  uint32_t ticket = 0;
  std::string transactional_id{};
  ProducerId producer_id = kNoProducerId;
  ProducerEpoch producer_epoch = kNoProducerEpoch;
  TransactionOperation operation = TransactionOperation::kDefaultError;
  PartitionList partitions{};

  void AppendTo(sim::CanonicalBytes& out) const;
};

// What came of it: partitions that are not named may be appended to.
struct VerificationOutcome {
  uint32_t ticket = 0;
  absl::InlinedVector<AddPartitionsToTxnResponse::PartitionResult, 4> errors{};
};

class TransactionVerification {
 public:
  using Outcomes = std::vector<VerificationOutcome>;

  // Queues a request for `coordinator`; displaces or refuses as above.
  [[nodiscard]] Outcomes Enqueue(BrokerId coordinator, VerificationRequest request);
  // What to send to `coordinator` now: all that waits for it, unless a request is in flight.
  [[nodiscard]] std::optional<AddPartitionsToTxnRequest> TakeRequest(BrokerId coordinator);
  // The answer to the request in flight. Errors are as the asker shall see them: PRODUCER_FENCED
  // is INVALID_PRODUCER_EPOCH, and a client that does not know TRANSACTION_ABORTABLE hears
  // INVALID_TXN_STATE.
  [[nodiscard]] Outcomes OnResponse(BrokerId coordinator,
                                    const AddPartitionsToTxnResponse& response);
  // The connection broke, or the answer did not come in time: NETWORK_EXCEPTION.
  [[nodiscard]] Outcomes OnDisconnect(BrokerId coordinator);
  // The timer of the request in flight to `coordinator`, for its host to keep; null if there is
  // none in flight.
  [[nodiscard]] sim::TimerId* TimerOf(BrokerId coordinator);

  void AppendTo(sim::CanonicalBytes& out) const;

 private:
  // Requests to one coordinator. Gone when empty.
  struct Node {
    BrokerId coordinator = kNoBroker;
    std::vector<VerificationRequest> in_flight;
    std::vector<VerificationRequest> queued;  // in the order of arrival
    sim::TimerId timer;

    void AppendTo(sim::CanonicalBytes& out) const;
  };

  [[nodiscard]] Node& NodeOf(BrokerId coordinator);
  [[nodiscard]] std::vector<VerificationRequest> TakeInFlight(BrokerId coordinator);

  std::vector<Node> nodes_;  // by coordinator
};

}  // namespace kafkasim::broker
