#include "cli/dump_log.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "cli/offsets_dump.h"
#include <fmt/format.h>

#include "coordinator/transaction_log_record.h"
#include "coordinator/transaction_state.h"

namespace kafkasim::cli {
namespace {

std::int64_t SizeOf(const std::optional<std::string>& text) {
  return text.has_value() ? static_cast<std::int64_t>(text->size()) : -1;
}

std::string BatchLine(const broker::RecordBatch& batch, std::int64_t position) {
  const std::size_t count = batch.marker.has_value() ? 1 : batch.records->size();
  const std::string horizon = batch.delete_horizon_ms.has_value()
                                  ? fmt::format("OptionalLong[{}]", *batch.delete_horizon_ms)
                                  : "OptionalLong.empty";
  return fmt::format(
      "baseOffset: {} lastOffset: {} count: {} baseSequence: {} lastSequence: {} producerId: {} "
      "producerEpoch: {} partitionLeaderEpoch: {} isTransactional: {} isControl: {} "
      "deleteHorizonMs: {} position: {} CreateTime: {} size: {} magic: 2 "
      "compresscodec: none isvalid: true",
      batch.base_offset, batch.last_offset(), count, batch.base_sequence, batch.last_sequence(),
      batch.producer_id, batch.producer_epoch, batch.partition_leader_epoch, batch.transactional,
      batch.is_control(), horizon, position, batch.max_timestamp_ms, batch.size_bytes());
}

std::string RecordHead(broker::Offset offset, std::int64_t timestamp_ms, std::int64_t key_size,
                       std::int64_t value_size, broker::Sequence sequence) {
  return fmt::format(
      "| offset: {} CreateTime: {} keySize: {} valueSize: {} sequence: {} "
      "headerKeys: []",
      offset, timestamp_ms, key_size, value_size, sequence);
}

std::string MarkerLine(const broker::RecordBatch& batch) {
  return RecordHead(batch.base_offset, batch.max_timestamp_ms, 4, 6, broker::kNoSequence) +
         fmt::format(" endTxnMarker: {} coordinatorEpoch: {}", Name(batch.marker->type),
                     batch.marker->coordinator_epoch);
}

// As the transaction log decoder puts it; "" if it is no record of that log.
std::string DecodedText(const broker::Record& record, const broker::ClusterImage& names) {
  const auto decoded = coordinator::DecodeTransaction(record);
  if (!decoded.has_value()) return "";
  std::string text =
      fmt::format(" key: transaction_metadata::transactionalId={}", decoded->transactional_id);
  if (!decoded->value.has_value()) return text + " payload: <DELETE>";
  const coordinator::TransactionValue& value = *decoded->value;
  std::string partitions;
  for (const broker::PartitionId& partition : value.partitions) {
    partitions += (partitions.empty() ? "" : ",") + names.NameOf(partition);
  }
  return text + fmt::format(
                    " payload: producerId:{},producerEpoch:{},state={},partitions=[{}],"
                    "txnLastUpdateTimestamp={},txnTimeoutMs={}",
                    value.producer_id, value.producer_epoch, Name(value.state), partitions,
                    value.last_update_timestamp_ms, value.timeout_ms);
}

enum class LogKind { kApplication, kTransactions, kOffsets };

LogKind KindOf(std::string_view name) {
  if (name.starts_with("__transaction_state-")) return LogKind::kTransactions;
  if (name.starts_with("__consumer_offsets-")) return LogKind::kOffsets;
  return LogKind::kApplication;
}

std::string RecordLine(const broker::RecordBatch& batch, const broker::Record& record, LogKind kind,
                       const broker::ClusterImage& names) {
  const broker::Sequence sequence =
      batch.base_sequence == broker::kNoSequence
          ? broker::kNoSequence
          : broker::AddToSequence(batch.base_sequence, record.offset_delta);
  std::string line = RecordHead(batch.base_offset + record.offset_delta, record.timestamp_ms,
                                SizeOf(record.key), SizeOf(record.value), sequence);
  if (kind == LogKind::kTransactions) return line + DecodedText(record, names);
  if (kind == LogKind::kOffsets) return line + DumpOffsetsRecord(record, names);
  if (record.key.has_value()) line += " key: " + *record.key;
  if (record.value.has_value()) line += " payload: " + *record.value;
  return line;
}

}  // namespace

std::vector<std::string> DumpLog(const broker::PartitionLog& log, const std::string& name,
                                 const broker::ClusterImage& names) {
  const LogKind kind = KindOf(name);
  std::vector<std::string> lines;
  for (const auto& chunk : log.chunks()) {
    if (chunk->opens_segment()) {
      const broker::Offset base = chunk->segment_base_offset();
      lines.push_back(fmt::format("Dumping {}/{:020}.log", name, base.value()));
      lines.push_back(fmt::format("Log starting offset: {}", base));
    }
    for (std::size_t i = 0; i < chunk->size(); ++i) {
      const broker::RecordBatch& batch = chunk->batch(i);
      lines.push_back(BatchLine(batch, chunk->position(i)));
      if (batch.marker.has_value()) {
        lines.push_back(MarkerLine(batch));
        continue;
      }
      for (const broker::Record& record : *batch.records) {
        lines.push_back(RecordLine(batch, record, kind, names));
      }
    }
  }
  return lines;
}

}  // namespace kafkasim::cli
