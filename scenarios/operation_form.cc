#include "scenarios/operation_form.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/group_admin_verbs.h"
#include "scenarios/group_verbs.h"
#include "scenarios/mapping_form.h"
#include "scenarios/notation.h"
#include "scenarios/reference_form.h"
#include "scenarios/step_form.h"
#include "scenarios/topic_verbs.h"

namespace kafkasim::scenarios {
namespace {

using Role = ActorSpec::Role;

Form<std::int64_t> RateForm() {
  Schema schema;
  schema.pattern = "^[0-9]+/s$";
  return NotationForm<std::int64_t>("a rate such as 150/s", std::move(schema), ParseRate);
}

// Whether `{n}` is the only place in the text; braces around anything but a word are text.
bool CheckPlaces(const std::string& text, const Node& node, Reader& reader) {
  for (std::size_t open = text.find('{'); open != std::string::npos;
       open = text.find('{', open + 1)) {
    const std::size_t close = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", open + 1);
    if (close == std::string::npos || close == open + 1 || text[close] != '}') continue;
    const std::string place = text.substr(open, close + 1 - open);
    if (place == "{n}") continue;
    reader.Error(node.mark, "unknown place " + Quote(place) + " in a text of a send", "{n}");
    return false;
  }
  return true;
}

Form<std::string> SendTextForm() {
  const Form<std::string> text = TextForm();
  return {text.schema, [text](const Node& node, Reader& reader) -> std::optional<std::string> {
            std::optional<std::string> read = text.read(node, reader);
            if (!read || !CheckPlaces(*read, node, reader)) return std::nullopt;
            return read;
          }};
}

// A value, or null for a tombstone.
Form<std::optional<std::string>> ValueForm() {
  using Value = std::optional<std::string>;
  const Form<std::string> text = SendTextForm();
  Schema schema;
  schema.types = {"string", "number", "boolean", "null"};
  return {std::make_shared<const Schema>(std::move(schema)),
          [text](const Node& node, Reader& reader) -> std::optional<Value> {
            if (node.is_null()) return std::optional<Value>(std::in_place);
            Value read = text.read(node, reader);
            if (!read) return std::nullopt;
            return std::optional<Value>(std::in_place, std::move(*read));
          }};
}

bool CheckSend(const Node& node, Reader& reader, Send& send) {
  if (!HasOneOf(node, reader, "send", {"value", "values"})) return false;
  const bool paced = send.rate_per_second || send.interval_us > 0;
  const char* problem = nullptr;
  if (send.rate_per_second && send.interval_us > 0) {
    problem = "rate and every say the same thing; give one of them";
  } else if (send.for_us && !paced) {
    problem = "a send with 'for' needs rate or every";
  } else if (send.for_us && node.Find("count") != nullptr) {
    problem = "give 'for' or count, not both";
  } else if (paced && !send.for_us && node.Find("count") == nullptr && send.values.size() < 2) {
    problem = "a send with a rate needs 'for' or count, so that it ends";
  }
  if (problem != nullptr) reader.Error(node.mark, problem);
  return problem == nullptr;
}

Form<Send> SendForm() {
  MappingForm<Send> mapping{"send", {}};
  mapping.fields = {
      Required("to", &Send::to, DestinationForm(),
               "Where to: a partition, or a topic whose partition the key decides."),
      Optional("key", &Send::key, SendTextForm(), "The key; {n} counts the records from 0."),
      Taking<Send>(
          "value", ValueForm(),
          [](std::optional<std::string> value, const Node&, Reader&, Send& send) {
            send.values = {std::move(value)};
            return true;
          },
          "The value; {n} counts the records from 0. null for a tombstone."),
      Optional("values", &Send::values, FilledListForm(ValueForm()),
               "Several values, a record each."),
      Optional("count", &Send::count, IntegerForm(1, 1'000'000, "a number"),
               "How often. Default: 1."),
      Optional("rate", &Send::rate_per_second, RateForm(), "How many a second: 150/s."),
      Optional("every", &Send::interval_us, DurationForm(), "Time from one to the next."),
      Optional("for", &Send::for_us, DurationForm(), "How long to go on with rate or every."),
      Optional("timestamp", &Send::timestamp_ms, OffsetForm(),
               "The records' timestamp in milliseconds. Default: now."),
  };
  mapping.check = CheckSend;
  return Mapping(std::move(mapping));
}

Form<Poll> PollForm() {
  return Mapping<Poll>("poll", {Optional("max_records", &Poll::max_records, CountForm(),
                                         "The most it returns. Default: max.poll.records."),
                                Optional("timeout", &Poll::timeout_us, DurationForm(),
                                         "How long to wait for the first record. Default: 1s.")});
}

Form<Seek> SeekForm() {
  return Mapping<Seek>(
      "seek", {Optional("partition", &Seek::partition, PartitionForm(),
                        "The partition. Default: the only one assigned."),
               Required("offset", &Seek::offset, OffsetForm(), "The next offset to read.")});
}

Form<OffsetsForTimes> OffsetsForTimesForm() {
  return Mapping<OffsetsForTimes>(
      "offsets_for_times",
      {Optional("partition", &OffsetsForTimes::partitions, OneOrManyForm(PartitionForm()),
                "The partition, or several. Default: all assigned."),
       Required("timestamp", &OffsetsForTimes::timestamp_ms,
                IntegerForm(-1'000'000'000, std::numeric_limits<std::int64_t>::max(), "a time"),
                "The earliest timestamp wanted, in milliseconds.")});
}

template <typename T>
Form<Operation> OnPartitionsForm() {
  return AsOperation(Map(OneOrManyForm(PartitionForm()),
                         [](std::vector<PartitionName> list) { return T{std::move(list)}; }));
}

std::vector<Verb> ProducerVerbs() {
  const std::vector<Role> producer{Role::kProducer};
  return {
      {"init_transactions",
       producer,
       "Registers the transactional.id and fences older owners.",
       InitTransactions{},
       {},
       IdentityForm()},
      {"begin_transaction", producer, "Begins a transaction; no message is sent.",
       BeginTransaction{}},
      {"send", producer, "Sends records.", std::nullopt, AsOperation(SendForm()), SendResultForm()},
      {"flush", producer, "Waits until all records are acknowledged or failed.", Flush{}},
      {"commit_transaction",
       producer,
       "Commits the open transaction.",
       CommitTransaction{},
       {},
       IdentityForm()},
      {"abort_transaction",
       producer,
       "Aborts the open transaction.",
       AbortTransaction{},
       {},
       IdentityForm()},
      {"close",
       {Role::kProducer, Role::kConsumer},
       "Closes the client; an open transaction aborts.",
       Close{}},
  };
}

std::vector<Verb> ConsumerVerbs() {
  const std::vector<Role> consumer{Role::kConsumer};
  const Form<Operation> position = AsOperation(
      Map(PartitionForm(), [](PartitionName partition) { return Position{std::move(partition)}; }));
  return {
      {"poll", consumer, "Returns the next records.", Poll{}, AsOperation(PollForm()),
       PollResultForm()},
      {"seek", consumer, "Moves to an offset.", std::nullopt, AsOperation(SeekForm())},
      {"seek_to_beginning", consumer, "Moves to the beginning.", SeekToBeginning{},
       OnPartitionsForm<SeekToBeginning>()},
      {"seek_to_end", consumer, "Moves to the end that its isolation level sees.", SeekToEnd{},
       OnPartitionsForm<SeekToEnd>()},
      {"position", consumer, "The next offset it will read.", Position{}, position,
       OffsetsResultForm()},
      {"beginning_offsets", consumer, "Where partitions begin.", BeginningOffsets{},
       OnPartitionsForm<BeginningOffsets>(), OffsetsResultForm()},
      {"end_offsets", consumer, "Where partitions end for its isolation level.", EndOffsets{},
       OnPartitionsForm<EndOffsets>(), OffsetsResultForm()},
      {"offsets_for_times", consumer, "The first records at or after a time; -1 for none.",
       std::nullopt, AsOperation(OffsetsForTimesForm()), OffsetsResultForm()},
  };
}

}  // namespace

const std::vector<Verb>& Verbs() {
  static const std::vector<Verb> verbs = [] {
    std::vector<Verb> all = ProducerVerbs();
    for (Verb& verb : ConsumerVerbs()) all.push_back(std::move(verb));
    for (Verb& verb : TopicVerbs()) all.push_back(std::move(verb));
    for (Verb& verb : AdminVerbs()) all.push_back(std::move(verb));
    for (Verb& verb : GroupAdminVerbs()) all.push_back(std::move(verb));
    for (Verb& verb : GroupVerbs()) all.push_back(std::move(verb));
    all.push_back({"raw",
                   {Role::kAdmin},
                   "Sends any request, also what no client would send.",
                   std::nullopt,
                   RawRequestForm(),
                   RawResultForm()});
    return all;
  }();
  return verbs;
}

}  // namespace kafkasim::scenarios
