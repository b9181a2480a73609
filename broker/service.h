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
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <absl/container/inlined_vector.h>

#include "broker/cluster_image.h"
#include "broker/config.h"
#include "broker/error_code.h"
#include "broker/ids.h"
#include "broker/log_append.h"
#include "broker/message.h"
#include "broker/record_batch.h"
#include "broker/transaction_verification.h"
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

// Appends a batch (origin coordinator) to a partition that this broker leads. OnWritten(token)
// follows at once if the log took it. OnAppended(token, error) follows: NONE once the high
// watermark has passed it, or the error of the append, or REQUEST_TIMED_OUT after `timeout`.
// `appended` is traced between append and replication.
struct AppendEffect {
  PartitionId partition{};
  LeaderEpoch expected_epoch = kNoLeaderEpoch;  // NOT_LEADER_OR_FOLLOWER if the broker's is another
  RecordBatch batch{};
  sim::Duration timeout = sim::Seconds(30);
  uint64_t token = 0;
  std::optional<PointEffect> appended{};
  int16_t acks = -1;  // 1: the log takes it even if the ISR is smaller than min.insync.replicas
  VerificationGuard guard = kNoVerificationGuard;  // of a transactional batch, from OnVerified
};

// Waits until all that is in the log of a partition now is replicated. OnAppended(token, error)
// follows as after an append.
struct AwaitEffect {
  PartitionId partition{};
  LeaderEpoch expected_epoch = kNoLeaderEpoch;
  sim::Duration timeout = sim::Seconds(30);
  uint64_t token = 0;
};

// Before the first batch of a transaction on a partition: asks the transaction coordinator whether
// the partition belongs to the transaction, or adds it (KIP-890). OnVerified(token, guard, error)
// follows; the errors are those of TransactionVerification, INVALID_PRODUCER_EPOCH and
// NOT_LEADER_OR_FOLLOWER of the partition, and COORDINATOR_NOT_AVAILABLE if there is none to ask.
struct VerifyEffect {
  PartitionId partition{};
  std::string transactional_id{};
  ProducerId producer_id = kNoProducerId;
  ProducerEpoch producer_epoch = kNoProducerEpoch;
  TransactionOperation operation = TransactionOperation::kDefaultError;
  uint64_t token = 0;
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

using Effect = std::variant<PointEffect, ReplyEffect, AppendEffect, AwaitEffect, VerifyEffect,
                            SendEffect, TimerEffect>;
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
  // The batch of an append is in the log from `base_offset` on, not yet replicated.
  virtual void OnWritten(const ServiceContext& /*context*/, uint64_t /*token*/,
                         Offset /*base_offset*/, Effects& /*effects*/) {}
  virtual void OnAppended(const ServiceContext& context, uint64_t token, ErrorCode error,
                          Effects& effects) = 0;
  // `guard` is for the append; none is needed if the transaction is open on the partition already.
  virtual void OnVerified(const ServiceContext& /*context*/, uint64_t /*token*/,
                          VerificationGuard /*guard*/, ErrorCode /*error*/, Effects& /*effects*/) {}
  virtual void OnAnswer(const ServiceContext& context, uint64_t token,
                        const sim::PayloadRef& response, Effects& effects) = 0;
  virtual void OnTimer(const ServiceContext& context, uint32_t kind, uint64_t argument,
                       Effects& effects) = 0;
  // This broker became leader of a partition of topic() / is no longer its leader.
  virtual void OnElected(const ServiceContext& context, const PartitionId& partition,
                         LeaderEpoch epoch, Effects& effects) = 0;
  virtual void OnResigned(const ServiceContext& context, const PartitionId& partition,
                          LeaderEpoch epoch, Effects& effects) = 0;
  // Whether the marker of a transaction may be appended to a partition of topic(); the error is for
  // the transaction coordinator. The answer to WriteTxnMarkers waits offsets.commit.timeout.ms for
  // the replication of such a marker.
  [[nodiscard]] virtual ErrorCode CheckMarker(const ServiceContext& /*context*/,
                                              const PartitionId& /*partition*/) const {
    return ErrorCode::kNone;
  }
  // It is in the log, not yet replicated.
  virtual void OnMarkerWritten(const ServiceContext& /*context*/, const PartitionId& /*partition*/,
                               const RecordBatch& /*marker*/, Effects& /*effects*/) {}
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
