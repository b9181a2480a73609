// The verbs of administrators: how their arguments and their rows are written.
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/api_field_form.h"
#include "scenarios/mapping_form.h"
#include "scenarios/operation_form.h"
#include "scenarios/reference_form.h"
#include "scenarios/step_form.h"

namespace kafkasim::scenarios {
namespace {

using Type = ApiField::Type;

template <typename T>
Form<Operation> AsAdminCall(Form<T> form) {
  return Map(std::move(form), [](T call) { return Operation(AdminCall{std::move(call)}); });
}

Form<std::vector<PartitionName>> PartitionsForm() { return OneOrManyForm(PartitionForm()); }

Field<DescribeProducers> BrokerField() {
  return Optional("broker", &DescribeProducers::broker, BrokerForm(),
                  "Ask the replicas on this broker. Default: the leaders.");
}

Form<DescribeProducers> DescribeProducersForm() {
  Notations<DescribeProducers> notations{"partitions"};
  const auto plain = [](std::vector<PartitionName> partitions) {
    return DescribeProducers{std::move(partitions), std::nullopt};
  };
  notations.scalar = notations.list = Map(PartitionsForm(), plain);
  notations.mapping = Mapping<DescribeProducers>(
      "describe_producers", {Required("partition", &DescribeProducers::partitions, PartitionsForm(),
                                      "The partition, or several."),
                             BrokerField()});
  return ByKind(std::move(notations));
}

Form<ListTransactions> ListTransactionsForm() {
  return Mapping<ListTransactions>(
      "list_transactions",
      {Optional("states", &ListTransactions::states, OneOrManyForm(TransactionStateForm()),
                "Only ids in one of these states: ONGOING."),
       Optional("producer_ids", &ListTransactions::producer_ids, OneOrManyForm(OffsetForm()),
                "Only ids with one of these producer ids."),
       Optional("longer_than", &ListTransactions::longer_than_us, DurationForm(),
                "Only transactions that began longer ago; also ids that never had one."),
       Optional("pattern", &ListTransactions::pattern, TextForm(),
                "Only ids that match this regular expression as a whole.")});
}

Form<FindHanging> FindHangingForm() {
  MappingForm<FindHanging> mapping{
      "find_hanging",
      {Optional("partition", &FindHanging::partitions, PartitionsForm(),
                "Where to search: a partition, or several."),
       Optional("broker", &FindHanging::broker, BrokerForm(),
                "Search the replicas on this broker; all of them without a partition."),
       Optional("max_transaction_timeout", &FindHanging::max_transaction_timeout_us, DurationForm(),
                "Leave younger transactions out. Default: 15min.")}};
  mapping.check = [](const Node& node, Reader& reader, FindHanging& search) {
    if (!search.partitions.empty() || search.broker) return true;
    reader.Error(node.mark, "find_hanging needs a partition or a broker, as Kafka's tool does");
    return false;
  };
  return Mapping(std::move(mapping));
}

Form<AbortTransactionOn> AbortTransactionForm() {
  constexpr std::int64_t kMostEpoch = 32'767;
  MappingForm<AbortTransactionOn> mapping{
      "abort_transaction",
      {Required("partition", &AbortTransactionOn::partition, PartitionForm(),
                "The partition that gets the ABORT marker."),
       Optional("start_offset", &AbortTransactionOn::start_offset, OffsetForm(),
                "Where the transaction starts; its producer is looked up."),
       Optional("producer_id", &AbortTransactionOn::producer_id, OffsetForm(),
                "Instead of start_offset: whose transaction it is."),
       Optional("producer_epoch", &AbortTransactionOn::producer_epoch,
                IntegerForm(0, kMostEpoch, "a producer epoch"), "The producer's epoch."),
       Optional("coordinator_epoch", &AbortTransactionOn::coordinator_epoch,
                IntegerForm(-1, 2'147'483'647, "a coordinator epoch"),
                "The epoch of the coordinator, as describe_producers shows it. Default: 0.")}};
  mapping.check = [](const Node& node, Reader& reader, AbortTransactionOn& abort) {
    const bool named = abort.producer_id && abort.producer_epoch;
    if (abort.start_offset ? !abort.producer_id && !abort.producer_epoch : named) return true;
    reader.Error(node.mark,
                 "abort_transaction needs start_offset, or producer_id and producer_epoch");
    return false;
  };
  return Mapping(std::move(mapping));
}

Form<FenceProducers> FenceProducersForm() {
  const Form<std::vector<std::string>> ids = OneOrManyForm(TransactionalIdForm());
  Notations<FenceProducers> notations{"transactional ids"};
  const auto plain = [](std::vector<std::string> list) {
    return FenceProducers{std::move(list), std::nullopt};
  };
  notations.scalar = notations.list = Map(ids, plain);
  notations.mapping = Mapping<FenceProducers>(
      "fence_producers",
      {Required("transactional_id", &FenceProducers::transactional_ids, ids,
                "The transactional id, or several."),
       Optional("timeout", &FenceProducers::timeout_us, DurationForm(),
                "How long to try; also the transaction timeout that the id has then. Default: "
                "request.timeout.ms for the latter.")});
  return ByKind(std::move(notations));
}

Form<std::int64_t> TimestampForm() {
  const Form<std::int64_t> word = ChoiceForm<std::int64_t>(
      "timestamp", {{"latest", -1}, {"earliest", -2}, {"max_timestamp", -3}});
  const Form<std::int64_t> time = OffsetForm();
  return Form<std::int64_t>{AnyOf({word.schema, time.schema}),
                            [word, time](const Node& node, Reader& reader) {
                              return (node.AsInteger() ? time : word).read(node, reader);
                            }};
}

Form<ListOffsets> ListOffsetsForm() {
  return Mapping<ListOffsets>(
      "list_offsets",
      {Required("partition", &ListOffsets::partitions, PartitionsForm(),
                "The partition, or several."),
       Optional("at", &ListOffsets::timestamp, TimestampForm(),
                "latest, earliest, max_timestamp, or a time in milliseconds. Default: latest."),
       Optional(
           "isolation_level", &ListOffsets::isolation_level,
           ChoiceForm<std::string>("isolation level", {{"read_uncommitted", "read_uncommitted"},
                                                       {"read_committed", "read_committed"}}),
           "What latest means. Default: read_uncommitted.")});
}

Form<ElectLeaders> ElectLeadersForm() {
  Notations<ElectLeaders> notations{"a partition"};
  notations.scalar = Map(PartitionForm(), [](PartitionName partition) {
    return ElectLeaders{std::move(partition), false};
  });
  notations.mapping = Mapping<ElectLeaders>(
      "elect_leaders",
      {Required("partition", &ElectLeaders::partition, PartitionForm(), "The partition."),
       Optional("unclean", &ElectLeaders::unclean, BooleanForm(),
                "Elect any living replica where there is no leader. Default: the preferred one.")});
  return ByKind(std::move(notations));
}

// Rows in short `{...}` for one, or a list of them.
Form<Returns> RowsForm(const std::string& what, const std::vector<ApiField>& fields) {
  const Form<AdminRow> row = Mapping<AdminRow>(
      "a row of " + what, ApiFields(fields, &AdminRow::fields, FieldUse::kAnswer));
  Notations<AdminRows> notations{"rows of " + what};
  notations.list =
      Map(ListForm(row), [](std::vector<AdminRow> rows) { return AdminRows{std::move(rows)}; });
  notations.mapping = Map(row, [](AdminRow only) { return AdminRows{{std::move(only)}}; });
  const Form<AdminRows> rows = ByKind(std::move(notations));
  return Form<Returns>{
      rows.schema, [rows](const Node& node, Reader& reader) {
        std::optional<AdminRows> read = rows.read(node, reader);
        return read ? std::optional(Returns{std::move(*read), node.mark}) : std::nullopt;
      }};
}

Form<Returns> ProducerRowsForm(const std::string& what) {
  return RowsForm(
      what,
      {{"partition", Type::kPartition, "The partition.", false},
       {"producer_id", Type::kInteger, "The producer id.", false},
       {"epoch", Type::kInteger, "Its epoch there.", false},
       {"coordinator_epoch", Type::kInteger, "Of its last marker; -1 before the first.", false},
       {"last_sequence", Type::kInteger, "Of its last batch; -1 after a marker.", false},
       {"last_timestamp_ms", Type::kInteger, "Of its last batch.", false},
       {"start_offset", Type::kInteger, "Where its open transaction starts; -1 for none.", false}});
}

ApiField IdField() {
  return {"transactional_id", Type::kTransactionalId, "The transactional id.", false};
}
ApiField ProducerIdField() { return {"producer_id", Type::kInteger, "Its producer id.", false}; }
ApiField EpochField() { return {"epoch", Type::kInteger, "Its producer epoch.", false}; }
ApiField StateField() { return {"state", Type::kTransactionState, "Its state: ONGOING.", false}; }
ApiField CoordinatorField() {
  return {"coordinator", Type::kInteger, "The broker that coordinates it.", false};
}

}  // namespace

std::vector<Verb> AdminVerbs() {
  const std::vector<ActorSpec::Role> admin{ActorSpec::Role::kAdmin};
  const Form<Operation> ids =
      AsAdminCall(Map(OneOrManyForm(TransactionalIdForm()), [](std::vector<std::string> list) {
        return DescribeTransactions{std::move(list)};
      }));
  const Form<Operation> terminate = AsAdminCall(Map(TransactionalIdForm(), [](std::string id) {
    return ForceTerminateTransaction{std::move(id)};
  }));
  return {
      {"describe_producers", admin, "The producers that partitions know.", std::nullopt,
       AsAdminCall(DescribeProducersForm()), ProducerRowsForm("describe_producers")},
      {"list_transactions", admin, "The transactional ids of all coordinators.",
       Operation(AdminCall{ListTransactions{}}), AsAdminCall(ListTransactionsForm()),
       RowsForm("list_transactions",
                {IdField(), StateField(), ProducerIdField(), CoordinatorField()})},
      {"describe_transactions", admin, "What the coordinators know of transactional ids.",
       std::nullopt, ids,
       RowsForm("describe_transactions",
                {IdField(),
                 StateField(),
                 ProducerIdField(),
                 EpochField(),
                 CoordinatorField(),
                 {"timeout_ms", Type::kInteger, "Its transaction.timeout.ms.", false},
                 {"start_time_ms", Type::kInteger, "When the transaction began.", false},
                 {"partitions", Type::kPartitions, "Its partitions, in any order.", false}})},
      {"find_hanging", admin, "Open transactions that no coordinator will end.", std::nullopt,
       AsAdminCall(FindHangingForm()), ProducerRowsForm("find_hanging")},
      {"abort_transaction", admin, "Writes an ABORT marker into one partition.", std::nullopt,
       AsAdminCall(AbortTransactionForm())},
      {"fence_producers", admin, "Shuts out the producers of transactional ids.", std::nullopt,
       AsAdminCall(FenceProducersForm()),
       RowsForm("fence_producers", {IdField(), ProducerIdField(), EpochField()})},
      {"force_terminate_transaction", admin, "Ends the transaction of a transactional id.",
       std::nullopt, terminate},
      {"list_offsets", admin, "Offsets of partitions by time.", std::nullopt,
       AsAdminCall(ListOffsetsForm()), OffsetsResultForm()},
      {"elect_leaders", admin, "Elects the preferred leader, or any.", std::nullopt,
       AsAdminCall(ElectLeadersForm())},
  };
}

}  // namespace kafkasim::scenarios
