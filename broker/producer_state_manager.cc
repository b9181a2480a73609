#include "broker/producer_state_manager.h"

#include <algorithm>

#include "sim/check.h"

namespace kafkasim::broker {
namespace {

bool IsExpired(const ProducerStateEntry& entry, int64_t now_ms, int64_t expiration_ms) {
  return !entry.current_txn_first_offset().has_value() &&
         now_ms - entry.last_timestamp_ms() >= expiration_ms;
}

void Insert(TxnSpans& spans, const TxnSpan& span) {
  if (spans.empty() || spans.back().first_offset < span.first_offset) {
    spans.push_back(span);
    return;
  }
  spans.insert(std::ranges::lower_bound(spans, span.first_offset, {}, &TxnSpan::first_offset),
               span);
}

void RemoveEndedBefore(TxnSpans& spans, Offset offset) {
  // Each entry is tested: a later one may have ended earlier.
  const auto ended = [&](const TxnSpan& span) { return span.last_offset < offset; };
  spans.erase(std::remove_if(spans.begin(), spans.end(), ended), spans.end());
}

}  // namespace

void TxnSpan::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(producer_id);
  out.Add(first_offset);
  out.Add(last_offset);
}

std::ostream& operator<<(std::ostream& out, const TxnSpan& span) {
  return out << "producer " << span.producer_id << " from " << span.first_offset << " to "
             << span.last_offset;
}

void ProducerSnapshot::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(offset);
  out.AddAll(entries);
}

const ProducerStateEntry* ProducerStateManager::Find(ProducerId producer_id) const {
  const auto at =
      std::ranges::lower_bound(entries_, producer_id, {}, &ProducerStateEntry::producer_id);
  return at != entries_.end() && at->producer_id() == producer_id ? &*at : nullptr;
}

ProducerStateEntry& ProducerStateManager::FindOrAdd(ProducerId producer_id) {
  auto at = std::ranges::lower_bound(entries_, producer_id, {}, &ProducerStateEntry::producer_id);
  if (at == entries_.end() || at->producer_id() != producer_id) {
    at = entries_.insert(at, ProducerStateEntry(producer_id));
  }
  return *at;
}

std::optional<Offset> ProducerStateManager::FirstUnstableOffset() const {
  if (unreplicated_.empty()) return FirstUndecidedOffset();
  const Offset unreplicated = unreplicated_.front().first_offset;
  return ongoing_.empty() ? unreplicated : std::min(unreplicated, ongoing_.front().first_offset);
}

std::optional<Offset> ProducerStateManager::FirstUndecidedOffset() const {
  return ongoing_.empty() ? std::nullopt : std::optional(ongoing_.front().first_offset);
}

ProducerStateManager::Outcome ProducerStateManager::Update(const RecordBatch& batch) {
  Outcome outcome;
  if (batch.marker_removed) return outcome;  // nothing of its transaction is left
  ProducerStateEntry& entry = FindOrAdd(batch.producer_id);
  if (batch.is_control()) {
    outcome.completed_txn = entry.AddMarker(batch);
    return outcome;
  }
  outcome.started_txn = entry.AddBatch(batch);
  if (outcome.started_txn) {
    Insert(ongoing_, {.producer_id = batch.producer_id, .first_offset = batch.base_offset});
  }
  return outcome;
}

Offset ProducerStateManager::LastStableOffset(const CompletedTxn& txn) const {
  for (const TxnSpan& open : ongoing_) {
    if (open.producer_id != txn.producer_id) return open.first_offset;
  }
  return txn.last_offset + 1;
}

void ProducerStateManager::CompleteTxn(const CompletedTxn& txn) {
  const auto at = std::ranges::lower_bound(ongoing_, txn.first_offset, {}, &TxnSpan::first_offset);
  KAFKASIM_CHECK(at != ongoing_.end() && at->first_offset == txn.first_offset,
                 "a transaction that ends has begun");
  ongoing_.erase(at);
  Insert(unreplicated_, {.producer_id = txn.producer_id,
                         .first_offset = txn.first_offset,
                         .last_offset = txn.last_offset});
}

void ProducerStateManager::ForgetOpenTransactions() {
  for (ProducerStateEntry& entry : entries_) entry.ForgetTransaction();
  ongoing_.clear();
  unreplicated_.clear();
}

void ProducerStateManager::OnHighWatermarkUpdated(Offset high_watermark) {
  RemoveEndedBefore(unreplicated_, high_watermark);
}

void ProducerStateManager::OnLogStartOffsetIncremented(Offset log_start_offset) {
  RemoveEndedBefore(unreplicated_, log_start_offset);
  map_end_offset_ = std::max(map_end_offset_, log_start_offset);
  last_snapshot_offset_ = snapshots_.empty() ? log_start_offset : snapshots_.back()->offset;
}

void ProducerStateManager::RemoveExpired(int64_t now_ms, int64_t expiration_ms) {
  entries_ = NotExpired(now_ms, expiration_ms);
}

std::vector<ProducerStateEntry> ProducerStateManager::NotExpired(int64_t now_ms,
                                                                 int64_t expiration_ms) const {
  std::vector<ProducerStateEntry> left;
  for (const ProducerStateEntry& entry : entries_) {
    if (!IsExpired(entry, now_ms, expiration_ms)) left.push_back(entry);
  }
  return left;
}

void ProducerStateManager::TakeSnapshot() {
  if (map_end_offset_ <= last_snapshot_offset_) return;
  ProducerSnapshot snapshot{.offset = map_end_offset_, .entries = {}};
  snapshot.entries.reserve(entries_.size());
  for (const ProducerStateEntry& entry : entries_) snapshot.entries.push_back(entry.ForSnapshot());
  RemoveSnapshot(map_end_offset_);
  snapshots_.emplace_back(std::move(snapshot));
  last_snapshot_offset_ = map_end_offset_;
}

void ProducerStateManager::RemoveSnapshot(Offset offset) {
  RetainSnapshots([&](Offset at) { return at != offset; });
}

bool ProducerStateManager::TruncateAndReload(Offset log_start_offset, Offset log_end_offset,
                                             int64_t now_ms, int64_t expiration_ms) {
  // Kafka's shortcut for logs without producers: a truncation does not bring any back.
  const bool was_empty =
      entries_.empty() && unreplicated_.empty() && map_end_offset_ >= log_end_offset;
  RetainSnapshots([&](Offset at) { return at <= log_end_offset && at > log_start_offset; });
  if (map_end_offset_ == log_end_offset) {
    OnLogStartOffsetIncremented(log_start_offset);
  } else {
    entries_.clear();
    ongoing_.clear();
    unreplicated_.clear();
    LoadFromSnapshot(log_start_offset, now_ms, expiration_ms);
  }
  return was_empty;
}

void ProducerStateManager::LoadFromSnapshot(Offset log_start_offset, int64_t now_ms,
                                            int64_t expiration_ms) {
  map_end_offset_ = snapshots_.empty() ? log_start_offset : snapshots_.back()->offset;
  last_snapshot_offset_ = map_end_offset_;
  if (snapshots_.empty()) return;
  for (const ProducerStateEntry& entry : snapshots_.back()->entries) {
    if (IsExpired(entry, now_ms, expiration_ms)) continue;
    entries_.push_back(entry);
    if (const auto first = entry.current_txn_first_offset(); first.has_value()) {
      Insert(ongoing_, {.producer_id = entry.producer_id(), .first_offset = *first});
    }
  }
}

void ProducerStateManager::TruncateFullyAndStartAt(Offset offset) {
  snapshots_.clear();
  DropVolatile();
  map_end_offset_ = offset;
}

void ProducerStateManager::DropVolatile() {
  entries_.clear();
  ongoing_.clear();
  unreplicated_.clear();
  map_end_offset_ = Offset(0);
  last_snapshot_offset_ = Offset(0);
}

void ProducerStateManager::AppendTo(sim::CanonicalBytes& out) const {
  out.AddAll(entries_);
  out.AddAll(ongoing_);
  out.AddAll(unreplicated_);
  out.Add(map_end_offset_);
  out.Add(last_snapshot_offset_);
  out.AddAll(snapshots_);
}

}  // namespace kafkasim::broker
