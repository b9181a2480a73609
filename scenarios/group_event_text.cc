// The words for what the group coordinator does.
#include <array>

#include <fmt/format.h>

#include "coordinator/group_events.h"
#include "scenarios/event_text_rules.h"

namespace kafkasim::scenarios {
namespace {

namespace coordinator_events = coordinator::events;
using Category = EventCategory;

// "generation 3"
std::string Generation(const Told& told) {
  return fmt::format("generation {}", told.Int("generation"));
}

void Rebalancing(const Told& told, EventText& text) {
  text.what = fmt::format("group {} rebalances", told.Text("group_id"));
  text.result = "PREPARING_REBALANCE";
  text.reason = fmt::format("after {}: {}", Generation(told), told.Text("reason"));
}

void NewGeneration(const Told& told, EventText& text) {
  text.what = "group " + told.Text("group_id");
  text.result = "COMPLETING_REBALANCE";
  text.reason = fmt::format("{}, {}, {} leads: {}", Generation(told), told.Text("protocol"),
                            told.Text("leader"), told.Texts("members"));
}

void Written(const Told& told, EventText& text) {
  text.what = fmt::format("group {} written", told.Text("group_id"));
  text.reason =
      fmt::format("{}, not yet replicated, in {}", Generation(told), told.Text("partition"));
}

void Stable(const Told& told, EventText& text) {
  text.what = "group " + told.Text("group_id");
  text.result = "STABLE";
  text.reason = fmt::format("{}; {}", Generation(told), told.Texts("assignment", "; "));
}

void Empty(const Told& told, EventText& text) {
  text.what = "group " + told.Text("group_id");
  text.result = "EMPTY";
  text.reason = Generation(told);
}

void Removed(const Told& told, EventText& text) {
  text.what = "forget group " + told.Text("group_id");
  text.reason = "it has neither members nor offsets";
}

void IdGiven(const Told& told, EventText& text) {
  text.what = "hand out a member id";
  text.result = told.Text("member_id");
  text.reason = fmt::format("{} must join group {} again with it", told.Text("client_id"),
                            told.Text("group_id"));
}

void Joined(const Told& told, EventText& text) {
  const std::string instance = told.Text("group_instance_id");
  text.what = told.Text("member_id") + " joins";
  text.result = "group " + told.Text("group_id");
  if (!instance.empty()) text.reason = "static member " + instance;
}

void Replaced(const Told& told, EventText& text) {
  text.what =
      fmt::format("{} takes the place of {}", told.Text("member_id"), told.Text("old_member_id"));
  text.result = "group " + told.Text("group_id");
  text.reason = fmt::format("static member {} came back; the old id is fenced",
                            told.Text("group_instance_id"));
}

void Left(const Told& told, EventText& text) {
  text.what = told.Text("member_id") + " leaves";
  text.result = "group " + told.Text("group_id");
  text.reason = told.Text("reason");
}

void MemberExpired(const Told& told, EventText& text) {
  text.what = "remove " + told.Text("member_id");
  text.result = "group " + told.Text("group_id");
  text.reason = told.Text("reason");
}

void OffsetsWritten(const Told& told, EventText& text) {
  text.what = "offsets written";
  text.result = told.Texts("offsets");
  text.reason = fmt::format("group {}, not yet replicated, in {}", told.Text("group_id"),
                            told.Text("partition"));
}

void OffsetsCommitted(const Told& told, EventText& text) {
  text.what = "offsets committed";
  text.result = told.Texts("offsets");
  text.reason = "group " + told.Text("group_id");
}

void OffsetsPending(const Told& told, EventText& text) {
  text.what = "offsets pending";
  text.result = told.Texts("offsets");
  text.reason = fmt::format("group {}, until the transaction of {} ends", told.Text("group_id"),
                            told.Producer());
}

void OffsetsMaterialised(const Told& told, EventText& text) {
  text.what = "offsets of the transaction count";
  text.result = told.Texts("offsets");
  text.reason =
      fmt::format("group {}, producer {}", told.Text("group_id"), told.Int("producer_id"));
}

void OffsetsDropped(const Told& told, EventText& text) {
  text.what = "offsets of the transaction dropped";
  text.result = told.Texts("offsets");
  text.reason = fmt::format("group {}, producer {}: {}", told.Text("group_id"),
                            told.Int("producer_id"), told.Text("reason"));
}

void OffsetsExpired(const Told& told, EventText& text) {
  text.what = "offsets forgotten";
  text.result = told.Texts("offsets");
  text.reason = fmt::format("group {}: {}", told.Text("group_id"), told.Text("reason"));
}

void GroupsLoaded(const Told& told, EventText& text) {
  text.what = "coordinate " + told.Text("partition");
  text.result = fmt::format("epoch {}", told.Int("leader_epoch"));
  text.reason = "read from its log: " + told.Texts("groups");
}

void Unloaded(const Told& told, EventText& text) {
  text.what = fmt::format("coordinate {} no more", told.Text("partition"));
  text.reason = told.Texts("groups");
}

void GroupRefused(const Told& told, EventText& text) {
  text.is_error = true;
  text.what = "refuse " + told.Text("api");
  text.result = told.Text("error");
  text.reason = told.Text("reason");
  text.repeats = true;
}

constexpr auto kGroupRules = std::to_array<EventTextRule>({
    {&coordinator_events::kGroupRebalancing, Category::kGroup, Importance::kNormal, Rebalancing},
    {&coordinator_events::kGroupGeneration, Category::kGroup, Importance::kNormal, NewGeneration},
    {&coordinator_events::kGroupWritten, Category::kGroup, Importance::kVerbose, Written},
    {&coordinator_events::kGroupStable, Category::kGroup, Importance::kNormal, Stable},
    {&coordinator_events::kGroupEmpty, Category::kGroup, Importance::kNormal, Empty},
    {&coordinator_events::kGroupRemoved, Category::kGroup, Importance::kNormal, Removed},
    {&coordinator_events::kMemberIdGiven, Category::kGroup, Importance::kVerbose, IdGiven},
    {&coordinator_events::kMemberJoined, Category::kGroup, Importance::kNormal, Joined},
    {&coordinator_events::kMemberReplaced, Category::kGroup, Importance::kNormal, Replaced},
    {&coordinator_events::kMemberLeft, Category::kGroup, Importance::kNormal, Left},
    {&coordinator_events::kMemberExpired, Category::kGroup, Importance::kNormal, MemberExpired},
    {&coordinator_events::kOffsetsWritten, Category::kGroup, Importance::kVerbose, OffsetsWritten},
    {&coordinator_events::kOffsetsCommitted, Category::kGroup, Importance::kNormal,
     OffsetsCommitted},
    {&coordinator_events::kOffsetsPending, Category::kGroup, Importance::kNormal, OffsetsPending},
    {&coordinator_events::kOffsetsMaterialised, Category::kGroup, Importance::kNormal,
     OffsetsMaterialised},
    {&coordinator_events::kOffsetsDropped, Category::kGroup, Importance::kNormal, OffsetsDropped},
    {&coordinator_events::kOffsetsExpired, Category::kGroup, Importance::kNormal, OffsetsExpired},
    {&coordinator_events::kGroupLoaded, Category::kGroup, Importance::kNormal, GroupsLoaded},
    {&coordinator_events::kGroupUnloaded, Category::kGroup, Importance::kVerbose, Unloaded},
    {&coordinator_events::kGroupRequestRefused, Category::kGroup, Importance::kNormal,
     GroupRefused},
});

}  // namespace

std::span<const EventTextRule> GroupEventTexts() { return kGroupRules; }

}  // namespace kafkasim::scenarios
