// A Java application as one process: a consumer, a producer, or both, and a program around them.
// They crash, pause and restart together, as the threads of one JVM do.
//
// The program is carried out line by line; each finished call goes on with the next line. An
// exception that the program does not catch ends the process, so that neither client is closed:
// the transaction stays open until its timeout, the member until its session ends. After a restart
// the program begins from the top.
//
// Without a program the application is whoever gives the calls, as with a Producer or a Consumer
// alone.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "broker/cluster_image.h"
#include "client/call_result.h"
#include "client/client_process.h"
#include "client/consumer.h"
#include "client/external_client.h"
#include "client/producer.h"
#include "client/program.h"
#include "client/program_order.h"
#include "client/program_run.h"
#include "sim/context.h"
#include "sim/cow.h"
#include "sim/process.h"

namespace kafkasim::client {

// The parts of an application for the kernel; its own timers are those of the whole process.
inline constexpr sim::Part kConsumerPart{1};
inline constexpr sim::Part kProducerPart{2};
inline constexpr sim::Part kExternalPart{3};

class Application final : public ClientProcess {
 public:
  struct Options {
    // With ConsumerConfig::external_listener if the program has a listener.
    std::optional<Consumer> consumer{};
    std::optional<Producer> producer{};
    ProgramRef program{};             // null: calls come from outside
    broker::ClusterImageRef names{};  // of topics, for templates and for the trace
  };

  enum class State : uint8_t {
    kIdle,  // not started, or without a program
    kRunning,
    kClosing,  // the clients are being closed
    kThrough,  // stopped, or at its end
    kFailed,   // died of an exception
  };

  // Calls of a program have ids from this one on; those of others are below.
  static constexpr CallId kFirstOwnCall{int64_t{1} << 40};

  explicit Application(Options options);

  // Null if it has none.
  [[nodiscard]] const Consumer* consumer() const { return Get(consumer_); }
  [[nodiscard]] const Producer* producer() const { return Get(producer_); }
  [[nodiscard]] bool has_program() const { return program_ != nullptr; }
  [[nodiscard]] State state() const { return state_; }
  // The line that the program is at; null if it is not running.
  [[nodiscard]] const Line* line() const;
  // What ended the process, if it died of an exception; kept until it is started again.
  [[nodiscard]] const ApiError& uncaught() const { return uncaught_; }
  [[nodiscard]] const CallResult* FindCall(CallId id) const override;

  [[nodiscard]] std::unique_ptr<sim::Process> Clone() const override;
  void AppendTo(sim::CanonicalBytes& out) const override;
  [[nodiscard]] std::optional<std::vector<sim::Peer>> WaitsFor() const override;
  void OnRequest(sim::Context& context, const sim::RequestIn& request) override;
  void OnResponse(sim::Context& context, const sim::ResponseIn& response) override;
  void OnDisconnect(sim::Context& context, sim::ProcessId peer, sim::Channel channel) override;
  void OnTimer(sim::Context& context, uint32_t kind, uint64_t argument) override;
  // A ProgramOrder; or, without a program, a Call of one of the clients. Close is for both.
  void OnCommand(sim::Context& context, const sim::PayloadRef& command) override;
  void OnCrash(sim::CrashKind kind) override;
  void OnRestart(sim::Context& context) override;

 private:
  enum class Timer : uint32_t { kWork, kGoOn };
  // What an attempt to carry the program on came to.
  enum class Progress : uint8_t { kMoved, kWaits };

  // Of the two clients an event changes one, as a rule: copies share the other.
  template <typename Client>
  using Shared = std::optional<sim::Cow<Client>>;
  template <typename Client>
  [[nodiscard]] static Shared<Client> Share(std::optional<Client> client) {
    if (!client.has_value()) return std::nullopt;
    return sim::Cow<Client>(*std::move(client));
  }
  template <typename Client>
  [[nodiscard]] static const Client* Get(const Shared<Client>& client) {
    return client.has_value() ? &**client : nullptr;
  }

  // application.cc: the process and its clients.
  void GiveToClients(sim::Context& context, const sim::PayloadRef& command);
  CallId Give(sim::Context& context, Operation operation);
  void MakeNewClients();
  [[nodiscard]] bool ProducerBlocks() const;
  [[nodiscard]] bool InTransaction() const;

  // application_program.cc: the program.
  void StartProgram(sim::Context& context);
  void OrderStop(sim::Context& context);
  // Carries the program on until it has to wait.
  void Run(sim::Context& context);
  Progress Move(sim::Context& context);
  Progress MoveLine(sim::Context& context);
  Progress MoveCallback(sim::Context& context, ProgramRun::Next next);
  Progress MoveClosing(sim::Context& context);
  void BeginLine(sim::Context& context);
  void EndLineWell(sim::Context& context);
  void TakeResult(sim::Context& context, const CallResult& result);
  [[nodiscard]] bool HasReadAll() const;
  void Throw(sim::Context& context, const ApiError& error);
  void BeginClosing(bool restart);
  void Die(sim::Context& context, const ApiError& error);
  void EmitLine(sim::Context& context, const sim::EventKind& kind, const Line& line);

  // application_lines.cc: what each kind of line does. True if the line is through at once.
  bool Do(sim::Context& context, const CallLine& line);
  bool Do(sim::Context& context, const SendLine& line);
  bool Do(sim::Context& context, const SendOffsetsLine& line);
  bool Do(sim::Context& context, const CommitLine& line);
  bool Do(sim::Context& context, const ExternalLine& line);
  bool Do(sim::Context& context, const WorkLine& line);
  bool Do(sim::Context& context, const CrashLine& line);
  bool Do(sim::Context& context, const InnerLine& line);
  bool Do(sim::Context& context, const EndLine& line);
  [[nodiscard]] TextTemplate::Filling Filling() const;
  // What a commit without arguments commits: see SendOffsetsLine.
  [[nodiscard]] std::vector<broker::OffsetToCommit> OffsetsHere() const;

  Shared<Consumer> consumer_;
  Shared<Producer> producer_;
  ExternalClient external_;
  ProgramRef program_;
  broker::ClusterImageRef names_;

  State state_ = State::kIdle;
  ProgramRun run_;
  bool stop_ordered_ = false;
  bool restarts_ = false;            // kClosing: what comes then
  std::optional<CallId> closing_{};  // kClosing: the client that is being closed
  uint8_t closed_ = 0;               // kClosing: how many have been
  sim::Time instant_{};              // of the last lines
  int64_t lines_at_instant_ = 0;
  CallId next_call_ = kFirstOwnCall;

  // What survives a crash: it belongs to those who look on.
  bool was_started_ = false;
  ApiError uncaught_{};
  std::vector<bool> crashes_done_{};  // by the index of the line: crash lines that have struck
};

}  // namespace kafkasim::client
