// A broker as small as the group coordinator's tests need it: it carries out the effects of the
// service, keeps the logs of __consumer_offsets, and lets a test decide what becomes of appends and
// of verifications. Time moves only when the test says so.
//
// This is broker 1 and leads all of __consumer_offsets, by default one partition. Topics "foo" and
// "bar" have three partitions.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "broker/messages_group.h"
#include "broker/messages_offsets.h"
#include "broker/partition_log.h"
#include "broker/service.h"
#include "coordinator/group_coordinator.h"
#include "coordinator/group_events.h"
#include "coordinator/group_view.h"

namespace kafkasim::coordinator {

class GroupHost final : public broker::ServiceContext {
 public:
  // What becomes of an append.
  enum class Appends : uint8_t {
    kReplicate,  // appended and replicated at once
    kHold,       // appended; Release() says what happens
    kFail,       // refused by the log: nothing is appended
  };

  struct Options {
    int32_t partitions = 1;
    sim::Duration load_time{};
    bool elect = true;
  };

  explicit GroupHost(const Options& options);
  GroupHost() : GroupHost(Options()) {}

  // ---- broker::ServiceContext ----
  [[nodiscard]] sim::Time now() const override { return now_; }
  [[nodiscard]] broker::BrokerId self() const override { return broker::BrokerId(1); }
  [[nodiscard]] sim::ProcessId controller() const override { return sim::ProcessId(0); }
  [[nodiscard]] const broker::BrokerConfig& config() const override { return broker_config; }
  [[nodiscard]] const broker::ClusterImage& image() const override { return cluster; }
  [[nodiscard]] const broker::PartitionLog* LocalLog(const broker::PartitionId& p) const override;
  [[nodiscard]] bool tracing() const override { return true; }

  // ---- The script ----
  Appends appends = Appends::kReplicate;
  broker::ErrorCode append_error = broker::ErrorCode::kMessageTooLarge;
  // What the transaction coordinator says.
  broker::ErrorCode verification = broker::ErrorCode::kNone;
  broker::BrokerConfig broker_config;
  broker::ClusterImage cluster;

  void Elect(int32_t partition, int32_t epoch);
  void Resign(int32_t partition);
  void AdvanceTo(sim::Time time);
  void Advance(sim::Duration duration) { AdvanceTo(now_ + duration); }
  void MetadataChanged();
  // Ends the append or wait that is oldest: NONE replicates it and all before it.
  void Release(broker::ErrorCode error = broker::ErrorCode::kNone);
  void ReleaseAll();
  [[nodiscard]] size_t held() const { return held_.size(); }
  [[nodiscard]] size_t armed_timers() const { return timers_.size(); }
  // WriteTxnMarkers on partition 0: the error of the answer.
  broker::ErrorCode Mark(int64_t producer_id, int16_t epoch, bool commit,
                         int16_t transaction_version = 2);

  // ---- Requests ----
  // Gives the number under which an answer can be asked for.
  uint64_t Submit(sim::PayloadRef request);
  template <typename Response>
  [[nodiscard]] std::optional<Response> ReplyOf(uint64_t number) const {
    const auto at = replies_.find(number);
    if (at == replies_.end()) return std::nullopt;
    return broker::BodyOf<Response>(*at->second);
  }
  template <typename Response, typename Request>
  std::optional<Response> Ask(Request request) {
    return ReplyOf<Response>(Submit(broker::MakeMessage(std::move(request))));
  }

  // ---- What is to be seen ----
  [[nodiscard]] GroupView Find(std::string_view group_id) const;
  [[nodiscard]] bool Knows(std::string_view group_id) const {
    return FindGroup(coordinator, group_id).has_value();
  }
  // "orders-0=5 pid 10 pending": the log of partition 0, one text a record or marker.
  [[nodiscard]] std::vector<std::string> Log() const;
  [[nodiscard]] const broker::PartitionLog& log(int32_t partition) const;
  [[nodiscard]] std::vector<std::string> EventNames() const;
  // The texts of a field over all points of a kind, in order.
  [[nodiscard]] std::vector<std::string> TextsOf(const sim::EventKind& kind,
                                                 std::string_view field) const;
  void ForgetPoints() { points_.clear(); }
  // "foo-0"
  [[nodiscard]] broker::PartitionId Id(std::string_view name) const { return *cluster.Parse(name); }

  GroupCoordinator coordinator;

 private:
  struct Held {
    int32_t partition;
    uint64_t token;
    broker::Offset required;
  };
  struct ArmedTimer {
    sim::Time at;
    uint64_t sequence;
    uint32_t kind;
    uint64_t argument;
  };

  void CarryOut(broker::Effects effects);
  void CarryOut(const broker::AppendEffect& effect);
  void CarryOut(const broker::AwaitEffect& effect);
  void CarryOut(const broker::VerifyEffect& effect);
  void WaitFor(const Held& held);
  void Drain();

  sim::Time now_{};
  std::vector<broker::PartitionLog> logs_;
  std::vector<broker::LeaderEpoch> epochs_;
  std::vector<Held> held_;
  std::vector<std::pair<uint64_t, broker::ErrorCode>> ended_;
  std::vector<ArmedTimer> timers_;
  std::map<uint64_t, sim::PayloadRef> replies_;
  std::vector<broker::PointEffect> points_;
  uint64_t next_number_ = 1;
  uint64_t next_timer_ = 1;
  bool draining_ = false;
};

}  // namespace kafkasim::coordinator
