#include "client/record_accumulator.h"

#include <algorithm>

namespace kafkasim::client {
namespace {

// As broker::RecordBatch::size_bytes counts.
constexpr int64_t kBatchHeaderBytes = 61;

int64_t SizeOf(const broker::Record& record) {
  constexpr int64_t kOverhead = 7;
  return kOverhead + static_cast<int64_t>(record.key.has_value() ? record.key->size() : 0) +
         static_cast<int64_t>(record.value.has_value() ? record.value->size() : 0);
}

// Adds a record to the owners of a batch.
void AddOwner(ProducerBatch& batch, CallId call, int32_t index) {
  if (!batch.owners.empty()) {
    RecordsOf& last = batch.owners.back();
    if (last.call == call && last.first + last.count == index) {
      ++last.count;
      return;
    }
  }
  batch.owners.push_back({.call = call, .first = index, .count = 1});
}

}  // namespace

PartitionQueue& RecordAccumulator::QueueOf(const broker::PartitionId& partition) {
  auto at = std::lower_bound(queues_.begin(), queues_.end(), partition,
                             [](const PartitionQueue& queue, const broker::PartitionId& id) {
                               return queue.partition() < id;
                             });
  if (at == queues_.end() || at->partition() != partition) {
    at = queues_.insert(at, PartitionQueue(partition));
  }
  return *at;
}

RecordAccumulator::Appended RecordAccumulator::Append(const broker::PartitionId& partition,
                                                      broker::Record record, CallId call,
                                                      int32_t index, sim::Time now) {
  PartitionQueue& queue = QueueOf(partition);
  const int64_t size = SizeOf(record);
  ProducerBatch* batch = queue.LastQueued();
  Appended appended{.bytes = size};
  if (batch != nullptr && (batch->IsFull(config_.batch_size) ||
                           batch->bytes + size > std::max<int64_t>(config_.batch_size, 1))) {
    batch->closed = true;
    batch = nullptr;
  }
  if (batch == nullptr) {
    ProducerBatch fresh;
    fresh.id = next_batch_++;
    fresh.created = now;
    fresh.last_attempt = now;
    fresh.bytes = kBatchHeaderBytes;
    queue.batches().push_back(std::move(fresh));
    batch = &queue.batches().back();
    appended.new_batch = true;
    appended.bytes += kBatchHeaderBytes;
  }
  record.offset_delta = static_cast<int32_t>(batch->open_records.size());
  batch->max_timestamp_ms = std::max(batch->max_timestamp_ms, record.timestamp_ms);
  batch->open_records.push_back(std::move(record));
  batch->bytes += size;
  batch->last_append = now;
  AddOwner(*batch, call, index);
  appended.full = batch->IsFull(config_.batch_size) || queue.queued_count() > 1;
  return appended;
}

void RecordAccumulator::DisownLast(const broker::PartitionId& partition) {
  ProducerBatch* batch = QueueOf(partition).LastQueued();
  if (batch == nullptr) return;
  RecordsOf& last = batch->owners.back();
  if (--last.count == 0) batch->owners.pop_back();
  batch->owners.push_back({.call = kNoCall, .first = 0, .count = 1});
}

StickyPartition& RecordAccumulator::StickyOf(broker::TopicId topic) {
  for (auto& [id, sticky] : sticky_) {
    if (id == topic) return sticky;
  }
  return sticky_.emplace_back(topic, StickyPartition{}).second;
}

bool RecordAccumulator::HasIncomplete() const {
  return std::any_of(queues_.begin(), queues_.end(),
                     [](const PartitionQueue& queue) { return queue.HasIncomplete(); });
}

bool RecordAccumulator::HasUndrained() const {
  return std::any_of(queues_.begin(), queues_.end(),
                     [](const PartitionQueue& queue) { return queue.FirstQueued() != nullptr; });
}

bool RecordAccumulator::HasIncompleteUpTo(uint64_t batch) const {
  for (const PartitionQueue& queue : queues_) {
    for (const ProducerBatch& waiting : queue.batches()) {
      if (!waiting.done && waiting.id <= batch) return true;
    }
  }
  return false;
}

bool RecordAccumulator::IsBackingOff(const ProducerBatch& batch, sim::Time now) const {
  if (batch.attempts == 0 || batch.LeaderChangedForRetry()) return false;
  return now - batch.last_attempt < config_.retry_backoff.After(batch.attempts - 1);
}

RecordAccumulator::ReadyBrokers RecordAccumulator::Ready(const ClientMetadata& metadata,
                                                         sim::Time now, bool send_all) {
  ReadyBrokers ready;
  for (PartitionQueue& queue : queues_) {
    ProducerBatch* first = queue.FirstQueued();
    if (first == nullptr) continue;
    first->LearnLeaderEpoch(metadata.LeaderEpochOf(queue.partition()));
    const broker::BrokerId leader = metadata.LeaderOf(queue.partition());
    if (leader == broker::kNoBroker) {
      ready.leader_unknown = true;
      continue;
    }
    if (queue.muted) continue;
    const bool backing_off = IsBackingOff(*first, now);
    const sim::Duration pause =
        backing_off ? config_.retry_backoff.After(first->attempts - 1) : config_.linger;
    const bool sendable = send_all || queue.queued_count() > 1 ||
                          first->IsFull(config_.batch_size) || now - first->last_attempt >= pause;
    if (!sendable || backing_off) {
      ready.next_check = std::min(ready.next_check, first->last_attempt + pause);
    } else if (!std::binary_search(ready.brokers.begin(), ready.brokers.end(), leader)) {
      ready.brokers.insert(std::lower_bound(ready.brokers.begin(), ready.brokers.end(), leader),
                           leader);
    }
  }
  return ready;
}

sim::Time RecordAccumulator::NextExpiry() const {
  sim::Time next = sim::kEndOfTime;
  for (const PartitionQueue& queue : queues_) {
    for (const ProducerBatch& batch : queue.batches()) {
      if (!batch.done) next = std::min(next, batch.created + config_.delivery_timeout);
    }
  }
  return next;
}

void RecordAccumulator::AppendTo(sim::CanonicalBytes& out) const {
  out.AddAll(queues_);
  out.Add(static_cast<uint32_t>(sticky_.size()));
  for (const auto& [topic, sticky] : sticky_) {
    out.Add(topic);
    out.Add(sticky);
  }
  out.Add(next_batch_);
}

}  // namespace kafkasim::client
