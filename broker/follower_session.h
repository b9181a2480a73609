// The fetch session that a follower has with a leader (KIP-227), as the leader keeps it, and the
// follower's fetch that waits there. Follows Kafka's FetchSession and DelayedFetch (Kafka 4.4
// development line), with what is said of single partitions kept in FollowerProgress.
//
// A follower's fetch that finds nothing waits. In Kafka it comes back empty after
// replica.fetch.wait.max.ms and is sent again, for ever. Expiries that would carry nothing are not
// simulated: a fetch is answered
//   at once                    with data, with an error, after a change of roles
//   when its wait would end    if there is only a moved high watermark to tell, or if the follower
//                              has not yet asked for a partition that it could
// and a follower whose fetch waits while it can be reached counts as fetching all the time, as one
// does that repeats its fetch twice a second. So a follower asks again only when the connection
// breaks, or after replica.socket.timeout.ms if a fault has taken its fetch or the answer away.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "broker/error_code.h"
#include "broker/ids.h"
#include "broker/partition_set.h"
#include "sim/context.h"
#include "sim/process.h"
#include "sim/time.h"

namespace kafkasim::broker {

struct FollowerSession {
  // A partition that cannot be fetched, to be told with the next answer.
  struct PartitionError {
    PartitionId partition;
    ErrorCode error = ErrorCode::kNone;
  };

  BrokerId follower = kNoBroker;
  bool open = false;
  int32_t next_epoch = 0;  // of the request that is expected next
  bool reachable = true;
  sim::Time last_fetch{};  // when the last request came

  // The request that waits, since when, and what it allows.
  std::optional<sim::ReplyTo> waiting{};
  sim::Time waiting_since{};
  sim::Duration max_wait{};
  int64_t max_bytes = 0;
  sim::TimerId expiry{};

  PartitionSet data{};      // with something that is worth an answer at once
  PartitionSet news{};      // with something that goes along
  PartitionSet returned{};  // whose data went with the last answer
  std::vector<PartitionError> errors{};
  // False if the follower could ask for more partitions than it does; unknown after a change.
  bool complete = false;
  bool complete_is_known = false;

  // Takes a request with this session epoch (0 opens a session).
  //   FETCH_SESSION_ID_NOT_FOUND   there is no session
  //   INVALID_FETCH_SESSION_EPOCH  not the expected epoch
  [[nodiscard]] ErrorCode OnRequest(int32_t session_epoch, sim::Time now);
  // Counts as fetching at any moment.
  [[nodiscard]] bool IsWaiting() const { return waiting.has_value() && reachable; }
  // When it fetched last, as Kafka would see it at `now`.
  [[nodiscard]] sim::Time LastFetch(sim::Time now) const { return IsWaiting() ? now : last_fetch; }
  [[nodiscard]] bool MustAnswerAtOnce() const { return !data.empty() || !errors.empty(); }
  // How long until the wait would end next, were it repeated.
  [[nodiscard]] sim::Duration UntilExpiry(sim::Time now) const;
  // The session forgets a partition.
  void Forget(const PartitionId& partition);

  void AppendTo(sim::CanonicalBytes& out) const;
};

// The sessions of all followers, by follower.
class FollowerSessions {
 public:
  // Added if there was none. The reference is valid until another one is added.
  [[nodiscard]] FollowerSession& Of(BrokerId follower);
  [[nodiscard]] const FollowerSession* Find(BrokerId follower) const;
  [[nodiscard]] std::vector<FollowerSession>& all() { return sessions_; }
  [[nodiscard]] const std::vector<FollowerSession>& all() const { return sessions_; }

  void AppendTo(sim::CanonicalBytes& out) const { out.AddAll(sessions_); }

 private:
  std::vector<FollowerSession> sessions_;
};

}  // namespace kafkasim::broker
