#include "scenarios/explore_form.h"

#include <string>
#include <utility>

#include "scenarios/breaks_form.h"
#include "scenarios/mapping_form.h"
#include "scenarios/reference_form.h"
#include "scenarios/step_form.h"

namespace kafkasim::scenarios {
namespace {

constexpr std::int64_t kMostDisturbances = 9;

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
                "{TV1: ...}. Where there is none, it is to find nothing.")}};
  mapping.check = [](const Node& node, Reader& reader, ExploreSpec& spec) {
    spec.mark = node.mark;
    return AreProcesses(spec.crash, reader) && AreProcesses(spec.pause, reader) &&
           BelongTogether(node, reader, "crashes", "crash") &&
           BelongTogether(node, reader, "pauses", "pause") &&
           BelongTogether(node, reader, "elections", "elect");
  };
  return Mapping(std::move(mapping));
}

}  // namespace kafkasim::scenarios
