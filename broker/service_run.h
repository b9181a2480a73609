// How a broker runs one handler of a service. Private to the broker's sources.
#pragma once

#include <utility>

#include "broker/broker.h"
#include "sim/check.h"

namespace kafkasim::broker {

// What a service sees of the broker that hosts it.
class Broker::Host final : public ServiceContext {
 public:
  Host(const Broker& broker, const sim::Context& context) : broker_(broker), context_(context) {}

  [[nodiscard]] sim::Time now() const override;
  [[nodiscard]] BrokerId self() const override;
  [[nodiscard]] sim::ProcessId controller() const override;
  [[nodiscard]] const BrokerConfig& config() const override;
  [[nodiscard]] const ClusterImage& image() const override;
  [[nodiscard]] const PartitionLog* LocalLog(const PartitionId& partition) const override;
  [[nodiscard]] bool tracing() const override;

 private:
  const Broker& broker_;
  const sim::Context& context_;
};

template <typename Handler>
void Broker::RunService(sim::Context& context, uint32_t service, Handler handler) {
  Effects effects;
  const Host host(*this, context);
  handler(*services_[service].Mutable(), host, effects);
  CarryOut(context, service, effects);
}

}  // namespace kafkasim::broker
