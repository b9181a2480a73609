// A broker that answers what a test tells it to: by default every request succeeds. It stands at
// the edge of the clients, so that an error can be given to any request at any time.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "broker/cluster_image.h"
#include "broker/error_code.h"
#include "broker/ids.h"
#include "broker/message.h"
#include "broker/messages_data.h"
#include "broker/messages_group.h"
#include "broker/messages_offsets.h"
#include "broker/messages_transaction.h"
#include "sim/context.h"
#include "sim/process.h"

namespace kafkasim::client {

// An order to a ScriptedBroker.
struct Script {
  broker::ApiKey api = broker::ApiKey::kProduce;
  // The next answers to requests of this API; then requests succeed again. nullopt: no answer.
  std::vector<std::optional<broker::ErrorCode>> answers{};
  std::optional<int64_t> transaction_version{};           // of ApiVersions
  broker::ClusterImageRef image{};                        // of Metadata
  std::optional<broker::BrokerId> coordinator{};          // of FindCoordinator
  std::optional<std::pair<int64_t, int16_t>> identity{};  // of the next InitProducerId or EndTxn
  std::vector<broker::FetchResponse::PartitionResult> fetched{};  // the next answers to Fetch
  std::map<broker::PartitionId, int64_t> offsets{};               // of ListOffsets, earliest
  std::map<broker::PartitionId, int64_t> end_offsets{};           // of ListOffsets, latest
  // The group: by default whoever joins leads, is alone, and gets what it assigns itself.
  std::vector<broker::JoinGroupResponse::Member> members{};  // who joins beside it
  std::optional<std::string> leader{};                       // "" is whoever asks
  std::optional<broker::PartitionList> assigned{};           // of SyncGroup, to a follower
  std::map<broker::PartitionId, int64_t> committed{};        // of OffsetFetch
};

class ScriptPayload final : public sim::Payload {
 public:
  explicit ScriptPayload(Script orders) : script(std::move(orders)) {}
  [[nodiscard]] std::string_view api() const override { return "script"; }
  [[nodiscard]] bool Concerns(std::string_view, std::string_view) const override { return false; }
  void AppendTo(sim::CanonicalBytes&) const override {}

  const Script script;
};

class ScriptedBroker final : public sim::Process {
 public:
  explicit ScriptedBroker(broker::ClusterImageRef image) : image_(std::move(image)) {}

  struct Received {
    sim::Time at{};
    sim::PayloadRef request{};
    [[nodiscard]] broker::ApiKey key() const { return broker::AsMessage(*request).key(); }
  };
  [[nodiscard]] const std::vector<Received>& received() const { return received_; }

  [[nodiscard]] std::unique_ptr<sim::Process> Clone() const override {
    return std::make_unique<ScriptedBroker>(*this);
  }
  void AppendTo(sim::CanonicalBytes& out) const override {
    out.Add(static_cast<uint64_t>(received_.size()));
  }
  void OnRequest(sim::Context& context, const sim::RequestIn& request) override;
  void OnResponse(sim::Context&, const sim::ResponseIn&) override {}
  void OnDisconnect(sim::Context&, sim::ProcessId, sim::Channel) override {}
  void OnTimer(sim::Context&, uint32_t, uint64_t) override {}
  void OnCommand(sim::Context& context, const sim::PayloadRef& command) override;
  void OnCrash(sim::CrashKind) override {}
  void OnRestart(sim::Context&) override {}

 private:
  using Answers = std::deque<std::optional<broker::ErrorCode>>;

  sim::PayloadRef Answer(sim::Context& context, const broker::Message& message,
                         broker::ErrorCode error);
  sim::PayloadRef AnswerGroup(const broker::Message& message, broker::ErrorCode error);
  sim::PayloadRef AnswerJoin(const broker::JoinGroupRequest& request, broker::ErrorCode error);
  sim::PayloadRef AnswerSync(const broker::SyncGroupRequest& request, broker::ErrorCode error);
  sim::PayloadRef AnswerOffsetFetch(const broker::OffsetFetchRequest& request,
                                    broker::ErrorCode error);
  sim::PayloadRef AnswerProduce(const broker::ProduceRequest& request, broker::ErrorCode error);
  sim::PayloadRef AnswerEndTxn(const broker::EndTxnRequest& request, broker::ErrorCode error);
  sim::PayloadRef AnswerFetch(const broker::FetchRequest& request, broker::ErrorCode error);
  sim::PayloadRef AnswerListOffsets(const broker::ListOffsetsRequest& request,
                                    broker::ErrorCode error);

  broker::ClusterImageRef image_;
  int64_t transaction_version_ = 2;
  broker::BrokerId coordinator_{0};
  std::optional<std::pair<int64_t, int16_t>> identity_;
  int64_t producer_id_ = 7;
  int16_t epoch_ = -1;
  std::map<broker::ApiKey, Answers> answers_;
  std::map<broker::PartitionId, int64_t> log_end_;
  std::deque<broker::FetchResponse::PartitionResult> fetched_;
  std::map<broker::PartitionId, int64_t> offsets_;
  std::map<broker::PartitionId, int64_t> end_offsets_;
  std::vector<broker::JoinGroupResponse::Member> members_;
  std::string leader_;
  broker::PartitionList assigned_;
  std::map<broker::PartitionId, int64_t> committed_;
  int32_t generation_ = 0;
  std::vector<Received> received_;
};

}  // namespace kafkasim::client
