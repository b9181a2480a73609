#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/mapping_form.h"
#include "scenarios/notation.h"
#include "scenarios/reference_form.h"
#include "scenarios/step_form.h"
#include "scenarios/vocabulary.h"

namespace kafkasim::scenarios {
namespace {

using PatternKind = EntryPattern::Kind;

std::vector<Field<EntryPattern>> PlaceFields() {
  const Form<std::int64_t> epoch = IntegerForm(0, 32'767, "a producer epoch");
  return {
      Optional("by", &EntryPattern::producer, ProducerNameForm(),
               "Who wrote it, or whose transaction the marker ends."),
      Optional("offset", &EntryPattern::offset, OffsetForm(), "Where it stands."),
      Optional("epoch", &EntryPattern::epoch, epoch, "Its producer epoch."),
      Optional("times", &EntryPattern::times, CountForm(), "So many in a row look like this."),
  };
}

// `{value: paid, key: 42, by: old}`
Form<EntryPattern> RecordForm() {
  constexpr std::int64_t kMaxSequence = 2'147'483'647;
  return Mapping<EntryPattern>(
      "a record",
      Together<EntryPattern>(
          {Required("value", &EntryPattern::value, TextForm(),
                    "Its value; * stands for any run of characters."),
           Optional("key", &EntryPattern::key, TextForm(), "Its key."),
           Optional("sequence", &EntryPattern::sequence, IntegerForm(0, kMaxSequence, "a sequence"),
                    "The sequence number of the record."),
           Optional("transactional", &EntryPattern::transactional, BooleanForm(),
                    "Whether it belongs to a transaction.")},
          PlaceFields()));
}

// `{marker: COMMIT, by: old, epoch: 0, coordinator_epoch: 0}`
Form<EntryPattern> MarkerForm() {
  return Mapping<EntryPattern>(
      "a marker", Together<EntryPattern>(
                      {Required("marker", &EntryPattern::kind,
                                ChoiceForm<PatternKind>("marker", {{"COMMIT", PatternKind::kCommit},
                                                                   {"ABORT", PatternKind::kAbort}}),
                                "COMMIT or ABORT."),
                       Optional("coordinator_epoch", &EntryPattern::coordinator_epoch,
                                IntegerForm(0, 2'147'483'647, "a coordinator epoch"),
                                "The epoch of the coordinator that ordered it.")},
                      PlaceFields()));
}

// The field `request` or `answer`.
Field<MessagePattern> PatternField(std::string key, MessagePattern::Direction direction,
                                   std::string description) {
  std::vector<std::pair<std::string, std::string>> apis;
  for (const std::string& api : MessageApis()) apis.emplace_back(api, api);
  const auto take = [direction](std::string api, const Node& node, Reader&, MessagePattern& out) {
    out.api = std::move(api);
    out.direction = direction;
    out.mark = node.mark;
    return true;
  };
  return Taking<MessagePattern>(std::move(key),
                                Defined("api", ChoiceForm<std::string>("API", std::move(apis))),
                                take, std::move(description));
}

}  // namespace

Form<EntryPattern> EntryForm() {
  Schema text;
  text.types = {"string", "number", "boolean"};
  text.description =
      "[actor:][key=]value or COMMIT or ABORT, then @OFFSET eEPOCH ceCOORDINATOR_EPOCH sSEQUENCE "
      "xTIMES as needed; * in a value stands for any run of characters.";
  Notations<EntryPattern> notations{"a log entry"};
  notations.scalar =
      NotationForm<EntryPattern>("a record such as old:42=paid", std::move(text), ParseEntry);
  notations.mapping =
      ByKey<EntryPattern>("a log entry", {{"value", RecordForm()}, {"marker", MarkerForm()}});
  return Defined("entry", ByKind(std::move(notations)));
}

Form<std::string> TransactionStateForm() {
  Schema schema;
  schema.choices = TransactionStateSpellings();
  return Defined(
      "transaction_state",
      NotationForm<std::string>(
          "a transaction state", std::move(schema),
          [](const std::string& text, Mark mark, Reader& reader) -> std::optional<std::string> {
            std::string state = CanonicalTransactionState(text);
            if (!state.empty()) return state;
            reader.Unknown(mark, "transaction state", text, "", TransactionStateSpellings());
            return std::nullopt;
          }));
}

Form<TransactionRecordPattern> TransactionRecordForm() {
  constexpr std::int64_t kMaxId = 1'000'000'000'000;
  Schema text;
  text.description = "STATE, then partitions, eEPOCH and pidPRODUCER_ID as needed; or TOMBSTONE.";
  Notations<TransactionRecordPattern> notations{"a record of the transaction log"};
  notations.scalar = NotationForm<TransactionRecordPattern>("a transaction state", std::move(text),
                                                            ParseTransactionRecord);
  notations.mapping = Mapping<TransactionRecordPattern>(
      "a record of the transaction log",
      {Required("state", &TransactionRecordPattern::state, TransactionStateForm(), "Its state."),
       Optional("partitions", &TransactionRecordPattern::partitions, ListForm(PartitionForm()),
                "Its partitions, in any order."),
       Optional("producer_id", &TransactionRecordPattern::producer_id,
                IntegerForm(0, kMaxId, "a producer id"), "Its producer id."),
       Optional("epoch", &TransactionRecordPattern::epoch,
                IntegerForm(0, 32'767, "a producer epoch"), "Its producer epoch.")});
  return Defined("transaction_record", ByKind(std::move(notations)));
}

std::vector<Field<MessagePattern>> MessageFields() {
  using Direction = MessagePattern::Direction;
  return {
      PatternField("request", Direction::kRequest, "The API whose requests are meant: EndTxn."),
      PatternField("answer", Direction::kAnswer, "The API whose answers are meant: EndTxn."),
      Optional("from", &MessagePattern::from, ProcessForm(), "Only those that it sends."),
      Optional("to", &MessagePattern::to, ProcessForm(), "Only those on their way to it."),
      Optional("partition", &MessagePattern::partition, PartitionForm(),
               "Only those that concern this partition."),
      Optional("transactional_id", &MessagePattern::transactional_id, TransactionalIdForm(),
               "Only those that concern this transactional id."),
  };
}

bool SaysWhatIsAsked(const Node& node, Reader& reader, const MessagePattern& pattern) {
  const bool answer = pattern.direction == MessagePattern::Direction::kAnswer;
  const std::string messages = (answer ? "answers to " : "requests of ") + pattern.api;
  if (pattern.transactional_id.has_value() && !NamesTransactionalId(pattern.api, answer)) {
    reader.Error(node.Find("transactional_id")->mark, messages + " name no transactional id",
                 answer ? "to: CLIENT" : "partition");
    return false;
  }
  if (pattern.partition.has_value() && !NamesPartition(pattern.api)) {
    reader.Error(node.Find("partition")->mark, messages + " name no partition",
                 NamesTransactionalId(pattern.api, answer) ? "transactional_id" : "from or to");
    return false;
  }
  return true;
}

bool HasOneOf(const Node& node, Reader& reader, const std::string& what,
              const std::vector<std::string>& keys) {
  int found = 0;
  for (const std::string& key : keys) found += node.Find(key) != nullptr ? 1 : 0;
  if (found == 1) return true;
  std::string choice;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    choice += (i == 0 ? "" : i + 1 == keys.size() ? " or " : ", ") + keys[i];
  }
  reader.Error(node.mark, what + " needs " + (found == 0 ? "" : "only one of ") + choice);
  return false;
}

}  // namespace kafkasim::scenarios
