// The words for what the transaction coordinator does.
#include <array>

#include <fmt/format.h>

#include "coordinator/events.h"
#include "scenarios/event_text_rules.h"

namespace kafkasim::scenarios {
namespace {

namespace coordinator_events = coordinator::events;
using Category = EventCategory;

void RecordAppended(const Told& told, EventText& text) {
  text.what = told.Text("state") + " written";
  text.result = told.Text("transactional_id");
  text.reason = "not yet replicated, in " + told.Text("partition");
}

void RecordReplicated(const Told& told, EventText& text) {
  text.what = told.Text("state");
  text.result = told.Text("transactional_id");
  text.reason =
      fmt::format("producer {}, epoch {}", told.Int("producer_id"), told.Int("producer_epoch"));
  if (told.HasTexts("partitions")) text.reason += ", " + told.Texts("partitions");
}

void RecordFailed(const Told& told, EventText& text) {
  text.is_error = true;
  text.what = told.Text("state") + " not recorded";
  text.result = told.Text("error");
  text.reason = fmt::format("{}: {}", told.Text("transactional_id"), told.Text("reason"));
}

void StateChanged(const Told& told, EventText& text) {
  text.what = "state of " + told.Text("transactional_id");
  text.result = fmt::format("{} → {}", told.Text("from"), told.Text("to"));
}

void Fenced(const Told& told, EventText& text) {
  const std::int64_t was = told.Int("producer_epoch");
  const std::int64_t now = told.Int("new_epoch");
  text.what = "fence " + told.ProducerWithoutEpoch();
  text.result = was == now ? fmt::format("epoch {}", now) : fmt::format("epoch {} → {}", was, now);
  text.reason = told.Text("reason");
}

void TimedOut(const Told& told, EventText& text) {
  text.what = "transaction timed out";
  text.result = told.Text("transactional_id");
  text.reason = told.Text("reason");
}

void Expired(const Told& told, EventText& text) {
  text.what = "forget " + told.Text("transactional_id");
  text.reason = "unused for transactional.id.expiration.ms";
}

void Loaded(const Told& told, EventText& text) {
  text.what = "coordinate " + told.Text("partition");
  text.result = fmt::format("epoch {}", told.Int("coordinator_epoch"));
  if (!told.HasTexts("transactional_ids")) {
    text.importance = Importance::kVerbose;
    return;
  }
  text.reason = "read from its log: " + told.Texts("transactional_ids");
  if (told.HasTexts("finishing")) text.reason += "; finishes " + told.Texts("finishing");
}

void Resigned(const Told& told, EventText& text) {
  text.what = "coordinate " + told.Text("partition") + " no more";
}

void MarkersSent(const Told& told, EventText& text) {
  text.repeats = true;
  text.what = fmt::format("ask for {} markers", told.Text("type"));
  text.result = fmt::format("broker-{}", told.Int("broker"));
  text.reason = fmt::format("{}: {}", told.Text("transactional_id"), told.Texts("partitions"));
}

void MarkerAcknowledged(const Told& told, EventText& text) {
  text.what = "marker acknowledged";
  text.result = told.Text("marked_partition");
  text.reason = fmt::format("{}, {} to go", told.Text("transactional_id"), told.Int("remaining"));
}

void MarkerProblem(const Told& told, EventText& text, std::string what) {
  text.what = std::move(what);
  text.result = told.Text("error");
  text.reason = fmt::format("{} of {}: {}", told.Text("marked_partition"),
                            told.Text("transactional_id"), told.Text("reason"));
}

void MarkerRetried(const Told& told, EventText& text) {
  MarkerProblem(told, text, "send marker again");
}

void MarkersGivenUp(const Told& told, EventText& text) {
  text.is_error = true;
  MarkerProblem(told, text, "give up the transaction");
}

void MarkerDropped(const Told& told, EventText& text) {
  MarkerProblem(told, text, "no marker needed");
}

void MarkerParked(const Told& told, EventText& text) {
  text.repeats = true;
  MarkerProblem(told, text, "marker waits for a leader");
}

void RequestRefused(const Told& told, EventText& text) {
  text.is_error = true;
  text.what = "refuse " + told.Text("api");
  text.result = told.Text("error");
  text.reason = told.Text("reason");
  text.repeats = true;
  // So does every run begin.
  if (text.reason.starts_with("the broker waits for its next block of producer ids")) {
    text.importance = Importance::kVerbose;
  }
}

void ProducerFenced(const Told& told, EventText& text) {
  text.is_error = true;
  text.what = "refuse " + told.Text("api");
  text.result = told.Text("error");
  text.reason = told.Text("reason");
}

void ProducerIdAssigned(const Told& told, EventText& text) {
  const std::string id = told.Text("transactional_id");
  text.what = "hand out producer id" + (id.empty() ? "" : " for " + id);
  text.result =
      fmt::format("producer {}, epoch {}", told.Int("producer_id"), told.Int("producer_epoch"));
}

constexpr auto kCoordinatorRules = std::to_array<EventTextRule>({
    {&coordinator_events::kTransactionRecordAppended, Category::kTransaction, Importance::kVerbose,
     RecordAppended},
    {&coordinator_events::kTransactionRecordReplicated, Category::kTransaction, Importance::kNormal,
     RecordReplicated},
    {&coordinator_events::kTransactionRecordFailed, Category::kTransaction, Importance::kNormal,
     RecordFailed},
    {&coordinator_events::kTransactionState, Category::kTransaction, Importance::kVerbose,
     StateChanged},
    {&coordinator_events::kTransactionFenced, Category::kTransaction, Importance::kNormal, Fenced},
    {&coordinator_events::kTransactionTimedOut, Category::kTransaction, Importance::kNormal,
     TimedOut},
    {&coordinator_events::kTransactionalIdExpired, Category::kTransaction, Importance::kNormal,
     Expired},
    {&coordinator_events::kCoordinatorLoaded, Category::kTransaction, Importance::kNormal, Loaded},
    {&coordinator_events::kCoordinatorResigned, Category::kTransaction, Importance::kVerbose,
     Resigned},
    {&coordinator_events::kMarkersSent, Category::kTransaction, Importance::kNormal, MarkersSent},
    {&coordinator_events::kMarkerAcknowledged, Category::kTransaction, Importance::kVerbose,
     MarkerAcknowledged},
    {&coordinator_events::kMarkerRetried, Category::kTransaction, Importance::kVerbose,
     MarkerRetried},
    {&coordinator_events::kMarkersGivenUp, Category::kTransaction, Importance::kNormal,
     MarkersGivenUp},
    {&coordinator_events::kMarkerDropped, Category::kTransaction, Importance::kVerbose,
     MarkerDropped},
    {&coordinator_events::kMarkerParked, Category::kTransaction, Importance::kNormal, MarkerParked},
    {&coordinator_events::kRequestRefused, Category::kTransaction, Importance::kNormal,
     RequestRefused},
    {&coordinator_events::kProducerFenced, Category::kTransaction, Importance::kNormal,
     ProducerFenced},
    {&coordinator_events::kProducerIdAssigned, Category::kTransaction, Importance::kVerbose,
     ProducerIdAssigned},
});

}  // namespace

std::span<const EventTextRule> CoordinatorEventTexts() { return kCoordinatorRules; }

}  // namespace kafkasim::scenarios
