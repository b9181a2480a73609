#include "coordinator/transaction_cache.h"

#include <algorithm>
#include <string>
#include <utility>

#include "broker/cluster_image.h"
#include "sim/check.h"

namespace kafkasim::coordinator {

namespace {

// Where the id is, or would be.
TransactionCache::Entries::const_iterator LowerBound(const TransactionCache::Entries& entries,
                                                     std::string_view transactional_id) {
  return std::lower_bound(entries.begin(), entries.end(), transactional_id,
                          [](const sim::Cow<TransactionMetadata>& entry, std::string_view id) {
                            return entry->transactional_id < id;
                          });
}

bool IsAt(TransactionCache::Entries::const_iterator at, const TransactionCache::Entries& entries,
          std::string_view transactional_id) {
  return at != entries.end() && (*at)->transactional_id == transactional_id;
}

}  // namespace

void TransactionCache::Partition::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(index);
  out.Add(epoch);
  out.Add(loading);
  out.Add(static_cast<uint32_t>(entries->size()));
  for (const sim::Cow<TransactionMetadata>& entry : *entries) out.Add(entry);
}

void TransactionCache::SetTopic(broker::TopicId topic, int32_t partition_count) {
  KAFKASIM_CHECK(partition_count_ == 0 || partition_count_ == partition_count,
                 "the number of partitions of __transaction_state never changes");
  topic_ = topic;
  partition_count_ = partition_count;
}

TransactionCache::Located TransactionCache::Locate(std::string_view transactional_id) const {
  if (partition_count_ == 0) return {};
  const int32_t index =
      broker::PartitionForHash(broker::JavaStringHash(transactional_id), partition_count_);
  const Partition* partition = FindAny(index);
  if (partition == nullptr) return {Standing::kElsewhere, index};
  if (partition->loading) return {Standing::kLoading, index};
  return {Standing::kHere, index, partition->epoch, Find(*partition, transactional_id)};
}

const TransactionCache::Partition* TransactionCache::FindAny(int32_t index) const {
  const auto at =
      std::lower_bound(partitions_.begin(), partitions_.end(), index,
                       [](const Partition& partition, int32_t i) { return partition.index < i; });
  return at != partitions_.end() && at->index == index ? &*at : nullptr;
}

const TransactionCache::Partition* TransactionCache::Find(int32_t index,
                                                          broker::CoordinatorEpoch epoch) const {
  const Partition* partition = FindAny(index);
  const bool usable = partition != nullptr && !partition->loading && partition->epoch == epoch;
  return usable ? partition : nullptr;
}

const TransactionMetadata* TransactionCache::Find(const Partition& partition,
                                                  std::string_view transactional_id) const {
  const Entries& entries = *partition.entries;
  const auto at = LowerBound(entries, transactional_id);
  return IsAt(at, entries, transactional_id) ? &**at : nullptr;
}

void TransactionCache::StartLoading(int32_t index, broker::CoordinatorEpoch epoch) {
  Remove(index);
  const auto at =
      std::lower_bound(partitions_.begin(), partitions_.end(), index,
                       [](const Partition& partition, int32_t i) { return partition.index < i; });
  partitions_.insert(at, Partition{.index = index, .epoch = epoch, .loading = true, .entries = {}});
}

bool TransactionCache::IsLoading(int32_t index, broker::CoordinatorEpoch epoch) const {
  const Partition* partition = FindAny(index);
  return partition != nullptr && partition->loading && partition->epoch == epoch;
}

void TransactionCache::Install(int32_t index, const LoadedTransactions& loaded) {
  Partition& partition = MutablePartition(index);
  Entries& entries = partition.entries.Mutable();
  entries.clear();
  for (const auto& [transactional_id, value] : loaded) {
    entries.emplace_back(TransactionMetadata{.transactional_id = transactional_id, .value = value});
  }
  partition.loading = false;
}

bool TransactionCache::Remove(int32_t index) {
  return std::erase_if(partitions_,
                       [&](const Partition& partition) { return partition.index == index; }) > 0;
}

TransactionCache::Partition& TransactionCache::MutablePartition(int32_t index) {
  const Partition* partition = FindAny(index);
  KAFKASIM_CHECK(partition != nullptr, "only a partition that is coordinated here changes");
  return partitions_[static_cast<size_t>(partition - partitions_.data())];
}

TransactionMetadata& TransactionCache::Mutable(int32_t partition,
                                               std::string_view transactional_id) {
  Entries& entries = MutablePartition(partition).entries.Mutable();
  const auto at = LowerBound(entries, transactional_id);
  KAFKASIM_CHECK(IsAt(at, entries, transactional_id), "only a known transactional id changes");
  return entries[static_cast<size_t>(at - entries.cbegin())].Mutable();
}

TransactionMetadata& TransactionCache::Insert(int32_t partition, TransactionMetadata metadata) {
  Entries& entries = MutablePartition(partition).entries.Mutable();
  const auto at = LowerBound(entries, metadata.transactional_id);
  KAFKASIM_CHECK(!IsAt(at, entries, metadata.transactional_id), "only an unknown id is new");
  return entries.emplace(at, std::move(metadata))->Mutable();
}

void TransactionCache::Erase(int32_t partition, std::string_view transactional_id) {
  Entries& entries = MutablePartition(partition).entries.Mutable();
  const auto at = LowerBound(entries, transactional_id);
  KAFKASIM_CHECK(IsAt(at, entries, transactional_id), "only a known transactional id goes");
  entries.erase(at);
}

void TransactionCache::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(topic_);
  out.Add(partition_count_);
  out.AddAll(partitions_);
}

}  // namespace kafkasim::coordinator
