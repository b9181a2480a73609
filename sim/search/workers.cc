#include "sim/search/workers.h"

#include <algorithm>

namespace kafkasim::sim {

Workers::Workers(int32_t threads, size_t chunk)
    : chunk_(chunk), stretches_(static_cast<size_t>(std::max(threads, 1))) {
  for (size_t i = 1; i < stretches_.size(); ++i) helpers_.emplace_back([this, i] { Help(i); });
}

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  begun_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

void Workers::ForEachIndex(size_t count, const std::function<void(size_t)>& work) {
  if (helpers_.empty() || count <= chunk_) {
    for (size_t i = 0; i < count; ++i) work(i);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    for (size_t i = 0; i < stretches_.size(); ++i) {
      stretches_[i].next = count * i / stretches_.size();
      stretches_[i].end = count * (i + 1) / stretches_.size();
    }
    busy_ = helpers_.size();
    ++round_;
  }
  begun_.notify_all();
  Work(0);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return busy_ == 0; });
}

void Workers::Help(size_t thread) {
  uint64_t seen = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      begun_.wait(lock, [&] { return ends_ || round_ != seen; });
      if (ends_) return;
      seen = round_;
    }
    Work(thread);
    const std::lock_guard lock(mutex_);
    if (--busy_ == 0) done_.notify_one();
  }
}

void Workers::Work(size_t thread) noexcept {
  for (size_t turn = 0; turn < stretches_.size(); ++turn) {
    Stretch& stretch = stretches_[(thread + turn) % stretches_.size()];
    for (;;) {
      const size_t begin = stretch.next.fetch_add(chunk_);
      if (begin >= stretch.end) break;
      for (size_t i = begin; i < std::min(begin + chunk_, stretch.end); ++i) (*work_)(i);
    }
  }
}

}  // namespace kafkasim::sim
