#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/mapping_form.h"
#include "scenarios/operation_form.h"
#include "scenarios/reference_form.h"
#include "scenarios/step_form.h"
#include "scenarios/vocabulary.h"

namespace kafkasim::scenarios {
namespace {

template <typename T>
Form<Returns> AsReturns(Form<T> form) {
  return Form<Returns>{
      form.schema, [form](const Node& node, Reader& reader) {
        std::optional<T> result = form.read(node, reader);
        return result ? std::optional(Returns{std::move(*result), node.mark}) : std::nullopt;
      }};
}

bool IsIn(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

Form<std::string> WordsForm(const std::string& what, const std::vector<std::string>& words) {
  std::vector<std::pair<std::string, std::string>> choices;
  for (const std::string& word : words) choices.emplace_back(word, word);
  return ChoiceForm<std::string>(what, std::move(choices));
}

}  // namespace

Form<Returns> IdentityForm() {
  return AsReturns(Mapping<ProducerIdentity>(
      "what the call returns",
      {Optional("producer_id", &ProducerIdentity::producer_id, NumberForm(),
                "The producer id that the producer has now."),
       Optional("epoch", &ProducerIdentity::epoch, NumberForm(),
                "The producer epoch that the producer has now.")}));
}

Form<Returns> SendResultForm() {
  return AsReturns(Mapping<SendResult>(
      "what send returns",
      {Optional("offset", &SendResult::offset, NumberForm(), "Where the first record was written."),
       Optional("count", &SendResult::count, NumberForm(), "How many records were acknowledged."),
       Optional("partition", &SendResult::partition, PartitionForm(),
                "The partition that the first record went to.")}));
}

Form<Returns> PollResultForm() {
  const Form<std::vector<EntryPattern>> records = ListForm(EntryForm());
  Notations<PollResult> notations{"a list of records"};
  notations.list = Map(records, [](std::vector<EntryPattern> list) {
    PollResult result;
    result.records = std::move(list);
    return result;
  });
  notations.mapping = Mapping<PollResult>(
      "what poll returns",
      {Optional("records", &PollResult::records, records, "All records, in the order of delivery."),
       Optional("offsets", &PollResult::offsets, ListForm(OffsetForm()), "The records' offsets."),
       Optional("count", &PollResult::count, NumberForm(), "How many records.")});
  return AsReturns(ByKind(std::move(notations)));
}

Form<Returns> OffsetsResultForm() {
  const Form<NumberPattern> number = NumberForm();
  const Form<PartitionName> partition = PartitionForm();
  const Form<std::vector<OffsetsResult::Row>> rows = TableForm<OffsetsResult::Row>(
      "offsets", kPartitionPattern, number.schema,
      [number, partition](const Node& key, const Node& value,
                          Reader& reader) -> std::optional<OffsetsResult::Row> {
        std::optional<PartitionName> name = partition.read(key, reader);
        const std::optional<NumberPattern> offset = number.read(value, reader);
        if (!name || !offset) return std::nullopt;
        return OffsetsResult::Row{std::move(name), *offset};
      });
  Notations<OffsetsResult> notations{"an offset, or partition: offset"};
  notations.scalar = Map(number, [](NumberPattern offset) {
    return OffsetsResult{{OffsetsResult::Row{std::nullopt, offset}}};
  });
  notations.mapping = Map(
      rows, [](std::vector<OffsetsResult::Row> list) { return OffsetsResult{std::move(list)}; });
  return AsReturns(ByKind(std::move(notations)));
}

namespace {

Form<Failure> MakeFailureForm() {
  std::vector<std::string> words = ErrorNames();
  for (const std::string& name : ExceptionNames()) words.push_back(name);
  Schema schema;
  schema.choices = words;
  Notations<Failure> notations{"an error code or an exception"};
  notations.scalar = NotationForm<Failure>(
      "an error code or an exception", std::move(schema),
      [words](const std::string& text, Mark mark, Reader& reader) -> std::optional<Failure> {
        if (!IsIn(words, text)) {
          reader.Unknown(mark, "error", text, "", words);
          return std::nullopt;
        }
        Failure failure;
        failure.mark = mark;
        (IsIn(ExceptionNames(), text) ? failure.exception : failure.error) = text;
        return failure;
      });
  notations.mapping = Mapping<Failure>(
      "a failure",
      {Optional("error", &Failure::error, WordsForm("error code", ErrorNames()),
                "Kafka's error code behind it."),
       Optional("exception", &Failure::exception, WordsForm("exception", ExceptionNames()),
                "What the Java client throws.")});
  return Defined("failure", ByKind(std::move(notations)));
}

}  // namespace

Form<Failure> FailureForm() {
  static const Form<Failure> form = MakeFailureForm();
  return form;
}

}  // namespace kafkasim::scenarios
