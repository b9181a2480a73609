// What came of a call: the value or the error that the application sees, and when.
//
// The log of results belongs to whoever gave the calls, not to the application: it survives a crash
// of the client process. A call that was open then is lost, it will never finish.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "broker/cluster_image.h"
#include "broker/ids.h"
#include "broker/messages_offsets.h"
#include "client/admin_result.h"
#include "client/call.h"
#include "client/consumer_group_metadata.h"
#include "client/exception.h"
#include "sim/fingerprint.h"
#include "sim/payload.h"
#include "sim/time.h"

namespace kafkasim::client {

// Of init_transactions, commit_transaction and abort_transaction: who the producer is afterwards.
struct ProducerIdentity {
  broker::ProducerId producer_id = broker::kNoProducerId;
  broker::ProducerEpoch epoch = broker::kNoProducerEpoch;

  friend constexpr bool operator==(const ProducerIdentity&, const ProducerIdentity&) = default;
};

// Of one record of a send.
struct RecordMetadata {
  broker::PartitionId partition{};
  broker::Offset offset = broker::kNoOffset;  // -1: failed, or acks=0
  int64_t timestamp_ms = -1;
  bool done = false;

  friend constexpr bool operator==(const RecordMetadata&, const RecordMetadata&) = default;
};

// Of a send, a row a record, in their order. The call's error is that of the first failed record.
struct SentRecords {
  std::vector<RecordMetadata> records{};
  int32_t acknowledged = 0;
  int32_t failed = 0;
};

// A record as a consumer gets it. The producer's identity is not Java's: it explains.
struct ConsumedRecord {
  broker::PartitionId partition{};
  broker::Offset offset{0};
  std::optional<std::string> key{};
  std::optional<std::string> value{};
  int64_t timestamp_ms = 0;
  broker::ProducerId producer_id = broker::kNoProducerId;
  broker::ProducerEpoch producer_epoch = broker::kNoProducerEpoch;
  bool transactional = false;

  void AppendTo(sim::CanonicalBytes& out) const;
};

// Of a poll, in the order of delivery.
struct ConsumedRecords {
  std::shared_ptr<const std::vector<ConsumedRecord>> records{};  // never null
};

// Of position, beginning_offsets, end_offsets, offsets_for_times and list_offsets, in the order
// asked.
struct PartitionOffsets {
  struct Row {
    broker::PartitionId partition{};
    broker::Offset offset{0};
  };
  std::vector<Row> rows{};
};

// Of committed and seek_to_committed, in the order asked; the offset is -1 where nothing is
// committed.
struct CommittedOffsets {
  std::vector<broker::OffsetToCommit> rows{};
};

// Of a raw request.
struct RawResponse {
  sim::PayloadRef payload{};
};

// Of a call outside Kafka: what was answered.
struct ExternalReply {
  std::string text{};
};

// Of send_offsets: what was to go into the transaction. Kept for whoever judges the run; an
// application is given nothing.
struct HandedInOffsets {
  std::vector<broker::OffsetToCommit> rows{};
};

using CallValue = std::variant<std::monostate, ProducerIdentity, SentRecords, ConsumedRecords,
                               PartitionOffsets, CommittedOffsets, ConsumerGroupMetadata,
                               RawResponse, ExternalReply, AdminResult, HandedInOffsets>;

enum class CallState : uint8_t {
  kWaiting,  // behind a blocking call, not begun
  kOpen,
  kDone,
  kLost,  // the process crashed before it was done
};

struct CallResult {
  CallId id{};
  std::string_view operation{};  // as Name(Operation) gives it; a literal
  CallState state = CallState::kWaiting;
  ApiError error{};
  CallValue value{};
  sim::Time started{};
  sim::Time finished{};
  int32_t requests = 0;  // how many requests were sent on its behalf, retries included

  [[nodiscard]] bool done() const { return state == CallState::kDone; }
  [[nodiscard]] bool ok() const { return done() && error.ok(); }
  // "producer_id=7 epoch=1", "orders-0@5", "3 records": the value on one line; "" for none.
  [[nodiscard]] std::string DescribeValue(const broker::ClusterImage& names) const;
  // What an expectation can see: neither times nor the number of requests.
  void AppendTo(sim::CanonicalBytes& out) const;
};

// The results of one client's calls, ordered by id.
class CallLog {
 public:
  // Null if this client never got such a call.
  [[nodiscard]] const CallResult* Find(CallId id) const;
  [[nodiscard]] const std::vector<CallResult>& results() const { return results_; }

  CallResult& Add(CallId id, std::string_view operation);  // ids are never reused
  // The call must be in the log.
  [[nodiscard]] CallResult& Mutable(CallId id);
  // Every call that is not done is lost.
  void LoseOpenCalls();
  // Drops results of calls that are over, with ids up to this one.
  void Forget(CallId up_to);

  void AppendTo(sim::CanonicalBytes& out) const;

 private:
  std::vector<CallResult> results_;
};

}  // namespace kafkasim::client
