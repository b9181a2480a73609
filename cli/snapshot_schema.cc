#include "cli/json_schema.h"
#include "cli/snapshot_json.h"

namespace kafkasim::cli {
namespace {

SchemaJson Life() { return ChoiceSchema("Whether it runs.", {"running", "paused", "crashed"}); }

SchemaJson ProducerId() { return IntegerSchema("Producer id, -1 for none."); }

SchemaJson ProducerEpoch() { return IntegerSchema("Producer epoch, -1 for none."); }

SchemaJson Actor() { return TextSchema("The actor's name in the scenario, empty if unknown."); }

SchemaJson TransactionalId() { return TextSchema("transactional.id, empty for none."); }

SchemaJson HappeningSchema(const char* what) {
  return ObjectSchema(what, {{"event", IntegerSchema("Its number in the trace, 0 if not seen.")},
                             {"time_us", IntegerSchema("Virtual time in microseconds.")}});
}

SchemaJson EntrySchema() {
  return ObjectSchema(
      "What stands at one offset.",
      {{"offset", IntegerSchema("")},
       {"kind", ChoiceSchema("A record or a marker.", {"record", "COMMIT", "ABORT"})},
       {"state", ChoiceSchema("What has become of its transaction; plain without one.",
                              {"plain", "undecided", "committed", "aborted"})},
       {"key", NullableTextSchema("")},
       {"value", NullableTextSchema("")},
       {"actor", Actor()},
       {"transactional_id", TransactionalId()},
       {"transactional", BooleanSchema("Part of a transaction.")},
       {"producer_id", ProducerId()},
       {"producer_epoch", ProducerEpoch()},
       {"sequence", IntegerSchema("Sequence number, -1 for none.")},
       {"coordinator_epoch", IntegerSchema("Of a marker, else -1.")},
       {"leader_epoch", IntegerSchema("Of the leader that appended it.")},
       {"marker_offset", IntegerSchema("Of the marker that decided it, -1 if none did yet.")},
       {"appended", HappeningSchema("The event that appended it on the leader.")}});
}

SchemaJson OpenSchema() {
  return ObjectSchema(
      "An undecided transaction; the first one holds the last stable offset.",
      {{"transactional_id", TransactionalId()},
       {"actor", Actor()},
       {"producer_id", ProducerId()},
       {"producer_epoch", ProducerEpoch()},
       {"first_offset", IntegerSchema("Of its records in this partition.")},
       {"ended", BooleanSchema("Its marker is in the log, but not yet replicated.")},
       {"marker_offset", IntegerSchema("Of that marker, -1 without one.")},
       {"opened", HappeningSchema("The event that opened it here.")}});
}

SchemaJson ReplicaSchema() {
  return ObjectSchema("One replica.",
                      {{"broker", IntegerSchema("Its id.")},
                       {"life", Life()},
                       {"in_sync", BooleanSchema("Member of the ISR.")},
                       {"log_start_offset", IntegerSchema("")},
                       {"log_end_offset", IntegerSchema("")},
                       {"high_watermark", IntegerSchema("As this replica knows.")}});
}

SchemaJson ProducerStateSchema() {
  return ObjectSchema(
      "What the partition remembers of a producer.",
      {{"producer_id", ProducerId()},
       {"actor", Actor()},
       {"producer_epoch", ProducerEpoch()},
       {"last_sequence", IntegerSchema("-1 for none at this epoch.")},
       {"coordinator_epoch", IntegerSchema("Of its last marker, -1 for none.")},
       {"open_since", IntegerSchema("First offset of its open transaction or -1.")}});
}

SchemaJson AbortedSchema() {
  return ObjectSchema("An entry of the aborted-transaction index.",
                      {{"producer_id", ProducerId()},
                       {"actor", Actor()},
                       {"first_offset", IntegerSchema("")},
                       {"last_offset", IntegerSchema("Of the ABORT marker.")},
                       {"last_stable_offset", IntegerSchema("When the marker was written.")}});
}

SchemaJson PartitionSchema() {
  const SchemaJson offsets = IntegerSchema("");
  return ObjectSchema(
      "A partition as its leader has it.",
      {{"partition", TextSchema("Its name: orders-0.")},
       {"leader", IntegerSchema("Broker id, -1 for none.")},
       {"leader_epoch", IntegerSchema("")},
       {"seen_on", IntegerSchema("The broker whose log this is.")},
       {"isr", ArraySchema("Ids of the in-sync replicas.", IntegerSchema(""))},
       {"log_start_offset", IntegerSchema("")},
       {"log_end_offset", IntegerSchema("The offset of the next record.")},
       {"offsets_known", BooleanSchema("Else the two below were lost in a crash: no numbers.")},
       {"high_watermark", IntegerSchema("What is below is on all in-sync replicas.")},
       {"last_stable_offset", IntegerSchema("What is below is decided and replicated.")},
       {"read_committed", ArraySchema("Offsets that a read_committed reader is given.", offsets)},
       {"read_uncommitted", ArraySchema("The same for read_uncommitted.", offsets)},
       {"open", ArraySchema("Undecided transactions by first offset.", OpenSchema())},
       {"aborted", ArraySchema("The aborted-transaction index.", AbortedSchema())},
       {"producers", ArraySchema("Producer state.", ProducerStateSchema())},
       {"replicas", ArraySchema("All replicas.", ReplicaSchema())},
       {"entries", ArraySchema("The log from its start to its end.", EntrySchema())}});
}

SchemaJson TransactionRecordSchema() {
  const SchemaJson partitions = ArraySchema("Partitions of the transaction.", TextSchema(""));
  return ObjectSchema("A record of __transaction_state.",
                      {{"offset", IntegerSchema("")},
                       {"state", TextSchema("PREPARE_COMMIT; TOMBSTONE for a deleted id.")},
                       {"producer_id", ProducerId()},
                       {"producer_epoch", ProducerEpoch()},
                       {"partitions", partitions},
                       {"timeout_ms", IntegerSchema("transaction.timeout.ms")},
                       {"start_ms", IntegerSchema("When the transaction began, -1 for none.")},
                       {"update_ms", IntegerSchema("When the record was written.")}});
}

SchemaJson TransactionSchema() {
  return ObjectSchema(
      "A transactional id as its coordinator knows it.",
      {{"transactional_id", TransactionalId()},
       {"partition", IntegerSchema("Of __transaction_state.")},
       {"coordinator", IntegerSchema("Broker id, -1 for none at this moment.")},
       {"coordinator_epoch", IntegerSchema("")},
       {"loaded",
        BooleanSchema("The coordinator has it in memory; else the next fields say nothing.")},
       {"state", TextSchema("EMPTY, ONGOING, PREPARE_COMMIT and so on.")},
       {"pending_state", TextSchema("The state it is about to have, empty for none.")},
       {"producer_id", ProducerId()},
       {"producer_epoch", ProducerEpoch()},
       {"last_producer_epoch", IntegerSchema("The epoch before, -1 for none.")},
       {"timeout_ms", IntegerSchema("transaction.timeout.ms")},
       {"start_ms", IntegerSchema("When the transaction began, -1 for none.")},
       {"partitions", ArraySchema("Partitions of the open transaction.", TextSchema(""))},
       {"records", ArraySchema("Its records in __transaction_state.", TransactionRecordSchema())}});
}

SchemaJson MembersSchema(const char* about) {
  const SchemaJson member =
      ObjectSchema("", {{"client", TextSchema("client.id, the name of the actor by default.")},
                        {"member_id", TextSchema("")},
                        {"group_instance_id", TextSchema("Empty for a dynamic member.")},
                        {"partitions", ArraySchema("Assigned to it.", TextSchema(""))}});
  return ArraySchema(about, member);
}

SchemaJson GroupRecordSchema() {
  return ObjectSchema(
      "A record of __consumer_offsets.",
      {{"offset", IntegerSchema("")},
       {"kind", ChoiceSchema("A committed offset, or the group itself.", {"offset", "group"})},
       {"tombstone", BooleanSchema("It deletes; the fields of the value are left out.")}},
      {{"partition", TextSchema("Whose offset it is.")},
       {"timestamp_ms", IntegerSchema("Of the commit, or of the group's change of state.")},
       {"generation", IntegerSchema("")},
       {"protocol", TextSchema("The assignor; empty for none.")},
       {"leader", TextSchema("The id of the member that assigns; empty for none.")},
       {"members", MembersSchema("With their assignment.")},
       {"committed", IntegerSchema("The offset.")},
       {"leader_epoch", IntegerSchema("Of the last record processed, -1 for unknown.")},
       {"metadata", TextSchema("")},
       {"fate", ChoiceSchema("What it came to.", {"counts", "pending", "aborted", "overtaken"})},
       {"producer_id", ProducerId()},
       {"decided_at", IntegerSchema("Offset of the marker or record that decided it, or -1.")}});
}

SchemaJson GroupSchema() {
  const SchemaJson committed = ObjectSchema(
      "",
      {{"partition", TextSchema("")}, {"offset", IntegerSchema("Of the next record to process.")}},
      {{"lag_to_high_watermark", IntegerSchema("")},
       {"lag_to_last_stable_offset", IntegerSchema("")},
       {"lag_in_records", IntegerSchema("Records that read_committed is still to be given.")}});
  const SchemaJson pending = ObjectSchema("", {{"partition", TextSchema("")},
                                               {"offset", IntegerSchema("")},
                                               {"producer_id", ProducerId()}});
  return ObjectSchema("A consumer group as its coordinator knows it.",
                      {{"group_id", TextSchema("")},
                       {"partition", IntegerSchema("Of __consumer_offsets.")},
                       {"coordinator", IntegerSchema("Broker id.")},
                       {"state", TextSchema("EMPTY, PREPARING_REBALANCE, STABLE and so on.")},
                       {"generation", IntegerSchema("")},
                       {"protocol", TextSchema("The assignor; empty for none.")},
                       {"leader", TextSchema("The client that assigns; empty for none.")},
                       {"members", MembersSchema("In the order in which they joined.")},
                       {"committed", ArraySchema("Committed offsets.", committed)},
                       {"pending", ArraySchema("Offsets in open transactions.", pending)},
                       {"records", ArraySchema("Its records in __consumer_offsets, oldest first.",
                                               GroupRecordSchema())}});
}

SchemaJson ActorSchema() {
  const SchemaJson position =
      ObjectSchema("", {{"partition", TextSchema("")}, {"offset", IntegerSchema("")}});
  const SchemaJson record = ObjectSchema("", {{"offset", IntegerSchema("")},
                                              {"key", NullableTextSchema("")},
                                              {"value", NullableTextSchema("")},
                                              {"time_us", IntegerSchema("When it was given.")}});
  const SchemaJson program =
      ObjectSchema("Of an application: where it is in its program.",
                   {{"state", TextSchema("idle, running, closing, through or crashed.")},
                    {"line", IntegerSchema("In the file; 0 for none.")},
                    {"uncaught", TextSchema("The exception that ended it, empty for none.")}});
  return ObjectSchema(
      "An actor of the scenario.",
      {{"actor", TextSchema("Its name.")},
       {"role", ChoiceSchema("", {"producer", "consumer", "admin", "application", "store", "api"})},
       {"life", Life()}},
      {{"transactional_id", TransactionalId()},
       {"state", TextSchema("A producer's own state: READY, IN_TRANSACTION, FATAL_ERROR.")},
       {"producer_id", ProducerId()},
       {"producer_epoch", ProducerEpoch()},
       {"isolation_level", ChoiceSchema("A consumer's.", {"read_committed", "read_uncommitted"})},
       {"positions", ArraySchema("Where a consumer reads next.", position)},
       {"delivered", ArraySchema("What a consumer's application was given.", record)},
       {"program", program},
       {"rows", ArraySchema("Of a store, each with its columns.", SchemaJson{{"type", "object"}})},
       {"refused", IntegerSchema("Inserts that a store has refused.")},
       {"calls", IntegerSchema("Calls that have reached an API.")},
       {"effects", ArraySchema("What an API has done.", TextSchema(""))}});
}

}  // namespace

SchemaJson SnapshotSchema() {
  const SchemaJson broker =
      ObjectSchema("", {{"broker", IntegerSchema("Its id.")},
                        {"life", Life()},
                        {"fenced", BooleanSchema("The controller's session with it has ended.")}});
  return ObjectSchema(
      "The cluster at the end of the run.",
      {{"time_us", IntegerSchema("Virtual time in microseconds.")},
       {"brokers", ArraySchema("", broker)},
       {"partitions", ArraySchema("Of the topics that the file declares.", PartitionSchema())},
       {"transactions", ArraySchema("Every transactional id.", TransactionSchema())},
       {"groups", ArraySchema("Every consumer group that a coordinator knows.", GroupSchema())},
       {"actors", ArraySchema("", ActorSchema())}});
}

}  // namespace kafkasim::cli
