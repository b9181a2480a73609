// The smaller parts of a broker's volatile state: what it knows of the cluster, and the requests of
// others and of its own that are under way.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <absl/container/inlined_vector.h>

#include "broker/cluster_image.h"
#include "broker/error_code.h"
#include "broker/ids.h"
#include "broker/log_append.h"
#include "broker/messages_data.h"
#include "broker/partition_set.h"
#include "broker/service.h"
#include "sim/context.h"
#include "sim/fingerprint.h"
#include "sim/process.h"
#include "sim/time.h"

namespace kafkasim::broker {

// The newest image, and the answer to Metadata requests made of it.
struct KnownMetadata {
  ClusterImageRef image{};
  sim::PayloadRef response{};
  bool active = true;

  void AppendTo(sim::CanonicalBytes& out) const {
    out.Add(active);
    out.Add(image != nullptr);
    if (image != nullptr) out.Add(*image);
  }
};

// Owns a service and copies it whole. The pointer is there because services differ in type.
class ServiceBox {
 public:
  ServiceBox() = default;
  explicit ServiceBox(std::unique_ptr<Service> service) : service_(std::move(service)) {}
  ServiceBox(const ServiceBox& other) : service_(other.service_->Clone()) {}
  ServiceBox(ServiceBox&&) noexcept = default;
  ServiceBox& operator=(ServiceBox other) noexcept {
    service_ = std::move(other.service_);
    return *this;
  }
  ~ServiceBox() = default;

  Service& operator*() { return *service_; }
  const Service& operator*() const { return *service_; }
  const Service* operator->() const { return service_.get(); }
  void AppendTo(sim::CanonicalBytes& out) const { service_->AppendTo(out); }

 private:
  std::unique_ptr<Service> service_;
};

// A Produce request whose transaction is being verified with the coordinator.
struct PendingProduce {
  // What is known of one partition of the request before the append.
  struct Part {
    VerificationGuard guard = kNoVerificationGuard;
    absl::Status refusal{};  // by this leader or by the coordinator
  };

  uint32_t ticket = 0;
  sim::ReplyTo reply_to{};
  sim::PayloadRef request{};
  sim::Time started{};
  absl::InlinedVector<Part, 1> parts{};  // in the order of the request's partitions
  sim::TimerId retry{};

  void AppendTo(sim::CanonicalBytes& out) const;
};

struct PendingProduces {
  std::vector<PendingProduce> all{};

  // Gives it the smallest free ticket.
  PendingProduce& Add(PendingProduce produce);
  [[nodiscard]] PendingProduce* Find(uint32_t ticket);
  // Takes it out; it must be there.
  [[nodiscard]] PendingProduce Take(uint32_t ticket);

  void AppendTo(sim::CanonicalBytes& out) const { out.AddAll(all); }
};

// What a consumer's fetch would be answered with now.
struct FetchOutcome {
  FetchResponse response{};
  int64_t bytes = 0;
  bool at_once = false;  // an error, a divergence, or a position beyond the readable end
};

// A consumer's fetch that waits for min_bytes (Kafka's DelayedFetch).
struct WaitingFetch {
  uint32_t id = 0;
  sim::ReplyTo reply_to{};
  sim::PayloadRef request{};
  sim::TimerId timer{};

  void AppendTo(sim::CanonicalBytes& out) const;
};

struct WaitingFetches {
  std::vector<WaitingFetch> all{};  // in the order of arrival

  // Gives it the smallest free id.
  WaitingFetch& Add(WaitingFetch fetch);

  void AppendTo(sim::CanonicalBytes& out) const { out.AddAll(all); }
};

// A request of this broker that was not answered yet: an AlterPartition, one of a service, or one
// that it has handed on for somebody.
struct OpenCall {
  sim::CorrelationId correlation{};
  sim::ProcessId to = sim::kNoProcess;
  sim::Channel channel{};
  PartitionId partition{};  // of an AlterPartition; none: of a service
  uint32_t service = 0;
  uint64_t token = 0;
  sim::TimerId timer{};
  std::optional<sim::ReplyTo> forwarded_for{};

  [[nodiscard]] bool is_alter_partition() const { return partition.index >= 0; }
  void AppendTo(sim::CanonicalBytes& out) const;
};

struct OpenCalls {
  std::vector<OpenCall> all{};

  void AppendTo(sim::CanonicalBytes& out) const { out.AddAll(all); }
};

// Led partitions with a member of the ISR that lags, and when they will be looked at next. Kafka's
// isr-expiration task runs twice in replica.lag.time.max.ms; here only when it may find something.
struct LagWatch {
  PartitionSet lagging{};
  sim::Time check_at{};
  sim::TimerId timer{};

  void AppendTo(sim::CanonicalBytes& out) const { out.Add(lagging); }
};

// A service's partition was won or lost.
struct LeadershipChange {
  uint32_t service = 0;
  PartitionId partition{};
  LeaderEpoch epoch{};
  bool elected = false;
};

}  // namespace kafkasim::broker
