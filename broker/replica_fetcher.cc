#include "broker/replica_fetcher.h"

#include <algorithm>

namespace kafkasim::broker {

void ReplicaFetcher::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(leader);
  out.Add(session_epoch);
  out.Add(in_flight);
  out.Add(backing_off);
  out.Add(changed);
  out.Add(forgotten);
  out.Add(static_cast<uint32_t>(out_of_range.size()));
  for (const OutOfRange& lost : out_of_range) {
    out.Add(lost.partition);
    out.Add(lost.knows_end);
  }
  out.Add(static_cast<uint32_t>(delays.size()));
  for (const Delay& delay : delays) {
    out.Add(delay.partition);
    out.Add(delay.until);
  }
}

ReplicaFetcher& ReplicaFetchers::Of(BrokerId leader) {
  const auto at = std::lower_bound(
      fetchers_.begin(), fetchers_.end(), leader,
      [](const ReplicaFetcher& fetcher, BrokerId wanted) { return fetcher.leader < wanted; });
  if (at != fetchers_.end() && at->leader == leader) return *at;
  return *fetchers_.insert(at, ReplicaFetcher{.leader = leader});
}

const ReplicaFetcher* ReplicaFetchers::Find(BrokerId leader) const {
  for (const ReplicaFetcher& fetcher : fetchers_) {
    if (fetcher.leader == leader) return &fetcher;
  }
  return nullptr;
}

void ReplicaFetchers::Stop(BrokerId leader, const PartitionId& partition) {
  if (Find(leader) == nullptr) return;
  ReplicaFetcher& fetcher = Of(leader);
  fetcher.changed.Erase(partition);
  std::erase_if(fetcher.out_of_range, [&](const ReplicaFetcher::OutOfRange& lost) {
    return lost.partition == partition;
  });
  std::erase_if(fetcher.delays,
                [&](const ReplicaFetcher::Delay& delay) { return delay.partition == partition; });
  if (fetcher.session_epoch > 0) fetcher.forgotten.Insert(partition);
}

}  // namespace kafkasim::broker
