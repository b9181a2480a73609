#include "scenarios/expectation_form.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/action_form.h"
#include "scenarios/group_claims.h"
#include "scenarios/mapping_form.h"
#include "scenarios/notation.h"
#include "scenarios/outside_claims.h"
#include "scenarios/reference_form.h"
#include "scenarios/step_form.h"
#include "scenarios/vocabulary.h"

namespace kafkasim::scenarios {
namespace {

// A table from transactional ids to what is claimed of each.
template <typename T>
Form<std::vector<T>> ByTransactionalId(std::string what, Form<T> form) {
  const Form<std::string> id = TransactionalIdForm();
  return TableForm<T>(
      std::move(what), ".", form.schema,
      [id, form](const Node& key, const Node& value, Reader& reader) -> std::optional<T> {
        const std::optional<std::string> name = id.read(key, reader);
        std::optional<T> claim = form.read(value, reader);
        if (!name || !claim) return std::nullopt;
        claim->transactional_id = Name{*name, key.mark};
        claim->mark = key.mark;
        return claim;
      });
}

Form<std::string> OneOf(const std::string& what, const std::vector<std::string>& words) {
  std::vector<std::pair<std::string, std::string>> choices;
  for (const std::string& word : words) choices.emplace_back(word, word);
  return ChoiceForm<std::string>(what, std::move(choices));
}

// A transaction state, or NONE.
Form<std::string> PendingStateForm() {
  const Form<std::string> state = TransactionStateForm();
  Schema none;
  none.choices = {"NONE"};
  return Form<std::string>{AnyOf({state.schema, std::make_shared<const Schema>(std::move(none))}),
                           [state](const Node& node, Reader& reader) {
                             return node.text == "NONE" ? std::optional<std::string>("NONE")
                                                        : state.read(node, reader);
                           }};
}

Form<std::vector<ActorExpectation::PartitionPosition>> PositionsForm() {
  const Form<NumberPattern> number = NumberForm();
  const Form<PartitionName> partition = PartitionForm();
  return TableForm<ActorExpectation::PartitionPosition>(
      "positions", kPartitionPattern, number.schema,
      [number, partition](const Node& key, const Node& value,
                          Reader& reader) -> std::optional<ActorExpectation::PartitionPosition> {
        std::optional<PartitionName> name = partition.read(key, reader);
        const std::optional<NumberPattern> offset = number.read(value, reader);
        if (!name || !offset) return std::nullopt;
        return ActorExpectation::PartitionPosition{std::move(*name), *offset};
      });
}

Form<ActorExpectation> ActorExpectationForm() {
  using A = ActorExpectation;
  std::vector<Field<A>> fields = {
      Optional("life", &A::life, WithMark(OneOf("state of a process", LifeStates())),
               "running, paused or crashed."),
      Optional("state", &A::state, WithMark(OneOf("state of a producer", ProducerStates())),
               "The state of a producer's client."),
      Optional("producer_id", &A::producer_id, NumberForm(), "The id a producer has; -1 for none."),
      Optional("epoch", &A::epoch, NumberForm(), "The epoch a producer has; -1 for none."),
      Optional("position", &A::position, PositionsForm(),
               "The next offset that a consumer reads: {orders-0: 7}."),
      Optional("delivered", &A::delivered, WithMark(ListForm(EntryForm())),
               "Everything a consumer was ever given, in order.")};
  return Mapping<A>("expectations of an actor", Together<A>(std::move(fields), OutsideFields()));
}

std::optional<ActorExpectation> ReadActorExpectation(const Form<ActorExpectation>& form,
                                                     const Node& key, const Node& value,
                                                     Reader& reader) {
  const Names::Actor* actor = reader.names.FindActor(key.text);
  const bool known = !reader.names.actors_known || actor != nullptr;
  if (!known) reader.Unknown(key.mark, "actor", key.text, "", reader.names.ActorNames());
  std::optional<ActorExpectation> claim = form.read(value, reader);
  if (!known || !claim) return std::nullopt;
  claim->actor = Name{key.text, key.mark};
  claim->mark = key.mark;
  if (actor != nullptr && !CheckOutsideClaims(*claim, *actor, reader)) return std::nullopt;
  return claim;
}

// `orders-0`, or `orders-0 on broker-2` for the replica there.
std::optional<std::pair<PartitionName, std::optional<std::int32_t>>> ReadPartitionKey(
    const Node& key, Reader& reader) {
  constexpr std::string_view kOn = " on ";
  const std::size_t on = key.text.find(kOn);
  std::optional<PartitionName> partition = ParsePartition(key.text.substr(0, on), key.mark, reader);
  if (!partition) return std::nullopt;
  if (on == std::string::npos) return std::pair(std::move(*partition), std::nullopt);
  const auto process = ParseProcess(key.text.substr(on + kOn.size()), key.mark, reader);
  if (!process) return std::nullopt;
  if (process->kind == ProcessName::Kind::kBroker) {
    return std::pair(std::move(*partition), std::optional(process->broker));
  }
  reader.Error(key.mark, "a replica is on a broker, not on " + Quote(process->name));
  return std::nullopt;
}

// A word that ends as partitions do; `last_stable_offset` is none, so it is reported as a key.
bool LooksLikePartition(const std::string& key, const Reader&) {
  const std::string name = key.substr(0, key.find(" on "));
  const std::size_t dash = name.rfind('-');
  return dash != std::string::npos && dash + 1 < name.size() &&
         name.find_first_not_of("0123456789", dash + 1) == std::string::npos;
}

// An actor's name may stand at the top as well; `orders-0` is a partition first.
bool IsActorKey(const std::string& key, const Reader& reader) {
  return reader.names.FindActor(key) != nullptr;
}

OtherKeys<Expectations> PartitionAndActorKeys() {
  const Form<PartitionExpectation> form = PartitionExpectationForm();
  const Form<ActorExpectation> actor = ActorExpectationForm();
  OtherKeys<Expectations> others;
  others.pattern = "^([A-Za-z0-9._-]+-[0-9]+( on broker-[0-9]+)?|[A-Za-z_][A-Za-z0-9_-]*)$";
  others.description =
      "What is expected of a partition, of the replica on a broker, or of an "
      "actor.";
  others.schema = AnyOf({form.schema, actor.schema});
  others.accepts = [](const std::string& key, const Reader& reader) {
    return LooksLikePartition(key, reader) || IsActorKey(key, reader);
  };
  others.read = [form, actor](const Node& key, const Node& value, Reader& reader,
                              Expectations& out) {
    if (IsActorKey(key.text, reader)) {
      std::optional<ActorExpectation> claim = ReadActorExpectation(actor, key, value, reader);
      if (claim) out.actors.push_back(std::move(*claim));
      return claim.has_value();
    }
    const auto name = ReadPartitionKey(key, reader);
    std::optional<PartitionExpectation> claim = form.read(value, reader);
    if (!name || !claim) return false;
    claim->partition = name->first;
    claim->broker = name->second;
    claim->mark = key.mark;
    out.partitions.push_back(std::move(*claim));
    return true;
  };
  others.examples = [](const Reader& reader) {
    std::vector<std::string> names = reader.names.PartitionNames();
    for (std::string& name : reader.names.ActorNames()) names.push_back(std::move(name));
    return names;
  };
  return others;
}

// Whether no mapping is empty, here or inside: it would look like a claim and be none.
bool ExpectsSomething(const Node& node, Reader& reader) {
  if (!node.is_mapping()) return true;
  if (node.entries.empty()) reader.Error(node.mark, "nothing is expected here");
  return !node.entries.empty() &&
         std::all_of(node.entries.begin(), node.entries.end(),
                     [&](const NodeEntry& entry) { return ExpectsSomething(entry.value, reader); });
}

}  // namespace

Form<std::vector<TransactionExpectation>> TransactionsForm() {
  using T = TransactionExpectation;
  return ByTransactionalId<T>(
      "transactions",
      OrAbsent(
          "expectations of a transaction, or absent",
          Mapping<T>(
              "expectations of a transaction",
              {Optional("state", &T::state, WithMark(TransactionStateForm()),
                        "Its state at the coordinator."),
               Optional("pending_state", &T::pending_state, WithMark(PendingStateForm()),
                        "The state it is about to have; NONE for none."),
               Optional("producer_id", &T::producer_id, NumberForm(), "Its producer id."),
               Optional("epoch", &T::epoch, NumberForm(), "Its producer epoch."),
               Optional("last_epoch", &T::last_epoch, NumberForm(),
                        "The epoch before the last bump; -1 for none."),
               Optional("timeout_ms", &T::timeout_ms, NumberForm(), "Its transaction.timeout.ms."),
               Optional("partitions", &T::partitions, WithMark(ListForm(PartitionForm())),
                        "The registered partitions, in any order.")})));
}

Form<std::vector<TransactionLogExpectation>> TransactionLogsForm() {
  const Form<std::vector<TransactionRecordPattern>> records = ListForm(TransactionRecordForm());
  return ByTransactionalId<TransactionLogExpectation>(
      "transaction_log", Map(records, [](std::vector<TransactionRecordPattern> list) {
        TransactionLogExpectation claim;
        claim.records = std::move(list);
        return claim;
      }));
}

Form<std::vector<CoordinatorExpectation>> CoordinatorsForm() {
  using C = CoordinatorExpectation;
  return ByTransactionalId<C>(
      "coordinators",
      Mapping<C>("expectations of a coordinator",
                 {Optional("partition", &C::partition, NumberForm(),
                           "The partition of __transaction_state that holds the id."),
                  Optional("broker", &C::broker, NumberForm(), "The broker that leads it."),
                  Optional("epoch", &C::epoch, NumberForm(), "The coordinator epoch.")}));
}

Form<std::vector<ActorExpectation>> ActorExpectationsForm() {
  const Form<ActorExpectation> form = ActorExpectationForm();
  return TableForm<ActorExpectation>("actors", kNamePattern, form.schema,
                                     [form](const Node& key, const Node& value, Reader& reader) {
                                       return ReadActorExpectation(form, key, value, reader);
                                     });
}

Form<std::vector<CountExpectation>> CountsForm() {
  using C = CountExpectation;
  constexpr std::int64_t kMaximum = std::numeric_limits<std::int64_t>::max();
  const Form<std::int64_t> number = IntegerForm(0, kMaximum, "a number");
  MappingForm<C> mapping{"count", Within<C>(&C::messages, MessageFields())};
  mapping.fields.push_back(Taking<C>(
      "equals", number,
      [](std::int64_t n, const Node& node, Reader&, C& count) {
        count.number = NumberPattern{n, n, node.mark};
        return true;
      },
      "How many exactly."));
  for (Field<C>& field :
       Within<C>([](C& count) -> NumberPattern& { return count.number; },
                 std::vector<Field<NumberPattern>>{
                     Optional("at_least", &NumberPattern::at_least, number, "How many at least."),
                     Optional("at_most", &NumberPattern::at_most, number, "How many at most.")})) {
    mapping.fields.push_back(std::move(field));
  }
  mapping.check = [](const Node& node, Reader& reader, C& count) {
    if (!HasOneOf(node, reader, "count", {"request", "answer"}) ||
        !SaysWhatIsAsked(node, reader, count.messages)) {
      return false;
    }
    const bool range = node.Find("at_least") != nullptr || node.Find("at_most") != nullptr;
    if (range == (node.Find("equals") != nullptr)) {
      reader.Error(node.mark, "count needs equals, or at_least and at_most");
      return false;
    }
    count.number.mark = node.mark;
    return true;
  };
  return OneOrManyForm(Mapping(std::move(mapping)));
}

Form<Expectations> ExpectationsForm() {
  using E = Expectations;
  MappingForm<E> mapping{
      "expect",
      {Optional("transactions", &E::transactions, TransactionsForm(),
                "What coordinators hold in memory, by transactional id."),
       Optional("transaction_log", &E::transaction_logs, TransactionLogsForm(),
                "All records in __transaction_state, by transactional id."),
       Optional("coordinators", &E::coordinators, CoordinatorsForm(),
                "Who coordinates, by transactional id."),
       Optional("groups", &E::groups, GroupsForm(),
                "What coordinators hold in memory of consumer groups, by group.id."),
       Optional("actors", &E::actors, ActorExpectationsForm(), "What the actors believe."),
       Optional("count", &E::counts, CountsForm(), "How many messages were sent since the start."),
       Optional("pending", &E::pending, OneOrManyForm(ActionHandleForm()),
                "Background actions that have not returned yet.")},
      PartitionAndActorKeys()};
  mapping.check = [](const Node& node, Reader& reader, E&) {
    return ExpectsSomething(node, reader);
  };
  return Defined("expectations", Mapping(std::move(mapping)));
}

}  // namespace kafkasim::scenarios
