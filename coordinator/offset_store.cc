#include "coordinator/offset_store.h"

#include <algorithm>
#include <utility>

namespace kafkasim::coordinator {

namespace {

using broker::Offset;
using broker::PartitionId;
using broker::ProducerId;

void AppendOffsets(sim::CanonicalBytes& out, const GroupOffsets& offsets) {
  out.Add(static_cast<uint32_t>(offsets.size()));
  for (const auto& [partition, value] : offsets) {
    out.Add(partition);
    out.Add(value);
  }
}

}  // namespace

void OffsetStore::OfGroup::AppendTo(sim::CanonicalBytes& out) const {
  AppendOffsets(out, committed);
  out.Add(static_cast<uint32_t>(pending.size()));
  for (const auto& [producer_id, offsets] : pending) {
    out.Add(producer_id);
    AppendOffsets(out, offsets);
  }
}

void OffsetStore::Before::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(changed_at);
  out.Add(group_id);
  out.Add(partition);
  out.Add(value);
}

const OffsetStore::OfGroup* OffsetStore::Find(const std::string& group_id) const {
  const auto at = groups_.find(group_id);
  return at == groups_.end() ? nullptr : &*at->second;
}

GroupOffsets OffsetStore::Replicated(const std::string& group_id, Offset high_watermark) const {
  const OfGroup* known = Find(group_id);
  GroupOffsets offsets = known == nullptr ? GroupOffsets{} : known->committed;
  for (auto change = before_.rbegin(); change != before_.rend(); ++change) {
    if (change->changed_at < high_watermark || change->group_id != group_id) continue;
    if (change->value.has_value()) {
      offsets[change->partition] = *change->value;
    } else {
      offsets.erase(change->partition);
    }
  }
  return offsets;
}

bool OffsetStore::IsPending(const std::string& group_id, const PartitionId& partition) const {
  const OfGroup* known = Find(group_id);
  return known != nullptr &&
         std::any_of(known->pending.begin(), known->pending.end(),
                     [&](const auto& entry) { return entry.second.contains(partition); });
}

OffsetStore::OfGroup& OffsetStore::Mutable(const std::string& group_id) {
  return groups_[group_id].Mutable();
}

void OffsetStore::Remember(const std::string& group_id, const PartitionId& partition,
                           Offset changed_at, Offset high_watermark) {
  if (changed_at < high_watermark) return;
  Before before{.changed_at = changed_at, .group_id = group_id, .partition = partition};
  if (const OfGroup* known = Find(group_id)) {
    const auto at = known->committed.find(partition);
    if (at != known->committed.end()) before.value = at->second;
  }
  before_.push_back(std::move(before));
}

void OffsetStore::DropIfEmpty(const std::string& group_id) {
  const auto at = groups_.find(group_id);
  if (at->second->committed.empty() && at->second->pending.empty()) groups_.erase(at);
}

void OffsetStore::Commit(const std::string& group_id, const PartitionId& partition,
                         OffsetAndMetadata value, Offset high_watermark) {
  Remember(group_id, partition, value.record_offset, high_watermark);
  Mutable(group_id).committed.insert_or_assign(partition, std::move(value));
}

void OffsetStore::AddPending(ProducerId producer_id, const std::string& group_id,
                             const PartitionId& partition, OffsetAndMetadata value) {
  Mutable(group_id).pending[producer_id].insert_or_assign(partition, std::move(value));
}

void OffsetStore::Remove(const std::string& group_id, const PartitionId& partition,
                         Offset record_offset, Offset high_watermark) {
  if (Find(group_id) == nullptr) return;
  Remember(group_id, partition, record_offset, high_watermark);
  OfGroup& offsets = Mutable(group_id);
  offsets.committed.erase(partition);
  for (auto at = offsets.pending.begin(); at != offsets.pending.end();) {
    at->second.erase(partition);
    at = at->second.empty() ? offsets.pending.erase(at) : std::next(at);
  }
  DropIfEmpty(group_id);
}

std::vector<EndedOffset> OffsetStore::EndTransaction(ProducerId producer_id, bool committed,
                                                     Offset marker_offset, Offset high_watermark) {
  std::vector<std::string> concerned;
  for (const auto& [group_id, offsets] : groups_) {
    if (offsets->pending.contains(producer_id)) concerned.push_back(group_id);
  }
  std::vector<EndedOffset> ended;
  for (const std::string& group_id : concerned) {
    OfGroup& offsets = Mutable(group_id);
    const GroupOffsets pending = std::move(offsets.pending[producer_id]);
    offsets.pending.erase(producer_id);
    for (const auto& [partition, value] : pending) {
      const auto known = offsets.committed.find(partition);
      const bool later =
          known == offsets.committed.end() || value.record_offset > known->second.record_offset;
      if (committed && later) {
        Remember(group_id, partition, marker_offset, high_watermark);
        offsets.committed.insert_or_assign(partition, value);
      }
      ended.push_back({group_id, partition, value.offset, committed && later});
    }
    DropIfEmpty(group_id);
  }
  return ended;
}

void OffsetStore::Forget(Offset high_watermark) {
  std::erase_if(before_, [&](const Before& before) { return before.changed_at < high_watermark; });
}

void OffsetStore::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(static_cast<uint32_t>(groups_.size()));
  for (const auto& [group_id, offsets] : groups_) {
    out.Add(group_id);
    out.Add(offsets);
  }
  out.AddAll(before_);
}

}  // namespace kafkasim::coordinator
