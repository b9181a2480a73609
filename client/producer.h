// A Java producer with its application, as one process: KafkaProducer (the application's thread)
// and Sender (the thread that talks to brokers), Kafka 4.4 development line. Plain, idempotent or
// transactional, by its configuration.
//
// The application is whoever gives the calls; it makes its KafkaProducer with the first one. A
// crash loses everything but the log of calls; a restart is a fresh application with the same
// configuration, so with the same transactional.id.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "client/call.h"
#include "client/call_result.h"
#include "client/client_options.h"
#include "client/client_process.h"
#include "client/producer_config.h"
#include "client/sender.h"
#include "sim/context.h"
#include "sim/cow.h"
#include "sim/process.h"

namespace kafkasim::client {

class Producer final : public ClientProcess {
 public:
  // `config` must come from FinishConfig.
  Producer(ClientOptions options, ProducerConfig config);

  [[nodiscard]] const CallResult* FindCall(CallId id) const override { return calls_->Find(id); }
  // All calls that it has not forgotten (ForgetCalls), for those who judge it.
  [[nodiscard]] const CallLog& calls() const { return *calls_; }
  // Whether its application's thread waits in a call.
  [[nodiscard]] bool is_blocked() const { return blocking_.has_value() || !waiting_.empty(); }
  [[nodiscard]] const ProducerConfig& config() const { return *config_; }
  // Who it is, -1 while it has no producer id.
  [[nodiscard]] ProducerIdentity identity() const { return sender_.transactions().identity(); }
  // Only of an idempotent or transactional producer.
  [[nodiscard]] TransactionState transaction_state() const {
    return sender_.transactions().state();
  }

  [[nodiscard]] std::unique_ptr<sim::Process> Clone() const override;
  // Of an application: the connections with a request under way.
  void AppendAwaited(sim::Part part, std::vector<sim::Peer>& peers) const {
    sender_.connection().AppendAwaited(part, peers);
  }
  void AppendTo(sim::CanonicalBytes& out) const override;
  void OnRequest(sim::Context& context, const sim::RequestIn& request) override;
  void OnResponse(sim::Context& context, const sim::ResponseIn& response) override;
  void OnDisconnect(sim::Context& context, sim::ProcessId peer, sim::Channel channel) override;
  void OnTimer(sim::Context& context, uint32_t kind, uint64_t argument) override;
  // A Call: InitTransactions, BeginTransaction, Send, SendOffsetsToTransaction, Flush,
  // CommitTransaction, AbortTransaction or Close.
  void OnCommand(sim::Context& context, const sim::PayloadRef& command) override;
  void OnCrash(sim::CrashKind kind) override;
  void OnRestart(sim::Context& context) override;

 private:
  // What the application's thread is blocked in.
  struct Blocking {
    enum class On : uint8_t { kTransition, kOffsets, kFlush, kMetadata, kClose };

    CallRef call{};
    On on = On::kTransition;
    sim::Time deadline = sim::kEndOfTime;
    uint64_t flush_up_to = 0;     // kFlush: the newest batch that must be complete
    int32_t next_record = 0;      // kMetadata: of the send
    int64_t requests_before = 0;  // to count those of this call

    void AppendTo(sim::CanonicalBytes& out) const;
  };

  // producer.cc: the process.
  void Pump(sim::Context& context);
  bool DeliverOutcomes(sim::Context& context);
  [[nodiscard]] Sender::Demand Demand() const;
  void ArmTimer(sim::Context& context);

  // producer_calls.cc: the methods of KafkaProducer.
  void Begin(sim::Context& context, const CallRef& call);
  void BeginTransition(sim::Context& context, const CallRef& call);
  void BeginFlush(sim::Context& context, const CallRef& call);
  // True if the blocking call has returned.
  bool ContinueBlocking(sim::Context& context);
  void Block(sim::Context& context, const CallRef& call, Blocking::On on, int64_t timeout_ms);
  // `gave_up`: the first of them has waited for metadata in vain.
  void SendRecords(sim::Context& context, const CallRef& call, int32_t from, bool gave_up);
  [[nodiscard]] bool HasMetadataFor(const Send& send) const;
  // Sends one record. False if it threw, so that the application sends no more of this call.
  bool SendRecord(sim::Context& context, CallId call, const Send& send, int32_t index);
  [[nodiscard]] ApiError CheckRecord(const Send& send, int32_t index) const;
  broker::PartitionId AppendRecord(sim::Context& context, CallId call, const Send& send,
                                   int32_t index);
  [[nodiscard]] int32_t PartitionOf(sim::Context& context, const Send& send,
                                    const ProducerRecord& record);
  void FailRecord(CallId call, int32_t index, const ApiError& error);
  void FinishSendIfComplete(sim::Context& context, CallId call);
  void Finish(sim::Context& context, CallId call, CallValue value, const ApiError& error);
  // The call has returned with what stands in its result.
  void Return(sim::Context& context, CallResult& result);

  ClientOptions options_;
  std::shared_ptr<const ProducerConfig> config_;
  Sender sender_;
  std::vector<CallRef> waiting_;  // for the application's thread, in order
  std::optional<Blocking> blocking_;
  sim::Cow<CallLog> calls_;
  sim::TimerId timer_{};
  sim::Time timer_at_ = sim::kEndOfTime;
};

}  // namespace kafkasim::client
