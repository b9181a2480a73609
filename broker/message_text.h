// How the fields of messages are matched by faults and written for people: what the sources of
// messages_*.h share. Private to them.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "broker/cluster_image.h"
#include "broker/ids.h"
#include "broker/message.h"
#include "broker/record_batch.h"

namespace kafkasim::broker {

// Whether `value` is how a fault writes this partition, id or producer id.
[[nodiscard]] inline bool IsPartition(std::string_view value, const PartitionId& partition) {
  return value == ConcernOf(partition);
}
[[nodiscard]] inline bool IsProducer(std::string_view value, ProducerId producer_id) {
  return value == fmt::format("{}", producer_id);
}
[[nodiscard]] inline bool IsText(std::string_view value, const std::optional<std::string>& text) {
  return text.has_value() && value == *text;
}

// Whether one of the rows is about the partition that a fault means.
template <typename Rows>
[[nodiscard]] bool HasPartition(std::string_view value, const Rows& rows) {
  return std::any_of(rows.begin(), rows.end(),
                     [&](const auto& row) { return IsPartition(value, row.partition); });
}
template <typename Rows>
[[nodiscard]] bool HasPartition(std::string_view attribute, std::string_view value,
                                const Rows& rows) {
  return attribute == "partition" && HasPartition(value, rows);
}

// "orders-0,orders-1": the partitions of the elements of a range.
template <typename Range, typename Projection>
[[nodiscard]] std::string PartitionNames(const ClusterImage& names, const Range& range,
                                         Projection partition_of) {
  std::string text;
  for (const auto& element : range) {
    if (!text.empty()) text += ',';
    text += names.NameOf(partition_of(element));
  }
  return text;
}

template <typename Range>
[[nodiscard]] std::string PartitionNames(const ClusterImage& names, const Range& partitions) {
  return PartitionNames(names, partitions, [](const PartitionId& partition) { return partition; });
}

// "orders-0 NONE, orders-1 NOT_LEADER_OR_FOLLOWER": results with a partition and an error.
template <typename Range>
[[nodiscard]] std::string PartitionErrors(const ClusterImage& names, const Range& results) {
  std::string text;
  for (const auto& result : results) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} {}", names.NameOf(result.partition), Name(result.error));
  }
  return text;
}

// The same for the fingerprint.
template <typename Range>
void AddPartitionErrors(sim::CanonicalBytes& out, const Range& results) {
  out.Add(static_cast<uint32_t>(results.size()));
  for (const auto& result : results) {
    out.Add(result.partition);
    out.Add(result.error);
  }
}

// "3 records, producer 7 epoch 0, sequence 4, transactional", "COMMIT, producer 7 epoch 0".
[[nodiscard]] std::string DescribeBatch(const RecordBatch& batch);

}  // namespace kafkasim::broker
