#include "sim/sweep.h"

#include <algorithm>

namespace kafkasim::sim {

void Sweep::Start(Time now, Duration interval, std::optional<Duration> first) {
  started_ = now + first.value_or(interval) - interval;
  interval_ = interval;
  next_.reset();
}

std::optional<Duration> Sweep::Want(int64_t deadline_ms, Time now) {
  if (next_.has_value() && *next_ <= Time{Millis(deadline_ms + 1).us}) return std::nullopt;
  const int64_t after_now = std::max<int64_t>((now - started_).us / interval_.us, 0) + 1;
  const int64_t until_found = Millis(deadline_ms + 1).us - started_.us;
  const int64_t runs = std::max(after_now, (until_found + interval_.us - 1) / interval_.us);
  const Time at = started_ + interval_ * runs;
  if (next_.has_value() && *next_ <= at) return std::nullopt;
  next_ = at;
  return at - now;
}

bool Sweep::IsDue(Time now) {
  if (!next_.has_value() || now < *next_) return false;
  next_.reset();
  return true;
}

void Sweep::AppendTo(CanonicalBytes& out) const {
  out.Add(started_);
  out.Add(interval_);
  out.Add(next_.has_value());
  out.Add(next_.value_or(Time{}));
}

}  // namespace kafkasim::sim
