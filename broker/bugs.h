// Rules of Kafka that can be switched off, one by one. A run without a rule shows what the rule is
// good for, and a test sees that its loss is noticed (a negative control). None is ever on unless
// it is asked for by name.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

namespace kafkasim::broker {

enum class Bug : uint8_t {
  // Partition leaders
  kLsoIsHighWatermark,
  kLsoPassesHighWatermark,
  kFirstBatchIsStable,
  kUnreplicatedEndIsStable,
  kOpenTransactionsForgotten,
  kLeaderIgnoresEpochs,
  kSequencesNotChecked,
  kMarkersNotChecked,
  kAbortedIndexForgotten,
  kIndexOfOneSegment,
  kMarkersCompactedByKey,
  // Replication
  kHighWatermarkIsLogEnd,
  kHighWatermarkFollowsSlowest,
  kDivergenceNotSeen,
  // Transaction coordinators
  kInitKeepsEpoch,
  kTimeoutKeepsEpoch,
  kCoordinatorIgnoresEpochs,
  kAnswerBeforePrepare,
  kMarkersForgottenAtFailover,
  kTransactionsInMemoryOnly,
  kFailoverAbortsPrepared,
  kFailedAppendIsKept,
  kCoordinatorEpochIsConstant,
  // Group coordinators
  kPendingOffsetsVisible,
  kGenerationNotChecked,
  kAssignmentsAddUp,
  kGroupsIgnoreMarkers,
  kAbortedOffsetsCount,
  // Clients
  kExpiredBatchesForgotten,
  kReaderIgnoresAborts,
  kReaderForgetsRanges,
};

struct BugInfo {
  Bug bug;
  std::string_view name;    // "lso_is_high_watermark"
  std::string_view rule;    // what Kafka does
  std::string_view broken;  // what happens instead
};

// All of them, in the order of the enumeration.
[[nodiscard]] std::span<const BugInfo> AllBugs();
[[nodiscard]] std::optional<Bug> FindBug(std::string_view name);

// A set of bugs.
class Bugs {
 public:
  constexpr Bugs() = default;
  constexpr Bugs(std::initializer_list<Bug> bugs) {
    for (const Bug bug : bugs) Add(bug);
  }

  constexpr void Add(Bug bug) { bits_ |= BitOf(bug); }
  [[nodiscard]] constexpr bool Has(Bug bug) const { return (bits_ & BitOf(bug)) != 0; }
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
  [[nodiscard]] constexpr uint64_t bits() const { return bits_; }

  friend constexpr bool operator==(const Bugs&, const Bugs&) = default;

 private:
  static constexpr uint64_t BitOf(Bug bug) { return uint64_t{1} << static_cast<uint8_t>(bug); }

  uint64_t bits_ = 0;
};

}  // namespace kafkasim::broker
