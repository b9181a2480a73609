#include "coordinator/sweep.h"

#include <algorithm>

namespace kafkasim::coordinator {

void Sweep::Start(sim::Time now, sim::Duration interval) {
  started_ = now;
  interval_ = interval;
  next_.reset();
}

std::optional<sim::Duration> Sweep::Want(int64_t deadline_ms, sim::Time now) {
  const int64_t after_now = (now - started_).us / interval_.us + 1;
  const int64_t until_found = sim::Millis(deadline_ms + 1).us - started_.us;
  const int64_t runs = std::max(after_now, (until_found + interval_.us - 1) / interval_.us);
  const sim::Time at = started_ + interval_ * runs;
  if (next_.has_value() && *next_ <= at) return std::nullopt;
  next_ = at;
  return at - now;
}

bool Sweep::IsDue(sim::Time now) {
  if (!next_.has_value() || now < *next_) return false;
  next_.reset();
  return true;
}

void Sweep::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(started_);
  out.Add(interval_);
  out.Add(next_.has_value());
  out.Add(next_.value_or(sim::Time{}));
}

}  // namespace kafkasim::coordinator
