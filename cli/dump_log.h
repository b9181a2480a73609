// The batches and records of a log in the shape of Kafka's own tool (kafka-dump-log.sh with
// --print-data-log, with --transaction-log-decoder for __transaction_state and with
// --offsets-decoder for __consumer_offsets; DumpLogSegments, Kafka 4.0), so that learners recognise
// it later. Without the checksum, which is not modelled.
#pragma once

#include <string>
#include <vector>

#include "broker/cluster_image.h"
#include "broker/partition_log.h"

namespace kafkasim::cli {

// A line a batch, and a line a record with `| ` before it.
[[nodiscard]] std::vector<std::string> DumpLog(const broker::PartitionLog& log,
                                               const std::string& name,
                                               const broker::ClusterImage& names);

}  // namespace kafkasim::cli
