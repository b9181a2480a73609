// From batches to Produce requests: RecordAccumulator.ready, drain and Sender.sendProducerData.
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "client/events.h"
#include "client/sender.h"

namespace kafkasim::client {

using broker::BrokerId;

Sender::Step Sender::SendProduceData(sim::Context& context, bool flushing) {
  const bool send_all = flushing || closing_ || (idempotent() && transactions_.is_completing());
  ClientMetadata& metadata = connection_.metadata();
  const RecordAccumulator::ReadyBrokers ready =
      accumulator_.Ready(metadata, context.now(), send_all);
  if (ready.leader_unknown) {
    metadata.RequestUpdate();
    connection_.Poll(context);
  }
  WaitUntil(ready.next_check);
  std::vector<Drained> requests;
  for (BrokerId broker : ready.brokers) {
    if (!connection_.Ready(context, broker)) {
      WaitUntil(connection_.RetryAt(broker).value_or(sim::kEndOfTime));
      continue;
    }
    Drained drained = Drain(context, broker);
    if (!drained.queues.empty()) requests.push_back(std::move(drained));
  }
  // A batch that is drained too late has failed for the application, and is sent all the same.
  ExpireBatches(context);
  for (const Drained& drained : requests) SendProduce(context, drained);
  return requests.empty() ? Step::kNothing : Step::kGoOn;
}

void Sender::ExpireBatches(sim::Context& context) {
  const sim::Duration timeout = accumulator_.config().delivery_timeout;
  for (PartitionQueue& queue : accumulator_.queues()) {
    for (ProducerBatch& batch : queue.batches()) {
      if (batch.done || !batch.HasReachedDeliveryTimeout(timeout, context.now())) continue;
      if (config_->bugs.Has(broker::Bug::kExpiredBatchesForgotten)) {
        batch.done = true;
        continue;
      }
      const std::string why = fmt::format(
          "{} record{} not acknowledged {} ms after the batch was made", batch.record_count(),
          batch.record_count() == 1 ? "" : "s", (context.now() - batch.created).millis());
      FailBatch(context, queue, batch,
                ClientError(Exception::kTimeout, ErrorClass::kRetriable, why),
                /*adjust_sequences=*/false);
      if (idempotent() && batch.in_retry) queue.MarkUnresolved(batch);
    }
    queue.RemoveFinished();
  }
}

// One batch of each partition that this broker leads, as far as max.request.size allows.
Sender::Drained Sender::Drain(sim::Context& context, BrokerId broker) {
  Drained drained{.broker = broker, .request = next_request_, .queues = {}};
  int64_t size = 0;
  for (PartitionQueue& queue : accumulator_.queues()) {
    if (queue.muted || connection_.metadata().LeaderOf(queue.partition()) != broker) continue;
    ProducerBatch* first = queue.FirstQueued();
    if (first == nullptr) continue;
    first->LearnLeaderEpoch(connection_.metadata().LeaderEpochOf(queue.partition()));
    if (accumulator_.IsBackingOff(*first, context.now())) continue;
    if (!drained.queues.empty() && size + first->bytes > config_->max_request_size) break;
    // A partition that has to wait holds up those after it: so does Kafka.
    if (idempotent() && ShouldStopDrain(queue, *first)) break;
    if (idempotent() && !first->has_sequence()) AssignSequence(queue, *first);
    first->closed = true;
    if (first->records == nullptr) {
      first->open_records.shrink_to_fit();  // the logs will keep them
      first->records = std::make_shared<const std::vector<broker::Record>>(
          std::exchange(first->open_records, {}));
    }
    size += first->bytes;
    first->request = drained.request;
    queue.muted = config_->max_in_flight_requests_per_connection == 1;
    AddOutcomes(RecordsOutcome::What::kSent, *first, broker::kNoOffset, {});
    drained.queues.push_back(&queue);
  }
  if (!drained.queues.empty()) ++next_request_;
  return drained;
}

bool Sender::ShouldStopDrain(const PartitionQueue& queue, const ProducerBatch& first) const {
  if (!transactions_.IsSendAllowed(queue.partition()) || !transactions_.has_producer_id()) {
    return true;
  }
  if (!first.has_sequence()) {
    // A new epoch begins only when the batches of the old one are decided.
    const bool stale = queue.sequences.identity != transactions_.identity();
    return (stale && queue.HasTracked()) || queue.sequences.unresolved.has_value();
  }
  // It is a retry: those before it go first, one by one.
  return queue.FirstTrackedSequence() != first.base_sequence;
}

void Sender::AssignSequence(PartitionQueue& queue, ProducerBatch& batch) {
  PartitionSequences& sequences = queue.sequences;
  if (sequences.identity != transactions_.identity() && !queue.HasTracked()) {
    queue.StartSequencesAtBeginning(transactions_.identity());
  }
  batch.identity = transactions_.identity();
  batch.base_sequence = sequences.next;
  sequences.next = broker::AddToSequence(sequences.next, batch.record_count());
}

void Sender::SendProduce(sim::Context& context, const Drained& drained) {
  const bool transactional = config_->transactional();
  broker::ProduceRequest request{
      .version = static_cast<int16_t>(transactional && !transactions_.tv2() ? 11 : 12),
      .transactional_id = config_->transactional_id,
      .acks = static_cast<int16_t>(config_->acks),
      .timeout_ms = static_cast<int32_t>(config_->request_timeout_ms),
      .partitions = {}};
  const uint64_t number = drained.request;
  for (PartitionQueue* queue : drained.queues) {
    const ProducerBatch& batch = *queue->FindByRequest(number);
    auto sent = std::make_shared<broker::RecordBatch>();
    sent->producer_id = batch.identity.producer_id;
    sent->producer_epoch = batch.identity.epoch;
    sent->base_sequence = batch.base_sequence;
    sent->last_offset_delta = batch.record_count() - 1;
    sent->transactional = transactional;
    sent->max_timestamp_ms = batch.max_timestamp_ms;
    sent->records = batch.records;
    request.partitions.push_back({.partition = queue->partition(), .batch = std::move(sent)});
    if (context.tracing()) {
      context.Emit(events::kBatchSent,
                   {{"partition", connection_.metadata().image()->NameOf(queue->partition())},
                    {"base_sequence", int64_t{batch.base_sequence.value()}},
                    {"records", int64_t{batch.record_count()}},
                    {"producer_id", batch.identity.producer_id.value()},
                    {"producer_epoch", int64_t{batch.identity.epoch.value()}},
                    {"attempt", int64_t{batch.attempts + 1}}});
    }
  }
  const bool answered = config_->acks != 0;
  connection_.Send(context, drained.broker, broker::MakeMessage(std::move(request)), number,
                   {.answered = answered});
  if (answered) return;
  for (PartitionQueue* queue : drained.queues) {
    ProducerBatch& batch = *queue->FindByRequest(number);
    batch.request = 0;
    queue->muted = false;
    Acknowledge(*queue, batch, broker::kNoOffset);
    queue->RemoveFinished();
  }
}

}  // namespace kafkasim::client
