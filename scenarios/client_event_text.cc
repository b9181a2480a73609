// The words for what clients do.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "client/application.h"
#include "client/events.h"
#include "scenarios/entry_view.h"
#include "scenarios/event_text_rules.h"
#include "scenarios/second_tries.h"

namespace kafkasim::scenarios {
namespace {

namespace client_events = client::events;
using Category = EventCategory;

std::string CallText(const Told& told, std::string_view arguments) {
  std::string text = told.Text("operation");
  if (!arguments.empty()) text.append(" ").append(arguments);
  return text;
}

// What a program does again and again; what it sends is told by the logs.
bool IsRoutineRequest(const Told& told) {
  if (told.Int("call") < client::Application::kFirstOwnCall.value()) return false;
  const std::string operation = told.Text("operation");
  return operation == "send" || operation == "flush" ||
         (operation == "poll" && (told.event.Is(client_events::kCallStarted) ||
                                  told.event.Text("result").starts_with("0 records")));
}

void CallStarted(const Told& told, EventText& text) {
  text.what = CallText(told, told.event.Text("arguments"));
  const bool runs_on = RunsOn(told.event, told.history);
  text.result = runs_on ? "under way" : "…";
  if (!runs_on || IsRoutineRequest(told)) text.importance = Importance::kVerbose;
}

// The records that a poll which returned at this moment gave to its application; "" if they cannot
// be told apart from those of another poll at the same moment.
std::string PolledRecords(const Told& told) {
  const std::vector<DeliveredRecord>& all = told.history.DeliveredTo(told.event.actor);
  const auto [first, last] = std::equal_range(
      all.begin(), all.end(), DeliveredRecord{.at = told.event.at},
      [](const DeliveredRecord& a, const DeliveredRecord& b) { return a.at < b.at; });
  if (first == last || !told.Text("result").starts_with(fmt::format("{} ", last - first)))
    return "";
  std::vector<std::string> records;
  for (auto record = first; record != last; ++record) {
    records.push_back(EntryText(ViewDelivered(*record, told.history), /*with_actor=*/false));
  }
  return ListText(records);
}

void CallFinished(const Told& told, EventText& text) {
  text.what = CallText(told, told.history.ArgumentsOf(told.event.actor, told.Int("call")));
  const std::string error = told.Text("error");
  text.is_error = !error.empty();
  if (!text.is_error) {
    text.result = told.Text("result");
    const std::string records = told.Text("operation") == "poll" ? PolledRecords(told) : "";
    if (!records.empty()) {
      text.result.resize(text.result.find(':'));
      text.reason = records;
    }
    if (IsRoutineRequest(told)) text.importance = Importance::kVerbose;
    return;
  }
  const std::string code = told.Text("code");
  text.result = code == "NONE" || code.empty() ? error : code;
  text.reason = told.Text("reason");
}

void ProducerState(const Told& told, EventText& text) {
  text.what = "producer state";
  text.result = fmt::format("{} → {}", told.Text("from"), told.Text("to"));
  text.reason = told.Text("reason");
  const std::string to = told.Text("to");
  text.is_error = to == "FATAL_ERROR" || to == "ABORTABLE_ERROR";
  if (!text.is_error || to == told.Text("from")) text.importance = Importance::kVerbose;
}

void IdentityGiven(const Told& told, EventText& text) {
  text.what = "is";
  text.result = fmt::format("producer {}, epoch {}", told.Int("producer_id"), told.Int("epoch"));
  text.reason = told.Text("reason");
}

std::string BatchText(const Told& told) {
  std::string text = fmt::format("batch of {} for {}", told.Int("records"), told.Text("partition"));
  if (told.Int("base_sequence") >= 0) {
    text += fmt::format(", sequence {}", told.Int("base_sequence"));
  }
  return text;
}

void BatchSent(const Told& told, EventText& text) {
  text.what = "send " + BatchText(told);
  if (told.Int("attempt") <= 1) {
    text.importance = Importance::kVerbose;
    return;
  }
  text.reason = fmt::format("attempt {}", told.Int("attempt"));
  text.repeats = true;
}

void BatchFailed(const Told& told, EventText& text) {
  text.is_error = true;
  text.repeats = true;
  text.what = "failed: " + BatchText(told);
  text.result = told.Text("error");
  text.reason = told.Text("reason");
  // What a broker refuses is told there.
  const bool unanswered = text.result == "NETWORK_EXCEPTION" || text.result == "REQUEST_TIMED_OUT";
  if (!unanswered) text.importance = Importance::kVerbose;
}

void RequestFailed(const Told& told, EventText& text) {
  text.is_error = true;
  text.repeats = true;
  text.what = "failed: " + told.Text("api");
  text.result = told.Text("error");
  text.reason = told.Text("reason");
}

void ConnectionClosed(const Told& told, EventText& text) {
  text.what = fmt::format("give up connection to broker-{}", told.Int("broker"));
  text.reason = told.Text("reason");
}

void MetadataLearned(const Told& told, EventText& text) {
  text.what = fmt::format("learn metadata version {}", told.Int("version"));
  text.result = told.Texts("leaders");
}

void CoordinatorFound(const Told& told, EventText& text) {
  text.what = "coordinator of " + told.Text("transactional_id");
  text.result = fmt::format("broker-{}", told.Int("coordinator"));
  text.repeats = true;
  if (!HadCoordinator(told.event, told.history)) text.importance = Importance::kVerbose;
}

void GroupCoordinatorFound(const Told& told, EventText& text) {
  text.what = "coordinator of group " + told.Text("group_id");
  text.result = fmt::format("broker-{}", told.Int("coordinator"));
  text.repeats = true;
}

void GroupJoining(const Told& told, EventText& text) {
  text.what = "ask to join group " + told.Text("group_id");
  text.reason = told.Text("reason");
}

void GroupJoined(const Told& told, EventText& text) {
  text.what = fmt::format("member of group {}", told.Text("group_id"));
  text.result = fmt::format("generation {}", told.Int("generation"));
  text.reason = told.HasTexts("partitions") ? told.Texts("partitions") : "no partition";
  if (told.Truth("leader"))
    text.reason += fmt::format("; assigned by it, {}", told.Text("protocol"));
}

void RejoinRequested(const Told& told, EventText& text) {
  text.what = fmt::format("must join group {} again", told.Text("group_id"));
  text.reason = told.Text("reason");
}

void MembershipLost(const Told& told, EventText& text) {
  text.is_error = true;
  text.what = fmt::format("no longer a member of group {}", told.Text("group_id"));
  text.result = fmt::format("generation {} is over", told.Int("generation"));
  text.reason = told.Text("reason");
}

void GroupLeft(const Told& told, EventText& text) {
  text.what = "leave group " + told.Text("group_id");
  text.reason = told.Text("reason");
}

void PartitionsAssigned(const Told& told, EventText& text) {
  text.what = "partitions assigned";
  text.result = told.Texts("partitions");
  text.reason = fmt::format("generation {}", told.Int("generation"));
}

void PartitionsRevoked(const Told& told, EventText& text) {
  text.what = "partitions revoked";
  text.result = told.Texts("partitions");
}

void PartitionsLost(const Told& told, EventText& text) {
  text.is_error = true;
  text.what = "partitions lost";
  text.result = told.Texts("partitions");
  text.reason = "somebody else may have them already";
}

void CommitAcknowledged(const Told& told, EventText& text) {
  text.what = told.Text("how");
  text.result = told.Texts("offsets");
  text.reason = "group " + told.Text("group_id");
}

void PositionMoved(const Told& told, EventText& text) {
  text.what = "position on " + told.Text("partition");
  text.result = told.Int("to") < 0 ? fmt::format("{} → reset", told.Int("from"))
                                   : fmt::format("{} → {}", told.Int("from"), told.Int("to"));
  text.reason = told.Text("reason");
}

void Skipped(const Told& told, EventText& text) {
  const bool aborted = told.Text("why") == "aborted";
  text.what = aborted ? "leave out aborted" : "pass over marker";
  text.result = told.Place("first_offset", "last_offset");
  if (!aborted) text.importance = Importance::kVerbose;
}

constexpr auto kClientRules = std::to_array<EventTextRule>({
    {&client_events::kCallStarted, Category::kCall, Importance::kNormal, CallStarted},
    {&client_events::kCallFinished, Category::kCall, Importance::kNormal, CallFinished},
    {&client_events::kProducerState, Category::kCall, Importance::kNormal, ProducerState},
    {&client_events::kProducerIdentity, Category::kCall, Importance::kVerbose, IdentityGiven},
    {&client_events::kBatchSent, Category::kCall, Importance::kNormal, BatchSent},
    {&client_events::kBatchFailed, Category::kCall, Importance::kNormal, BatchFailed},
    {&client_events::kRequestFailed, Category::kCall, Importance::kNormal, RequestFailed},
    {&client_events::kConnectionClosed, Category::kCall, Importance::kVerbose, ConnectionClosed},
    {&client_events::kMetadataLearned, Category::kCluster, Importance::kVerbose, MetadataLearned},
    {&client_events::kCoordinatorFound, Category::kCluster, Importance::kNormal, CoordinatorFound},
    {&client_events::kGroupCoordinatorFound, Category::kGroup, Importance::kVerbose,
     GroupCoordinatorFound},
    {&client_events::kGroupJoining, Category::kGroup, Importance::kVerbose, GroupJoining},
    {&client_events::kGroupJoined, Category::kGroup, Importance::kVerbose, GroupJoined},
    {&client_events::kRejoinRequested, Category::kGroup, Importance::kVerbose, RejoinRequested},
    {&client_events::kMembershipLost, Category::kGroup, Importance::kNormal, MembershipLost},
    {&client_events::kGroupLeft, Category::kGroup, Importance::kNormal, GroupLeft},
    {&client_events::kPartitionsAssigned, Category::kGroup, Importance::kNormal,
     PartitionsAssigned},
    {&client_events::kPartitionsRevoked, Category::kGroup, Importance::kNormal, PartitionsRevoked},
    {&client_events::kPartitionsLost, Category::kGroup, Importance::kNormal, PartitionsLost},
    // Told at normal importance by the coordinator; a commit that the application did not ask for
    // would be a surprise here.
    {&client_events::kCommitAcknowledged, Category::kGroup, Importance::kVerbose,
     CommitAcknowledged},
    {&client_events::kPositionMoved, Category::kCall, Importance::kNormal, PositionMoved},
    {&client_events::kSkipped, Category::kCall, Importance::kNormal, Skipped},
});

}  // namespace

std::span<const EventTextRule> ClientEventTexts() { return kClientRules; }

}  // namespace kafkasim::scenarios
