// How the high watermark and the last stable offset of a leader moved: taken before a change,
// compared after it, and told to the trace.
#pragma once

#include "broker/partition.h"
#include "sim/context.h"

namespace kafkasim::broker {

struct Watermarks {
  Offset high_watermark{0};
  Offset last_stable_offset{0};
  TxnSpans unreplicated{};  // only when somebody watches

  [[nodiscard]] static Watermarks Of(const Partition& partition, bool tracing);
};

// Traces high_watermark, marker_replicated for each marker that is now below it, and
// last_stable_offset. Call only if context.tracing().
void TraceWatermarks(sim::Context& context, const Partition& partition, const Watermarks& before,
                     const ClusterImage& names);

// Traces what a leader made of a batch: appended, transaction_opened and marker_appended, or
// duplicate. Call only if context.tracing().
void TraceAppend(sim::Context& context, const PartitionId& id, LeaderEpoch epoch,
                 const RecordBatch& batch, const AppendInfo& info, const ClusterImage& names);
// append_refused or marker_refused.
void TraceRefusal(sim::Context& context, const PartitionId& id, const RecordBatch& batch,
                  const absl::Status& status, const ClusterImage& names);

}  // namespace kafkasim::broker
