#include "scenarios/reader_view.h"

#include <algorithm>

#include <absl/container/btree_set.h>

namespace kafkasim::scenarios {
namespace {

// The filter of the Java client's CompletedFetch: a producer's transactional records are left out
// from the first offset of an aborted transaction to its ABORT marker.
class AbortedFilter {
 public:
  explicit AbortedFilter(std::vector<broker::AbortedTxn> aborted) : aborted_(std::move(aborted)) {
    std::stable_sort(aborted_.begin(), aborted_.end(),
                     [](const broker::AbortedTxn& a, const broker::AbortedTxn& b) {
                       return a.first_offset < b.first_offset;
                     });
  }

  // To be asked of every entry in order.
  bool LeavesOut(const EntryView& entry) {
    while (next_ < aborted_.size() && aborted_[next_].first_offset.value() <= entry.offset) {
      producers_.insert(aborted_[next_++].producer_id.value());
    }
    if (entry.kind == EntryKind::kAbort) producers_.erase(entry.producer_id);
    return entry.transactional && producers_.contains(entry.producer_id);
  }

 private:
  std::vector<broker::AbortedTxn> aborted_;
  std::size_t next_ = 0;
  absl::btree_set<std::int64_t> producers_;
};

}  // namespace

std::vector<std::size_t> PlacesGiven(const PartitionView& view, const broker::PartitionLog& log,
                                     broker::IsolationLevel level) {
  const bool committed = level == broker::IsolationLevel::kReadCommitted;
  const std::int64_t bound = committed ? view.last_stable_offset : view.high_watermark;
  std::vector<broker::AbortedTxn> aborted;
  if (committed) {
    aborted = log.CollectAbortedTxns(log.log_start_offset(), broker::Offset(bound));
  }
  AbortedFilter filter(std::move(aborted));
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < view.entries.size() && view.entries[i].offset < bound; ++i) {
    const EntryView& entry = view.entries[i];
    const bool left_out = filter.LeavesOut(entry);
    if (!left_out && entry.is_record()) places.push_back(i);
  }
  return places;
}

}  // namespace kafkasim::scenarios
