// A coordinator as its host sees it: a state machine that a broker process runs beside its
// partitions.
//
// A service never acts by itself. Each handler reads what ServiceContext offers and returns effects
// as data, in order: append this, send that, answer so, wake me later. The broker carries them out
// one after the other; a crash at a protocol point between two effects stops there. What a service
// knows is volatile: its durable state is the internal topic that it writes (KIP-98; Kafka's
// CoordinatorShard has the same shape), and OnElected rebuilds it by reading the log.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include <absl/container/inlined_vector.h>

#include "broker/cluster_image.h"
#include "broker/config.h"
#include "broker/error_code.h"
#include "broker/ids.h"
#include "broker/message.h"
#include "broker/record_batch.h"
#include "sim/fingerprint.h"
#include "sim/process.h"
#include "sim/time.h"
#include "sim/trace.h"

namespace kafkasim::broker {

class PartitionLog;

// Something to be traced, and a point where a fault may strike.
struct PointEffect {
  const sim::EventKind* kind = nullptr;
  std::vector<sim::Field> fields{};
};

// Answers a request.
struct ReplyEffect {
  sim::ReplyTo to{};
  sim::PayloadRef response{};
};

// Appends a batch (origin coordinator, acks = all) to a partition that this broker leads.
// OnAppended(token, error) follows: NONE once the high watermark has passed it, or the error of the
// append, or REQUEST_TIMED_OUT after `timeout`. `appended` is traced between append and
// replication.
struct AppendEffect {
  PartitionId partition{};
  LeaderEpoch expected_epoch = kNoLeaderEpoch;  // NOT_LEADER_OR_FOLLOWER if the broker's is another
  RecordBatch batch{};
  sim::Duration timeout = sim::Seconds(30);
  uint64_t token = 0;
  std::optional<PointEffect> appended{};
};

// Sends a request to another process (or to this broker itself, over the network as Kafka does).
// OnAnswer(token, payload) follows; payload is null after a disconnect or `timeout`.
struct SendEffect {
  sim::ProcessId to{};
  sim::Channel channel{};
  sim::PayloadRef request{};
  sim::Duration timeout = sim::Seconds(30);
  uint64_t token = 0;
};

// OnTimer(kind, argument) follows after `delay`, unless the broker crashes first.
struct TimerEffect {
  sim::Duration delay{};
  uint32_t kind = 0;
  uint64_t argument = 0;
};

using Effect = std::variant<PointEffect, ReplyEffect, AppendEffect, SendEffect, TimerEffect>;
using Effects = absl::InlinedVector<Effect, 2>;

// What a service may look at while it handles something.
class ServiceContext {
 public:
  virtual ~ServiceContext() = default;
  [[nodiscard]] virtual sim::Time now() const = 0;
  [[nodiscard]] virtual BrokerId self() const = 0;
  [[nodiscard]] virtual sim::ProcessId controller() const = 0;
  [[nodiscard]] virtual const BrokerConfig& config() const = 0;
  [[nodiscard]] virtual const ClusterImage& image() const = 0;
  // The replica's log on this broker; null if it has none.
  [[nodiscard]] virtual const PartitionLog* LocalLog(const PartitionId& partition) const = 0;
  // True if points are worth building.
  [[nodiscard]] virtual bool tracing() const = 0;
};

class Service {
 public:
  virtual ~Service() = default;
  [[nodiscard]] virtual std::unique_ptr<Service> Clone() const = 0;
  virtual void AppendTo(sim::CanonicalBytes& out) const = 0;

  // The internal topic whose leadership makes this service responsible.
  [[nodiscard]] virtual std::string_view topic() const = 0;
  // Whether requests of this API are for this service.
  [[nodiscard]] virtual bool Serves(ApiKey key) const = 0;

  virtual void OnStart(const ServiceContext& context, Effects& effects) = 0;
  virtual void OnRequest(const ServiceContext& context, const sim::RequestIn& request,
                         Effects& effects) = 0;
  virtual void OnAppended(const ServiceContext& context, uint64_t token, ErrorCode error,
                          Effects& effects) = 0;
  virtual void OnAnswer(const ServiceContext& context, uint64_t token,
                        const sim::PayloadRef& response, Effects& effects) = 0;
  virtual void OnTimer(const ServiceContext& context, uint32_t kind, uint64_t argument,
                       Effects& effects) = 0;
  // This broker became leader of a partition of topic() / is no longer its leader.
  virtual void OnElected(const ServiceContext& context, const PartitionId& partition,
                         LeaderEpoch epoch, Effects& effects) = 0;
  virtual void OnResigned(const ServiceContext& context, const PartitionId& partition,
                          LeaderEpoch epoch, Effects& effects) = 0;
  // Metadata changed (leaders moved, topics went away).
  virtual void OnMetadata(const ServiceContext& context, Effects& effects) = 0;
  // The broker's process died: everything in memory is gone.
  virtual void OnCrash() = 0;

 protected:
  Service() = default;
  Service(const Service&) = default;
  Service& operator=(const Service&) = default;
};

}  // namespace kafkasim::broker
