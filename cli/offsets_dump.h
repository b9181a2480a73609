// A record of __consumer_offsets in the shape of kafka-dump-log.sh --offsets-decoder: key and value
// as JSON documents with Kafka's field names (DumpLogSegments.OffsetsMessageParser, Kafka 4.0).
// Without clientHost, userData and rackId, which are not modelled.
#pragma once

#include <string>

#include "broker/cluster_image.h"
#include "broker/record_batch.h"

namespace kafkasim::cli {

// " key: {...} payload: {...}", the payload being <DELETE> for a tombstone; "" if it is no record
// of that log.
[[nodiscard]] std::string DumpOffsetsRecord(const broker::Record& record,
                                            const broker::ClusterImage& names);

}  // namespace kafkasim::cli
