#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/expectation_form.h"
#include "scenarios/mapping_form.h"
#include "scenarios/reference_form.h"
#include "scenarios/step_form.h"

namespace kafkasim::scenarios {
namespace {

// All entries in a list, or single ones as offset: entry.
Form<LogExpectation> LogForm() {
  const Form<EntryPattern> entry = EntryForm();
  const Form<std::int64_t> offset = OffsetForm();
  Notations<LogExpectation> notations{"a list of log entries, or offset: entry"};
  notations.list = Map(WithMark(ListForm(entry)), [](Marked<std::vector<EntryPattern>> entries) {
    return LogExpectation{true, std::move(entries.value), entries.mark};
  });
  const Form<std::vector<EntryPattern>> single =
      TableForm<EntryPattern>("single log entries", "^[0-9]+$", entry.schema,
                              [entry, offset](const Node& key, const Node& value,
                                              Reader& reader) -> std::optional<EntryPattern> {
                                const std::optional<std::int64_t> where = offset.read(key, reader);
                                std::optional<EntryPattern> what = entry.read(value, reader);
                                if (!where || !what) return std::nullopt;
                                what->offset = where;
                                return what;
                              });
  notations.mapping = Map(WithMark(single), [](Marked<std::vector<EntryPattern>> entries) {
    return LogExpectation{false, std::move(entries.value), entries.mark};
  });
  return ByKind(std::move(notations));
}

Form<std::vector<ProducerStateExpectation>> ProducerStatesForm() {
  using State = ProducerStateExpectation;
  const Form<ProducerName> name = ProducerNameForm();
  const Form<State> state = OrAbsent(
      "a producer's state, or absent",
      Mapping<State>("a producer's state",
                     {Optional("epoch", &State::epoch, NumberForm(), "Its producer epoch here."),
                      Optional("last_sequence", &State::last_sequence, NumberForm(),
                               "The last sequence number at this epoch; -1 for none."),
                      Optional("coordinator_epoch", &State::coordinator_epoch, NumberForm(),
                               "Of its last marker; -1 for none."),
                      Optional("open_since", &State::open_since, NumberForm(),
                               "The first offset of its open transaction; -1 for none.")}));
  return TableForm<State>(
      "producers", ".", state.schema,
      [name, state](const Node& key, const Node& value, Reader& reader) -> std::optional<State> {
        const std::optional<ProducerName> producer = name.read(key, reader);
        std::optional<State> read = state.read(value, reader);
        if (!producer || !read) return std::nullopt;
        read->producer = *producer;
        read->mark = key.mark;
        return read;
      });
}

Form<AbortedExpectation> AbortedForm() {
  using Aborted = AbortedExpectation;
  return Mapping<Aborted>(
      "an aborted transaction",
      {Optional("by", &Aborted::producer, ProducerNameForm(), "Whose transaction it was."),
       Optional("first_offset", &Aborted::first_offset, NumberForm(), "Where it began."),
       Optional("last_offset", &Aborted::last_offset, NumberForm(), "Where its marker is.")});
}

std::vector<Field<PartitionExpectation>> OffsetFields() {
  using P = PartitionExpectation;
  return {
      Optional("log_start_offset", &P::log_start_offset, NumberForm(), "The first offset."),
      Optional("log_end_offset", &P::log_end_offset, NumberForm(),
               "The next offset to be written (LEO)."),
      Optional("high_watermark", &P::high_watermark, NumberForm(),
               "Below it everything is on all in-sync replicas (HW)."),
      Optional("last_stable_offset", &P::last_stable_offset, NumberForm(),
               "Below it every transaction is decided (LSO)."),
      Optional("leader", &P::leader, NumberForm(), "The leader's id; -1 for none."),
      Optional("leader_epoch", &P::leader_epoch, NumberForm(), "How often leadership changed."),
      Optional("isr", &P::isr, WithMark(ListForm(BrokerForm())),
               "The in-sync replicas, in any order."),
  };
}

std::vector<Field<PartitionExpectation>> ContentFields() {
  using P = PartitionExpectation;
  const auto records = WithMark(ListForm(EntryForm()));
  return {
      Optional("log", &P::log, LogForm(),
               "What is in the log: all of it as a list, or single offsets as {5: COMMIT}."),
      Optional("read_committed", &P::read_committed, records,
               "What a read_committed reader from the start gets by now."),
      Optional("read_uncommitted", &P::read_uncommitted, records,
               "What a read_uncommitted reader from the start gets by now."),
      Optional("producers", &P::producers, ProducerStatesForm(),
               "What the partition knows of producers: {old: {epoch: 0}}."),
      Optional("aborted", &P::aborted, WithMark(ListForm(AbortedForm())),
               "The whole index of aborted transactions."),
  };
}

}  // namespace

Form<PartitionExpectation> PartitionExpectationForm() {
  return Defined("partition_expectation",
                 Mapping<PartitionExpectation>(
                     "expectations of a partition",
                     Together<PartitionExpectation>(ContentFields(), OffsetFields())));
}

}  // namespace kafkasim::scenarios
