#include "broker/follower_session.h"

#include <algorithm>

namespace kafkasim::broker {

ErrorCode FollowerSession::OnRequest(int32_t session_epoch, sim::Time now) {
  if (session_epoch == 0) {
    const FollowerSession before = *this;
    *this = FollowerSession{.follower = before.follower, .reachable = before.reachable};
    open = true;
    next_epoch = 1;
  } else if (!open) {
    return ErrorCode::kFetchSessionIdNotFound;
  } else if (session_epoch != next_epoch) {
    return ErrorCode::kInvalidFetchSessionEpoch;
  } else {
    ++next_epoch;
  }
  waiting.reset();
  last_fetch = now;
  return ErrorCode::kNone;
}

sim::Duration FollowerSession::UntilExpiry(sim::Time now) const {
  if (max_wait.us <= 0) return {};
  const int64_t into_the_wait = (now - waiting_since).us % max_wait.us;
  return {max_wait.us - into_the_wait};
}

void FollowerSession::Forget(const PartitionId& partition) {
  data.Erase(partition);
  news.Erase(partition);
  returned.Erase(partition);
  std::erase_if(errors, [&](const PartitionError& e) { return e.partition == partition; });
  complete_is_known = false;
}

void FollowerSession::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(follower);
  out.Add(open);
  out.Add(next_epoch);
  out.Add(reachable);
  out.Add(last_fetch);
  out.Add(waiting);
  out.Add(waiting_since);
  out.Add(max_wait);
  out.Add(max_bytes);
  out.Add(data);
  out.Add(news);
  out.Add(returned);
  out.Add(static_cast<uint32_t>(errors.size()));
  for (const PartitionError& error : errors) {
    out.Add(error.partition);
    out.Add(error.error);
  }
  out.Add(complete);
  out.Add(complete_is_known);
}

FollowerSession& FollowerSessions::Of(BrokerId follower) {
  const auto at = std::lower_bound(
      sessions_.begin(), sessions_.end(), follower,
      [](const FollowerSession& session, BrokerId wanted) { return session.follower < wanted; });
  if (at != sessions_.end() && at->follower == follower) return *at;
  return *sessions_.insert(at, FollowerSession{.follower = follower});
}

const FollowerSession* FollowerSessions::Find(BrokerId follower) const {
  for (const FollowerSession& session : sessions_) {
    if (session.follower == follower) return &session;
  }
  return nullptr;
}

}  // namespace kafkasim::broker
