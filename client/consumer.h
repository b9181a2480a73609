// A Java consumer with partitions given by assign(), as one process: KafkaConsumer with its
// Fetcher, Kafka 4.4 development line. It finds its positions by auto.offset.reset, fetches, and
// filters aborted transactions and control records itself. It has no group: offsets are not
// committed.
//
// Simplified on purpose: it fetches only while a poll is open (Java fetches ahead between polls),
// so that a world with an idle consumer is quiet. What a fetch brought and a poll did not deliver
// stays buffered, as in Java.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "broker/ids.h"
#include "client/call.h"
#include "client/call_result.h"
#include "client/client_options.h"
#include "client/client_process.h"
#include "client/cluster_connection.h"
#include "client/consumer_config.h"
#include "client/fetcher.h"
#include "client/offset_fetcher.h"
#include "client/position_validator.h"
#include "client/subscription_state.h"
#include "sim/context.h"
#include "sim/cow.h"
#include "sim/process.h"

namespace kafkasim::client {

class Consumer final : public ClientProcess {
 public:
  Consumer(ClientOptions options, ConsumerConfig config,
           std::vector<broker::PartitionId> assignment);

  [[nodiscard]] const CallLog& calls() const override { return *calls_; }
  [[nodiscard]] const ConsumerConfig& config() const { return *config_; }
  [[nodiscard]] const std::vector<broker::PartitionId>& assignment() const { return assignment_; }
  // The offset of the next record to deliver; nullopt while it is not known.
  [[nodiscard]] std::optional<broker::Offset> position(const broker::PartitionId& partition) const;
  // How far the position is behind the last known LSO (read_committed) or high watermark.
  [[nodiscard]] std::optional<int64_t> lag(const broker::PartitionId& partition) const;

  [[nodiscard]] std::unique_ptr<sim::Process> Clone() const override;
  void AppendTo(sim::CanonicalBytes& out) const override;
  void OnRequest(sim::Context& context, const sim::RequestIn& request) override;
  void OnResponse(sim::Context& context, const sim::ResponseIn& response) override;
  void OnDisconnect(sim::Context& context, sim::ProcessId peer, sim::Channel channel) override;
  void OnTimer(sim::Context& context, uint32_t kind, uint64_t argument) override;
  // A Call: Poll, Seek, SeekToBeginning, SeekToEnd, Position, BeginningOffsets, EndOffsets,
  // OffsetsForTimes or Close. Errors:
  //   IllegalStateException         nothing is assigned, this partition is not, or it is closed
  //   NoOffsetForPartitionException a poll without position and auto.offset.reset=none
  //   OffsetOutOfRangeException     a poll at a position outside the log and the same setting
  //   LogTruncationException        what was read is gone after a change of leader, same setting
  //   IllegalArgumentException      offsets_for_times of a negative time
  //   TimeoutException              default.api.timeout.ms has passed
  void OnCommand(sim::Context& context, const sim::PayloadRef& command) override;
  void OnCrash(sim::CrashKind kind) override;
  void OnRestart(sim::Context& context) override;

 private:
  // The call in which the application's thread is blocked.
  struct Blocking {
    CallRef call{};
    sim::Time deadline{};
    int32_t requests = 0;
  };

  // consumer.cc: the process.
  void OnCompleted(sim::Context& context, const CompletedRequests& completed);
  void Pump(sim::Context& context);
  void ArmTimer(sim::Context& context);

  // consumer_calls.cc: the methods of KafkaConsumer.
  void Begin(sim::Context& context, const CallRef& call);
  [[nodiscard]] ApiError CheckAssigned(const std::vector<broker::PartitionId>& partitions) const;
  void SeekTo(const std::vector<broker::PartitionId>& partitions, OffsetReset strategy);
  // True if the blocking call has returned.
  bool ContinueBlocking(sim::Context& context);
  bool ContinuePoll(sim::Context& context, const Poll& poll);
  bool ContinuePosition(sim::Context& context, const Position& position);
  bool ContinueOffsets(sim::Context& context);
  // updateFetchPositions: validates positions and looks up what they wait for. An error if there is
  // no way to one.
  [[nodiscard]] ApiError UpdatePositions(sim::Context& context);
  [[nodiscard]] ApiError ApiTimeout(std::string_view what) const;
  void Finish(sim::Context& context, CallId call, CallValue value, const ApiError& error);
  void FinishBlocking(sim::Context& context, CallValue value, const ApiError& error);

  ClientOptions options_;
  std::shared_ptr<const ConsumerConfig> config_;
  std::vector<broker::PartitionId> assignment_;
  ClusterConnection connection_;
  SubscriptionState subscriptions_;
  Fetcher fetcher_;
  OffsetFetcher offset_fetcher_;
  PositionValidator validator_;
  uint64_t next_request_ = 0;
  bool closed_ = false;
  std::vector<CallRef> waiting_;  // for the application's thread, in order
  std::optional<Blocking> blocking_;
  sim::Cow<CallLog> calls_;
  sim::TimerId timer_{};
  sim::Time timer_at_ = sim::kEndOfTime;
};

}  // namespace kafkasim::client
