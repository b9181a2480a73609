#include "broker/follower_progress.h"

#include <algorithm>

namespace kafkasim::broker {

void FollowerProgress::OnFetch(Offset offset, Offset leader_end_offset, sim::Time now) {
  if (offset >= leader_end_offset) {
    last_caught_up = std::max(last_caught_up, now);
  } else if (offset >= last_fetch_leader_end_offset) {
    last_caught_up = std::max(last_caught_up, last_fetch);
  }
  log_end_offset = offset;
  last_fetch_leader_end_offset = std::max(last_fetch_leader_end_offset, leader_end_offset);
  last_fetch = now;
}

void FollowerProgress::OnNewLeaderEpoch(bool is_new_leader, bool in_isr, Offset leader_end_offset,
                                        sim::Time now) {
  const FollowerProgress before = *this;
  *this = FollowerProgress{.broker = before.broker};
  last_caught_up = in_isr ? now : kNever;
  if (is_new_leader) return;
  log_end_offset = before.log_end_offset;
  log_start_offset = before.log_start_offset;
  broker_epoch = before.broker_epoch;
  last_fetch_leader_end_offset = leader_end_offset;
  last_fetch = in_isr ? now : kNever;
}

void FollowerProgress::EnterSession(const FetchRequest::PartitionFetch& fetch,
                                    bool fetch_diverges) {
  in_session = true;
  diverges = fetch_diverges;
  fetch_offset = fetch.fetch_offset;
  last_fetched_epoch = fetch.last_fetched_epoch;
  log_start_offset = fetch.log_start_offset;
  max_bytes = fetch.max_bytes;
}

void FollowerProgress::LeaveSession() {
  in_session = false;
  diverges = false;
  told_high_watermark = Offset(0);
  told_log_start_offset = Offset(0);
}

void FollowerProgress::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(broker);
  out.Add(log_end_offset);
  out.Add(log_start_offset);
  out.Add(last_fetch_leader_end_offset);
  out.Add(last_fetch);
  out.Add(last_caught_up);
  out.Add(broker_epoch);
  out.Add(in_session);
  out.Add(diverges);
  out.Add(fetch_offset);
  out.Add(last_fetched_epoch);
  out.Add(max_bytes);
  out.Add(told_high_watermark);
  out.Add(told_log_start_offset);
}

}  // namespace kafkasim::broker
