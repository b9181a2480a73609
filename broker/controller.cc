#include "broker/controller.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "broker/channels.h"
#include "broker/events.h"
#include "sim/check.h"

namespace kafkasim::broker {
namespace {

constexpr int64_t kNoImage = -1;

enum class ControllerTimer : uint32_t {
  kSession = 1,  // broker: its session ends
  kHeartbeat,    // broker: fenced, but alive
};

std::vector<std::string> Texts(const std::vector<BrokerId>& brokers) {
  std::vector<std::string> texts;
  texts.reserve(brokers.size());
  for (const BrokerId broker : brokers) texts.push_back(std::to_string(broker.value()));
  return texts;
}

std::vector<BrokerId> Without(std::vector<BrokerId> brokers, BrokerId broker) {
  std::erase(brokers, broker);
  return brokers;
}

// visit(id, partition) for all partitions of topics that exist.
template <typename Visitor>
void ForEachPartition(const ClusterImage& image, Visitor visit) {
  for (size_t t = 0; t < image.topics.size(); ++t) {
    if (image.topics[t].deleted) continue;
    for (size_t p = 0; p < image.topics[t].partitions.size(); ++p) {
      visit(
          PartitionId{.topic = TopicId(static_cast<int32_t>(t)), .index = static_cast<int32_t>(p)},
          image.topics[t].partitions[p]);
    }
  }
}

}  // namespace

void Controller::Session::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(reachable);
  out.Add(incarnation);
  out.Add(registration_waits);
  out.Add(lost_at);
  out.Add(told_version);
}

void Controller::State::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(*image);
  out.Add(next_producer_id);
  out.AddAll(sessions);
  out.Add(last_election_result);
}

Controller::Controller(Options options) : config_(std::move(options.config)) {
  State& state = state_.Mutable();
  state.image = std::move(options.image);
  state.next_producer_id = options.first_producer_id;
  state.sessions.resize(state.image->brokers.size(), Session{.told_version = state.image->version});
}

std::unique_ptr<sim::Process> Controller::Clone() const {
  return std::make_unique<Controller>(*this);
}

void Controller::AppendTo(sim::CanonicalBytes& out) const { out.Add(state_); }

Controller::Session& Controller::SessionOf(BrokerId broker) {
  State& state = state_.Mutable();
  const std::vector<BrokerId>& brokers = state.image->brokers;
  const auto found = std::find(brokers.begin(), brokers.end(), broker);
  KAFKASIM_CHECK(found != brokers.end(), "the controller knows all brokers from the start");
  return state.sessions[static_cast<size_t>(found - brokers.begin())];
}

void Controller::OnRequest(sim::Context& context, const sim::RequestIn& request) {
  const Message& message = AsMessage(*request.payload);
  switch (message.key()) {
    case ApiKey::kAlterPartition:
      HandleAlterPartition(context, request);
      return;
    case ApiKey::kBrokerRegistration:
      HandleBrokerRegistration(context, BodyOf<BrokerRegistrationRequest>(message));
      return;
    case ApiKey::kElectLeaders: {
      const ErrorCode error = HandleElectLeaders(context, BodyOf<ElectLeadersRequest>(message));
      context.Reply(request.reply_to, MakeMessage(ElectLeadersResponse{.error = error}));
      return;
    }
    case ApiKey::kAllocateProducerIds: {
      ProducerId& next = state_.Mutable().next_producer_id;
      context.Reply(request.reply_to, MakeMessage(AllocateProducerIdsResponse{
                                          .first = next, .count = kProducerIdBlockSize}));
      next = next + kProducerIdBlockSize;
      return;
    }
    case ApiKey::kCreateTopics:
      HandleCreateTopics(context, request);
      return;
    case ApiKey::kDeleteTopics:
      HandleDeleteTopics(context, request);
      return;
    default:
      context.BreakConnection(request.reply_to);
  }
}

void Controller::HandleAlterPartition(sim::Context& context, const sim::RequestIn& in) {
  const auto& request = BodyOf<AlterPartitionRequest>(*in.payload);
  const PartitionImage* partition = image()->FindPartition(request.partition);
  AlterPartitionResponse response{.partition = request.partition};
  std::vector<BrokerId> isr;
  for (const auto& member : request.new_isr) isr.push_back(member.broker);
  std::sort(isr.begin(), isr.end());
  const bool ineligible =
      std::any_of(request.new_isr.begin(), request.new_isr.end(), [&](const auto& member) {
        return !image()->IsAlive(member.broker) ||
               (member.broker_epoch != -1 &&
                member.broker_epoch != image()->BrokerEpoch(member.broker));
      });
  const auto is_replica = [&](BrokerId broker) { return Contains(partition->replicas, broker); };
  if (partition == nullptr) {
    response.error = ErrorCode::kUnknownTopicOrPartition;
  } else if (request.leader_epoch < partition->leader_epoch) {
    response.error = ErrorCode::kFencedLeaderEpoch;
  } else if (request.broker != partition->leader) {
    response.error = ErrorCode::kInvalidRequest;
  } else if (request.partition_epoch < partition->partition_epoch) {
    response.error = ErrorCode::kInvalidUpdateVersion;
  } else if (!std::all_of(isr.begin(), isr.end(), is_replica) ||
             !Contains(isr, partition->leader)) {
    response.error = ErrorCode::kInvalidRequest;
  } else if (ineligible) {
    response.error = ErrorCode::kIneligibleReplica;
  }
  if (response.error == ErrorCode::kNone) {
    const auto change = ChangePartition(*partition, isr, Election::kOnline,
                                        [&](BrokerId broker) { return image()->IsAlive(broker); });
    if (change.has_value()) {
      ClusterImage next = *image();
      Change(context, next, request.partition, *change, "the leader asked for it");
      Publish(context, std::move(next));
    }
  }
  if (const PartitionImage* now = image()->FindPartition(request.partition)) response.state = *now;
  context.Reply(in.reply_to, MakeMessage(std::move(response)));
}

void Controller::OnReachability(sim::Context& context, sim::ProcessId peer,
                                sim::Reachability seen) {
  const BrokerId broker = BrokerOf(peer);
  Session& session = SessionOf(broker);
  session.reachable = seen != sim::Reachability::kLost;
  if (session.registration_waits) return;  // what is seen is another life
  // A new life sends no heartbeat before it is registered, and does not keep the old session.
  if (seen == sim::Reachability::kReborn) return;
  context.CancelTimer(std::exchange(session.timer, {}));
  const bool fenced = !image()->IsAlive(broker);
  const auto argument = static_cast<uint64_t>(broker.value());
  if (!session.reachable) {
    session.lost_at = context.now();
    if (fenced) return;
    session.timer = context.SetTimer(sim::Millis(config_->broker_session_timeout_ms),
                                     static_cast<uint32_t>(ControllerTimer::kSession), argument);
    return;
  }
  SendImage(context, broker);
  if (fenced) {
    session.timer = context.SetTimer(sim::Millis(config_->broker_heartbeat_interval_ms),
                                     static_cast<uint32_t>(ControllerTimer::kHeartbeat), argument);
  }
}

void Controller::OnTimer(sim::Context& context, uint32_t kind, uint64_t argument) {
  const BrokerId broker(static_cast<int32_t>(argument));
  SessionOf(broker).timer = {};
  if (static_cast<ControllerTimer>(kind) == ControllerTimer::kSession) {
    EndSession(context, broker);
  } else {
    Unfence(context, broker);
  }
}

void Controller::HandleBrokerRegistration(sim::Context& context,
                                          const BrokerRegistrationRequest& request) {
  Session& session = SessionOf(request.broker);
  if (request.incarnation <= session.incarnation) return;  // sent again
  session.incarnation = request.incarnation;
  session.registration_waits = true;
  if (session.timer.sequence != 0) context.CancelTimer(std::exchange(session.timer, {}));
  const sim::Time ends = session.lost_at + sim::Millis(config_->broker_session_timeout_ms);
  if (!image()->IsAlive(request.broker) || ends <= context.now()) {
    EndSession(context, request.broker);
    return;
  }
  session.timer =
      context.SetTimer(ends - context.now(), static_cast<uint32_t>(ControllerTimer::kSession),
                       static_cast<uint64_t>(request.broker.value()));
}

void Controller::EndSession(sim::Context& context, BrokerId broker) {
  if (image()->IsAlive(broker)) Fence(context, broker);
  if (!SessionOf(broker).registration_waits) return;
  SessionOf(broker).registration_waits = false;
  Register(context, broker);
  if (SessionOf(broker).reachable) Unfence(context, broker);
}

void Controller::Fence(sim::Context& context, BrokerId broker) {
  const std::string reason = fmt::format("broker {} was fenced", broker);
  if (context.tracing()) {
    context.Emit(events::kBrokerFenced, {{"broker", int64_t{broker.value()}}});
  }
  ClusterImage next = *image();
  next.fenced.insert(std::lower_bound(next.fenced.begin(), next.fenced.end(), broker), broker);
  ForEachPartition(*image(), [&](const PartitionId& id, const PartitionImage& partition) {
    if (!Contains(partition.isr, broker)) return;
    const TopicImage& topic = *image()->FindTopic(id.topic);
    const auto change = ChangePartition(
        partition, Without(partition.isr, broker),
        topic.config.unclean_leader_election_enable ? Election::kUnclean : Election::kOnline,
        [&](BrokerId candidate) { return next.IsAlive(candidate); });
    if (change.has_value()) Change(context, next, id, *change, reason);
  });
  Publish(context, std::move(next));
}

void Controller::Register(sim::Context& context, BrokerId broker) {
  if (context.tracing()) {
    context.Emit(events::kBrokerRegistered, {{"broker", int64_t{broker.value()}}});
  }
  ClusterImage next = *image();
  next.broker_epochs.resize(next.brokers.size());
  const auto index = static_cast<size_t>(
      std::find(next.brokers.begin(), next.brokers.end(), broker) - next.brokers.begin());
  ++next.broker_epochs[index];
  Publish(context, std::move(next));
}

void Controller::Unfence(sim::Context& context, BrokerId broker) {
  const std::string reason = fmt::format("broker {} is back", broker);
  ClusterImage next = *image();
  std::erase(next.fenced, broker);
  ForEachPartition(*image(), [&](const PartitionId& id, const PartitionImage& partition) {
    if (partition.leader != kNoBroker) return;
    const TopicImage& topic = *image()->FindTopic(id.topic);
    const auto change = ChangePartition(
        partition, partition.isr,
        topic.config.unclean_leader_election_enable ? Election::kUnclean : Election::kOnline,
        [&](BrokerId candidate) { return next.IsAlive(candidate); });
    if (change.has_value()) Change(context, next, id, *change, reason);
  });
  Publish(context, std::move(next));
}

void Controller::OnCommand(sim::Context& context, const sim::PayloadRef& command) {
  HandleElectLeaders(context, BodyOf<ElectLeadersRequest>(*command));
}

ErrorCode Controller::HandleElectLeaders(sim::Context& context,
                                         const ElectLeadersRequest& request) {
  const ErrorCode error = Elect(context, request);
  state_.Mutable().last_election_result = error;
  if (error != ErrorCode::kNone && context.tracing()) {
    context.Emit(events::kElectionRefused, {{"partition", image()->NameOf(request.partition)},
                                            {"error", std::string(Name(error))}});
  }
  return error;
}

ErrorCode Controller::Elect(sim::Context& context, const ElectLeadersRequest& request) {
  const PartitionImage* partition = image()->FindPartition(request.partition);
  if (partition == nullptr) return ErrorCode::kUnknownTopicOrPartition;
  const auto may_lead = [&](BrokerId broker, bool unclean) {
    return image()->IsAlive(broker) && Contains(partition->replicas, broker) &&
           (unclean || Contains(partition->isr, broker));
  };
  BrokerId leader = request.leader;
  if (request.unclean) {
    if (partition->leader != kNoBroker) return ErrorCode::kElectionNotNeeded;
    for (const bool unclean : {false, true}) {
      for (const BrokerId replica : partition->replicas) {
        if (leader == kNoBroker && may_lead(replica, unclean)) leader = replica;
      }
    }
    if (!may_lead(leader, true)) return ErrorCode::kEligibleLeadersNotAvailable;
  } else {
    if (leader == kNoBroker) leader = partition->replicas.front();
    if (leader == partition->leader) return ErrorCode::kElectionNotNeeded;
    if (!may_lead(leader, false)) return ErrorCode::kPreferredLeaderNotAvailable;
  }
  ClusterImage next = *image();
  Change(context, next, request.partition,
         ChangeLeader(*partition, leader, !Contains(partition->isr, leader)), "an order");
  Publish(context, std::move(next));
  return ErrorCode::kNone;
}

void Controller::Change(sim::Context& context, ClusterImage& image, const PartitionId& id,
                        const PartitionChange& change, std::string_view reason) {
  PartitionImage& partition =
      image.topics[static_cast<size_t>(id.topic.value())].partitions[static_cast<size_t>(id.index)];
  if (context.tracing()) {
    const std::string name = image.NameOf(id);
    if (change.leader_changed) {
      context.Emit(events::kLeaderElected,
                   {{"partition", name},
                    {"leader", int64_t{change.after.leader.value()}},
                    {"leader_epoch", int64_t{change.after.leader_epoch.value()}},
                    {"clean", !change.unclean}});
    }
    if (change.isr_changed) {
      context.Emit(events::kIsrChanged,
                   {{"partition", name},
                    {"isr", Texts(change.after.isr)},
                    {"was", Texts(partition.isr)},
                    {"reason", std::string(change.unclean ? "an unclean election" : reason)}});
    }
  }
  partition = change.after;
}

void Controller::Publish(sim::Context& context, ClusterImage image) {
  ++image.version;
  const std::vector<BrokerId> brokers = image.brokers;
  state_.Mutable().image = std::make_shared<const ClusterImage>(std::move(image));
  const sim::PayloadRef update = MakeMessage(UpdateMetadataRequest{.image = this->image()});
  for (const BrokerId broker : brokers) SendImage(context, broker, update);
}

void Controller::OnTimeout(sim::Context& context, sim::ProcessId peer, sim::Channel,
                           sim::CorrelationId) {
  SessionOf(BrokerOf(peer)).told_version = kNoImage;
  SendImage(context, BrokerOf(peer), nullptr);
}

void Controller::SendImage(sim::Context& context, BrokerId broker, sim::PayloadRef update) {
  Session& session = SessionOf(broker);
  if (!session.reachable || session.told_version == image()->version) return;
  session.told_version = image()->version;
  if (update == nullptr) update = MakeMessage(UpdateMetadataRequest{.image = image()});
  context.SendRequest(ProcessOf(broker), kControllerChannel, std::move(update));
}

}  // namespace kafkasim::broker
