// What a partition leader knows of one follower: how far it has fetched, since when it lags, and
// which fetch of it waits. Follows Kafka's Replica and ReplicaState (KIP-16, KIP-903) and the
// partition part of its FetchSession (KIP-227), Kafka 4.4 development line.
#pragma once

#include <cstdint>

#include "broker/ids.h"
#include "broker/messages_data.h"
#include "sim/fingerprint.h"
#include "sim/time.h"

namespace kafkasim::broker {

// Long before the start of every run: a follower that was never caught up.
inline constexpr sim::Time kNever{-1'000'000'000'000'000};

struct FollowerProgress {
  BrokerId broker = kNoBroker;
  Offset log_end_offset = kNoOffset;                // what its last fetch asked for; -1 unknown
  Offset log_start_offset = kNoOffset;              // of its log, as it said; -1 unknown
  Offset last_fetch_leader_end_offset = kNoOffset;  // the leader's log end at that fetch
  sim::Time last_fetch = kNever;
  sim::Time last_caught_up = kNever;
  // Of the life that fetched; -1 before the first fetch, -2 if it does not say.
  int64_t broker_epoch = -1;

  // Its fetch session has this partition, and asks for this.
  bool in_session = false;
  bool diverges = false;  // it must cut its log first
  Offset fetch_offset = kNoOffset;
  LeaderEpoch last_fetched_epoch = kNoLeaderEpoch;
  int32_t max_bytes = 0;
  // What it was told last in this session.
  Offset told_high_watermark{0};
  Offset told_log_start_offset{0};

  // A fetch at `offset` arrived: the follower has everything before. It counts as caught up now if
  // that is the leader's end, or at the time of its previous fetch if it has reached what was the
  // end then.
  void OnFetch(Offset offset, Offset leader_end_offset, sim::Time now);
  // The leader starts a new epoch. A new leader knows nothing of its followers; members of the ISR
  // get the benefit of the doubt.
  void OnNewLeaderEpoch(bool is_new_leader, bool in_isr, Offset leader_end_offset, sim::Time now);
  // At the leader's end, or there not longer ago than replica.lag.time.max.ms.
  [[nodiscard]] bool IsCaughtUp(Offset leader_end_offset, sim::Time now,
                                sim::Duration max_lag) const {
    return log_end_offset == leader_end_offset || now - last_caught_up <= max_lag;
  }
  // Takes the partition into the follower's session.
  void EnterSession(const FetchRequest::PartitionFetch& fetch, bool fetch_diverges);
  void LeaveSession();

  void AppendTo(sim::CanonicalBytes& out) const;
};

}  // namespace kafkasim::broker
