// The words for what happens on brokers and at the controller.
#include <array>

#include <fmt/format.h>

#include "broker/events.h"
#include "scenarios/event_text_rules.h"

namespace kafkasim::scenarios {
namespace {

namespace broker_events = broker::events;
using Category = EventCategory;

void KeepInternalBack(const Told& told, EventText& text) {
  if (told.IsInternal()) text.importance = Importance::kVerbose;
}

void Appended(const Told& told, EventText& text) {
  text.what = "append " + told.Texts("records");
  text.result = told.Place("base_offset", "last_offset");
  text.reason = "by " + told.Producer();
  if (told.Int("base_sequence") >= 0) {
    text.reason += fmt::format(", sequence {}", told.Int("base_sequence"));
  }
  KeepInternalBack(told, text);
}

void Duplicate(const Told& told, EventText& text) {
  text.what = "duplicate, not appended again";
  text.result = told.Place("base_offset", "last_offset");
  text.reason = fmt::format("sequence {} of {}", told.Int("base_sequence"), told.Producer());
}

void AppendRefused(const Told& told, EventText& text) {
  text.is_error = true;
  text.repeats = true;
  text.what = "refuse batch for " + told.Text("partition");
  text.result = told.Text("error");
  text.reason = told.Text("reason");
  KeepInternalBack(told, text);
}

std::string MarkerWritten(const Told& told) {
  const std::string id(told.history.TransactionalIdOf(broker::ProducerId(told.Int("producer_id"))));
  std::string text = id.empty() ? told.Producer() : fmt::format("{} ({})", id, told.Producer());
  if (told.Int("first_offset") < 0) return "nothing open here for " + text;
  return fmt::format("ends {} from offset {}", text, told.Int("first_offset"));
}

void MarkerAppended(const Told& told, EventText& text) {
  text.what = fmt::format("append {} marker", told.Text("type"));
  text.result = told.Place("offset", "offset");
  text.reason = MarkerWritten(told);
}

void MarkerReplicated(const Told& told, EventText& text) {
  text.what = fmt::format("{} marker replicated", told.Text("type"));
  text.result = told.Place("offset", "offset");
}

void MarkerRefused(const Told& told, EventText& text) {
  text.is_error = true;
  text.repeats = true;
  text.what = "refuse marker for " + told.Text("partition");
  text.result = told.Text("error");
  text.reason = told.Text("reason");
}

void TransactionOpened(const Told& told, EventText& text) {
  text.what = "transaction open";
  text.result = told.Place("first_offset", "first_offset");
  text.reason = fmt::format("of {}; it holds the last stable offset", told.Producer());
}

std::string Moved(const Told& told) {
  return fmt::format("{} → {}", told.Int("from"), told.Int("to"));
}

void HighWatermark(const Told& told, EventText& text) {
  text.what = "HW of " + told.Text("partition");
  text.result = Moved(told);
}

void LastStableOffset(const Told& told, EventText& text) {
  text.what = "LSO of " + told.Text("partition");
  text.result = Moved(told);
  // Where no transaction holds it, it follows the high watermark at every append.
  const sim::TraceEvent* cause = told.history.Find(told.event.cause);
  if (cause != nullptr && cause->Is(broker_events::kHighWatermark))
    text.importance = Importance::kVerbose;
  KeepInternalBack(told, text);
}

void Replicated(const Told& told, EventText& text) {
  text.what = "replicate " + told.Text("partition");
  text.result = fmt::format("up to {}", told.Int("log_end_offset"));
  text.reason = fmt::format("from broker-{}", told.Int("leader"));
}

void Truncated(const Told& told, EventText& text) {
  text.what = "truncate " + told.Text("partition");
  text.result = Moved(told);
  text.reason = fmt::format("it differs from the log of leader epoch {}", told.Int("leader_epoch"));
}

void IsrChanged(const Told& told, EventText& text) {
  text.what = "ISR of " + told.Text("partition");
  text.result = fmt::format("[{}]", told.Texts("isr"));
  text.reason = told.Text("reason");
  KeepInternalBack(told, text);
}

void LeaderElected(const Told& told, EventText& text) {
  text.what = "elect leader of " + told.Text("partition");
  text.result = told.Int("leader") < 0 ? "none" : fmt::format("broker-{}", told.Int("leader"));
  text.reason = fmt::format("leader epoch {}{}", told.Int("leader_epoch"),
                            told.Truth("clean") ? "" : ", not from the ISR");
  if (told.event.at.us == 0) text.importance = Importance::kVerbose;
  KeepInternalBack(told, text);
}

void ElectionRefused(const Told& told, EventText& text) {
  text.is_error = true;
  text.what = "no election for " + told.Text("partition");
  text.result = told.Text("error");
}

void BecameLeader(const Told& told, EventText& text) {
  text.what = "lead " + told.Text("partition");
  text.result = fmt::format("epoch {}", told.Int("leader_epoch"));
}

void BecameFollower(const Told& told, EventText& text) {
  text.what = "follow " + told.Text("partition");
  text.result = told.Int("leader") < 0 ? "nobody" : fmt::format("broker-{}", told.Int("leader"));
}

void BrokerFenced(const Told& told, EventText& text) {
  text.what = fmt::format("session of broker-{} ended", told.Int("broker"));
}

void BrokerRegistered(const Told& told, EventText& text) {
  text.what = fmt::format("broker-{} registered", told.Int("broker"));
}

void VerificationAsked(const Told& told, EventText& text) {
  text.what = told.Text("mode") == "add" ? "ask coordinator to add " : "ask coordinator about ";
  text.what += told.Text("partition");
  text.reason = fmt::format("{} ({})", told.Text("transactional_id"), told.Producer());
}

void VerificationAnswered(const Told& told, EventText& text) {
  text.what = "coordinator answers about " + told.Text("partition");
  text.result = told.Text("error");
  text.is_error = text.result != "NONE";
}

void OfReplica(const Told& told, EventText& text) {
  if (!told.Truth("leader")) text.importance = Importance::kVerbose;
  KeepInternalBack(told, text);
}

void SegmentRolled(const Told& told, EventText& text) {
  text.what = "new segment of " + told.Text("partition");
  text.result = fmt::format("from offset {}", told.Int("base_offset"));
  OfReplica(told, text);
}

void SegmentsDeleted(const Told& told, EventText& text) {
  const std::int64_t count = told.Int("segments");
  text.what = fmt::format("delete {} of {}",
                          count == 1 ? "the oldest segment" : fmt::format("{} segments", count),
                          told.Text("partition"));
  OfReplica(told, text);
}

void LogStartOffset(const Told& told, EventText& text) {
  text.what = "log start of " + told.Text("partition");
  text.result = Moved(told);
  text.reason = told.Text("reason");
  OfReplica(told, text);
}

void Cleaned(const Told& told, EventText& text) {
  text.what = "clean " + told.Text("partition");
  if (told.Int("from") == told.Int("to")) {
    text.result = "nothing to clean";
    text.reason = fmt::format(
        "dirty from offset {}, and no whole segment behind it is both closed "
        "and stable",
        told.Int("from"));
  } else {
    const std::int64_t records = told.Int("records_removed");
    const std::int64_t markers = told.Int("markers_removed");
    text.result = fmt::format("{} record{} and {} marker{} removed", records,
                              records == 1 ? "" : "s", markers, markers == 1 ? "" : "s");
    text.reason = fmt::format("dirty were offsets {} to {}", told.Int("from"), told.Int("to") - 1);
  }
  OfReplica(told, text);
}

void TopicCreated(const Told& told, EventText& text) {
  text.what = "create topic " + told.Text("topic");
  const std::int64_t partitions = told.Int("partitions");
  const std::int64_t replicas = told.Int("replication_factor");
  text.reason = fmt::format("{} partition{}, {} replica{}", partitions, partitions == 1 ? "" : "s",
                            replicas, replicas == 1 ? "" : "s");
}

void TopicDeleted(const Told& told, EventText& text) {
  text.what = "delete topic " + told.Text("topic");
}

constexpr auto kBrokerRules = std::to_array<EventTextRule>({
    {&broker_events::kAppended, Category::kAppend, Importance::kNormal, Appended},
    {&broker_events::kDuplicate, Category::kAppend, Importance::kNormal, Duplicate},
    {&broker_events::kAppendRefused, Category::kAppend, Importance::kNormal, AppendRefused},
    {&broker_events::kMarkerAppended, Category::kMarker, Importance::kNormal, MarkerAppended},
    {&broker_events::kMarkerReplicated, Category::kMarker, Importance::kVerbose, MarkerReplicated},
    {&broker_events::kMarkerRefused, Category::kMarker, Importance::kNormal, MarkerRefused},
    {&broker_events::kTransactionOpened, Category::kPosition, Importance::kVerbose,
     TransactionOpened},
    {&broker_events::kHighWatermark, Category::kPosition, Importance::kVerbose, HighWatermark},
    {&broker_events::kLastStableOffset, Category::kPosition, Importance::kNormal, LastStableOffset},
    {&broker_events::kReplicated, Category::kReplication, Importance::kVerbose, Replicated},
    {&broker_events::kTruncated, Category::kReplication, Importance::kNormal, Truncated},
    {&broker_events::kIsrChanged, Category::kReplication, Importance::kNormal, IsrChanged},
    {&broker_events::kLeaderElected, Category::kCluster, Importance::kNormal, LeaderElected},
    {&broker_events::kElectionRefused, Category::kCluster, Importance::kNormal, ElectionRefused},
    {&broker_events::kBecameLeader, Category::kCluster, Importance::kVerbose, BecameLeader},
    {&broker_events::kBecameFollower, Category::kCluster, Importance::kVerbose, BecameFollower},
    {&broker_events::kSegmentRolled, Category::kReplication, Importance::kNormal, SegmentRolled},
    {&broker_events::kSegmentsDeleted, Category::kReplication, Importance::kNormal,
     SegmentsDeleted},
    {&broker_events::kLogStartOffset, Category::kPosition, Importance::kNormal, LogStartOffset},
    {&broker_events::kCleaned, Category::kReplication, Importance::kNormal, Cleaned},
    {&broker_events::kTopicCreated, Category::kCluster, Importance::kNormal, TopicCreated},
    {&broker_events::kTopicDeleted, Category::kCluster, Importance::kNormal, TopicDeleted},
    {&broker_events::kBrokerFenced, Category::kCluster, Importance::kNormal, BrokerFenced},
    {&broker_events::kBrokerRegistered, Category::kCluster, Importance::kVerbose, BrokerRegistered},
    {&broker_events::kVerificationAsked, Category::kTransaction, Importance::kVerbose,
     VerificationAsked},
    {&broker_events::kVerificationAnswered, Category::kTransaction, Importance::kVerbose,
     VerificationAnswered},
});

}  // namespace

std::span<const EventTextRule> BrokerEventTexts() { return kBrokerRules; }

}  // namespace kafkasim::scenarios
