// Answers that wait for replication: what a broker appended with acks = all and must not confirm
// before the high watermark has passed it. Follows Kafka's DelayedProduce in its purgatory
// (Kafka 4.4 development line). Produce and WriteTxnMarkers requests wait here, and the appends of
// a service; what they wait for is the same.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include <absl/container/inlined_vector.h>

#include "broker/messages_data.h"
#include "broker/messages_transaction.h"
#include "broker/partition.h"
#include "sim/context.h"
#include "sim/process.h"

namespace kafkasim::broker {

// An append of a service: nobody is answered, the service goes on.
struct ServiceAppend {
  uint32_t service = 0;  // index
  uint64_t token = 0;
  ErrorCode error = ErrorCode::kNone;
};

struct PendingWrite {
  // One partition that is not replicated yet, and which result of the answer it decides: the index
  // in a ProduceResponse; marker * 65536 + partition in a WriteTxnMarkersResponse.
  struct Wait {
    PartitionId partition;
    Offset required{0};  // the high watermark that suffices
    uint32_t result = 0;
    bool of_service = false;  // waits only offsets.commit.timeout.ms
  };

  uint32_t id = 0;  // given by PendingWrites
  sim::ReplyTo reply_to{};
  // As it is so far: success for those that wait.
  std::variant<ProduceResponse, WriteTxnMarkersResponse, ServiceAppend> answer{};
  absl::InlinedVector<Wait, 1> waits{};
  sim::TimerId timer{};
  sim::TimerId service_timer{};  // of the waits that are of a service

  [[nodiscard]] static uint32_t MarkerResult(size_t marker, size_t partition) {
    return static_cast<uint32_t>(marker * 65536 + partition);
  }
  void SetError(uint32_t result, ErrorCode error);
  // The same for one that has waited. A service's partition needs no minimum of replicas.
  void Settle(const Wait& wait, const Partition::AckState& state) {
    SetError(wait.result, wait.of_service && state.enough ? ErrorCode::kNone : state.error);
  }

  void AppendTo(sim::CanonicalBytes& out) const;
};

class PendingWrites {
 public:
  using Finished = absl::InlinedVector<PendingWrite, 1>;

  // Gives it the smallest free id.
  PendingWrite& Add(PendingWrite write);
  // Settles what waits on `partition`; those with nothing left to wait for are taken out, in the
  // order in which they came. `check(required)` is Partition::CheckEnoughReplicasReachOffset.
  template <typename Check>
  [[nodiscard]] Finished TakeFinished(const PartitionId& partition, Check check);
  // The time is up: REQUEST_TIMED_OUT for all that still waits. nullopt if there is no such write.
  [[nodiscard]] std::optional<PendingWrite> TakeExpired(uint32_t id);
  // The same for what waits on a service's partition; nullopt also if something else still waits.
  [[nodiscard]] std::optional<PendingWrite> TakeExpiredOfService(uint32_t id);

  [[nodiscard]] bool WaitsOn(const PartitionId& partition) const;
  [[nodiscard]] const std::vector<PendingWrite>& writes() const { return writes_; }
  [[nodiscard]] bool empty() const { return writes_.empty(); }
  void AppendTo(sim::CanonicalBytes& out) const { out.AddAll(writes_); }

 private:
  std::vector<PendingWrite> writes_;  // in the order of arrival
};

template <typename Check>
PendingWrites::Finished PendingWrites::TakeFinished(const PartitionId& partition, Check check) {
  Finished finished;
  for (size_t i = 0; i < writes_.size();) {
    PendingWrite& write = writes_[i];
    for (size_t w = 0; w < write.waits.size();) {
      const PendingWrite::Wait wait = write.waits[w];
      const Partition::AckState state =
          wait.partition == partition ? check(wait.required) : Partition::AckState{};
      if (!state.enough && state.error == ErrorCode::kNone) {
        ++w;
        continue;
      }
      write.Settle(wait, state);
      write.waits.erase(write.waits.begin() + static_cast<std::ptrdiff_t>(w));
    }
    if (!write.waits.empty()) {
      ++i;
      continue;
    }
    finished.push_back(std::move(write));
    writes_.erase(writes_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return finished;
}

}  // namespace kafkasim::broker
