#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/mapping_form.h"
#include "scenarios/program_form.h"
#include "scenarios/reference_form.h"
#include "scenarios/step_form.h"

namespace kafkasim::scenarios {
namespace {

Field<Trigger> NthField() {
  return Optional("nth", &Trigger::nth, CountForm(),
                  "The how manieth time from now on. Default: 1.");
}

// A part of the event that the trigger is about.
template <typename Event>
auto EventOf() {
  return [](Trigger& trigger) -> Event& {
    if (!std::holds_alternative<Event>(trigger.event)) trigger.event = Event{};
    return std::get<Event>(trigger.event);
  };
}

template <typename Event>
MappingForm<Trigger> EventForm(std::string what, std::vector<Field<Event>> fields) {
  std::vector<Field<Trigger>> all = Within<Trigger>(EventOf<Event>(), std::move(fields));
  all.push_back(NthField());
  return {std::move(what), std::move(all)};
}

template <typename Event>
Field<Event> LogPointField() {
  return Optional("point", &Event::point,
                  ChoiceForm<LogPoint>("point", {{"appended", LogPoint::kAppended},
                                                 {"replicated", LogPoint::kReplicated}}),
                  "appended: in the leader's log; replicated: below the high watermark. Default: "
                  "appended.");
}

MappingForm<Trigger> TransactionRecordTriggerForm() {
  using Event = TransactionRecordTrigger;
  return EventForm<Event>(
      "a transaction_record trigger",
      {Required("transaction_record", &Event::state, TransactionStateForm(),
                "A record with this state is written to __transaction_state."),
       LogPointField<Event>(),
       Optional("transactional_id", &Event::transactional_id, TransactionalIdForm(),
                "Only records of this transactional id.")});
}

MappingForm<Trigger> MarkerTriggerForm() {
  using Event = MarkerTrigger;
  using Kind = MarkerTrigger::Kind;
  return EventForm<Event>(
      "a marker trigger",
      {Required(
           "marker", &Event::kind,
           ChoiceForm<Kind>(
               "marker", {{"any", Kind::kAny}, {"COMMIT", Kind::kCommit}, {"ABORT", Kind::kAbort}}),
           "A marker of this kind is written to a partition: COMMIT, ABORT or any."),
       LogPointField<Event>(),
       Optional("partition", &Event::partition, PartitionForm(), "Only markers on this partition."),
       Optional("transactional_id", &Event::transactional_id, TransactionalIdForm(),
                "Only markers of this transactional id.")});
}

MappingForm<Trigger> MessageTriggerForm() {
  using Event = MessageTrigger;
  MappingForm<Trigger> mapping = EventForm<Event>(
      "a message trigger",
      Together<Event>(
          Within<Event>(&Event::pattern, MessageFields()),
          {Optional("point", &Event::point,
                    ChoiceForm<MessagePoint>("point", {{"sent", MessagePoint::kSent},
                                                       {"delivered", MessagePoint::kDelivered}}),
                    "sent: as it leaves; delivered: before the receiver handles it. Default: "
                    "sent.")}));
  mapping.check = [](const Node& node, Reader& reader, Trigger& trigger) {
    return SaysWhatIsAsked(node, reader, std::get<Event>(trigger.event).pattern);
  };
  return mapping;
}

Form<std::string> ProgramVerbForm() {
  std::vector<std::pair<std::string, std::string>> choices;
  for (const std::string& verb : ProgramVerbs()) choices.emplace_back(verb, verb);
  return ChoiceForm<std::string>("verb of a program", std::move(choices));
}

Form<Name> ProgramNameForm() {
  Schema schema;
  schema.pattern = kNamePattern;
  return NotationForm<Name>(
      "the name of an application", std::move(schema),
      [](const std::string& text, Mark mark, Reader& reader) -> std::optional<Name> {
        const Names::Actor* actor = reader.names.FindActor(text);
        if (!reader.names.actors_known || (actor != nullptr && actor->has_program)) {
          return Name{text, mark};
        }
        if (actor != nullptr) {
          reader.Error(mark, Quote(text) + " has no program");
        } else {
          reader.Unknown(mark, "application", text, "",
                         reader.names.ActorNames(ActorSpec::Role::kApplication));
        }
        return std::nullopt;
      });
}

MappingForm<Trigger> ProgramTriggerForm() {
  using Event = ProgramTrigger;
  using When = ProgramTrigger::When;
  const auto line = [](When when) {
    return [when](std::string verb, const Node&, Reader&, Event& event) {
      event.when = when;
      event.verb = std::move(verb);
      return true;
    };
  };
  MappingForm<Trigger> mapping = EventForm<Event>(
      "a program trigger",
      {Required("program", &Event::actor, ProgramNameForm(), "The application."),
       Taking<Event>("before", ProgramVerbForm(), line(When::kBefore),
                     "Before a line with this verb: commit_transaction."),
       Taking<Event>("after", ProgramVerbForm(), line(When::kAfter),
                     "After such a line, when it has returned without an error."),
       Optional("is", &Event::when,
                ChoiceForm<When>("state of a program", {{"idle", When::kIdle},
                                                        {"through", When::kThrough},
                                                        {"crashed", When::kCrashed},
                                                        {"in on_error", When::kError}}),
                "idle: a poll waited in vain; through: its clients are closed; crashed: of an "
                "exception; in on_error: it has caught one.")});
  mapping.check = [](const Node& node, Reader& reader, Trigger&) {
    return HasOneOf(node, reader, "a program trigger", {"before", "after", "is"});
  };
  return mapping;
}

}  // namespace

std::vector<TriggerKind> TriggerKinds() {
  return {{"transaction_record", TransactionRecordTriggerForm()},
          {"marker", MarkerTriggerForm()},
          {"request", MessageTriggerForm()},
          {"answer", MessageTriggerForm()},
          {"program", ProgramTriggerForm()}};
}

Form<Trigger> TriggerForm() {
  std::vector<Alternative<Trigger>> forms;
  for (TriggerKind& kind : TriggerKinds()) {
    forms.push_back({kind.key, Mapping(std::move(kind.mapping))});
  }
  return Defined("trigger", ByKey<Trigger>("a trigger", std::move(forms)));
}

}  // namespace kafkasim::scenarios
