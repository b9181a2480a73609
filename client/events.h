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
// partition, from, to (-1: to be found by the reset policy), reason
inline constexpr EventKind kPositionMoved{
    "position_moved", "The position of a consumer moved other than by delivering records."};
// partition, first_offset, last_offset, producer_id, why (aborted or control)
inline constexpr EventKind kSkipped{"skipped",
                                    "A consumer passed over a batch without delivering it."};

}  // namespace kafkasim::client::events
