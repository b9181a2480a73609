// Why the offsets of a partition are where they are: high watermark, last stable offset, and
// whether anybody could be given anything at all. Phrases without a full stop, for pictures,
// explanations and failed claims.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/moment.h"
#include "scenarios/snapshot.h"

namespace kafkasim::scenarios {

// "broker-1 and broker-2 (down)", of replicas of the view.
[[nodiscard]] std::string BrokersText(const PartitionView& view, std::vector<std::int32_t> brokers);

// "transaction pay-1 (old, producer 7, epoch 0)".
[[nodiscard]] std::string TransactionText(std::string_view transactional_id, std::string_view actor,
                                          std::int64_t producer_id, std::int32_t epoch);

// Brokers of the ISR whose log ends at or before `offset`.
[[nodiscard]] std::vector<std::int32_t> InSyncWithout(const PartitionView& view,
                                                      std::int64_t offset);

// Why no reader can be given anything: "leader broker-2 is down". "" if there is a leader that
// runs or will run on.
[[nodiscard]] std::string WhyUnreadable(const PartitionView& view);

// Why the high watermark is below `offset`, a place in the log: which in-sync replica lags, or that
// the replica of the view cannot know.
[[nodiscard]] std::string WhyHighWatermark(const PartitionView& view, std::int64_t offset);
// The same for the whole log; that all have it, if they do.
[[nodiscard]] std::string WhyHighWatermark(const PartitionView& view);

// Why a transaction is still open on the partition of the view: "transaction pay-1 (producer 7,
// epoch 0), open at offset 4 since 0.398s [event 212]; its coordinator broker-1 says ONGOING".
[[nodiscard]] std::string WhyOpen(const Moment& moment, const PartitionView& view,
                                  const OpenTransactionView& open);

// Why the last stable offset of a partition is where it is: "pinned by transaction pay-1 (producer
// 7, epoch 0), open at offset 4 since 0.398s [event 212]", or that it equals the high watermark.
[[nodiscard]] std::string WhyLastStableOffset(const Moment& moment, const PartitionView& view);

}  // namespace kafkasim::scenarios
