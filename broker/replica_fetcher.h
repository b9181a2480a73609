// What a broker fetches from one leader: one request in flight, on a session that names only what
// changed. Follows Kafka's ReplicaFetcherThread with FetchSessionHandler (KIP-227), Kafka 4.4
// development line, one fetcher a leader (num.replica.fetchers = 1). Where each partition stands is
// kept in its Partition.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "broker/ids.h"
#include "broker/partition_set.h"
#include "sim/context.h"
#include "sim/fingerprint.h"
#include "sim/time.h"

namespace kafkasim::broker {

struct ReplicaFetcher {
  // A partition that had an error; it is fetched again at `until`.
  struct Delay {
    PartitionId partition;
    sim::Time until{};
  };

  // A partition whose log the leader does not continue: the fetcher asks for the leader's end, and
  // then perhaps for its start, before it fetches anything else.
  struct OutOfRange {
    PartitionId partition;
    bool knows_end = false;
  };

  BrokerId leader = kNoBroker;
  int32_t session_epoch = 0;  // of the next request; 0: all partitions are named anew
  std::optional<sim::CorrelationId> in_flight{};
  bool backing_off = false;                // the connection broke: nothing is sent until the timer
  PartitionSet changed{};                  // to be named in the next request
  PartitionSet forgotten{};                // to be dropped from the session with the next request
  std::vector<OutOfRange> out_of_range{};  // the first one is being asked about
  std::vector<Delay> delays{};
  sim::TimerId timer{};

  void AppendTo(sim::CanonicalBytes& out) const;
};

// The fetchers of a broker, by leader.
class ReplicaFetchers {
 public:
  // Added if there was none. The reference is valid until another one is added.
  [[nodiscard]] ReplicaFetcher& Of(BrokerId leader);
  [[nodiscard]] const ReplicaFetcher* Find(BrokerId leader) const;
  [[nodiscard]] std::vector<ReplicaFetcher>& all() { return fetchers_; }
  [[nodiscard]] const std::vector<ReplicaFetcher>& all() const { return fetchers_; }
  // `partition` is no longer fetched from `leader`.
  void Stop(BrokerId leader, const PartitionId& partition);

  void AppendTo(sim::CanonicalBytes& out) const { out.AddAll(fetchers_); }

 private:
  std::vector<ReplicaFetcher> fetchers_;
};

}  // namespace kafkasim::broker
