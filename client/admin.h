// A client for administrators, as one process: Java's Admin (class KafkaAdminClient, Kafka 4.4
// development line) with what kafka-transactions.sh makes of it, and raw requests besides. Calls do
// not wait for each other.
//
// It finds leaders and coordinators, asks again after errors that pass, with a growing pause, and
// gives up after default.api.timeout.ms. What was found at a broker that cannot be connected to
// waits for that broker (ConstantNodeIdProvider). Metadata is fetched anew for each call that is
// about partitions or about all brokers.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "broker/ids.h"
#include "client/admin_config.h"
#include "client/admin_task.h"
#include "client/call.h"
#include "client/call_result.h"
#include "client/client_options.h"
#include "client/client_process.h"
#include "client/cluster_connection.h"
#include "client/raw_requests.h"
#include "sim/context.h"
#include "sim/cow.h"
#include "sim/process.h"

namespace kafkasim::client {

class Admin final : public ClientProcess {
 public:
  Admin(ClientOptions options, const AdminConfig& config);

  [[nodiscard]] const CallResult* FindCall(CallId id) const override { return calls_->Find(id); }

  [[nodiscard]] std::unique_ptr<sim::Process> Clone() const override;
  void AppendTo(sim::CanonicalBytes& out) const override;
  void OnRequest(sim::Context& context, const sim::RequestIn& request) override;
  void OnResponse(sim::Context& context, const sim::ResponseIn& response) override;
  void OnDisconnect(sim::Context& context, sim::ProcessId peer, sim::Channel channel) override;
  void OnTimer(sim::Context& context, uint32_t kind, uint64_t argument) override;
  // A Call: AdminCall or RawRequest. An AdminCall fails with the exception of the error code that a
  // broker answered for one of its keys, if that is not one to be asked about again, or with
  //   TimeoutException          default.api.timeout.ms has passed
  //   IllegalArgumentException  abort_transaction: no transaction starts at that offset
  // A RawRequest fails with
  //   DisconnectException       the connection broke before the answer came
  //   TimeoutException          no answer in time; the connection is given up
  void OnCommand(sim::Context& context, const sim::PayloadRef& command) override;
  void OnCrash(sim::CrashKind kind) override;
  void OnRestart(sim::Context& context) override;

 private:
  // A request of a task that was not answered yet.
  struct UnderWay {
    uint64_t number = 0;
    CallId call{};
    bool finds_coordinator = false;
    std::vector<size_t> keys{};  // of the task's stage

    void AppendTo(sim::CanonicalBytes& out) const;
  };

  // admin.cc: the process.
  void OnCompleted(sim::Context& context, const CompletedRequests& completed);
  void Pump(sim::Context& context);
  void Continue(sim::Context& context, AdminTask& task);
  void ArmTimer(sim::Context& context);
  void FinishRaw(sim::Context& context, const std::vector<RawRequests::Done>& done);
  void Finish(sim::Context& context, CallId call, CallValue value, const ApiError& error);

  // admin_requests.cc: what is sent for the keys of a call.
  void SendKeys(sim::Context& context, AdminTask& task);
  // Whom to ask about the key, if that is known; otherwise begins to find out.
  [[nodiscard]] broker::BrokerId Resolve(sim::Context& context, AdminTask& task, size_t key);
  void SendRequest(sim::Context& context, AdminTask& task, broker::BrokerId broker,
                   std::vector<size_t> keys, bool finds_coordinator);
  void TakeAnswer(sim::Context& context, AdminTask& task, const UnderWay& asked,
                  const Completed& completed);
  void TakeCoordinator(sim::Context& context, AdminTask& task, AdminKey& key,
                       const sim::Payload& response);
  // Ask again after a pause.
  void Delay(sim::Context& context, const AdminTask& task, AdminKey& key, bool find_again,
             std::string_view api, broker::ErrorCode error);

  ClientOptions options_;
  AdminConfig config_;
  ClusterConnection connection_;
  RawRequests raw_;
  std::vector<AdminTask> tasks_;  // in the order of their calls
  std::vector<UnderWay> under_way_;
  uint64_t next_request_ = 0;
  sim::Cow<CallLog> calls_;
  sim::TimerId timer_{};
  sim::Time timer_at_ = sim::kEndOfTime;
};

}  // namespace kafkasim::client
