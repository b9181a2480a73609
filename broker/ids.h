// The ids of the Kafka model, each its own type.
#pragma once

#include <cstdint>

#include "sim/fingerprint.h"
#include "sim/ids.h"
#include "sim/strong_int.h"

namespace kafkasim::broker {

using BrokerId = sim::StrongInt<struct BrokerIdTag, int32_t>;
inline constexpr BrokerId kNoBroker{-1};

// A topic, numbered by the controller in the order of creation and never reused (KIP-516 topic
// ids).
using TopicId = sim::StrongInt<struct TopicIdTag, int32_t>;

// A position in a partition log.
using Offset = sim::StrongInt<struct OffsetTag, int64_t>;
inline constexpr Offset kNoOffset{-1};

using LeaderEpoch = sim::StrongInt<struct LeaderEpochTag, int32_t>;
inline constexpr LeaderEpoch kNoLeaderEpoch{-1};

using ProducerId = sim::StrongInt<struct ProducerIdTag, int64_t>;
inline constexpr ProducerId kNoProducerId{-1};

using ProducerEpoch = sim::StrongInt<struct ProducerEpochTag, int16_t>;
inline constexpr ProducerEpoch kNoProducerEpoch{-1};
// The highest epoch a client is ever given; 32767 exists only inside a fence or an ended
// transaction.
inline constexpr ProducerEpoch kLastClientEpoch{32766};
inline constexpr ProducerEpoch kExhaustedEpoch{32767};

using Sequence = sim::StrongInt<struct SequenceTag, int32_t>;
inline constexpr Sequence kNoSequence{-1};

// The leader epoch of the coordinator's partition of __transaction_state.
using CoordinatorEpoch = sim::StrongInt<struct CoordinatorEpochTag, int32_t>;
inline constexpr CoordinatorEpoch kNoCoordinatorEpoch{-1};

// One partition. Names are in the cluster image; a state holds only numbers.
struct PartitionId {
  TopicId topic{-1};
  int32_t index = -1;

  friend constexpr bool operator==(const PartitionId&, const PartitionId&) = default;
  // By topic, then by index, in one comparison: every message looks partitions up.
  friend constexpr auto operator<=>(const PartitionId& a, const PartitionId& b) {
    return a.Rank() <=> b.Rank();
  }
  void AppendTo(sim::CanonicalBytes& out) const {
    out.Add(topic);
    out.Add(index);
  }

 private:
  [[nodiscard]] constexpr int64_t Rank() const {
    constexpr int64_t kIndexes = int64_t{1} << 32;
    return topic.value() * kIndexes + index;
  }
};

// A broker is the process of the same number.
constexpr sim::ProcessId ProcessOf(BrokerId broker) { return sim::ProcessId(broker.value()); }
constexpr BrokerId BrokerOf(sim::ProcessId process) { return BrokerId(process.value()); }

// The sequence number `n` records further on, as the Java client and the brokers count:
// after 2147483647 comes 0 (DefaultRecordBatch.incrementSequence).
constexpr Sequence AddToSequence(Sequence sequence, int32_t n) {
  const int64_t sum = int64_t{sequence.value()} + n;
  constexpr int64_t kWrap = int64_t{1} << 31;
  return Sequence(static_cast<int32_t>(sum >= kWrap ? sum - kWrap : sum));
}

}  // namespace kafkasim::broker
