// What somebody at the machine may tell a broker to do with its replica of a partition, without
// waiting for Kafka's own periodic tasks. Given to a broker as a command.
#pragma once

#include <cstdint>
#include <string_view>

#include "broker/ids.h"
#include "sim/fingerprint.h"
#include "sim/payload.h"

namespace kafkasim::broker {

class LogOrder final : public sim::Payload {
 public:
  enum class Kind : uint8_t {
    kRoll,               // begins a new segment, as segment.ms and segment.bytes do
    kClean,              // one pass of the cleaner, however small the dirty share
    kDeleteOldSegments,  // what log.retention.check.interval.ms does periodically
  };

  LogOrder(Kind kind, const PartitionId& partition) : kind_(kind), partition_(partition) {}

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] const PartitionId& partition() const { return partition_; }

  [[nodiscard]] std::string_view api() const override { return "LogOrder"; }
  [[nodiscard]] bool Concerns(std::string_view, std::string_view) const override { return false; }
  void AppendTo(sim::CanonicalBytes& out) const override {
    out.Add(kind_);
    out.Add(partition_);
  }

 private:
  Kind kind_;
  PartitionId partition_;
};

}  // namespace kafkasim::broker
