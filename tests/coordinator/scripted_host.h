// A broker as small as the transaction coordinator's tests need it: it carries out the effects of
// one service, keeps the logs of __transaction_state, and lets a test decide what becomes of
// appends and marker requests. Time moves only when the test says so.
//
// Three brokers are alive; this is broker 1 and leads all of __transaction_state. Topic "orders"
// has three partitions, led by brokers 1, 2 and 3. Producer ids start at 7.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "broker/messages_transaction.h"
#include "broker/partition_log.h"
#include "broker/service.h"
#include "coordinator/transaction_coordinator.h"
#include "coordinator/transaction_view.h"

namespace kafkasim::coordinator {

class ScriptedHost final : public broker::ServiceContext {
 public:
  // What becomes of an append.
  enum class Appends : uint8_t {
    kReplicate,        // appended and replicated at once
    kHold,             // appended; Release() says what happens
    kFail,             // refused by the log: nothing is appended
    kFailAfterAppend,  // appended, but never known to be replicated
  };
  enum class Markers : uint8_t { kAcknowledge, kHold };

  struct Options {
    int64_t transaction_version = 2;
    int32_t txn_partitions = 1;
    sim::Duration load_time{};
    int32_t producer_id_count = 1000;
    bool elect = true;
    bool with_producer_ids = true;  // the first block has come already
  };

  explicit ScriptedHost(const Options& options);
  ScriptedHost() : ScriptedHost(Options()) {}
  static ScriptedHost ForVersion(int64_t version) {
    return ScriptedHost(Options{.transaction_version = version});
  }

  // ---- broker::ServiceContext ----
  [[nodiscard]] sim::Time now() const override { return now_; }
  [[nodiscard]] broker::BrokerId self() const override { return broker::BrokerId(1); }
  [[nodiscard]] sim::ProcessId controller() const override { return sim::ProcessId(0); }
  [[nodiscard]] const broker::BrokerConfig& config() const override { return broker_config; }
  [[nodiscard]] const broker::ClusterImage& image() const override { return cluster; }
  [[nodiscard]] const broker::PartitionLog* LocalLog(const broker::PartitionId& p) const override;
  [[nodiscard]] bool tracing() const override { return trace; }

  // ---- The script ----
  Appends appends = Appends::kReplicate;
  broker::ErrorCode append_error = broker::ErrorCode::kNotEnoughReplicas;
  Markers markers = Markers::kAcknowledge;
  bool trace = true;
  broker::BrokerConfig broker_config;
  broker::ClusterImage cluster;

  void Elect(int32_t partition, int32_t epoch);
  void ElectAll(int32_t epoch);
  void Resign(int32_t partition, int32_t epoch);
  void Crash();
  void AdvanceTo(sim::Time time);
  void MetadataChanged();
  // Ends the append that has waited longest: NONE replicates it.
  void Release(broker::ErrorCode error = broker::ErrorCode::kNone);
  [[nodiscard]] size_t held_appends() const { return held_.size(); }
  [[nodiscard]] size_t armed_timers() const { return timers_.size(); }
  [[nodiscard]] sim::Duration last_append_timeout() const { return last_append_timeout_; }

  // Marker requests, oldest first; without an answer yet.
  struct MarkerRequest {
    broker::BrokerId broker;
    broker::WriteTxnMarkersRequest request;
    uint64_t token = 0;
  };
  [[nodiscard]] const std::vector<MarkerRequest>& marker_requests() const { return requests_; }
  // Answers the i-th of them with this error for each partition.
  void AnswerMarkers(size_t i, broker::ErrorCode error = broker::ErrorCode::kNone);
  void AnswerMarkers(size_t i, const std::map<int32_t, broker::ErrorCode>& by_index);
  void DisconnectMarkers(size_t i);

  // A record written by some coordinator before; to be loaded by an election.
  void Store(const std::string& transactional_id, const TransactionValue& value,
             int16_t value_version = 1);
  void StoreTombstone(const std::string& transactional_id);

  // ---- Requests; each returns its answer, or nothing if none has come yet ----
  uint64_t Submit(sim::PayloadRef request);
  template <typename Response>
  [[nodiscard]] std::optional<Response> ReplyOf(uint64_t correlation) const {
    const auto at = replies_.find(correlation);
    if (at == replies_.end()) return std::nullopt;
    return broker::BodyOf<Response>(*at->second);
  }
  std::optional<broker::InitProducerIdResponse> Init(const std::string& id,
                                                     int64_t producer_id = -1, int16_t epoch = -1,
                                                     int32_t timeout_ms = 60'000);
  // Of one transaction: the error of its first partition.
  std::optional<broker::ErrorCode> Add(const std::string& id, int64_t producer_id, int16_t epoch,
                                       const broker::PartitionList& partitions,
                                       int16_t version = 3);
  std::optional<broker::ErrorCode> Verify(const std::string& id, int64_t producer_id, int16_t epoch,
                                          const broker::PartitionList& partitions);
  std::optional<broker::ErrorCode> AddOffsets(const std::string& id, int64_t producer_id,
                                              int16_t epoch, const std::string& group);
  std::optional<broker::EndTxnResponse> End(const std::string& id, int64_t producer_id,
                                            int16_t epoch, bool commit, int16_t version);

  // ---- What is to be seen ----
  [[nodiscard]] std::optional<TransactionView> Find(std::string_view id) const {
    return FindTransaction(coordinator, id);
  }
  [[nodiscard]] TransactionState StateOf(std::string_view id) const;
  [[nodiscard]] int16_t EpochOf(std::string_view id) const;
  // "EMPTY 7/0, ONGOING 7/0": the records of the id in its log.
  [[nodiscard]] std::string LogOf(const std::string& id) const;
  [[nodiscard]] const broker::PartitionLog& log(int32_t partition) const;
  [[nodiscard]] const std::vector<broker::PointEffect>& points() const { return points_; }
  // The texts of a field over all points of a kind, in order.
  [[nodiscard]] std::vector<std::string> TextsOf(const sim::EventKind& kind,
                                                 std::string_view field) const;
  void ForgetPoints() { points_.clear(); }

  [[nodiscard]] broker::PartitionId Orders(int32_t index) const {
    return {*cluster.FindTopicId("orders"), index};
  }
  [[nodiscard]] broker::PartitionList OrdersList(std::vector<int32_t> indexes) const;

  TransactionCoordinator coordinator;

 private:
  struct HeldAppend {
    int32_t partition;
    uint64_t token;
    broker::Offset next_offset;
  };
  struct ArmedTimer {
    sim::Time at;
    uint64_t sequence;
    uint32_t kind;
    uint64_t argument;
  };

  void CarryOut(broker::Effects effects);
  void CarryOut(const broker::AppendEffect& effect);
  void CarryOut(const broker::SendEffect& effect);
  void Appended(uint64_t token, broker::ErrorCode error);
  void Answer(uint64_t token, const sim::PayloadRef& response);
  void Drain();

  sim::Time now_{};
  int32_t producer_id_count_;
  int64_t next_producer_id_ = 7;
  std::vector<broker::PartitionLog> logs_;
  std::vector<broker::LeaderEpoch> epochs_;
  std::vector<HeldAppend> held_;
  std::vector<std::pair<uint64_t, broker::ErrorCode>> ended_appends_;
  std::vector<std::pair<uint64_t, sim::PayloadRef>> answers_;
  std::vector<MarkerRequest> requests_;
  std::vector<ArmedTimer> timers_;
  std::map<uint64_t, sim::PayloadRef> replies_;
  std::vector<broker::PointEffect> points_;
  uint64_t next_correlation_ = 1;
  uint64_t next_timer_ = 1;
  sim::Duration last_append_timeout_{};
  bool draining_ = false;
};

}  // namespace kafkasim::coordinator
