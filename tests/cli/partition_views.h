// Partitions made by hand, for the tests of what is drawn from them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "scenarios/snapshot.h"

namespace kafkasim::cli {

inline scenarios::EntryView Record(std::int64_t offset, std::string value, std::string actor,
                                   scenarios::EntryState state = scenarios::EntryState::kPlain) {
  scenarios::EntryView entry;
  entry.offset = offset;
  entry.state = state;
  entry.value = std::move(value);
  entry.actor = std::move(actor);
  return entry;
}

inline scenarios::EntryView Marker(std::int64_t offset, scenarios::EntryKind kind,
                                   std::string actor) {
  scenarios::EntryView entry;
  entry.offset = offset;
  entry.kind = kind;
  entry.actor = std::move(actor);
  return entry;
}

// A partition led by broker 1, of three in-sync replicas, with all watermarks at its end.
inline scenarios::PartitionView PartitionOf(std::vector<scenarios::EntryView> entries) {
  scenarios::PartitionView view;
  view.name = "enriched_orders-0";
  view.leader = view.seen_on = 1;
  view.leader_epoch = 0;
  view.isr = {0, 1, 2};
  for (const int broker : {0, 1, 2}) view.replicas.push_back({.broker = broker, .in_sync = true});
  view.entries = std::move(entries);
  const std::int64_t end = view.entries.empty() ? 0 : view.entries.back().offset + 1;
  view.log_end_offset = view.high_watermark = view.last_stable_offset = end;
  return view;
}

// The log of the design: T1 committed around a plain record, T2 open.
inline scenarios::PartitionView OneOpenTransaction() {
  using scenarios::EntryState;
  scenarios::PartitionView view = PartitionOf(
      {Record(0, "a", "t1", EntryState::kCommitted), Record(1, "b", "p2"),
       Record(2, "c", "t1", EntryState::kCommitted), Marker(3, scenarios::EntryKind::kCommit, "t1"),
       Record(4, "d", "t2", EntryState::kUndecided)});
  view.last_stable_offset = 4;
  scenarios::OpenTransactionView open;
  open.transactional_id = "ship-7";
  open.actor = "t2";
  open.first_offset = 4;
  open.opened.at = sim::Time{398'000};
  view.open = {open};
  view.read_committed = {0, 1, 2};
  view.read_uncommitted = {0, 1, 2, 4};
  return view;
}

// Plain records behind the first one, of a transaction that hangs.
inline scenarios::PartitionView HungTransaction(std::int64_t records) {
  std::vector<scenarios::EntryView> entries{
      Record(0, "t", "hung", scenarios::EntryState::kUndecided)};
  for (std::int64_t i = 1; i <= records; ++i) {
    entries.push_back(Record(i, "r" + std::to_string(i), "p2"));
  }
  scenarios::PartitionView view = PartitionOf(std::move(entries));
  view.last_stable_offset = 0;
  scenarios::OpenTransactionView open;
  open.transactional_id = "pay-1";
  open.first_offset = 0;
  view.open = {open};
  for (std::size_t i = 0; i < view.entries.size(); ++i) view.read_uncommitted.push_back(i);
  return view;
}

}  // namespace kafkasim::cli
