// Kinds of trace events of clients. Each comment names the fields; `partition` is a name such as
// "orders-0", offsets and epochs are numbers, errors Kafka's names.
#pragma once

#include "sim/trace.h"

namespace kafkasim::client::events {

using sim::EventKind;

// call, operation, arguments (one line)
inline constexpr EventKind kCallStarted{"call_started", "An application called its Kafka client."};
// call, operation, result (one line, "" on error), error (exception's name or ""), code (Kafka's
// name or "NONE"), class (retriable, abortable, fatal, misuse or ""), reason
inline constexpr EventKind kCallFinished{"call_finished", "A call of an application returned."};
// from, to (states of the transaction manager), reason
inline constexpr EventKind kProducerState{
    "producer_state", "The transaction manager of a producer changed its state."};
// producer_id, epoch, was_producer_id, was_epoch, reason
inline constexpr EventKind kProducerIdentity{
    "producer_identity", "A producer got its producer id and epoch, or another epoch."};
// partition, base_sequence, records, producer_id, producer_epoch, attempt
inline constexpr EventKind kBatchSent{"batch_sent", "A producer put a batch into a request."};
// partition, base_sequence, records, error, reason, retried
inline constexpr EventKind kBatchFailed{"batch_failed",
                                        "A batch was refused or expired; retried says what then."};
// api, error, reason, retried
inline constexpr EventKind kRequestFailed{
    "request_failed", "A request of a client failed or was answered with an error."};
// broker, reason
inline constexpr EventKind kConnectionClosed{
    "connection_closed", "A client gave up a connection; what was under way on it has failed."};
// version, leaders changed (texts "orders-0: 1 -> 2")
inline constexpr EventKind kMetadataLearned{"metadata_learned",
                                            "A client learned of a change of the cluster."};
// coordinator, transactional_id
inline constexpr EventKind kCoordinatorFound{"coordinator_found",
                                             "A client learned who coordinates an id."};
// coordinator, group_id
inline constexpr EventKind kGroupCoordinatorFound{
    "group_coordinator_found", "A client learned who coordinates a consumer group."};
// group_id, member_id ("" at first), reason
inline constexpr EventKind kGroupJoining{"group_joining", "A consumer asked to join its group."};
// group_id, generation, member_id, protocol, leader, partitions
inline constexpr EventKind kGroupJoined{
    "group_joined", "A member has its assignment; its application takes it with the next poll."};
// group_id, generation, reason
inline constexpr EventKind kRejoinRequested{
    "rejoin_requested", "A member has to join its group anew, with the next poll."};
// group_id, generation, member_id, reason
inline constexpr EventKind kMembershipLost{
    "membership_lost", "A consumer learned that it is not a member of its group any more."};
// group_id, member_id, reason
inline constexpr EventKind kGroupLeft{"group_left", "A member left its group by itself."};
// group_id, generation, partitions
inline constexpr EventKind kPartitionsAssigned{"partitions_assigned",
                                               "A consumer took partitions over."};
// group_id, generation, partitions
inline constexpr EventKind kPartitionsRevoked{"partitions_revoked",
                                              "A consumer gives partitions up."};
// group_id, generation, partitions
inline constexpr EventKind kPartitionsLost{
    "partitions_lost", "A consumer finds that its partitions are no longer its own."};
// group_id, generation, how (commit_sync, commit_async, auto commit ...), offsets ("orders-0=5")
inline constexpr EventKind kCommitAcknowledged{
    "commit_acknowledged", "The coordinator has taken the offsets that a consumer committed."};
// partition, from, to (-1: to be found by the reset policy), reason
inline constexpr EventKind kPositionMoved{
    "position_moved", "The position of a consumer moved other than by delivering records."};
// partition, first_offset, last_offset, producer_id, why (aborted or control)
inline constexpr EventKind kSkipped{"skipped",
                                    "A consumer passed over a batch without delivering it."};

// --- Programs of applications --------------------------------------------------------------------

// again (whether it ran before)
inline constexpr EventKind kProgramStarted{"program_started",
                                           "An application began with its program."};
// how (stopped, restarts, through), line (number, 0 = none)
inline constexpr EventKind kProgramEnded{"program_ended",
                                         "An application left its program as it should."};
// line, text, error, code, reason
inline constexpr EventKind kProgramCrashed{
    "program_crashed", "An exception that nobody caught ended an application's process."};
// line, text (as written), verb, count (how often it was begun since the program started)
inline constexpr EventKind kLineBegun{"line_begun", "A program came to a line."};
// the same
inline constexpr EventKind kLineDone{"line_done", "A line of a program returned without an error."};
// line, text, error, code, reason, handler (the key in on_error)
inline constexpr EventKind kErrorCaught{"error_caught",
                                        "A line of a program threw, and the program caught it."};
// callback (on_revoked, ...), partitions
inline constexpr EventKind kCallbackRun{
    "callback_run", "The consumer called the application's rebalance listener."};
// nothing
inline constexpr EventKind kProgramIdle{
    "program_idle", "A program that has read everything waited in a poll until its timeout."};

// --- Outside Kafka -------------------------------------------------------------------------------

// verb, row, replaced, refused
inline constexpr EventKind kRowWritten{"row_written", "A database was given a row."};
// with, idempotency_key, number (of the call), effect, failed
inline constexpr EventKind kServiceCalled{"service_called", "A service outside Kafka was called."};

}  // namespace kafkasim::client::events
