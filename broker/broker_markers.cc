// WriteTxnMarkers at partition leaders (KafkaApis.handleWriteTxnMarkersRequest).
#include <utility>

#include "broker/broker.h"

namespace kafkasim::broker {

void Broker::HandleWriteTxnMarkers(sim::Context& context, const sim::RequestIn& in) {
  const auto& request = BodyOf<WriteTxnMarkersRequest>(*in.payload);
  WriteTxnMarkersResponse response;
  PendingWrite write{.reply_to = in.reply_to};
  for (size_t m = 0; m < request.markers.size(); ++m) {
    const WriteTxnMarkersRequest::Marker& marker = request.markers[m];
    const RecordBatch batch = MakeMarkerBatch(
        marker.producer_id, marker.producer_epoch,
        EndTransactionMarker{.type = marker.committed ? ControlType::kCommit : ControlType::kAbort,
                             .coordinator_epoch = marker.coordinator_epoch},
        context.now().millis());
    const AppendOptions options{.origin = AppendOrigin::kCoordinator,
                                .transaction_version = marker.transaction_version};
    auto& results = response.markers.emplace_back();
    results.producer_id = marker.producer_id;
    for (size_t p = 0; p < marker.partitions.size(); ++p) {
      const PartitionId& id = marker.partitions[p];
      auto& result = results.partitions.emplace_back();
      result.partition = id;
      if (replicas_.Find(id) == nullptr) {
        result.error = ErrorCode::kUnknownTopicOrPartition;
        continue;
      }
      const absl::StatusOr<AppendInfo> info = Append(context, id, batch, options, /*acks=*/-1);
      if (!context.alive()) return;
      result.error = CodeOf(info.status());
      if (!info.ok()) continue;
      write.waits.push_back({.partition = id,
                             .required = info->last_offset + 1,
                             .result = PendingWrite::MarkerResult(m, p)});
    }
  }
  write.answer = std::move(response);
  WaitForReplication(context, std::move(write), sim::Millis(config_->request_timeout_ms));
}

}  // namespace kafkasim::broker
