// What an application asks of its Kafka client: one API call as data. A scenario gives a call to a
// client process by World::Command; the outcome appears under the call's id in the process's
// CallLog (call_result.h). Methods of KafkaProducer, KafkaConsumer and Admin, Kafka 4.4
// development line.
//
// An application has one thread. While a blocking call of a client is open, further calls to it
// wait in their order; send returns at once (its records are acknowledged later) unless it has to
// wait for metadata.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "broker/channels.h"
#include "broker/ids.h"
#include "broker/messages_offsets.h"
#include "client/admin_operation.h"
#include "client/consumer_group_metadata.h"
#include "sim/ids.h"
#include "sim/payload.h"
#include "sim/strong_int.h"
#include "sim/time.h"

namespace kafkasim::client {

// Chosen by whoever gives the call; unique within one client.
using CallId = sim::StrongInt<struct CallIdTag, int64_t>;

// --- Producer ------------------------------------------------------------------------------------

struct InitTransactions {};   // blocks, at most max.block.ms; gives ProducerIdentity
struct BeginTransaction {};   // local
struct CommitTransaction {};  // flushes, then blocks, at most max.block.ms; gives ProducerIdentity
struct AbortTransaction {};   // blocks, at most max.block.ms; gives ProducerIdentity
struct Flush {};              // blocks until every record sent before is acknowledged or failed

struct ProducerRecord {
  std::optional<std::string> key{};
  std::optional<std::string> value{};
  std::optional<int64_t> timestamp_ms{};  // default: the time of the send
};

// Sends records in order, one after the other. Finished when each is acknowledged or failed; gives
// a RecordMetadata a record. Without `partition` the partitioner chooses.
struct Send {
  broker::TopicId topic{-1};
  std::optional<int32_t> partition{};
  std::vector<ProducerRecord> records{};
};

// Makes offsets of a consumer part of the transaction: they are committed with it or not at all.
// Blocks until the group's coordinator has taken them, at most max.block.ms.
struct SendOffsetsToTransaction {
  std::vector<broker::OffsetToCommit> offsets{};
  ConsumerGroupMetadata group{};
};

// Aborts an open transaction, waits for what is under way, and ends the client's life: every later
// call fails with IllegalStateException. A consumer commits if enable.auto.commit, and leaves its
// group.
struct Close {};

// --- Consumer ------------------------------------------------------------------------------------

// Blocks until there are records, or the position moved over what is never delivered, or `timeout`
// has passed; gives ConsumedRecords.
struct Poll {
  sim::Duration timeout = sim::Seconds(1);
  std::optional<int32_t> max_records{};  // default: max.poll.records
};

struct Seek {
  broker::PartitionId partition{};
  broker::Offset offset{0};
};
// Lazy, as in Java: the offset is looked up by the next poll or position. Empty = all assigned.
struct SeekToBeginning {
  std::vector<broker::PartitionId> partitions{};
};
struct SeekToEnd {
  std::vector<broker::PartitionId> partitions{};
};
// Block, at most default.api.timeout.ms; give PartitionOffsets. Empty = all assigned.
struct Position {
  broker::PartitionId partition{};
};
struct BeginningOffsets {
  std::vector<broker::PartitionId> partitions{};
};
struct EndOffsets {
  std::vector<broker::PartitionId> partitions{};
};
// The first record at or after a time; the offset is -1 where there is none that the isolation
// level lets see.
struct OffsetsForTimes {
  std::vector<broker::PartitionId> partitions{};
  int64_t timestamp_ms = 0;
};

// Replaces the subscription. The group is joined by the next polls.
struct Subscribe {
  std::vector<broker::TopicId> topics{};
};
struct Unsubscribe {};  // gives all partitions back and leaves the group

// Commits positions: these, or of all assigned partitions. Without an error gives nothing.
//   commit_sync   blocks, at most default.api.timeout.ms; after all earlier commit_async
//   commit_async  returns at once, as send does: its result comes with the coordinator's answer
struct CommitSync {
  std::optional<std::vector<broker::OffsetToCommit>> offsets{};
};
struct CommitAsync {
  std::optional<std::vector<broker::OffsetToCommit>> offsets{};
};
// Blocks, at most default.api.timeout.ms; gives CommittedOffsets. Empty = all assigned.
struct Committed {
  std::vector<broker::PartitionId> partitions{};
};
// What an application does after an aborted transaction: committed() for all assigned partitions,
// then a seek to each; those without a committed offset begin by auto.offset.reset. Gives
// CommittedOffsets.
struct SeekToCommitted {};
struct GroupMetadata {};     // local; gives ConsumerGroupMetadata
struct EnforceRebalance {};  // the next poll joins the group anew

// --- Raw -----------------------------------------------------------------------------------------

// Sends a broker::Message as it is, by an Admin; gives the answer. Without an answer the
// connection is closed after `timeout` and the call fails with TimeoutException.
struct RawRequest {
  sim::ProcessId to = sim::kNoProcess;
  sim::PayloadRef request{};
  sim::Duration timeout = sim::Seconds(30);
  sim::Channel channel = broker::kClientChannel;
};

// --- Outside Kafka -------------------------------------------------------------------------------

// Asks a service or a database, by the application itself (external_message.h). Blocks at most
// `timeout`; gives ExternalReply.
struct ExternalCall {
  sim::ProcessId to = sim::kNoProcess;
  sim::PayloadRef request{};
  sim::Duration timeout = sim::Seconds(10);
};

// --- Any client ----------------------------------------------------------------------------------

// Drops the results of finished calls up to this id, for runs of a million calls. Takes effect at
// once and has no result of its own.
struct ForgetCalls {
  CallId up_to{};
};

using Operation = std::variant<InitTransactions, BeginTransaction, Send, Flush, CommitTransaction,
                               AbortTransaction, SendOffsetsToTransaction, Close, Poll, Seek,
                               SeekToBeginning, SeekToEnd, Position, BeginningOffsets, EndOffsets,
                               Subscribe, Unsubscribe, CommitSync, CommitAsync, Committed,
                               SeekToCommitted, GroupMetadata, EnforceRebalance, RawRequest,
                               ExternalCall, ForgetCalls, OffsetsForTimes, AdminCall>;

// Whether it is a call of a consumer that is about its group; close is one as well.
[[nodiscard]] bool IsGroupCall(const Operation& operation);

// "commit_transaction": the scenario language's verb.
[[nodiscard]] std::string_view Name(const Operation& operation);

class Call final : public sim::Payload {
 public:
  Call(CallId id, Operation operation) : id_(id), operation_(std::move(operation)) {}

  [[nodiscard]] CallId id() const { return id_; }
  [[nodiscard]] const Operation& operation() const { return operation_; }

  [[nodiscard]] std::string_view api() const override { return Name(operation_); }
  [[nodiscard]] bool Concerns(std::string_view, std::string_view) const override { return false; }
  void AppendTo(sim::CanonicalBytes& out) const override;

 private:
  CallId id_;
  Operation operation_;
};

using CallRef = std::shared_ptr<const Call>;

[[nodiscard]] inline sim::PayloadRef MakeCall(CallId id, Operation operation) {
  return std::make_shared<const Call>(id, std::move(operation));
}

}  // namespace kafkasim::client
