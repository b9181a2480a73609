// Kinds of trace events of the transaction coordinator: its named protocol points. Each comment
// names the fields; `state`, `from` and `to` are names such as PREPARE_COMMIT, partitions are names
// such as "orders-0", `partition` alone is the coordinator's partition of __transaction_state.
#pragma once

#include "sim/trace.h"

namespace kafkasim::coordinator::events {

using sim::EventKind;

// transactional_id, state (DEAD for a tombstone), producer_id, producer_epoch, partitions (texts),
// partition, coordinator_epoch
inline constexpr EventKind kTransactionRecordAppended{
    "transaction_record_appended",
    "The coordinator appended a record to __transaction_state; it is not yet replicated."};
// the same fields
inline constexpr EventKind kTransactionRecordReplicated{
    "transaction_record_replicated",
    "A record of __transaction_state is replicated: what it says holds whatever happens."};
// transactional_id, error, state (that the record was to bring), partition, reason
inline constexpr EventKind kTransactionRecordFailed{
    "transaction_record_failed", "A record of __transaction_state could not be replicated."};
// transactional_id, from, to, producer_id, producer_epoch
inline constexpr EventKind kTransactionState{"transaction_state",
                                             "A transactional id changed its state."};
// transactional_id, producer_id, producer_epoch (fenced), new_epoch, reason
inline constexpr EventKind kTransactionFenced{
    "transaction_fenced",
    "The coordinator shuts out the producer of an open transaction and aborts it."};
// transactional_id, producer_id, producer_epoch, start_ms, timeout_ms, reason
inline constexpr EventKind kTransactionTimedOut{
    "transaction_timed_out", "A sweep found a transaction that is open for too long."};
// transactional_id, partition
inline constexpr EventKind kTransactionalIdExpired{"transactional_id_expired",
                                                   "The coordinator forgot an unused id."};
// partition, coordinator_epoch, transactional_ids (texts), finishing (texts: those of them whose
// decided transaction it now finishes)
inline constexpr EventKind kCoordinatorLoaded{
    "coordinator_loaded", "A new coordinator rebuilt its state from __transaction_state."};
// partition, coordinator_epoch
inline constexpr EventKind kCoordinatorResigned{"coordinator_resigned",
                                                "A broker stopped coordinating a partition."};
// transactional_id, broker, type (COMMIT or ABORT), producer_id, producer_epoch, partitions
// (texts), coordinator_epoch
inline constexpr EventKind kMarkersSent{
    "markers_sent", "The coordinator asked a leader to write a transaction's markers."};
// transactional_id, broker, marked_partition, remaining
inline constexpr EventKind kMarkerAcknowledged{"marker_acknowledged",
                                               "A partition has the marker, replicated."};
// transactional_id, broker, marked_partition, error, reason
inline constexpr EventKind kMarkerRetried{"marker_retried",
                                          "A marker could not be written yet; it is sent again."};
// transactional_id, broker, marked_partition, error, reason
inline constexpr EventKind kMarkersGivenUp{
    "markers_given_up", "The coordinator gave up a transaction: it stays decided but unfinished."};
// transactional_id, marked_partition, reason
inline constexpr EventKind kMarkerDropped{"marker_dropped",
                                          "A partition exists no more and needs no marker."};
// transactional_id, marked_partition, reason
inline constexpr EventKind kMarkerParked{"marker_parked",
                                         "A partition has no leader; its marker waits for one."};
// api, transactional_id, error, reason, producer_id, producer_epoch
inline constexpr EventKind kRequestRefused{"request_refused", "The coordinator refused a request."};
// the same fields
inline constexpr EventKind kProducerFenced{
    "producer_fenced", "The coordinator refused a producer that another one has replaced."};
// transactional_id (empty for an idempotent producer), producer_id, producer_epoch
inline constexpr EventKind kProducerIdAssigned{"producer_id_assigned",
                                               "A producer got its id and epoch."};

}  // namespace kafkasim::coordinator::events
