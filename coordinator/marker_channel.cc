#include "coordinator/marker_channel.h"

#include <algorithm>
#include <utility>

#include "sim/check.h"

namespace kafkasim::coordinator {

namespace {

using broker::BrokerId;
using broker::PartitionId;
using broker::PartitionImage;

// Part of a marker, for the partitions of one leader.
MarkerEntry& PartFor(std::vector<std::pair<BrokerId, MarkerEntry>>& parts, BrokerId leader,
                     const MarkerEntry& whole) {
  for (auto& [broker, part] : parts) {
    if (broker == leader) return part;
  }
  MarkerEntry part = whole;
  part.partitions.clear();
  return parts.emplace_back(leader, std::move(part)).second;
}

template <typename Completions>
auto PlaceOf(Completions& completions, const std::string& transactional_id) {
  return std::lower_bound(completions.begin(), completions.end(), transactional_id,
                          [](const PendingCompletion& completion, const std::string& id) {
                            return completion.transactional_id < id;
                          });
}

}  // namespace

void MarkerEntry::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(transactional_id);
  out.Add(txn_partition);
  out.Add(coordinator_epoch);
  out.Add(producer_id);
  out.Add(producer_epoch);
  out.Add(committed);
  out.Add(transaction_version);
  out.AddAll(partitions);
}

void PendingCompletion::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(transactional_id);
  out.Add(txn_partition);
  out.Add(coordinator_epoch);
}

void MarkerChannel::Queue::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(broker);
  out.AddAll(waiting);
  out.AddAll(in_flight);
  out.Add(backing_off);
}

void MarkerChannel::AddCompletion(PendingCompletion completion) {
  const auto at = PlaceOf(completions_, completion.transactional_id);
  if (at != completions_.end() && at->transactional_id == completion.transactional_id) {
    *at = std::move(completion);
  } else {
    completions_.insert(at, std::move(completion));
  }
}

bool MarkerChannel::RemoveCompletion(const PendingCompletion& completion) {
  const auto at = PlaceOf(completions_, completion.transactional_id);
  if (at == completions_.end() || *at != completion) return false;
  completions_.erase(at);
  return true;
}

const PendingCompletion* MarkerChannel::FindCompletion(const std::string& transactional_id) const {
  const auto at = PlaceOf(completions_, transactional_id);
  return at != completions_.end() && at->transactional_id == transactional_id ? &*at : nullptr;
}

void MarkerChannel::AddAppendRetry(PendingCompletion completion) {
  append_retries_.push_back(std::move(completion));
}

std::vector<PendingCompletion> MarkerChannel::TakeAppendRetries() {
  return std::exchange(append_retries_, {});
}

MarkerChannel::Strays MarkerChannel::Enqueue(const MarkerEntry& entry,
                                             const broker::ClusterImage& image) {
  Strays strays;
  std::vector<std::pair<BrokerId, MarkerEntry>> parts;
  for (const PartitionId& partition : entry.partitions) {
    const PartitionImage* state = image.FindPartition(partition);
    if (state == nullptr) {
      strays.deleted.push_back(partition);
    } else if (state->leader == broker::kNoBroker) {
      strays.parked.push_back(partition);
    } else {
      PartFor(parts, state->leader, entry).partitions.push_back(partition);
    }
  }
  for (auto& [leader, part] : parts) QueueOf(leader).waiting.push_back(std::move(part));
  if (!strays.parked.empty()) {
    MarkerEntry& parked = parked_.emplace_back(entry);
    parked.partitions = strays.parked;
  }
  return strays;
}

std::vector<BrokerId> MarkerChannel::ReadyBrokers() const {
  std::vector<BrokerId> ready;
  for (const Queue& queue : queues_) {
    if (!queue.waiting.empty() && queue.in_flight.empty() && !queue.backing_off) {
      ready.push_back(queue.broker);
    }
  }
  return ready;
}

const std::vector<MarkerEntry>& MarkerChannel::StartRequest(BrokerId broker) {
  Queue& queue = QueueOf(broker);
  KAFKASIM_CHECK(queue.in_flight.empty(), "one marker request to a broker at a time");
  queue.in_flight = std::exchange(queue.waiting, {});
  return queue.in_flight;
}

std::vector<MarkerEntry> MarkerChannel::FinishRequest(BrokerId broker, bool disconnected) {
  Queue& queue = QueueOf(broker);
  std::vector<MarkerEntry> finished = std::exchange(queue.in_flight, {});
  queue.backing_off = disconnected;
  EraseIdleQueues();
  return finished;
}

void MarkerChannel::EndBackoff(BrokerId broker) {
  QueueOf(broker).backing_off = false;
  EraseIdleQueues();
}

std::vector<MarkerEntry> MarkerChannel::TakeUnsettled() {
  std::vector<MarkerEntry> unsettled = std::exchange(parked_, {});
  for (Queue& queue : queues_) {
    if (!queue.backing_off) continue;
    for (MarkerEntry& entry : queue.waiting) unsettled.push_back(std::move(entry));
    queue.waiting.clear();
  }
  return unsettled;
}

void MarkerChannel::RemovePartition(int32_t txn_partition) {
  const auto is_of = [&](const MarkerEntry& entry) { return entry.txn_partition == txn_partition; };
  const auto is_for = [&](const PendingCompletion& completion) {
    return completion.txn_partition == txn_partition;
  };
  std::erase_if(parked_, is_of);
  for (Queue& queue : queues_) std::erase_if(queue.waiting, is_of);
  EraseIdleQueues();
  std::erase_if(completions_, is_for);
  std::erase_if(append_retries_, is_for);
}

const MarkerChannel::Queue* MarkerChannel::Find(BrokerId broker) const {
  for (const Queue& queue : queues_) {
    if (queue.broker == broker) return &queue;
  }
  return nullptr;
}

MarkerChannel::Queue& MarkerChannel::QueueOf(BrokerId broker) {
  const auto at =
      std::lower_bound(queues_.begin(), queues_.end(), broker,
                       [](const Queue& queue, BrokerId id) { return queue.broker < id; });
  if (at != queues_.end() && at->broker == broker) return *at;
  return *queues_.insert(at, Queue{.broker = broker, .waiting = {}, .in_flight = {}});
}

void MarkerChannel::EraseIdleQueues() {
  std::erase_if(queues_, [](const Queue& queue) { return queue.idle(); });
}

size_t MarkerChannel::waiting_for(BrokerId broker) const {
  const Queue* queue = Find(broker);
  return queue == nullptr ? 0 : queue->waiting.size();
}

size_t MarkerChannel::in_flight_to(BrokerId broker) const {
  const Queue* queue = Find(broker);
  return queue == nullptr ? 0 : queue->in_flight.size();
}

void MarkerChannel::AppendTo(sim::CanonicalBytes& out) const {
  out.AddAll(queues_);
  out.AddAll(parked_);
  out.AddAll(completions_);
  out.AddAll(append_retries_);
}

}  // namespace kafkasim::coordinator
