#include "scenarios/program_verbs.h"

#include <cstdint>
#include <memory>
#include <utility>

#include "scenarios/mapping_form.h"
#include "scenarios/reference_form.h"

namespace kafkasim::scenarios {
namespace {

using LineWhat = decltype(ProgramLine::what);
using Needs = ProgramVerb::Needs;
using client::TextTemplate;

template <typename T>
Form<LineWhat> AsLine(Form<T> form) {
  return Map(std::move(form), [](T line) { return LineWhat(std::move(line)); });
}

template <typename Call>
std::optional<LineWhat> CallOf(Call call) {
  return LineWhat(client::CallLine{std::move(call)});
}

Form<TextTemplate> TemplateForm() {
  Schema schema;
  schema.types = {"string", "integer", "boolean"};
  return NotationForm<TextTemplate>(
      "a text", std::move(schema),
      [](const std::string& text, Mark mark, Reader& reader) -> std::optional<TextTemplate> {
        TextTemplate parsed = TextTemplate::Parse(text);
        if (parsed.bad_place().empty()) return parsed;
        reader.Unknown(mark, "place", '{' + parsed.bad_place() + '}', "a text",
                       TextTemplate::Places());
        return std::nullopt;
      });
}

// An actor outside Kafka.
Form<Name> OutsideForm(ActorSpec::Role role, const std::string& what) {
  Schema schema;
  schema.pattern = kNamePattern;
  return NotationForm<Name>(
      "the name of " + what, std::move(schema),
      [role, what](const std::string& text, Mark mark, Reader& reader) -> std::optional<Name> {
        const Names::Actor* actor = reader.names.FindActor(text);
        if (!reader.names.actors_known || (actor != nullptr && actor->role == role)) {
          return Name{text, mark};
        }
        if (actor != nullptr) {
          reader.Error(mark, Quote(text) + " is not " + what);
        } else {
          reader.Unknown(mark, "actor", text, "", reader.names.ActorNames(role));
        }
        return std::nullopt;
      });
}

Form<LineWhat> ProgramSendForm() {
  return AsLine(Mapping<ProgramSend>(
      "send", {Required("to", &ProgramSend::to, DestinationForm(),
                        "Where to: a partition, or a topic whose partition the key decides."),
               Optional("key", &ProgramSend::key, TemplateForm(), "The key: \"{key}\"."),
               Required("value", &ProgramSend::value, TemplateForm(),
                        "The value: \"{value}+customer\"; {n} counts from 0.")}));
}

// `send_offsets: group id alone`
Form<LineWhat> ProgramSendOffsetsForm() {
  return ChoiceForm<LineWhat>("way to send offsets",
                              {{"group id alone", client::SendOffsetsLine{.group_id_alone = true}},
                               {"full metadata", client::SendOffsetsLine{}}});
}

Form<LineWhat> ProgramPollForm() {
  struct Arguments {
    std::optional<std::int64_t> max_records;
    std::int64_t timeout_us = 1'000'000;
  };
  return Map(
      Mapping<Arguments>("poll", {Optional("max_records", &Arguments::max_records, CountForm(),
                                           "The most it returns. Default: max.poll.records."),
                                  Optional("timeout", &Arguments::timeout_us, DurationForm(),
                                           "How long to wait for the first record. Default: 1s.")}),
      [](Arguments arguments) {
        client::Poll poll{.timeout = sim::Micros(arguments.timeout_us)};
        if (arguments.max_records) {
          poll.max_records = static_cast<std::int32_t>(*arguments.max_records);
        }
        return LineWhat(client::CallLine{poll});
      });
}

Field<ProgramExternal> TimeoutField() {
  return Optional("timeout", &ProgramExternal::timeout_us, DurationForm(),
                  "How long to wait for the answer. Default: 10s.");
}

Form<LineWhat> ExternalCallForm() {
  using E = ProgramExternal;
  return AsLine(Mapping<E>(
      "call",
      {Required("api", &E::actor, OutsideForm(ActorSpec::Role::kApi, "a service outside Kafka"),
                "The service."),
       Optional("with", &E::with, TemplateForm(), "What it is asked: \"{key}\"."),
       Optional("idempotency_key", &E::idempotency_key, TemplateForm(),
                "By which the service may know the call again."),
       TimeoutField()}));
}

Form<std::vector<std::pair<std::string, TextTemplate>>> RowTemplateForm() {
  using Cell = std::pair<std::string, TextTemplate>;
  const Form<TextTemplate> value = TemplateForm();
  return TableForm<Cell>(
      "a row", kNamePattern, value.schema,
      [value](const Node& key, const Node& node, Reader& reader) -> std::optional<Cell> {
        std::optional<TextTemplate> text = value.read(node, reader);
        if (!text) return std::nullopt;
        return Cell{key.text, std::move(*text)};
      });
}

Form<LineWhat> RowWriteForm(client::ExternalVerb verb) {
  using E = ProgramExternal;
  const bool insert = verb == client::ExternalVerb::kInsert;
  MappingForm<E> mapping{std::string(client::Name(verb)), {}};
  mapping.fields = {
      Required("into", &E::actor, OutsideForm(ActorSpec::Role::kStore, "a database outside Kafka"),
               "The database."),
      Required("row", &E::row, RowTemplateForm(),
               "The columns: {order_id: \"{key}\", amount: 15.00}."),
      TimeoutField()};
  if (insert) {
    mapping.fields.push_back(
        Optional("on_conflict", &E::skip_duplicates,
                 ChoiceForm<bool>("way out of a conflict", {{"fail", false}, {"do_nothing", true}}),
                 "fail: DuplicateKeyException; do_nothing: the line is through. Default: fail."));
  }
  mapping.check = [verb](const Node& node, Reader& reader, E& line) {
    line.verb = verb;
    const Names::Actor* store = reader.names.FindActor(line.actor.value);
    if (verb != client::ExternalVerb::kUpsert || store == nullptr || store->has_unique) return true;
    reader.Error(node.mark, "an upsert into " + Quote(line.actor.value) +
                                " needs unique columns there, to find the row again");
    return false;
  };
  return AsLine(Mapping(std::move(mapping)));
}

std::vector<ProgramVerb> KafkaVerbs() {
  return {
      {"init_transactions", Needs::kTransactions,
       "Registers the transactional.id and fences older owners.",
       CallOf(client::InitTransactions{})},
      {"begin_transaction", Needs::kTransactions, "Begins a transaction.",
       CallOf(client::BeginTransaction{})},
      {"send", Needs::kProducer, "Sends a record; does not wait for its acknowledgement.",
       std::nullopt, ProgramSendForm(), "{send: {to: enriched_orders, value: \"{value}\"}}"},
      {"flush", Needs::kProducer, "Waits until all records are acknowledged or failed.",
       CallOf(client::Flush{})},
      {"send_offsets", Needs::kConsumerAndTransactions,
       "Makes the consumer's positions part of the transaction; inside for_each the current "
       "record's.",
       LineWhat(client::SendOffsetsLine{}), ProgramSendOffsetsForm()},
      {"commit_transaction", Needs::kTransactions, "Commits the open transaction.",
       CallOf(client::CommitTransaction{})},
      {"abort_transaction", Needs::kTransactions, "Aborts the open transaction.",
       CallOf(client::AbortTransaction{})},
      {"poll", Needs::kConsumer, "Gets the next records.", CallOf(client::Poll{}),
       ProgramPollForm()},
      {"commit_sync", Needs::kGroup,
       "Commits the consumer's positions; inside for_each the current record's.",
       LineWhat(client::CommitLine{})},
      {"commit_async", Needs::kGroup, "The same without waiting.",
       LineWhat(client::CommitLine{.async = true})},
      {"seek_to_committed", Needs::kGroup, "Goes back to the committed offsets.",
       CallOf(client::SeekToCommitted{})},
      {"seek_to_beginning", Needs::kConsumer, "Moves to the beginning.",
       CallOf(client::SeekToBeginning{})},
      {"seek_to_end", Needs::kConsumer, "Moves to the end that its isolation level sees.",
       CallOf(client::SeekToEnd{})},
  };
}

std::vector<ProgramVerb> OtherVerbs() {
  const Form<LineWhat> work = Map(
      DurationForm(), [](std::int64_t us) { return LineWhat(client::WorkLine{sim::Micros(us)}); });
  const auto end = [](client::EndKind kind) { return LineWhat(client::EndLine{kind}); };
  return {
      {"call", Needs::kNothing, "Calls a service outside Kafka.", std::nullopt, ExternalCallForm(),
       "{call: {api: payments, with: \"{key}\"}}"},
      {"insert", Needs::kNothing, "Inserts a row into a database outside Kafka.", std::nullopt,
       RowWriteForm(client::ExternalVerb::kInsert),
       "{insert: {into: billing_db, row: {order_id: \"{key}\"}}}"},
      {"upsert", Needs::kNothing, "Inserts a row, or replaces the one with its unique columns.",
       std::nullopt, RowWriteForm(client::ExternalVerb::kUpsert),
       "{upsert: {into: orders_db, row: {order_id: \"{key}\"}}}"},
      {"work", Needs::kNothing, "Takes so long.", std::nullopt, work, "{work: 20ms}"},
      {"crash_here", Needs::kNothing, "The process dies; bare only the first time.",
       LineWhat(client::CrashLine{}),
       ChoiceForm<LineWhat>("way to crash", {{"once", client::CrashLine{}},
                                             {"always", client::CrashLine{.once = false}}})},
      {"continue", Needs::kNothing, "Goes on with the next round of the innermost loop.",
       end(client::EndKind::kContinue)},
      {"retry", Needs::kNothing, "In on_error: runs the failed line again.",
       end(client::EndKind::kRetry)},
      {"restart", Needs::kNothing, "Closes the clients and begins from the top with new ones.",
       end(client::EndKind::kRestart)},
      {"stop", Needs::kNothing, "Closes the clients; the program is through.",
       end(client::EndKind::kStop)},
  };
}

}  // namespace

const std::vector<ProgramVerb>& LeafVerbs() {
  static const std::vector<ProgramVerb> verbs = [] {
    std::vector<ProgramVerb> all = KafkaVerbs();
    for (ProgramVerb& verb : OtherVerbs()) all.push_back(std::move(verb));
    return all;
  }();
  return verbs;
}

}  // namespace kafkasim::scenarios
