// A small sorted set of partitions.
#pragma once

#include <algorithm>

#include <absl/container/inlined_vector.h>

#include "broker/ids.h"
#include "sim/fingerprint.h"

namespace kafkasim::broker {

class PartitionSet {
 public:
  using const_iterator = absl::InlinedVector<PartitionId, 4>::const_iterator;

  void Insert(const PartitionId& partition) {
    if (ids_.empty() || ids_.back() < partition) {  // as a rule: most sets have one at most
      ids_.push_back(partition);
      return;
    }
    const auto at = std::lower_bound(ids_.begin(), ids_.end(), partition);
    if (*at != partition) ids_.insert(at, partition);
  }
  void Erase(const PartitionId& partition) {
    const auto at = std::lower_bound(ids_.begin(), ids_.end(), partition);
    if (at != ids_.end() && *at == partition) ids_.erase(at);
  }
  [[nodiscard]] bool Contains(const PartitionId& partition) const {
    return std::binary_search(ids_.begin(), ids_.end(), partition);
  }
  void Clear() { ids_.clear(); }
  [[nodiscard]] bool empty() const { return ids_.empty(); }
  [[nodiscard]] size_t size() const { return ids_.size(); }
  [[nodiscard]] const_iterator begin() const { return ids_.begin(); }
  [[nodiscard]] const_iterator end() const { return ids_.end(); }

  void AppendTo(sim::CanonicalBytes& out) const { out.AddAll(ids_); }

 private:
  absl::InlinedVector<PartitionId, 4> ids_;
};

}  // namespace kafkasim::broker
