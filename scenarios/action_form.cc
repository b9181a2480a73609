// Steps that make an actor do something, and await: what may stand beside them depends on the verb.

#include "scenarios/action_form.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "scenarios/mapping_form.h"
#include "scenarios/reference_form.h"
#include "scenarios/step_form.h"

namespace kafkasim::scenarios {
namespace {

using Role = ActorSpec::Role;

std::string RoleName(Role role) {
  switch (role) {
    case Role::kProducer:
      return "a producer";
    case Role::kConsumer:
      return "a consumer";
    case Role::kAdmin:
      return "an admin";
    case Role::kApplication:
      return "an application";
    case Role::kStore:
      return "a database outside Kafka";
    case Role::kApi:
      return "a service outside Kafka";
  }
  return "";
}

bool IsVerbOf(const Verb& verb, Role role) {
  return std::find(verb.roles.begin(), verb.roles.end(), role) != verb.roles.end();
}

// An application has the verbs of its clients.
bool Can(const Verb& verb, const Names::Actor& actor) {
  return IsVerbOf(verb, actor.role) || (actor.has_producer && IsVerbOf(verb, Role::kProducer)) ||
         (actor.has_consumer && IsVerbOf(verb, Role::kConsumer));
}

// The verb called `name` that `actor` has, or nullptr after an error.
const Verb* FindVerb(const Node& name, const Names::Actor& actor, Reader& reader) {
  if (actor.has_program) {
    reader.Error(name.mark, Quote(actor.name) + " has a program, which makes its calls",
                 "start: " + actor.name);
    return nullptr;
  }
  std::vector<std::string> known;
  const Verb* of_others = nullptr;
  for (const Verb& verb : Verbs()) {
    if (Can(verb, actor)) known.push_back(verb.name);
    if (verb.name != name.text) continue;
    if (Can(verb, actor)) return &verb;
    if (of_others == nullptr) of_others = &verb;
  }
  if (of_others != nullptr) {
    reader.Error(name.mark, Quote(actor.name) + " is " + RoleName(actor.role) + "; " + name.text +
                                " is a verb of " + RoleName(of_others->roles[0]));
  } else if (known.empty()) {
    reader.Error(name.mark, Quote(actor.name) + " is " + RoleName(actor.role) +
                                ", which does nothing by itself");
  } else {
    reader.Unknown(name.mark, "verb", name.text, "", known);
  }
  return nullptr;
}

// What the actor is told to do.
struct Call {
  std::string verb;
  Operation operation;
  Form<Returns> returns;

  // What a handle for it remembers: more than the verb, where that does not tell what it returns.
  [[nodiscard]] std::string Handle() const {
    if (const auto* raw = std::get_if<RawRequest>(&operation)) return "raw " + raw->api;
    return std::holds_alternative<AdminCall>(operation) ? "admin " + verb : verb;
  }
};

// What a call returns of which a handle remembers this.
Form<Returns> ReturnsOf(const std::string& handle) {
  if (handle.starts_with("raw ")) return RawResultForm(*FindRawApi(handle.substr(4)));
  constexpr std::string_view kAdmin = "admin ";
  const bool admin = handle.starts_with(kAdmin);
  for (const Verb& verb : Verbs()) {
    if (admin != IsVerbOf(verb, Role::kAdmin)) continue;
    if (verb.name == (admin ? handle.substr(kAdmin.size()) : handle)) return verb.returns;
  }
  return {};
}

// A verb about one partition that names none is about the only one assigned.
bool FillPartition(const Names::Actor& actor, Mark mark, Reader& reader, Operation& operation) {
  PartitionName* partition = nullptr;
  if (auto* seek = std::get_if<Seek>(&operation)) partition = &seek->partition;
  if (auto* position = std::get_if<Position>(&operation)) partition = &position->partition;
  if (partition == nullptr || !partition->topic.empty()) return true;
  if (actor.assign.size() == 1) {
    *partition = actor.assign[0];
    return true;
  }
  reader.Error(mark, "say which partition: " + Quote(actor.name) + " has " +
                         std::to_string(actor.assign.size()) + " assigned");
  return false;
}

std::optional<Operation> ReadOperation(const Verb& verb, const Node& name, const Node* arguments,
                                       Reader& reader) {
  if (arguments == nullptr) {
    if (verb.bare) return verb.bare;
    reader.Error(name.mark, verb.name + " needs arguments: {" + verb.name + ": {...}}");
    return std::nullopt;
  }
  if (verb.arguments.read) return verb.arguments.read(*arguments, reader);
  reader.Error(arguments->mark, verb.name + " takes no arguments; write the word alone");
  return std::nullopt;
}

std::optional<Call> ReadCall(const Names::Actor& actor, const Node& node, Reader& reader) {
  const bool bare = node.is_scalar() && !node.is_null();
  if (!bare && (!node.is_mapping() || node.entries.size() != 1)) {
    reader.Expected(node, "one verb for " + Quote(actor.name) + ", alone or with its arguments");
    return std::nullopt;
  }
  const Node& name = bare ? node : node.entries[0].key;
  const Verb* verb = FindVerb(name, actor, reader);
  if (verb == nullptr) return std::nullopt;
  std::optional<Operation> operation =
      ReadOperation(*verb, name, bare ? nullptr : &node.entries[0].value, reader);
  if (!operation || !FillPartition(actor, name.mark, reader, *operation)) return std::nullopt;
  Call call{verb->name, std::move(*operation), verb->returns};
  if (const auto* raw = std::get_if<RawRequest>(&call.operation)) {
    call.returns = RawResultForm(*FindRawApi(raw->api));
  }
  return call;
}

// A verb that returns nothing has nothing to expect.
Form<Returns> ReturnsOrNothing(const Form<Returns>& returns, const std::string& verb) {
  if (returns.read) return returns;
  return Form<Returns>{TypeSchema("null"),
                       [verb](const Node& node, Reader& reader) -> std::optional<Returns> {
                         reader.Error(node.mark, verb + " returns nothing");
                         return std::nullopt;
                       }};
}

std::vector<Field<Outcome>> OutcomeFields(const Form<Returns>& returns) {
  return {Optional("returns", &Outcome::returns, returns, "What the call has to return."),
          Optional("fails", &Outcome::fails, FailureForm(), "How the call has to fail.")};
}

bool CheckOutcome(const Node& node, Reader& reader) {
  if (node.Find("returns") == nullptr || node.Find("fails") == nullptr) return true;
  reader.Error(node.mark, "a call either returns or fails");
  return false;
}

// `in: {TV2: {fails: ...}}`
Form<std::vector<VariantOutcome>> VariantOutcomesForm(const Form<Returns>& returns) {
  MappingForm<Outcome> mapping{"an outcome", OutcomeFields(returns)};
  mapping.check = [](const Node& node, Reader& reader, Outcome&) {
    return CheckOutcome(node, reader);
  };
  const Form<Outcome> outcome = Mapping(std::move(mapping));
  const Form<Name> label = VariantLabelForm();
  return TableForm<VariantOutcome>(
      "outcomes by variant", ".", outcome.schema,
      [outcome, label](const Node& key, const Node& value,
                       Reader& reader) -> std::optional<VariantOutcome> {
        std::optional<Name> name = label.read(key, reader);
        std::optional<Outcome> read = outcome.read(value, reader);
        if (!name || !read) return std::nullopt;
        return VariantOutcome{std::move(*name), std::move(*read)};
      });
}

// What may stand beside an action or an await.
template <typename Body>
std::vector<Field<Step>> OutcomeStepFields(const Form<Returns>& returns) {
  const auto outcome = [](Step& step) -> Outcome& { return BodyOf<Body>(step).outcome; };
  std::vector<Field<Step>> fields = Within<Step>(outcome, OutcomeFields(returns));
  fields.push_back(Optional("in", &Step::in, VariantOutcomesForm(returns),
                            "Outcomes that differ in a variant: {TV2: {fails: ...}}."));
  return fields;
}

// `background:` and `as:` of an action; the handle remembers what it stands for.
std::vector<Field<Step>> ActionFields(const std::string& verb, const Form<Returns>& returns) {
  const auto action = [](Step& step) -> Action& { return BodyOf<Action>(step); };
  const auto declare = [verb](Name name, const Node&, Reader& reader, Action& out) {
    reader.DeclareHandle(name, Names::Handle::Kind::kAction, verb);
    out.handle = std::move(name);
    return true;
  };
  return Together<Step>(
      Within<Step>(
          action,
          std::vector<Field<Action>>{
              Optional("background", &Action::background, BooleanForm(),
                       "Do not wait for the call to return. Default: false."),
              Taking<Action>("as", HandleForm(), declare, "A name for await; needs background.")}),
      Together<Step>(OutcomeStepFields<Action>(returns), StepFields()));
}

bool CheckAction(const Node& node, Reader& reader, Step& step) {
  const Action& action = BodyOf<Action>(step);
  if (action.handle && !action.background) {
    reader.Error(action.handle->mark, "only an action with background: true can be awaited later");
    return false;
  }
  return CheckOutcome(node, reader);
}

// The keys that may stand beside the actor in an action step.
const std::vector<std::string>& KeysBesideActor() {
  static const std::vector<std::string> keys = [] {
    std::vector<std::string> all;
    for (const Field<Step>& field : ActionFields("", {})) all.push_back(field.key);
    return all;
  }();
  return keys;
}

// The entry of an action step that names the actor: the first that cannot stand beside one.
const NodeEntry* FindHead(const Node& node) {
  const std::vector<std::string>& beside = KeysBesideActor();
  for (const NodeEntry& entry : node.entries) {
    if (std::find(beside.begin(), beside.end(), entry.key.text) == beside.end()) return &entry;
  }
  return nullptr;
}

bool IsVerb(const std::string& word) {
  return std::any_of(Verbs().begin(), Verbs().end(),
                     [&](const Verb& verb) { return verb.name == word; });
}

// The head is no actor: with a verb behind it, it was meant as one.
void UnknownHead(const NodeEntry& head, Reader& reader) {
  if (!reader.names.actors_known) return;
  const Node& value = head.value;
  const bool told = value.is_scalar() ? IsVerb(value.text)
                                      : value.is_mapping() && !value.entries.empty() &&
                                            IsVerb(value.entries[0].key.text);
  if (told) {
    reader.Unknown(head.key.mark, "actor", head.key.text, "", reader.names.ActorNames());
    return;
  }
  std::vector<std::string> known = StepKeys();
  for (const std::string& name : reader.names.ActorNames()) known.push_back(name);
  reader.Unknown(head.key.mark, "step", head.key.text, "", known);
}

std::optional<Step> ReadAction(const Node& node, Reader& reader) {
  const NodeEntry* head = FindHead(node);
  if (head == nullptr) {
    reader.Error(node.mark, "this step does nothing: it names no actor and no other thing to do");
    return std::nullopt;
  }
  const Names::Actor* actor = reader.names.FindActor(head->key.text);
  if (actor == nullptr) {
    UnknownHead(*head, reader);
    return std::nullopt;
  }
  std::optional<Call> call = ReadCall(*actor, head->value, reader);
  if (!call) return std::nullopt;
  MappingForm<Step> mapping{"this step"};
  mapping.fields = ActionFields(call->Handle(), ReturnsOrNothing(call->returns, call->verb));
  mapping.others =
      OtherKeys<Step>{"",
                      "",
                      nullptr,
                      [actor](const std::string& key, const Reader&) { return key == actor->name; },
                      [&](const Node& key, const Node&, Reader&, Step& step) {
                        Action& action = BodyOf<Action>(step);
                        action.actor = Name{key.text, key.mark};
                        action.verb = call->verb;
                        action.operation = call->operation;
                        return true;
                      },
                      {}};
  mapping.check = CheckAction;
  return mapping.Read(node, reader);
}

Form<Returns> AnyReturnsForm() {
  std::vector<SchemaRef> schemas;
  for (const Verb& verb : Verbs()) {
    if (verb.returns.read) schemas.push_back(verb.returns.schema);
  }
  return Form<Returns>{Named("returns", AnyOf(schemas)), {}};
}

// A verb alone, or one verb with its arguments.
SchemaRef CallSchema() {
  Schema bare;
  Schema full;
  full.types = {"object"};
  full.min_properties = 1;
  full.max_properties = 1;
  for (const Verb& verb : Verbs()) {
    if (verb.bare) bare.choices.push_back(verb.name);
    if (verb.arguments.read) {
      full.properties.push_back({verb.name, verb.arguments.schema, verb.description, false});
    }
  }
  return Named("call", AnyOf({std::make_shared<const Schema>(std::move(bare)),
                              std::make_shared<const Schema>(std::move(full))}));
}

SchemaRef ActionSchema() {
  Schema schema;
  schema.types = {"object"};
  std::string words;
  for (const Field<Step>& field : ActionFields("", AnyReturnsForm())) {
    schema.properties.push_back({field.key, field.schema, field.description, false});
    words += field.key + '|';
  }
  for (const std::string& key : StepKeys()) words += key + '|';
  words.pop_back();
  schema.key_patterns = {{"^(?!(" + words + ")$)[A-Za-z_][A-Za-z0-9_-]*$", CallSchema(),
                          "What the actor does: a verb, alone or with its arguments."}};
  schema.min_properties = 1;
  return std::make_shared<const Schema>(std::move(schema));
}

}  // namespace

Form<Step> ActionForm() { return Form<Step>{ActionSchema(), ReadAction}; }

Form<Step> AwaitForm() {
  const auto form_for = [](const Form<Returns>& returns) {
    MappingForm<Step> mapping{"an await step"};
    const auto handle = [](Step& step) -> Await& { return BodyOf<Await>(step); };
    mapping.fields = Together<Step>(
        Within<Step>(handle, std::vector<Field<Await>>{Required(
                                 "await", &Await::handle, ActionHandleForm(),
                                 "The background action whose return the script waits for.")}),
        Together<Step>(OutcomeStepFields<Await>(returns), StepFields()));
    mapping.check = [](const Node& node, Reader& reader, Step&) {
      return CheckOutcome(node, reader);
    };
    return mapping;
  };
  return Form<Step>{form_for(AnyReturnsForm()).MakeSchema(),
                    [form_for](const Node& node, Reader& reader) -> std::optional<Step> {
                      const Node* name = node.Find("await");
                      const Names::Handle* handle =
                          name == nullptr ? nullptr : reader.names.FindHandle(name->text);
                      const std::string called = handle == nullptr ? "" : handle->verb;
                      const Form<Returns> returns =
                          handle == nullptr ? RawResultForm() : ReturnsOf(called);
                      return form_for(ReturnsOrNothing(returns, called)).Read(node, reader);
                    }};
}

}  // namespace kafkasim::scenarios
