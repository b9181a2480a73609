#include "scenarios/explore_form.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "scenarios/breaks_form.h"
#include "scenarios/mapping_form.h"
#include "scenarios/reference_form.h"
#include "scenarios/step_form.h"

namespace kafkasim::scenarios {
namespace {

// `{request: EndTxn, from: old}`
Form<MessagePattern> StruckForm() {
  MappingForm<MessagePattern> mapping{"messages", MessageFields()};
  mapping.check = [](const Node& node, Reader& reader, MessagePattern& pattern) {
    return HasOneOf(node, reader, "strike", {"request", "answer"}) &&
           SaysWhatIsAsked(node, reader, pattern);
  };
  return Mapping(std::move(mapping));
}

using Member = std::int64_t ExploreSpec::*;

Field<ExploreSpec> Number(std::string key, Member member, std::string description) {
  return Optional(std::move(key), member,
                  IntegerForm(0, kMostDisturbances, "a number of disturbances"),
                  std::move(description) + " Default: 0.");
}

// A search chooses its victims before it begins: roles move, processes do not.
bool AreProcesses(const std::vector<ProcessName>& names, Reader& reader) {
  for (const ProcessName& name : names) {
    if (name.kind != ProcessName::Kind::kLeaderOf &&
        name.kind != ProcessName::Kind::kCoordinatorOf) {
      continue;
    }
    reader.Error(name.mark, "a search strikes actors and brokers; roles move during a run");
    return false;
  }
  return true;
}

// What a budget without victims, or victims without a budget, shows to be missing.
bool BelongTogether(const Node& node, Reader& reader, const char* number, const char* victims) {
  const Node* has_number = node.Find(number);
  const Node* has_victims = node.Find(victims);
  if ((has_number == nullptr) == (has_victims == nullptr)) return true;
  const Node* there = has_number != nullptr ? has_number : has_victims;
  reader.Error(there->mark, std::string(number) + " and " + victims + " belong together");
  return false;
}

// What may be struck, and nothing that strikes.
bool Strikes(const Node& node, Reader& reader, const ExploreSpec& spec) {
  if (spec.strike.empty() || spec.holds > 0 || spec.losses > 0) return true;
  reader.Error(node.Find("strike")->mark, "no message may be held or lost",
               "holds: 1, or losses: 1, or leave out strike");
  return false;
}

// A search keeps no history: who wrote a record, what was delivered and how many messages were sent
// cannot be asked of a state.
std::optional<Mark> NeedsHistory(const Expectations& claims) {
  const auto of_producer = [](const EntryPattern& entry) { return entry.producer.has_value(); };
  for (const PartitionExpectation& claim : claims.partitions) {
    if (!claim.producers.empty()) return claim.producers.front().mark;
    if (claim.aborted.has_value()) return claim.aborted->mark;
    const auto names_producer = [&](const std::vector<EntryPattern>& entries) {
      return std::any_of(entries.begin(), entries.end(), of_producer);
    };
    if (claim.log.has_value() && names_producer(claim.log->entries)) return claim.log->mark;
    for (const auto* read : {&claim.read_committed, &claim.read_uncommitted}) {
      if (read->has_value() && names_producer((*read)->value)) return (*read)->mark;
    }
  }
  for (const ActorExpectation& claim : claims.actors) {
    if (claim.delivered.has_value()) return claim.delivered->mark;
  }
  if (!claims.counts.empty()) return claims.counts.front().mark;
  if (!claims.pending.empty()) return claims.pending.front().mark;
  return std::nullopt;
}

Form<Expectations> ClaimsOfStatesForm() {
  const Form<Expectations> form = ExpectationsForm();
  return {form.schema, [form](const Node& node, Reader& reader) -> std::optional<Expectations> {
            std::optional<Expectations> claims = form.read(node, reader);
            if (!claims) return std::nullopt;
            if (const std::optional<Mark> mark = NeedsHistory(*claims)) {
              reader.Error(*mark,
                           "a search keeps no history: it can be asked about logs, offsets, "
                           "coordinators and what actors believe, not about who wrote a record, "
                           "what was delivered or how often something was sent");
              return std::nullopt;
            }
            return claims;
          }};
}

Form<std::vector<Situation>> SituationsForm() {
  const Form<Expectations> claims = ClaimsOfStatesForm();
  const Form<std::vector<Situation>> table = TableForm<Situation>(
      "reach", ".", claims.schema,
      [claims](const Node& key, const Node& value, Reader& reader) -> std::optional<Situation> {
        std::optional<Expectations> read = claims.read(value, reader);
        if (!read) return std::nullopt;
        return Situation{.name = Name{key.text, key.mark}, .claims = std::move(*read)};
      });
  return {table.schema,
          [table](const Node& node, Reader& reader) -> std::optional<std::vector<Situation>> {
            auto situations = table.read(node, reader);
            if (situations && situations->size() > kMostSituations) {
              reader.Error(node.mark, fmt::format("at most {} situations", kMostSituations));
              return std::nullopt;
            }
            return situations;
          }};
}

// What takes a second to end has ended at once.
bool IsLongEnough(const Node& node, Reader& reader, const ExploreSpec& spec) {
  if (!spec.drain_us.has_value() || *spec.drain_us >= 1'000'000) return true;
  reader.Error(node.Find("drain")->mark, "a drain takes at least 1s", "drain: 3min");
  return false;
}

bool LeavesTime(const Node& node, Reader& reader, const ExploreSpec& spec) {
  if (spec.until_us > 0) return true;
  reader.Error(node.Find("until")->mark, "a search needs time: nothing would happen in it",
               "until: 90s");
  return false;
}

}  // namespace

Form<ExploreSpec> ExploreForm() {
  MappingForm<ExploreSpec> mapping{
      "explore",
      {Number("holds", &ExploreSpec::holds, "How many messages may get stuck, to go on later."),
       Number("losses", &ExploreSpec::losses, "How many messages may never arrive."),
       Number("crashes", &ExploreSpec::crashes, "How many crashes there may be; needs crash."),
       Number("pauses", &ExploreSpec::pauses, "How many long pauses there may be; needs pause."),
       Number("elections", &ExploreSpec::elections, "How many leaders may change; needs elect."),
       Number("early_timers", &ExploreSpec::early_timers,
              "How many timers may be faster than a message that is on its way."),
       Optional("strike", &ExploreSpec::strike, OneOrManyForm(StruckForm()),
                "Which messages may be held or lost. Default: any."),
       Optional("crash", &ExploreSpec::crash, OneOrManyForm(ProcessForm()),
                "Who may crash, and come back at any later time."),
       Optional("pause", &ExploreSpec::pause, OneOrManyForm(ProcessForm()),
                "Who may pause, and go on at any later time."),
       Optional("elect", &ExploreSpec::elect, OneOrManyForm(PartitionForm()),
                "Partitions whose leader may change."),
       Optional("until", &ExploreSpec::until_us, DurationForm(),
                "Where virtual time ends. Default: 2min."),
       Optional("states", &ExploreSpec::states, CountForm(),
                "A search that needs more states gives no verdict. Default: 10000000."),
       Optional("breaks", &ExploreSpec::breaks, BreaksForm(),
                "Invariants of which the search is to find one broken, in all variants or in some: "
                "{TV1: ...}. Where there is none, it is to find nothing."),
       Optional("always", &ExploreSpec::always, ClaimsOfStatesForm(),
                "What holds in each state, beside the invariants."),
       Optional("reach", &ExploreSpec::reach, SituationsForm(),
                "Situations by name, each of which the search has to come across."),
       Optional("drain", &ExploreSpec::drain_us, DurationForm(),
                "From each state, once nothing more goes wrong, all that is open has to end within "
                "so much virtual time."),
       Optional("finally", &ExploreSpec::finally, ClaimsOfStatesForm(),
                "What holds at the end of each such drain.")}};
  mapping.check = [](const Node& node, Reader& reader, ExploreSpec& spec) {
    spec.mark = node.mark;
    return AreProcesses(spec.crash, reader) && AreProcesses(spec.pause, reader) &&
           Strikes(node, reader, spec) && BelongTogether(node, reader, "crashes", "crash") &&
           BelongTogether(node, reader, "pauses", "pause") &&
           BelongTogether(node, reader, "elections", "elect") &&
           (!spec.finally.has_value() || BelongTogether(node, reader, "drain", "finally")) &&
           IsLongEnough(node, reader, spec) && LeavesTime(node, reader, spec);
  };
  return Mapping(std::move(mapping));
}

}  // namespace kafkasim::scenarios
