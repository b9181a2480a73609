#include "scenarios/event_catalog.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "broker/events.h"
#include "client/events.h"
#include "coordinator/events.h"
#include "coordinator/group_events.h"
#include "scenarios/run_events.h"
#include "sim/trace.h"

namespace kafkasim::scenarios {
namespace {

using FieldType = EventField::Type;

// Fields of one type.
std::vector<EventField> Of(FieldType type, std::initializer_list<std::string_view> names) {
  std::vector<EventField> fields;
  for (const std::string_view name : names) fields.push_back({.name = name, .type = type});
  return fields;
}
std::vector<EventField> Texts(std::initializer_list<std::string_view> names) {
  return Of(FieldType::kText, names);
}
std::vector<EventField> Numbers(std::initializer_list<std::string_view> names) {
  return Of(FieldType::kInteger, names);
}
std::vector<EventField> Lists(std::initializer_list<std::string_view> names) {
  return Of(FieldType::kTexts, names);
}
std::vector<EventField> Truths(std::initializer_list<std::string_view> names) {
  return Of(FieldType::kBoolean, names);
}

std::vector<EventField> operator+(std::vector<EventField> a, const std::vector<EventField>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

void AddSim(std::vector<EventEntry>& catalog) {
  namespace kinds = sim::events;
  const auto message = Texts({"api", "to"}) + Truths({"answer"});
  const auto add = [&](const sim::EventKind& kind, std::vector<EventField> fields) {
    catalog.push_back({.module = "sim", .kind = &kind, .fields = std::move(fields)});
  };
  add(kinds::kSent, message + Numbers({"correlation"}));
  add(kinds::kDelivered, Texts({"api", "from"}) + Truths({"answer"}) + Numbers({"correlation"}));
  add(kinds::kLost, message + Texts({"why"}));
  add(kinds::kHeld, message + Numbers({"correlation"}));
  add(kinds::kReleased, message + Numbers({"correlation"}));
  add(kinds::kDisconnected, Texts({"peer"}));
  add(kinds::kCrashed, Texts({"loses"}));
  add(kinds::kRestarted, {});
  add(kinds::kPaused, {});
  add(kinds::kResumed, {});
  add(kinds::kLinkCut, Texts({"peer"}));
  add(kinds::kLinkHealed, Texts({"peer"}));
}

void AddBrokerLogs(std::vector<EventEntry>& catalog) {
  namespace kinds = broker::events;
  const auto partition = Texts({"partition"});
  const auto producer = Numbers({"producer_id", "producer_epoch"});
  const auto refusal = partition + Texts({"error", "reason"}) + producer;
  const auto marker = partition + Texts({"type"}) + producer +
                      Numbers({"offset", "coordinator_epoch", "first_offset"});
  const auto add = [&](const sim::EventKind& kind, std::vector<EventField> fields) {
    catalog.push_back({.module = "broker", .kind = &kind, .fields = std::move(fields)});
  };
  add(kinds::kAppended,
      partition + producer +
          Numbers({"base_offset", "last_offset", "leader_epoch", "base_sequence"}) +
          Truths({"transactional"}) + Lists({"records"}));
  add(kinds::kDuplicate,
      partition + producer + Numbers({"base_offset", "last_offset", "base_sequence"}));
  add(kinds::kAppendRefused, refusal + Numbers({"base_sequence"}));
  add(kinds::kMarkerAppended, marker);
  add(kinds::kMarkerReplicated, marker);
  add(kinds::kMarkerRefused, refusal + Numbers({"coordinator_epoch"}));
  add(kinds::kTransactionOpened, partition + producer + Numbers({"first_offset"}));
  add(kinds::kHighWatermark, partition + Numbers({"from", "to"}));
  add(kinds::kLastStableOffset, partition + Numbers({"from", "to"}));
  add(kinds::kReplicated,
      partition + Numbers({"leader", "leader_epoch", "base_offset", "log_end_offset"}));
  add(kinds::kTruncated, partition + Numbers({"from", "to", "leader_epoch"}));
  add(kinds::kSegmentRolled, partition + Numbers({"base_offset"}) + Truths({"leader"}));
  add(kinds::kSegmentsDeleted,
      partition + Numbers({"segments", "log_start_offset"}) + Truths({"leader"}));
  add(kinds::kLogStartOffset,
      partition + Numbers({"from", "to"}) + Texts({"reason"}) + Truths({"leader"}));
  add(kinds::kCleaned, partition + Numbers({"from", "to", "records_removed", "markers_removed"}) +
                           Truths({"leader"}));
  add(kinds::kVerificationAsked, partition + Texts({"transactional_id", "mode"}) + producer);
  add(kinds::kVerificationAnswered,
      partition + Texts({"transactional_id", "error"}) + Numbers({"producer_id"}));
}

void AddBrokerRoles(std::vector<EventEntry>& catalog) {
  namespace kinds = broker::events;
  const auto partition = Texts({"partition"});
  const auto add = [&](const sim::EventKind& kind, std::vector<EventField> fields) {
    catalog.push_back({.module = "broker", .kind = &kind, .fields = std::move(fields)});
  };
  add(kinds::kIsrChanged, partition + Lists({"isr", "was"}) + Texts({"reason"}));
  add(kinds::kLeaderElected, partition + Numbers({"leader", "leader_epoch"}) + Truths({"clean"}));
  add(kinds::kElectionRefused, partition + Texts({"error"}));
  add(kinds::kBecameLeader,
      partition + Numbers({"leader_epoch", "log_end_offset", "high_watermark"}));
  add(kinds::kBecameFollower, partition + Numbers({"leader", "leader_epoch"}));
  add(kinds::kTopicCreated, Texts({"topic"}) + Numbers({"partitions", "replication_factor"}));
  add(kinds::kTopicDeleted, Texts({"topic"}));
  add(kinds::kBrokerFenced, Numbers({"broker"}));
  add(kinds::kBrokerRegistered, Numbers({"broker"}));
}

void AddCoordinator(std::vector<EventEntry>& catalog) {
  namespace kinds = coordinator::events;
  const auto id = Texts({"transactional_id"});
  const auto producer = Numbers({"producer_id", "producer_epoch"});
  const auto record = id + Texts({"state", "partition"}) + producer + Lists({"partitions"}) +
                      Numbers({"coordinator_epoch"});
  const auto marker = id + Texts({"marked_partition"});
  const auto problem = marker + Texts({"error", "reason"}) + Numbers({"broker"});
  const auto refusal = id + Texts({"api", "error", "reason"}) + producer;
  const auto add = [&](const sim::EventKind& kind, std::vector<EventField> fields) {
    catalog.push_back({.module = "coordinator", .kind = &kind, .fields = std::move(fields)});
  };
  add(kinds::kTransactionRecordAppended, record);
  add(kinds::kTransactionRecordReplicated, record);
  add(kinds::kTransactionRecordFailed, id + Texts({"error", "state", "partition", "reason"}));
  add(kinds::kTransactionState, id + Texts({"from", "to"}) + producer);
  add(kinds::kTransactionFenced, id + producer + Numbers({"new_epoch"}) + Texts({"reason"}));
  add(kinds::kTransactionTimedOut,
      id + producer + Numbers({"start_ms", "timeout_ms"}) + Texts({"reason"}));
  add(kinds::kTransactionalIdExpired, id + Texts({"partition"}));
  add(kinds::kCoordinatorLoaded, Texts({"partition"}) + Numbers({"coordinator_epoch"}) +
                                     Lists({"transactional_ids", "finishing"}));
  add(kinds::kCoordinatorResigned, Texts({"partition"}) + Numbers({"coordinator_epoch"}));
  add(kinds::kMarkersSent, id + Texts({"type"}) + producer + Lists({"partitions"}) +
                               Numbers({"broker", "coordinator_epoch"}));
  add(kinds::kMarkerAcknowledged, marker + Numbers({"broker", "remaining"}));
  add(kinds::kMarkerRetried, problem);
  add(kinds::kMarkersGivenUp, problem);
  add(kinds::kMarkerDropped, marker + Texts({"reason"}));
  add(kinds::kMarkerParked, marker + Texts({"reason"}));
  add(kinds::kRequestRefused, refusal);
  add(kinds::kProducerFenced, refusal);
  add(kinds::kProducerIdAssigned, id + producer);
}

void AddGroups(std::vector<EventEntry>& catalog) {
  namespace kinds = coordinator::events;
  const auto group = Texts({"group_id"});
  const auto generation = group + Numbers({"generation"});
  const auto member = Texts({"group_id", "member_id"});
  const auto offsets = Texts({"group_id", "partition"}) + Lists({"offsets"});
  const auto loaded = Texts({"partition"}) + Numbers({"leader_epoch"}) + Lists({"groups"});
  const auto add = [&](const sim::EventKind& kind, std::vector<EventField> fields) {
    catalog.push_back({.module = "coordinator", .kind = &kind, .fields = std::move(fields)});
  };
  add(kinds::kGroupRebalancing, generation + Lists({"members"}) + Texts({"reason"}));
  add(kinds::kGroupGeneration, generation + Lists({"members"}) + Texts({"protocol", "leader"}));
  add(kinds::kGroupWritten, generation + Lists({"members"}) + Texts({"partition"}));
  add(kinds::kGroupStable, generation + Lists({"assignment"}));
  add(kinds::kGroupEmpty, generation + Lists({"members"}));
  add(kinds::kGroupRemoved, group);
  add(kinds::kMemberIdGiven, member + Texts({"client_id"}));
  add(kinds::kMemberJoined, member + Texts({"client_id", "group_instance_id"}));
  add(kinds::kMemberReplaced, member + Texts({"old_member_id", "group_instance_id"}));
  add(kinds::kMemberLeft, member + Texts({"reason"}));
  add(kinds::kMemberExpired, member + Texts({"reason"}));
  add(kinds::kOffsetsWritten, offsets);
  add(kinds::kOffsetsCommitted, offsets);
  add(kinds::kOffsetsPending, offsets + Numbers({"producer_id", "producer_epoch"}));
  add(kinds::kOffsetsMaterialised, offsets + Numbers({"producer_id"}));
  add(kinds::kOffsetsDropped, offsets + Numbers({"producer_id"}) + Texts({"reason"}));
  add(kinds::kOffsetsExpired, group + Lists({"offsets"}) + Texts({"reason"}));
  add(kinds::kGroupLoaded, loaded);
  add(kinds::kGroupUnloaded, loaded);
  add(kinds::kGroupRequestRefused, member + Texts({"api", "error", "reason"}));
}

void AddClient(std::vector<EventEntry>& catalog) {
  namespace kinds = client::events;
  const auto call = Numbers({"call"}) + Texts({"operation"});
  const auto batch = Texts({"partition"}) + Numbers({"base_sequence", "records"});
  const auto add = [&](const sim::EventKind& kind, std::vector<EventField> fields) {
    catalog.push_back({.module = "client", .kind = &kind, .fields = std::move(fields)});
  };
  add(kinds::kCallStarted, call + Texts({"arguments"}));
  add(kinds::kCallFinished, call + Texts({"result", "error", "code", "class", "reason"}));
  add(kinds::kProducerState, Texts({"from", "to", "reason"}));
  add(kinds::kProducerIdentity,
      Numbers({"producer_id", "epoch", "was_producer_id", "was_epoch"}) + Texts({"reason"}));
  add(kinds::kBatchSent, batch + Numbers({"producer_id", "producer_epoch", "attempt"}));
  add(kinds::kBatchFailed, batch + Texts({"error", "reason"}) + Truths({"retried"}));
  add(kinds::kRequestFailed, Texts({"api", "error", "reason"}) + Truths({"retried"}));
  add(kinds::kConnectionClosed, Numbers({"broker"}) + Texts({"reason"}));
  add(kinds::kMetadataLearned, Numbers({"version"}) + Lists({"leaders"}));
  add(kinds::kCoordinatorFound, Numbers({"coordinator"}) + Texts({"transactional_id"}));
  add(kinds::kGroupCoordinatorFound, Numbers({"coordinator"}) + Texts({"group_id"}));
  add(kinds::kPositionMoved, Texts({"partition", "reason"}) + Numbers({"from", "to"}));
  add(kinds::kSkipped,
      Texts({"partition", "why"}) + Numbers({"first_offset", "last_offset", "producer_id"}));
}

void AddPrograms(std::vector<EventEntry>& catalog) {
  namespace kinds = client::events;
  const auto line = Numbers({"line"}) + Texts({"text"});
  const auto error = line + Texts({"error", "code", "reason"});
  const auto add = [&](const sim::EventKind& kind, std::vector<EventField> fields) {
    catalog.push_back({.module = "client", .kind = &kind, .fields = std::move(fields)});
  };
  add(kinds::kProgramStarted, Truths({"again"}));
  add(kinds::kProgramEnded, Texts({"how"}));
  add(kinds::kProgramCrashed, error);
  add(kinds::kLineBegun, line + Texts({"verb"}) + Numbers({"count"}));
  add(kinds::kLineDone, line + Texts({"verb"}) + Numbers({"count"}));
  add(kinds::kErrorCaught, error + Texts({"handler"}));
  add(kinds::kCallbackRun, Texts({"callback"}) + Lists({"partitions"}));
  add(kinds::kProgramIdle, {});
  add(kinds::kRowWritten, Texts({"verb", "row"}) + Truths({"replaced", "refused"}));
  add(kinds::kServiceCalled,
      Texts({"with", "idempotency_key"}) + Numbers({"number"}) + Truths({"effect", "failed"}));
}

void AddMembers(std::vector<EventEntry>& catalog) {
  namespace kinds = client::events;
  const auto generation = Texts({"group_id"}) + Numbers({"generation"});
  const auto add = [&](const sim::EventKind& kind, std::vector<EventField> fields) {
    catalog.push_back({.module = "client", .kind = &kind, .fields = std::move(fields)});
  };
  add(kinds::kGroupJoining, Texts({"group_id", "member_id", "reason"}));
  add(kinds::kGroupJoined,
      generation + Texts({"member_id", "protocol"}) + Truths({"leader"}) + Lists({"partitions"}));
  add(kinds::kRejoinRequested, generation + Texts({"reason"}));
  add(kinds::kMembershipLost, generation + Texts({"member_id", "reason"}));
  add(kinds::kGroupLeft, Texts({"group_id", "member_id", "reason"}));
  for (const sim::EventKind* kind :
       {&kinds::kPartitionsAssigned, &kinds::kPartitionsRevoked, &kinds::kPartitionsLost}) {
    add(*kind, generation + Lists({"partitions"}));
  }
  add(kinds::kCommitAcknowledged, generation + Texts({"how"}) + Lists({"offsets"}));
}

void AddScript(std::vector<EventEntry>& catalog) {
  const auto add = [&](const sim::EventKind& kind, std::vector<EventField> fields) {
    catalog.push_back({.module = "scenarios", .kind = &kind, .fields = std::move(fields)});
  };
  add(events::kStep, Numbers({"step", "line"}) + Texts({"text"}));
  add(events::kSaid, Texts({"text"}));
  add(events::kExpectationHeld, Texts({"text", "because"}) + Lists({"claims"}));
  add(events::kOutcomeHeld, Texts({"because"}));
  add(events::kExpectationFailed, Texts({"what", "expected", "actual", "reason"}));
  add(events::kInvariantBroken, Texts({"invariant", "what"}));
  add(events::kFaultArmed, Texts({"text"}));
  add(events::kTriggerFired, Texts({"text"}));
  add(events::kFault, Texts({"text"}));
  add(events::kFaultHit, Texts({"text"}));
  add(events::kNeverFired, Texts({"text"}));
  add(events::kVerdict, Texts({"verdict"}) + Numbers({"claims", "failures"}));
}

std::vector<EventEntry> MakeCatalog() {
  std::vector<EventEntry> catalog;
  AddSim(catalog);
  AddBrokerLogs(catalog);
  AddBrokerRoles(catalog);
  AddCoordinator(catalog);
  AddGroups(catalog);
  AddClient(catalog);
  AddPrograms(catalog);
  AddMembers(catalog);
  AddScript(catalog);
  return catalog;
}

}  // namespace

const std::vector<EventEntry>& EventCatalog() {
  static const std::vector<EventEntry> catalog = MakeCatalog();
  return catalog;
}

const EventEntry* FindEntry(const sim::EventKind& kind) {
  const std::vector<EventEntry>& catalog = EventCatalog();
  const auto found = std::find_if(catalog.begin(), catalog.end(),
                                  [&](const EventEntry& entry) { return entry.kind == &kind; });
  return found == catalog.end() ? nullptr : &*found;
}

}  // namespace kafkasim::scenarios
