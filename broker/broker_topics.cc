// Requests of administrators: DeleteRecords with its wait (ReplicaManager.deleteRecords,
// DelayedDeleteRecords), and those that are the controller's (ForwardingManager).
#include <algorithm>
#include <utility>

#include "broker/broker.h"
#include "broker/broker_timers.h"
#include "broker/channels.h"
#include "broker/messages_topics.h"

namespace kafkasim::broker {

void Broker::HandleDeleteRecords(sim::Context& context, const sim::RequestIn& in) {
  const auto& request = BodyOf<DeleteRecordsRequest>(*in.payload);
  PendingDelete pending{.reply_to = in.reply_to};
  for (const DeleteRecordsRequest::PartitionOffset& wanted : request.partitions) {
    DeleteRecordsResponse::PartitionResult result{.partition = wanted.partition};
    const absl::StatusOr<Offset> start = DeleteRecordsBefore(context, wanted);
    if (!context.alive()) return;
    result.error = CodeOf(start.status());
    if (start.ok()) {
      pending.waits.push_back({.partition = wanted.partition,
                               .required = *start,
                               .result = static_cast<uint32_t>(pending.answer.partitions.size())});
    }
    pending.answer.partitions.push_back(result);
  }
  if (Settled(pending)) {
    context.Reply(pending.reply_to, MakeMessage(std::move(pending.answer)));
    return;
  }
  PendingDelete& waiting = deletes_.Mutable().Add(std::move(pending));
  waiting.timer = context.SetTimer(sim::Millis(request.timeout_ms),
                                   static_cast<uint32_t>(BrokerTimer::kDeleteExpiry), waiting.id);
}

absl::StatusOr<Offset> Broker::DeleteRecordsBefore(
    sim::Context& context, const DeleteRecordsRequest::PartitionOffset& wanted) {
  const TopicImage* topic = image().FindTopic(wanted.partition.topic);
  if (topic == nullptr || !Knows(wanted.partition)) {
    return KafkaError(ErrorCode::kUnknownTopicOrPartition, "no such partition");
  }
  if (IsInternalTopic(topic->name)) {
    return KafkaError(ErrorCode::kInvalidTopic, "records of internal topics are not deleted");
  }
  sim::Cow<Partition>* replica = replicas_.FindMutable(wanted.partition);
  if (replica == nullptr) {
    return KafkaError(ErrorCode::kNotLeaderOrFollower, "the broker has no replica");
  }
  Partition& partition = replica->Mutable();
  const Watermarks before = Watermarks::Of(partition, context.tracing());
  const Offset start_before = partition.log().log_start_offset();
  const absl::StatusOr<Offset> start =
      partition.DeleteRecords(wanted.offset, Surroundings(context));
  if (start.ok()) {
    AfterLogStart(context, partition, before, start_before, "DeleteRecords");
  }
  return start;
}

bool Broker::Settled(PendingDelete& pending) const {
  for (size_t w = 0; w < pending.waits.size();) {
    const PendingDelete::Wait& wait = pending.waits[w];
    DeleteRecordsResponse::PartitionResult& result = pending.answer.partitions[wait.result];
    const Partition* partition = FindReplica(wait.partition);
    if (partition == nullptr) {
      result.error = ErrorCode::kUnknownTopicOrPartition;
    } else if (!partition->is_leader()) {
      result.error = ErrorCode::kNotLeaderOrFollower;
    } else {
      const Offset low = partition->LowWatermark(image());
      if (low < wait.required) {
        ++w;
        continue;
      }
      result.low_watermark = low;
    }
    pending.waits.erase(pending.waits.begin() + static_cast<std::ptrdiff_t>(w));
  }
  return pending.waits.empty();
}

void Broker::FinishDeletes(sim::Context& context) {
  if (deletes_->all.empty()) return;
  std::vector<PendingDelete>& all = deletes_.Mutable().all;
  for (size_t i = 0; i < all.size();) {
    if (!Settled(all[i])) {
      ++i;
      continue;
    }
    PendingDelete finished = std::move(all[i]);
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
    context.CancelTimer(finished.timer);
    context.Reply(finished.reply_to, MakeMessage(std::move(finished.answer)));
  }
}

void Broker::ExpireDelete(sim::Context& context, uint32_t id) {
  std::vector<PendingDelete>& all = deletes_.Mutable().all;
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const PendingDelete& pending) { return pending.id == id; });
  if (found == all.end()) return;
  PendingDelete expired = std::move(*found);
  all.erase(found);
  for (const PendingDelete::Wait& wait : expired.waits) {
    expired.answer.partitions[wait.result].error = ErrorCode::kRequestTimedOut;
  }
  context.Reply(expired.reply_to, MakeMessage(std::move(expired.answer)));
}

void Broker::ForwardToController(sim::Context& context, const sim::RequestIn& request) {
  const sim::CorrelationId correlation =
      context.SendRequest(controller_, kControllerChannel, request.payload);
  calls_.Mutable().all.push_back(
      {.correlation = correlation,
       .to = controller_,
       .channel = kControllerChannel,
       .token = static_cast<uint64_t>(AsMessage(*request.payload).key()),
       .forwarded = request.reply_to,
       .timer =
           context.SetTimer(GivenUpAfter(sim::Millis(config_->request_timeout_ms)),
                            static_cast<uint32_t>(BrokerTimer::kCallExpiry), correlation.value())});
}

}  // namespace kafkasim::broker
