// Kinds of trace events of the group coordinator: its named protocol points. Each comment names the
// fields; `members` are ids, `offsets` are texts such as "orders-0@5", `partition` is the
// coordinator's partition of __consumer_offsets. Heartbeats leave no trace.
#pragma once

#include "sim/trace.h"

namespace kafkasim::coordinator::events {

using sim::EventKind;

// group_id, generation (the old one), members, reason
inline constexpr EventKind kGroupRebalancing{"group_rebalancing",
                                             "A group begins to rebalance: its members join anew."};
// group_id, generation, protocol, leader, members
inline constexpr EventKind kGroupGeneration{
    "group_generation", "The join phase is over: a new generation waits for its assignment."};
// group_id, generation, members, partition
inline constexpr EventKind kGroupWritten{
    "group_written", "The coordinator appended a group to its log; it is not yet replicated."};
// group_id, generation, assignment (texts "c-0-1: orders-0 orders-1")
inline constexpr EventKind kGroupStable{
    "group_stable", "The assignment of a generation is replicated and goes to its members."};
// group_id, generation, members (none)
inline constexpr EventKind kGroupEmpty{"group_empty", "The last member of a group is gone."};
// group_id
inline constexpr EventKind kGroupRemoved{
    "group_removed", "A group without members and offsets is gone from the coordinator's log."};
// group_id, member_id, client_id
inline constexpr EventKind kMemberIdGiven{"member_id_given",
                                          "A new member was told the id to join with."};
// group_id, member_id, client_id, group_instance_id (empty: a dynamic member)
inline constexpr EventKind kMemberJoined{"member_joined", "A member was added to a group."};
// group_id, member_id, old_member_id, group_instance_id
inline constexpr EventKind kMemberReplaced{
    "member_replaced", "A static member came back under a new id; the old one is fenced."};
// group_id, member_id, reason
inline constexpr EventKind kMemberLeft{"member_left", "A member left its group."};
// group_id, member_id, reason
inline constexpr EventKind kMemberExpired{"member_expired",
                                          "The coordinator removed a member that was not heard."};
// group_id, offsets, partition
inline constexpr EventKind kOffsetsWritten{
    "offsets_written", "The coordinator appended committed offsets; they are not yet replicated."};
// group_id, offsets, partition
inline constexpr EventKind kOffsetsCommitted{
    "offsets_committed", "Committed offsets are replicated: they hold whatever happens."};
// group_id, producer_id, producer_epoch, offsets, partition
inline constexpr EventKind kOffsetsPending{
    "offsets_pending",
    "The coordinator appended offsets that count once their transaction commits."};
// group_id, producer_id, offsets, partition
inline constexpr EventKind kOffsetsMaterialised{
    "offsets_materialised", "The offsets of a transaction became the committed ones."};
// group_id, producer_id, offsets, partition, reason
inline constexpr EventKind kOffsetsDropped{"offsets_dropped",
                                           "The offsets of a transaction came to nothing."};
// group_id, offsets, reason
inline constexpr EventKind kOffsetsExpired{"offsets_expired",
                                           "The coordinator removed committed offsets."};
// partition, leader_epoch, groups (texts)
inline constexpr EventKind kGroupLoaded{
    "group_loaded", "A new coordinator rebuilt its groups from __consumer_offsets."};
// partition, leader_epoch, groups (texts)
inline constexpr EventKind kGroupUnloaded{"group_unloaded",
                                          "A broker stopped coordinating groups."};
// api, group_id, member_id, error, reason
inline constexpr EventKind kGroupRequestRefused{"group_request_refused",
                                                "The group coordinator refused a request."};

}  // namespace kafkasim::coordinator::events
