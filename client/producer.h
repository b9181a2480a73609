// A Java producer with its application, as one process: KafkaProducer (the application's thread)
// and Sender (the thread that talks to brokers), Kafka 4.4 development line. Plain, idempotent or
// transactional, by its configuration.
//
// The application is whoever gives the calls. A crash loses everything but the log of calls; a
// restart is a fresh application with the same configuration, so with the same transactional.id.
#pragma once

#include "client/call_result.h"
#include "client/client_options.h"
#include "client/client_process.h"
#include "client/producer_config.h"

namespace kafkasim::client {

class Producer final : public ClientProcess {
 public:
  // `config` must come from FinishConfig.
  Producer(ClientOptions options, ProducerConfig config);

  [[nodiscard]] const CallLog& calls() const override;
  [[nodiscard]] const ProducerConfig& config() const;
  // Who it is, -1 while it has no producer id.
  [[nodiscard]] ProducerIdentity identity() const;

  [[nodiscard]] std::unique_ptr<sim::Process> Clone() const override;
  void AppendTo(sim::CanonicalBytes& out) const override;
  void OnStart(sim::Context& context) override;
  void OnRequest(sim::Context& context, const sim::RequestIn& request) override;
  void OnResponse(sim::Context& context, const sim::ResponseIn& response) override;
  void OnDisconnect(sim::Context& context, sim::ProcessId peer, sim::Channel channel) override;
  void OnTimer(sim::Context& context, uint32_t kind, uint64_t argument) override;
  // A Call: InitTransactions, BeginTransaction, Send, Flush, CommitTransaction, AbortTransaction or
  // Close.
  void OnCommand(sim::Context& context, const sim::PayloadRef& command) override;
  void OnCrash(sim::CrashKind kind) override;
  void OnRestart(sim::Context& context) override;
};

}  // namespace kafkasim::client
