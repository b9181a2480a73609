#include "coordinator/transaction_log_record.h"

#include <utility>

#include <fmt/format.h>

#include "coordinator/record_text.h"
#include "sim/check.h"

namespace kafkasim::coordinator {

namespace {

using broker::PartitionId;
using broker::ProducerEpoch;
using broker::ProducerId;
using broker::Record;

std::optional<TransactionValue> ReadValue(std::string_view text) {
  RecordReader reader(text);
  const bool flexible = reader.Skip("v1");
  if (!flexible) reader.Expect("v0");
  TransactionValue value;
  value.producer_id = ProducerId(reader.Field<int64_t>("producer"));
  if (flexible) {
    value.prev_producer_id = ProducerId(reader.Field<int64_t>("prev"));
    value.next_producer_id = ProducerId(reader.Field<int64_t>("next"));
  }
  value.producer_epoch = ProducerEpoch(reader.Field<int16_t>("epoch"));
  value.timeout_ms = reader.Field<int32_t>("timeout");
  reader.Expect(" status=");
  const std::optional<TransactionState> state = TransactionStateFromName(reader.Word());
  if (!reader.Skip(" partitions=null")) value.partitions = reader.Partitions("partitions");
  value.last_update_timestamp_ms = reader.Field<int64_t>("updated");
  value.start_timestamp_ms = reader.Field<int64_t>("started");
  if (flexible) value.client_transaction_version = reader.Field<int8_t>("client");
  if (!reader.ok() || !reader.at_end() || !state.has_value()) return std::nullopt;
  value.state = *state;
  return value;
}

}  // namespace

Record EncodeTransaction(std::string_view transactional_id, const TransactionValue& value,
                         int16_t value_version, int64_t timestamp_ms) {
  KAFKASIM_CHECK(value.state != TransactionState::kEmpty || value.partitions.empty(),
                 "an EMPTY transaction has no partitions");
  std::string text;
  text.reserve(160);
  text += value_version >= 1 ? "v1" : "v0";
  AppendField(text, "producer", value.producer_id.value());
  if (value_version >= 1) {
    AppendField(text, "prev", value.prev_producer_id.value());
    AppendField(text, "next", value.next_producer_id.value());
  }
  AppendField(text, "epoch", value.producer_epoch.value());
  AppendField(text, "timeout", value.timeout_ms);
  text += " status=";
  text += Name(value.state);
  if (value.state == TransactionState::kEmpty) {
    text += " partitions=null";
  } else {
    AppendField(text, "partitions", value.partitions);
  }
  AppendField(text, "updated", value.last_update_timestamp_ms);
  AppendField(text, "started", value.start_timestamp_ms);
  if (value_version >= 1) AppendField(text, "client", value.client_transaction_version);
  return {
      .key = std::string(transactional_id), .value = std::move(text), .timestamp_ms = timestamp_ms};
}

Record EncodeTombstone(std::string_view transactional_id, int64_t timestamp_ms) {
  return {
      .key = std::string(transactional_id), .value = std::nullopt, .timestamp_ms = timestamp_ms};
}

std::optional<TransactionLogRecord> DecodeTransaction(const Record& record) {
  if (!record.key.has_value()) return std::nullopt;
  if (!record.value.has_value()) return TransactionLogRecord{*record.key, std::nullopt};
  std::optional<TransactionValue> value = ReadValue(*record.value);
  if (!value.has_value()) return std::nullopt;
  return TransactionLogRecord{*record.key, std::move(value)};
}

std::string DescribeTransaction(const TransactionLogRecord& record,
                                const broker::ClusterImage& names) {
  if (!record.value.has_value()) return "tombstone";
  const TransactionValue& value = *record.value;
  std::string text = fmt::format("{} producer {} epoch {}", UpperName(value.state),
                                 value.producer_id, value.producer_epoch);
  if (!value.partitions.empty()) text += ", partitions";
  for (const PartitionId& partition : value.partitions) {
    text += ' ';
    text += names.NameOf(partition);
  }
  return text + fmt::format(", timeout {} ms", value.timeout_ms);
}

void Replay(const Record& record, LoadedTransactions& loaded) {
  std::optional<TransactionLogRecord> read = DecodeTransaction(record);
  if (!read.has_value()) return;
  if (read->value.has_value()) {
    loaded.insert_or_assign(std::move(read->transactional_id), *std::move(read->value));
  } else {
    loaded.erase(read->transactional_id);
  }
}

}  // namespace kafkasim::coordinator
