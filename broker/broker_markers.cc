// WriteTxnMarkers at partition leaders (KafkaApis.handleWriteTxnMarkersRequest). The coordinator of
// a group hears of the markers on its partition (GroupCoordinatorService.completeTransaction).
#include <utility>

#include "broker/broker.h"
#include "broker/service_run.h"

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
    auto& results = response.markers.emplace_back();
    results.producer_id = marker.producer_id;
    for (size_t p = 0; p < marker.partitions.size(); ++p) {
      auto& result = results.partitions.emplace_back();
      result.partition = marker.partitions[p];
      PendingWrite::Wait wait{.partition = result.partition,
                              .result = PendingWrite::MarkerResult(m, p)};
      WriteMarker(context, batch, marker.transaction_version, result, wait);
      if (!context.alive()) return;
      if (result.error == ErrorCode::kNone) write.waits.push_back(wait);
    }
  }
  write.answer = std::move(response);
  WaitForReplication(context, std::move(write), sim::Millis(config_->request_timeout_ms));
}

void Broker::WriteMarker(sim::Context& context, const RecordBatch& marker,
                         int16_t transaction_version,
                         WriteTxnMarkersResponse::PartitionResult& result,
                         PendingWrite::Wait& wait) {
  const PartitionId id = result.partition;
  if (replicas_.Find(id) == nullptr) {
    result.error = ErrorCode::kUnknownTopicOrPartition;
    return;
  }
  const std::optional<uint32_t> service = ServiceOf(id);
  if (service.has_value()) {
    result.error = (*services_[*service])->CheckMarker(Host(*this, context), id);
    if (result.error != ErrorCode::kNone) {
      if (context.tracing()) {
        TraceRefusal(context, id, marker,
                     KafkaError(result.error, "the coordinator of the partition is not ready here"),
                     image());
      }
      return;
    }
  }
  const absl::StatusOr<AppendInfo> info =
      Append(context, id, marker,
             {.origin = AppendOrigin::kCoordinator, .transaction_version = transaction_version},
             /*acks=*/static_cast<int16_t>(service.has_value() ? 1 : -1));
  result.error = CodeOf(info.status());
  if (!context.alive() || !info.ok()) return;
  wait.required = info->last_offset + 1;
  wait.of_service = service.has_value();
  if (!service.has_value()) return;
  RunService(context, *service, [&](Service& s, const ServiceContext& host, Effects& effects) {
    s.OnMarkerWritten(host, id, *info->batch, effects);
  });
}

}  // namespace kafkasim::broker
