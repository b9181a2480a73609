// The controller: the one metadata service of the cluster. It owns the cluster image, elects
// leaders, changes ISRs, fences and registers brokers, and hands out blocks of producer ids.
// Follows the KRaft controller (QuorumController with ReplicationControlManager,
// ClusterControlManager, BrokerHeartbeatManager, ProducerIdControlManager; KIP-497, 631, 730, 903),
// Kafka 4.4 development line.
//
// Simplified on purpose: the quorum is one process that never fails; each change is published at
// once, as a whole image, to every broker that can be reached (a broker that comes back gets the
// newest). Heartbeats are not sent: the kernel tells when a broker cannot be reached. From then on
//   its session runs for broker.session.timeout.ms, then it is fenced: it leaves all ISRs and
//     leaderships, except that the last member stays in an ISR (eligible leader replicas, KIP-966,
//     are off) and the partition has no leader, -1, until that member or, where unclean elections
//     are allowed, any replica is back
//   reachable again before: nothing has happened
//   reachable again later, still in the same life: unfenced with its next heartbeat, at most
//     broker.heartbeat.interval.ms later
// A broker that was restarted registers a new life. As in KRaft, that is refused as long as the
// session of the old life is valid (DUPLICATE_BROKER_REGISTRATION; the broker repeats it until it
// is accepted; the repetitions are not simulated), so that the old life is always fenced, and its
// leaderships go to others with a new leader epoch, before the new one is registered and unfenced.
// Leadership does not return to preferred leaders by itself (auto.leader.rebalance is off).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "broker/cluster_image.h"
#include "broker/config.h"
#include "broker/messages_cluster.h"
#include "broker/messages_topics.h"
#include "broker/partition_change.h"
#include "sim/context.h"
#include "sim/cow.h"
#include "sim/process.h"

namespace kafkasim::broker {

class Controller final : public sim::Process {
 public:
  struct Options {
    std::shared_ptr<const BrokerConfig> config{};
    ClusterImageRef image{};          // in force at time zero; the brokers have it, too
    ProducerId first_producer_id{0};  // the first block of producer ids begins here
  };

  static constexpr int32_t kProducerIdBlockSize = 1000;

  explicit Controller(Options options);

  [[nodiscard]] const ClusterImageRef& image() const { return state_->image; }
  // Where the next block of producer ids begins.
  [[nodiscard]] ProducerId next_producer_id() const { return state_->next_producer_id; }
  // What became of the last ElectLeaders command; nullopt before the first.
  [[nodiscard]] std::optional<ErrorCode> last_election_result() const {
    return state_->last_election_result;
  }

  // ---- sim::Process ----
  [[nodiscard]] std::unique_ptr<sim::Process> Clone() const override;
  void AppendTo(sim::CanonicalBytes& out) const override;
  // AlterPartition, AllocateProducerIds, BrokerRegistration, and, from brokers that hand them on,
  //   CreateTopics  TOPIC_ALREADY_EXISTS, INVALID_TOPIC_EXCEPTION, INVALID_CONFIG,
  //                 INVALID_PARTITIONS, INVALID_REPLICATION_FACTOR (not enough brokers alive)
  //   DeleteTopics  UNKNOWN_TOPIC_OR_PARTITION
  //   ElectLeaders  as OnCommand
  void OnRequest(sim::Context& context, const sim::RequestIn& request) override;
  void OnResponse(sim::Context&, const sim::ResponseIn&) override {}
  void OnDisconnect(sim::Context&, sim::ProcessId, sim::Channel) override {}
  // A fault took an image away: the broker fetches it again.
  void OnTimeout(sim::Context& context, sim::ProcessId peer, sim::Channel channel,
                 sim::CorrelationId correlation) override;
  void OnTimer(sim::Context& context, uint32_t kind, uint64_t argument) override;
  // An ElectLeadersRequest. Its result is traced (leader_elected or election_refused) and kept:
  //   UNKNOWN_TOPIC_OR_PARTITION
  //   ELECTION_NOT_NEEDED             clean: the wanted broker leads already; unclean: there is a
  //                                   leader
  //   PREFERRED_LEADER_NOT_AVAILABLE  clean: the wanted broker is no replica in the ISR, or not
  //                                   alive
  //   ELIGIBLE_LEADERS_NOT_AVAILABLE  unclean: no replica is alive, or not the wanted one
  void OnCommand(sim::Context& context, const sim::PayloadRef& command) override;
  void OnReachability(sim::Context& context, sim::ProcessId peer, sim::Reachability seen) override;
  // It never crashes; if somebody tries, nothing is lost.
  void OnCrash(sim::CrashKind) override {}
  void OnRestart(sim::Context&) override {}

 private:
  // What the controller knows of one broker beside the image.
  struct Session {
    bool reachable = true;
    int64_t incarnation = 0;          // the newest that asked to be registered
    bool registration_waits = false;  // of a new life, until the old session has ended
    sim::Time lost_at{};              // when it was reachable last
    int64_t told_version = 0;         // of the last image sent to it
    sim::TimerId timer{};             // end of session, or next heartbeat of a fenced broker

    void AppendTo(sim::CanonicalBytes& out) const;
  };
  struct State {
    ClusterImageRef image{};
    ProducerId next_producer_id{0};
    std::vector<Session> sessions{};  // in the order of image.brokers
    std::optional<ErrorCode> last_election_result{};

    void AppendTo(sim::CanonicalBytes& out) const;
  };

  void HandleAlterPartition(sim::Context& context, const sim::RequestIn& request);
  void HandleBrokerRegistration(sim::Context& context, const BrokerRegistrationRequest& request);
  void HandleCreateTopics(sim::Context& context, const sim::RequestIn& request);
  // Adds the topic to `next`, which becomes the image.
  [[nodiscard]] TopicResult CreateTopic(sim::Context& context, ClusterImage& next,
                                        const CreateTopicsRequest::Topic& topic);
  void HandleDeleteTopics(sim::Context& context, const sim::RequestIn& request);
  void EndSession(sim::Context& context, BrokerId broker);
  void Fence(sim::Context& context, BrokerId broker);
  void Register(sim::Context& context, BrokerId broker);
  void Unfence(sim::Context& context, BrokerId broker);
  // Elects and keeps the result.
  ErrorCode HandleElectLeaders(sim::Context& context, const ElectLeadersRequest& request);
  [[nodiscard]] ErrorCode Elect(sim::Context& context, const ElectLeadersRequest& request);
  // Puts a changed partition into `image` and traces what changed.
  void Change(sim::Context& context, ClusterImage& image, const PartitionId& id,
              const PartitionChange& change, std::string_view reason);
  void Publish(sim::Context& context, ClusterImage image);
  // The newest image, unless the broker has it; `update` is the message, if it is made already.
  void SendImage(sim::Context& context, BrokerId broker, sim::PayloadRef update = nullptr);
  [[nodiscard]] Session& SessionOf(BrokerId broker);

  std::shared_ptr<const BrokerConfig> config_;
  sim::Cow<State> state_;
};

}  // namespace kafkasim::broker
