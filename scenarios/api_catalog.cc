#include "scenarios/api_catalog.h"

#include <algorithm>
#include <utility>

namespace kafkasim::scenarios {
namespace {

using Type = ApiField::Type;

const bool kRequired = true;

ApiField TransactionalId(bool required = true) {
  return {"transactional_id", Type::kTransactionalId, "The transactional id.", required};
}
ApiField ProducerId() {
  return {"producer_id", Type::kInteger, "The producer id; -1 for none.", false};
}
ApiField ProducerEpoch() {
  return {"producer_epoch", Type::kInteger, "The producer epoch; -1 for none.", false};
}
ApiField PartitionField() {
  return {"partition", Type::kPartition, "The partition: orders-0.", kRequired};
}
ApiField Partitions() {
  return {"partitions", Type::kPartitions, "The partitions: [orders-0].", kRequired};
}
ApiField GroupId() { return {"group_id", Type::kText, "The consumer group.", kRequired}; }
ApiField GenerationId() {
  return {"generation_id", Type::kInteger, "The generation; -1 for none.", false};
}
ApiField MemberId(bool required = false) {
  return {"member_id", Type::kText, "The member's id.", required};
}
ApiField GroupInstanceId() {
  return {"group_instance_id", Type::kText, "group.instance.id of a static member.", false};
}
ApiField CommittedOffset() {
  return {"offset", Type::kInteger, "The offset to commit.", kRequired};
}
ApiField Metadata() { return {"metadata", Type::kText, "The text beside the offset.", false}; }
ApiField IsolationLevel() {
  return {"isolation_level", Type::kIsolation, "read_uncommitted or read_committed.", false};
}

// What clients ask of partitions.
std::vector<Api> DataApis() {
  return {
      {"Produce",
       "Appends one batch to a partition.",
       12,
       {PartitionField(),
        ProducerId(),
        ProducerEpoch(),
        TransactionalId(false),
        {"base_sequence", Type::kInteger, "Sequence number of the first record; -1 for none.",
         false},
        {"transactional", Type::kBoolean, "The batch belongs to a transaction.", false},
        {"acks", Type::kInteger, "0, 1 or -1 for all.", false},
        {"timeout_ms", Type::kInteger, "How long the leader waits for its followers.", false},
        {"values", Type::kTexts, "The records' values.", kRequired}},
       {{"base_offset", Type::kInteger, "Offset of the first record.", false}}},
      {"Fetch",
       "Reads a partition.",
       0,
       {PartitionField(),
        {"fetch_offset", Type::kInteger, "The first offset wanted.", kRequired},
        IsolationLevel(),
        {"max_bytes", Type::kInteger, "The most that is returned.", false},
        {"max_wait_ms", Type::kInteger, "How long to wait for min_bytes.", false},
        {"min_bytes", Type::kInteger, "What to wait for.", false}},
       {{"high_watermark", Type::kInteger, "As the leader knows it.", false},
        {"last_stable_offset", Type::kInteger, "As the leader knows it.", false},
        {"log_start_offset", Type::kInteger, "As the leader knows it.", false}}},
      {"ListOffsets",
       "Asks for an offset of a partition.",
       0,
       {PartitionField(),
        {"timestamp", Type::kInteger, "-1 for the end, -2 for the beginning.", false},
        IsolationLevel()},
       {{"offset", Type::kInteger, "The offset.", false},
        {"leader_epoch", Type::kInteger, "Of the record there, or the log's last one.", false}}},
      {"OffsetForLeaderEpoch",
       "Asks where the log of a leader epoch ends.",
       0,
       {PartitionField(),
        {"leader_epoch", Type::kInteger, "The epoch asked about.", kRequired},
        {"current_leader_epoch", Type::kInteger, "The leader's; -1 not to check it.", false}},
       {{"leader_epoch", Type::kInteger, "The largest known one not above it.", false},
        {"end_offset", Type::kInteger, "Its end; -1 if nothing is known.", false}}},
  };
}

ApiField Errors() {
  return {"errors", Type::kTexts, "The error of each partition, in their order.", false};
}

// What administrators ask.
std::vector<Api> AdminApis() {
  return {
      {"DescribeProducers",
       "Asks which producers a replica knows.",
       0,
       {PartitionField()},
       {{"producer_ids", Type::kIntegers, "All of them.", false},
        {"producer_id", Type::kInteger, "Of the first.", false},
        {"producer_epoch", Type::kInteger, "Of the first.", false},
        {"coordinator_epoch", Type::kInteger, "Of the first.", false},
        {"last_sequence", Type::kInteger, "Of the first.", false},
        {"current_txn_start_offset", Type::kInteger, "Of the first; -1 for none.", false}}},
      {"DescribeTransactions",
       "Asks a coordinator about a transactional id.",
       0,
       {TransactionalId()},
       {{"transaction_state", Type::kTransactionState, "Its state.", false},
        ProducerId(),
        ProducerEpoch(),
        {"transaction_timeout_ms", Type::kInteger, "transaction.timeout.ms.", false},
        {"transaction_start_time_ms", Type::kInteger, "-1 for none.", false}}},
      {"ListTransactions",
       "Asks a coordinator for its transactional ids.",
       2,
       {{"state_filters", Type::kTexts, "Kafka's names of states: [Ongoing].", false},
        {"producer_id_filters", Type::kIntegers, "Producer ids.", false},
        {"duration_filter", Type::kInteger, "Milliseconds; -1 for all.", false},
        {"transactional_id_pattern", Type::kText, "A regular expression.", false}},
       {{"transactional_ids", Type::kTexts, "The ids.", false},
        {"unknown_state_filters", Type::kTexts, "States that do not exist.", false}}},
      {"ElectLeaders",
       "Asks any broker to have the controller elect a leader.",
       0,
       {PartitionField(), {"election_type", Type::kInteger, "0 preferred, 1 unclean.", false}},
       {}},
  };
}

ApiField Topic() { return {"topic", Type::kTopic, "The topic.", kRequired}; }

// What administrators ask about topics and records.
std::vector<Api> TopicApis() {
  return {
      {"CreateTopics",
       "Creates a topic; any broker hands it on to the controller.",
       7,
       {Topic(),
        {"num_partitions", Type::kInteger, "How many partitions; -1 for num.partitions.", false},
        {"replication_factor", Type::kInteger, "Replicas; -1 for default.replication.factor.",
         false},
        {"configs", Type::kTexts, "Its settings: [cleanup.policy=compact].", false}},
       {}},
      {"DeleteTopics",
       "Deletes a topic; any broker hands it on to the controller.",
       6,
       {Topic()},
       {}},
      {"DeleteRecords",
       "Deletes the records of a partition before an offset.",
       2,
       {PartitionField(),
        {"offset", Type::kInteger, "The first offset that stays; -1 for the high watermark.",
         kRequired},
        {"timeout_ms", Type::kInteger, "How long the leader waits for its followers.", false}},
       {{"low_watermark", Type::kInteger, "Where the logs of all replicas alive start.", false}}},
  };
}

// What clients ask of transaction coordinators, and these of partitions.
std::vector<Api> TransactionApis() {
  return {
      {"FindCoordinator",
       "Asks who coordinates a transactional id or a group.",
       0,
       {{"key", Type::kTransactionalId, "The transactional id or the group.", kRequired},
        {"key_type", Type::kInteger, "0 for a group, 1 for a transactional id.", false}},
       {{"broker", Type::kInteger, "The coordinator's id.", false}}},
      {"InitProducerId",
       "Registers a producer.",
       6,
       {TransactionalId(false),
        ProducerId(),
        ProducerEpoch(),
        {"transaction_timeout_ms", Type::kInteger, "transaction.timeout.ms.", false},
        {"enable_2pc", Type::kBoolean, "Two-phase commit: no timeout (KIP-939).", false}},
       {ProducerId(), ProducerEpoch()}},
      {"AddPartitionsToTxn",
       "Registers partitions with a transaction, or verifies them.",
       5,
       {TransactionalId(),
        ProducerId(),
        ProducerEpoch(),
        Partitions(),
        {"verify_only", Type::kBoolean, "Only ask whether they are registered.", false}},
       {Errors()}},
      {"AddOffsetsToTxn",
       "Registers a group's offsets with a transaction.",
       4,
       {TransactionalId(),
        ProducerId(),
        ProducerEpoch(),
        {"group_id", Type::kText, "The consumer group.", kRequired}},
       {}},
      {"EndTxn",
       "Commits or aborts a transaction.",
       5,
       {TransactionalId(),
        ProducerId(),
        ProducerEpoch(),
        {"committed", Type::kBoolean, "true to commit, false to abort.", kRequired}},
       {ProducerId(), ProducerEpoch()}},
      {"WriteTxnMarkers",
       "Ends a transaction on partitions, as only a coordinator should.",
       2,
       {ProducerId(),
        ProducerEpoch(),
        {"committed", Type::kBoolean, "true for COMMIT, false for ABORT.", kRequired},
        Partitions(),
        {"coordinator_epoch", Type::kInteger, "The coordinator's epoch.", false},
        {"transaction_version", Type::kInteger, "The feature level of the transaction.", false}},
       {Errors()}},
  };
}

// What members of a group ask of its coordinator.
std::vector<Api> MemberApis() {
  return {
      {"JoinGroup",
       "Joins a group as a consumer does, with one protocol.",
       9,
       {GroupId(),
        MemberId(),
        GroupInstanceId(),
        {"client_id", Type::kText, "client.id, with which the member's id begins.", false},
        {"session_timeout_ms", Type::kInteger, "session.timeout.ms.", false},
        {"rebalance_timeout_ms", Type::kInteger, "max.poll.interval.ms.", false},
        {"protocol", Type::kText, "The assignor: range.", false},
        {"topics", Type::kTexts, "What the member subscribes to.", false}},
       {GenerationId(),
        MemberId(),
        {"leader", Type::kText, "The member id of the leader.", false},
        {"protocol_name", Type::kText, "The chosen assignor.", false},
        {"skip_assignment", Type::kBoolean, "The leader need not assign.", false}}},
      {"SyncGroup",
       "Asks for the assignment; of the leader also: gives one to `assign_to`.",
       5,
       {GroupId(),
        GenerationId(),
        MemberId(kRequired),
        GroupInstanceId(),
        {"assign_to", Type::kText, "The member to which the partitions are assigned.", false},
        {"partitions", Type::kPartitions, "The partitions: [orders-0].", false}},
       {{"protocol_name", Type::kText, "The chosen assignor.", false}}},
      {"Heartbeat",
       "Says that a member is alive.",
       4,
       {GroupId(), GenerationId(), MemberId(kRequired), GroupInstanceId()},
       {}},
      {"LeaveGroup", "Leaves a group.", 5, {GroupId(), MemberId(), GroupInstanceId()}, {}},
  };
}

// What is asked of a group coordinator about offsets.
std::vector<Api> OffsetApis() {
  return {
      {"OffsetCommit",
       "Commits an offset of a group.",
       10,
       {GroupId(), GenerationId(), MemberId(), GroupInstanceId(), PartitionField(),
        CommittedOffset(), Metadata()},
       {}},
      {"OffsetFetch",
       "Asks for an offset of a group.",
       9,
       {GroupId(),
        PartitionField(),
        {"require_stable", Type::kBoolean, "Wait for open transactions.", false}},
       {{"offset", Type::kInteger, "The committed offset; -1 for none.", false}, Metadata()}},
      {"TxnOffsetCommit",
       "Commits an offset of a group as part of a transaction.",
       6,
       {TransactionalId(), ProducerId(), ProducerEpoch(), GroupId(), GenerationId(), MemberId(),
        GroupInstanceId(), PartitionField(), CommittedOffset(), Metadata()},
       {}},
  };
}

}  // namespace

const std::vector<Api>& RawApis() {
  static const std::vector<Api> apis = [] {
    std::vector<Api> all = DataApis();
    for (Api& api : TopicApis()) all.push_back(std::move(api));
    for (Api& api : TransactionApis()) all.push_back(std::move(api));
    for (Api& api : MemberApis()) all.push_back(std::move(api));
    for (Api& api : OffsetApis()) all.push_back(std::move(api));
    for (Api& api : AdminApis()) all.push_back(std::move(api));
    return all;
  }();
  return apis;
}

const Api* FindRawApi(std::string_view name) {
  const auto found = std::find_if(RawApis().begin(), RawApis().end(),
                                  [&](const Api& api) { return api.name == name; });
  return found == RawApis().end() ? nullptr : &*found;
}

}  // namespace kafkasim::scenarios
