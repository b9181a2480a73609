#include "scenarios/why_offsets.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "scenarios/cluster_access.h"
#include "scenarios/marker_fate.h"

namespace kafkasim::scenarios {
namespace {

const ReplicaView* FindReplica(const PartitionView& view, std::int32_t broker) {
  for (const ReplicaView& replica : view.replicas) {
    if (replica.broker == broker) return &replica;
  }
  return nullptr;
}

std::string HappeningText(const Happening& happening) {
  if (happening.event == sim::kNoEvent) return "";
  return fmt::format(" since {} [event {}]", sim::FormatTime(happening.at), happening.event);
}

// What keeps a decided transaction open on a partition.
std::string MarkerSentence(const Moment& moment, const PartitionView& view,
                           const OpenTransactionView& open) {
  const std::optional<MarkerFate> fate = FateOfMarker(moment, view, open.producer_id);
  if (!fate.has_value()) return "";
  return fmt::format(", but its marker {} [event {}]", fate->text, fate->event);
}

// What the coordinator says of a transaction that is open on a partition: why it is still open.
std::string CoordinatorText(const Moment& moment, const PartitionView& partition,
                            const OpenTransactionView& open) {
  if (open.transactional_id.empty()) return "";
  const TransactionView view = ViewTransaction(moment, open.transactional_id);
  if (view.coordinator < 0) {
    const broker::BrokerId broker = CoordinatorOf(moment, open.transactional_id);
    if (broker == broker::kNoBroker) return "; it has no coordinator now";
    return fmt::format("; its coordinator broker-{} is down", broker);
  }
  if (!view.known) return fmt::format("; its coordinator broker-{} is loading", view.coordinator);
  if (view.producer_id != open.producer_id) return "";
  if (view.state == "ONGOING" && !view.pending_state.empty()) {
    return fmt::format("; its coordinator broker-{} is writing {}", view.coordinator,
                       view.pending_state);
  }
  return fmt::format("; its coordinator broker-{} says {}{}", view.coordinator, view.state,
                     MarkerSentence(moment, partition, open));
}

// What the leader still waits for though all in-sync replicas have what is meant.
std::string WhyNotReported(const PartitionView& view) {
  std::vector<std::int32_t> silent;
  for (const ReplicaView& replica : view.replicas) {
    const bool runs = replica.life == sim::Life::kRunning;
    if (replica.in_sync && replica.broker != view.leader && !runs) silent.push_back(replica.broker);
  }
  if (silent.empty()) return "the leader has yet to learn that all in-sync replicas have it";
  return fmt::format("in-sync {} cannot tell the leader that {} it", BrokersText(view, silent),
                     silent.size() == 1 ? "it has" : "they have");
}

}  // namespace

std::string BrokersText(const PartitionView& view, std::vector<std::int32_t> brokers) {
  std::sort(brokers.begin(), brokers.end());
  std::string text;
  for (std::size_t i = 0; i < brokers.size(); ++i) {
    if (i > 0) text += i + 1 == brokers.size() ? " and " : ", ";
    text += fmt::format("broker-{}", brokers[i]);
    const ReplicaView* replica = FindReplica(view, brokers[i]);
    if (replica == nullptr) continue;
    if (replica->life == sim::Life::kCrashed) text += " (down)";
    if (replica->life == sim::Life::kPaused) text += " (paused)";
  }
  return text;
}

std::string TransactionText(std::string_view transactional_id, std::string_view actor,
                            std::int64_t producer_id, std::int32_t epoch) {
  return fmt::format("transaction {}({}producer {}, epoch {})",
                     transactional_id.empty() ? "" : fmt::format("{} ", transactional_id),
                     actor.empty() ? "" : fmt::format("{}, ", actor), producer_id, epoch);
}

std::vector<std::int32_t> InSyncWithout(const PartitionView& view, std::int64_t offset) {
  std::vector<std::int32_t> lagging;
  for (const ReplicaView& replica : view.replicas) {
    if (replica.in_sync && replica.log_end_offset <= offset) lagging.push_back(replica.broker);
  }
  return lagging;
}

std::string WhyUnreadable(const PartitionView& view) {
  if (view.readable()) return "";
  if (view.leader >= 0) return fmt::format("leader broker-{} is down", view.leader);
  return fmt::format("there is no leader, as in-sync {} {}", BrokersText(view, view.isr),
                     view.isr.size() == 1 ? "has not come back" : "have not come back");
}

std::string WhyHighWatermark(const PartitionView& view, std::int64_t offset) {
  if (!view.offsets_known()) {
    return fmt::format("nobody knows it: it was in the memory of broker-{}, which is down",
                       view.seen_on);
  }
  if (view.seen_on != view.leader) return "a follower hears of it from its leader, one fetch later";
  const std::vector<std::int32_t> lagging = InSyncWithout(view, offset);
  if (lagging.empty()) return WhyNotReported(view);
  return fmt::format("in-sync {} {} not have it", BrokersText(view, lagging),
                     lagging.size() == 1 ? "does" : "do");
}

std::string WhyHighWatermark(const PartitionView& view) {
  if (view.offsets_known() && view.high_watermark == view.log_end_offset) {
    return "all in-sync replicas have the whole log";
  }
  return WhyHighWatermark(view, view.log_end_offset - 1);
}

std::string WhyOpen(const Moment& moment, const PartitionView& view,
                    const OpenTransactionView& open) {
  const std::string who =
      TransactionText(open.transactional_id, open.actor, open.producer_id, open.epoch);
  if (open.ended) {
    return fmt::format("{} from offset {}: its marker at offset {} is not replicated yet; {}", who,
                       open.first_offset, open.marker_offset,
                       WhyHighWatermark(view, open.marker_offset));
  }
  return fmt::format("{}, open at offset {}{}{}", who, open.first_offset,
                     HappeningText(open.opened), CoordinatorText(moment, view, open));
}

std::string WhyLastStableOffset(const Moment& moment, const PartitionView& view) {
  if (!view.offsets_known()) {
    return fmt::format("the last stable offset was in the memory of broker-{}, which is down",
                       view.seen_on);
  }
  const bool pinned =
      !view.open.empty() && view.open.front().first_offset <= view.last_stable_offset;
  if (pinned && view.last_stable_offset < view.high_watermark) {
    return fmt::format("the last stable offset is {}, pinned by {}", view.last_stable_offset,
                       WhyOpen(moment, view, view.open.front()));
  }
  return fmt::format(
      "the last stable offset is {}, the high watermark: {}", view.last_stable_offset,
      view.open.empty() ? "no transaction is open" : "the first open transaction begins behind it");
}

}  // namespace kafkasim::scenarios
