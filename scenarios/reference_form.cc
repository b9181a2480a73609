#include "scenarios/reference_form.h"

#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "scenarios/mapping_form.h"
#include "scenarios/notation.h"

namespace kafkasim::scenarios {
namespace {

Schema TextSchema(std::string description, std::string pattern = "") {
  Schema schema;
  schema.description = std::move(description);
  schema.pattern = std::move(pattern);
  return schema;
}

}  // namespace

Form<PartitionName> PartitionForm() {
  return Defined("partition",
                 NotationForm<PartitionName>(
                     "a partition such as orders-0",
                     TextSchema("A partition: orders-0.", kPartitionPattern), ParsePartition));
}

SchemaRef PartitionSchema() { return PartitionForm().schema; }

Form<Destination> DestinationForm() {
  return NotationForm<Destination>(
      "a topic or a partition",
      TextSchema("A partition, or a topic whose partition the key decides."), ParseDestination);
}

Form<std::string> TopicForm() {
  return NotationForm<std::string>(
      "a topic", TextSchema("A topic."),
      [](const std::string& text, Mark mark, Reader& reader) -> std::optional<std::string> {
        if (!reader.names.topics_known || reader.names.FindTopic(text) != nullptr) return text;
        reader.Unknown(mark, "topic", text, "", reader.names.TopicNames());
        return std::nullopt;
      });
}

Form<ProcessName> ProcessForm() {
  return Defined(
      "process",
      NotationForm<ProcessName>(
          "a process such as broker-1",
          TextSchema("An actor, broker-1, controller, leader of orders-0, coordinator of "
                     "TRANSACTIONAL_ID, or the name that a crash or pause got by as."),
          ParseProcess));
}

Form<std::string> TransactionalIdForm() {
  return NotationForm<std::string>(
      "a transactional id", TextSchema("A producer's transactional.id."), ParseTransactionalId);
}

Form<ProducerName> ProducerNameForm() {
  Schema schema = TextSchema("An actor, or a producer id.");
  schema.types = {"string", "integer"};
  return NotationForm<ProducerName>("an actor or a producer id", std::move(schema), ParseProducer);
}

Form<std::int32_t> BrokerForm() {
  Schema schema;
  schema.types = {"integer"};
  schema.minimum = 0;
  return Form<std::int32_t>{
      std::make_shared<const Schema>(std::move(schema)),
      [](const Node& node, Reader& reader) -> std::optional<std::int32_t> {
        const std::optional<std::int64_t> id = node.AsInteger();
        if (id && *id >= 0 && *id < reader.names.brokers) return static_cast<std::int32_t>(*id);
        reader.Expected(node, "a broker id from 0 to " + std::to_string(reader.names.brokers - 1));
        return std::nullopt;
      }};
}

Form<NumberPattern> NumberForm() {
  constexpr std::int64_t kMaximum = std::numeric_limits<std::int64_t>::max();
  const Form<std::int64_t> number = IntegerForm(-1, kMaximum, "a number");
  Notations<NumberPattern> notations{"a number"};
  notations.scalar = {
      number.schema, [number](const Node& node, Reader& reader) {
        const auto value = number.read(node, reader);
        return value ? std::optional(NumberPattern{*value, *value, node.mark}) : std::nullopt;
      }};
  MappingForm<NumberPattern> bounds{
      "a range of numbers",
      {Optional("at_least", &NumberPattern::at_least, number, "The smallest number that will do."),
       Optional("at_most", &NumberPattern::at_most, number, "The largest number that will do.")}};
  bounds.check = [](const Node& node, Reader& reader, NumberPattern& range) {
    if (node.entries.empty()) {
      reader.Error(node.mark, "a range of numbers needs at_least or at_most");
    } else if (range.at_least > range.at_most) {
      reader.Error(node.mark, "at_least is above at_most");
    } else {
      return true;
    }
    return false;
  };
  notations.mapping = Mapping(std::move(bounds));
  return Defined("number", ByKind(std::move(notations)));
}

Form<Name> HandleForm() {
  return WithMark(WordForm("A name for later steps: await, release, heal, restart, resume."));
}

Form<broker::Bug> BugForm() {
  std::vector<std::pair<std::string, broker::Bug>> names;
  for (const broker::BugInfo& info : broker::AllBugs()) {
    names.emplace_back(std::string(info.name), info.bug);
  }
  return Defined("bug", ChoiceForm<broker::Bug>("bug", std::move(names)));
}

Form<broker::Bugs> BugsForm() {
  return Map(OneOrManyForm(BugForm()), [](const std::vector<broker::Bug>& listed) {
    broker::Bugs bugs;
    for (const broker::Bug bug : listed) bugs.Add(bug);
    return bugs;
  });
}

}  // namespace kafkasim::scenarios
