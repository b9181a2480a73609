// A Java consumer as one process: ClassicKafkaConsumer with its Fetcher, Kafka 4.4 development
// line. Its partitions are given by assign(), or by its group for the topics to which it
// subscribed. It finds its positions (committed by the group, else by auto.offset.reset), fetches,
// and filters aborted transactions and control records itself.
//
// The application is whoever gives the calls; it makes its KafkaConsumer with the first one. A
// member of a group sends heartbeats also between calls; a consumer without a group is silent then.
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
#include "client/consumer_group.h"
#include "client/fetcher.h"
#include "client/offset_fetcher.h"
#include "client/position_validator.h"
#include "client/rebalance_callback.h"
#include "client/subscription_state.h"
#include "sim/context.h"
#include "sim/cow.h"
#include "sim/process.h"

namespace kafkasim::client {

class Consumer final : public ClientProcess {
 public:
  // It begins with these partitions, or with this subscription, which needs a group.id.
  Consumer(ClientOptions options, ConsumerConfig config,
           std::vector<broker::PartitionId> assignment,
           std::vector<broker::TopicId> subscription = {});

  [[nodiscard]] const CallResult* FindCall(CallId id) const override { return calls_->Find(id); }
  // All calls that it has not forgotten (ForgetCalls), for those who judge it.
  [[nodiscard]] const CallLog& calls() const { return *calls_; }
  [[nodiscard]] const ConsumerConfig& config() const { return *config_; }
  // The partitions that it has now.
  [[nodiscard]] std::vector<broker::PartitionId> assignment() const;
  // Java's groupMetadata(): as of the last assignment. Empty without a group.
  [[nodiscard]] ConsumerGroupMetadata group_metadata() const;
  // As a member of its group; null without one.
  [[nodiscard]] const ConsumerGroup* group() const {
    return group_.has_value() ? &*group_ : nullptr;
  }
  // The positions that commit_sync would commit now, and what was last delivered of them.
  [[nodiscard]] std::vector<broker::OffsetToCommit> positions() const {
    return subscriptions_.AllConsumed();
  }
  // Whether its application's thread waits in a call.
  [[nodiscard]] bool is_blocked() const { return blocking_.has_value() || !waiting_.empty(); }
  // The listener's method that is being called (ConsumerConfig::external_listener); the calls that
  // are given now are made inside of it.
  [[nodiscard]] const std::optional<RebalanceCallback>& pending_callback() const {
    static const std::optional<RebalanceCallback> none;
    return group_.has_value() ? group_->pending_callback() : none;
  }
  // The listener has returned, or thrown this. Its calls must have returned.
  void CompleteCallback(sim::Context& context, const ApiError& error = {});
  // The offset of the next record to deliver; nullopt while it is not known.
  [[nodiscard]] std::optional<broker::Offset> position(const broker::PartitionId& partition) const;
  // How far the position is behind the last known LSO (read_committed) or high watermark.
  [[nodiscard]] std::optional<int64_t> lag(const broker::PartitionId& partition) const;

  [[nodiscard]] std::unique_ptr<sim::Process> Clone() const override;
  // Of an application: the connections with a request under way.
  void AppendAwaited(sim::Part part, std::vector<sim::Peer>& peers) const {
    connection_.AppendAwaited(part, peers);
  }
  void AppendTo(sim::CanonicalBytes& out) const override;
  void OnRequest(sim::Context& context, const sim::RequestIn& request) override;
  void OnResponse(sim::Context& context, const sim::ResponseIn& response) override;
  void OnDisconnect(sim::Context& context, sim::ProcessId peer, sim::Channel channel) override;
  void OnTimer(sim::Context& context, uint32_t kind, uint64_t argument) override;
  // A Call: Poll, Seek, SeekToBeginning, SeekToEnd, Position, BeginningOffsets, EndOffsets,
  // OffsetsForTimes, those of groups (Subscribe to EnforceRebalance in call.h), or Close. Errors:
  //   IllegalStateException         nothing is assigned, this partition is not, it is closed; a
  //                                 subscription after assign(); poll, subscribe, unsubscribe and
  //                                 close inside a rebalance listener
  //   InvalidGroupIdException       there is no group.id
  //   those of ConsumerGroup        of polls and commits
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
    enum class Stage : uint8_t { kCommit, kLeave, kEnd };
    Stage stage = Stage::kCommit;  // of close
    ApiError error{};              // of close: it goes on, and throws this in the end
  };

  // consumer.cc: the process.
  void OnCompleted(sim::Context& context, const CompletedRequests& completed);
  void Pump(sim::Context& context);
  // What the group's threads do by themselves; true if the application's may go on.
  void RunGroup(sim::Context& context);
  // The application's thread is in the rebalance listener.
  [[nodiscard]] bool in_listener() const {
    return group_.has_value() && group_->pending_callback().has_value() && !outer_.has_value();
  }
  void BeginNext(sim::Context& context, std::vector<CallRef>& calls);
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

  // consumer_group_calls.cc: the methods that are about the group.
  // True if the call blocks, or will be finished by itself; else it is finished with these.
  bool BeginGroupCall(sim::Context& context, const CallRef& call, CallValue& value,
                      ApiError& error);
  [[nodiscard]] ApiError CheckGroupCall(const Operation& operation) const;
  bool ContinueGroupCall(sim::Context& context);
  bool ContinueCommit(sim::Context& context);
  bool ContinueCommitted(sim::Context& context, const Operation& operation);
  bool ContinueUnsubscribe(sim::Context& context);
  bool ContinueClose(sim::Context& context);
  // The group's part of a poll: membership, then positions that it may know.
  [[nodiscard]] ConsumerGroup::Progress PollGroup(sim::Context& context);
  // initWithCommittedOffsetsIfNeeded.
  [[nodiscard]] ConsumerGroup::Progress InitPositions(sim::Context& context);
  void ApplyCommitted(sim::Context& context, const std::vector<broker::OffsetToCommit>& rows,
                      bool reset_others);
  // Calls a step of the group and counts its requests.
  template <typename Step>
  auto WithGroup(sim::Context& context, Step step) {
    GroupIo io{context, *config_, connection_, subscriptions_, next_request_};
    auto result = step(io);
    if (blocking_.has_value()) blocking_->requests += io.requests;
    return result;
  }

  void Finish(sim::Context& context, CallId call, CallValue value, const ApiError& error);
  void FinishBlocking(sim::Context& context, CallValue value, const ApiError& error);

  ClientOptions options_;
  std::shared_ptr<const ConsumerConfig> config_;
  SubscriptionState initial_;  // as it begins, also after a restart
  ClusterConnection connection_;
  SubscriptionState subscriptions_;
  Fetcher fetcher_;
  OffsetFetcher offset_fetcher_;
  std::optional<ConsumerGroup> group_;
  std::vector<Completed> deferred_;  // answers that only the application's thread can take
  PositionValidator validator_;
  uint64_t next_request_ = 0;
  bool closed_ = false;
  std::vector<CallRef> waiting_;  // for the application's thread, in order
  std::vector<CallRef> nested_;   // given while the listener runs: made inside of it
  std::optional<Blocking> blocking_;
  std::optional<Blocking> outer_;  // the call in whose listener blocking_ was made
  sim::Cow<CallLog> calls_;
  sim::TimerId timer_{};
  sim::Time timer_at_ = sim::kEndOfTime;
};

}  // namespace kafkasim::client
