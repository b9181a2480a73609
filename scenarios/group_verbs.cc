#include "scenarios/group_verbs.h"

#include <optional>
#include <string>
#include <utility>

#include "scenarios/mapping_form.h"
#include "scenarios/patterns.h"
#include "scenarios/reference_form.h"

namespace kafkasim::scenarios {
namespace {

using Role = ActorSpec::Role;

// `{orders-0: 5, orders-1: 7}`
Form<std::vector<OffsetRow>> OffsetRowsForm() {
  const Form<std::int64_t> offset = OffsetForm();
  const Form<PartitionName> partition = PartitionForm();
  return TableForm<OffsetRow>("offsets", kPartitionPattern, offset.schema,
                              [offset, partition](const Node& key, const Node& value,
                                                  Reader& reader) -> std::optional<OffsetRow> {
                                std::optional<PartitionName> name = partition.read(key, reader);
                                const std::optional<std::int64_t> number =
                                    offset.read(value, reader);
                                if (!name || !number) return std::nullopt;
                                return OffsetRow{std::move(*name), *number};
                              });
}

template <typename T>
Form<Operation> CommitForm() {
  return AsOperation(
      Map(OffsetRowsForm(), [](std::vector<OffsetRow> rows) { return T{std::move(rows)}; }));
}

// An actor that is a consumer.
Form<Name> ConsumerNameForm() {
  Schema schema;
  schema.description = "An actor that is a consumer.";
  return NotationForm<Name>(
      "a consumer", std::move(schema),
      [](const std::string& text, Mark mark, Reader& reader) -> std::optional<Name> {
        const Names::Actor* actor = reader.names.FindActor(text);
        if (actor == nullptr && reader.names.actors_known) {
          reader.Unknown(mark, "actor", text, "", reader.names.ActorNames());
          return std::nullopt;
        }
        if (actor != nullptr && actor->role != Role::kConsumer) {
          reader.Error(mark, Quote(text) + " is not a consumer; offsets are those of a consumer");
          return std::nullopt;
        }
        return Name{text, mark};
      });
}

bool CheckSendOffsets(const Node& node, Reader& reader, SendOffsets& send) {
  const bool written = node.Find("offsets") != nullptr;
  const char* problem = nullptr;
  if (send.of.has_value() == send.group.has_value()) {
    problem =
        "send_offsets needs 'of', the consumer whose offsets they are, or 'group' and "
        "'offsets'";
  } else if (send.of && (written || send.generation || send.member_id || send.group_instance_id)) {
    problem = "with 'of' everything comes from that consumer; leave the other keys out";
  } else if (send.group && !written) {
    problem = "send_offsets with 'group' needs 'offsets': {orders-0: 5}";
  }
  if (problem != nullptr) reader.Error(node.mark, problem);
  return problem == nullptr;
}

Form<SendOffsets> SendOffsetsForm() {
  MappingForm<SendOffsets> mapping{"send_offsets", {}};
  mapping.fields = {
      Optional("of", &SendOffsets::of, ConsumerNameForm(),
               "The consumer: its positions, and who it is in its group, at this moment."),
      Optional("group", &SendOffsets::group, TextForm(), "The group.id, if there is no 'of'."),
      Optional("offsets", &SendOffsets::offsets, OffsetRowsForm(),
               "With 'group': the next offset of each partition."),
      Optional("generation", &SendOffsets::generation, IntegerForm(-1, 2'147'483'647, "a number"),
               "With 'group': the generation. Without it the group compares nothing."),
      Optional("member_id", &SendOffsets::member_id, TextForm(), "With 'group': the member."),
      Optional("group_instance_id", &SendOffsets::group_instance_id, TextForm(),
               "With 'group': the static member."),
  };
  mapping.check = CheckSendOffsets;
  return Mapping(std::move(mapping));
}

Form<Returns> GroupResultForm() {
  const Form<GroupResult> form = Mapping<GroupResult>(
      "what group_metadata returns",
      {Optional("group", &GroupResult::group, TextForm(), "The group.id."),
       Optional("generation", &GroupResult::generation, NumberForm(),
                "The generation in which it has its assignment; -1 without one."),
       Optional("member_id", &GroupResult::member_id, TextForm(), "Its member id."),
       Optional("group_instance_id", &GroupResult::group_instance_id, TextForm(),
                "Of a static member.")});
  return Form<Returns>{
      form.schema, [form](const Node& node, Reader& reader) {
        std::optional<GroupResult> result = form.read(node, reader);
        return result ? std::optional(Returns{std::move(*result), node.mark}) : std::nullopt;
      }};
}

}  // namespace

Form<std::vector<Name>> SubscriptionForm() {
  const Form<Destination> destination = DestinationForm();
  return OneOrManyForm(Form<Name>{
      destination.schema, [destination](const Node& node, Reader& reader) -> std::optional<Name> {
        const std::optional<Destination> what = destination.read(node, reader);
        if (!what) return std::nullopt;
        if (!what->partition) return Name{what->topic, node.mark};
        reader.Error(node.mark, "a subscription is for whole topics, " + Quote(node.text) +
                                    " is a partition; 'assign' takes partitions");
        return std::nullopt;
      }});
}

std::vector<Verb> GroupVerbs() {
  const std::vector<Role> consumer{Role::kConsumer};
  const Form<Operation> committed =
      AsOperation(Map(OneOrManyForm(PartitionForm()),
                      [](std::vector<PartitionName> list) { return Committed{std::move(list)}; }));
  const Form<Operation> subscribe = AsOperation(Map(
      SubscriptionForm(), [](std::vector<Name> topics) { return Subscribe{std::move(topics)}; }));
  return {
      {"send_offsets",
       {Role::kProducer},
       "Commits offsets of a consumer inside the transaction.",
       std::nullopt,
       AsOperation(SendOffsetsForm())},
      {"subscribe", consumer, "Subscribes to topics; the next polls join the group.", std::nullopt,
       subscribe},
      {"unsubscribe", consumer, "Gives all partitions back and leaves the group.", Unsubscribe{}},
      {"commit_sync", consumer, "Commits its positions, or these offsets, and waits.", CommitSync{},
       CommitForm<CommitSync>()},
      {"commit_async", consumer, "Commits its positions, or these offsets, without waiting.",
       CommitAsync{}, CommitForm<CommitAsync>()},
      {"committed", consumer, "What the group has committed; -1 for nothing.", Committed{},
       committed, OffsetsResultForm()},
      {"seek_to_committed",
       consumer,
       "Goes back to what the group has committed.",
       SeekToCommitted{},
       {},
       OffsetsResultForm()},
      {"group_metadata",
       consumer,
       "Who it is in its group, as far as it knows.",
       GroupMetadata{},
       {},
       GroupResultForm()},
      {"enforce_rebalance", consumer, "The next poll joins the group anew.", EnforceRebalance{}},
  };
}

}  // namespace kafkasim::scenarios
