// How a broker runs its services: it hands them events and carries out the effects they return.
#include <algorithm>
#include <utility>

#include "broker/broker.h"
#include "broker/broker_timers.h"
#include "broker/channels.h"
#include "broker/messages_cluster.h"
#include "broker/service_run.h"

namespace kafkasim::broker {

sim::Time Broker::Host::now() const { return context_.now(); }
BrokerId Broker::Host::self() const { return broker_.id_; }
sim::ProcessId Broker::Host::controller() const { return broker_.controller_; }
const BrokerConfig& Broker::Host::config() const { return *broker_.config_; }
const ClusterImage& Broker::Host::image() const { return broker_.image(); }
bool Broker::Host::tracing() const { return context_.tracing(); }
const PartitionLog* Broker::Host::LocalLog(const PartitionId& partition) const {
  const Partition* replica = broker_.FindReplica(partition);
  return replica == nullptr ? nullptr : &replica->log();
}

std::optional<uint32_t> Broker::ServiceFor(ApiKey key) const {
  for (uint32_t i = 0; i < services_.size(); ++i) {
    if ((*services_[i])->Serves(key)) return i;
  }
  return std::nullopt;
}

std::optional<uint32_t> Broker::ServiceOf(const PartitionId& partition) const {
  const TopicImage* topic = image().FindTopic(partition.topic);
  for (uint32_t i = 0; topic != nullptr && i < services_.size(); ++i) {
    if ((*services_[i])->topic() == topic->name) return i;
  }
  return std::nullopt;
}

void Broker::TellServicesOfAppends(sim::Context& context) {
  while (!finished_appends_.empty()) {
    for (const ServiceAppend& append : std::exchange(finished_appends_, {})) {
      if (!context.alive()) return;
      RunService(context, append.service,
                 [&](Service& service, const ServiceContext& host, Effects& effects) {
                   service.OnAppended(host, append.token, append.error, effects);
                 });
    }
  }
}

void Broker::TellServicesOfRoles(sim::Context& context) {
  for (const LeadershipChange& change : std::exchange(leadership_changes_, {})) {
    if (!context.alive()) return;
    RunService(context, change.service,
               [&](Service& service, const ServiceContext& host, Effects& effects) {
                 if (change.elected) {
                   service.OnElected(host, change.partition, change.epoch, effects);
                 } else {
                   service.OnResigned(host, change.partition, change.epoch, effects);
                 }
               });
  }
}

void Broker::CarryOut(sim::Context& context, uint32_t service, Effects& effects) {
  for (Effect& effect : effects) {
    if (!context.alive()) return;
    if (auto* point = std::get_if<PointEffect>(&effect)) {
      if (context.tracing()) context.Emit(*point->kind, std::move(point->fields));
    } else if (auto* reply = std::get_if<ReplyEffect>(&effect)) {
      context.Reply(reply->to, std::move(reply->response));
    } else if (auto* append = std::get_if<AppendEffect>(&effect)) {
      AppendForService(context, service, *append);
    } else if (auto* await = std::get_if<AwaitEffect>(&effect)) {
      AwaitForService(context, service, *await);
    } else if (auto* verify = std::get_if<VerifyEffect>(&effect)) {
      VerifyForService(context, service, *verify);
    } else if (auto* send = std::get_if<SendEffect>(&effect)) {
      SendForService(context, service, *send);
    } else {
      const auto& timer = std::get<TimerEffect>(effect);
      KAFKASIM_CHECK(timer.kind < kServiceTimerKinds, "kinds of service timers are small");
      context.SetTimer(
          timer.delay,
          static_cast<uint32_t>(BrokerTimer::kService) + service * kServiceTimerKinds + timer.kind,
          timer.argument);
    }
  }
}

void Broker::AppendForService(sim::Context& context, uint32_t service, AppendEffect& effect) {
  PendingWrite write{.answer = ServiceAppend{.service = service, .token = effect.token}};
  if (!LeadsAt(effect.partition, effect.expected_epoch)) {
    write.SetError(0, ErrorCode::kNotLeaderOrFollower);
    CompleteWrite(context, std::move(write));
    return;
  }
  const absl::StatusOr<AppendInfo> info =
      Append(context, effect.partition, effect.batch,
             AppendOptions{.origin = AppendOrigin::kCoordinator, .guard = effect.guard},
             effect.acks, std::move(effect.appended));
  if (!context.alive()) return;
  if (!info.ok()) {
    write.SetError(0, CodeOf(info.status()));
    CompleteWrite(context, std::move(write));
    return;
  }
  RunService(context, service, [&](Service& s, const ServiceContext& host, Effects& effects) {
    s.OnWritten(host, effect.token, info->first_offset, effects);
  });
  if (!context.alive()) return;
  write.waits.push_back({.partition = effect.partition, .required = info->last_offset + 1});
  WaitForReplication(context, std::move(write), effect.timeout);
}

void Broker::AwaitForService(sim::Context& context, uint32_t service, const AwaitEffect& effect) {
  PendingWrite write{.answer = ServiceAppend{.service = service, .token = effect.token}};
  if (!LeadsAt(effect.partition, effect.expected_epoch)) {
    write.SetError(0, ErrorCode::kNotLeaderOrFollower);
    CompleteWrite(context, std::move(write));
    return;
  }
  write.waits.push_back({.partition = effect.partition,
                         .required = FindReplica(effect.partition)->log().log_end_offset()});
  WaitForReplication(context, std::move(write), effect.timeout);
}

bool Broker::LeadsAt(const PartitionId& partition, LeaderEpoch expected_epoch) const {
  const Partition* replica = FindReplica(partition);
  return replica != nullptr && replica->is_leader() &&
         (expected_epoch == kNoLeaderEpoch || replica->leader_epoch() == expected_epoch);
}

void Broker::SendForService(sim::Context& context, uint32_t service, const SendEffect& effect) {
  const sim::CorrelationId correlation =
      context.SendRequest(effect.to, effect.channel, effect.request);
  calls_.Mutable().all.push_back(
      {.correlation = correlation,
       .to = effect.to,
       .channel = effect.channel,
       .service = service,
       .token = effect.token,
       .timer =
           context.SetTimer(GivenUpAfter(effect.timeout),
                            static_cast<uint32_t>(BrokerTimer::kCallExpiry), correlation.value())});
}

void Broker::TakeAnswer(sim::Context& context, const sim::ResponseIn& response) {
  std::vector<OpenCall>& calls = calls_.Mutable().all;
  const auto found = std::find_if(calls.begin(), calls.end(), [&](const OpenCall& call) {
    return call.correlation == response.correlation;
  });
  if (found == calls.end()) return;
  const OpenCall call = *found;
  calls.erase(found);
  context.CancelTimer(call.timer);
  if (call.forwarded.has_value()) {
    context.Reply(*call.forwarded, response.payload);
    return;
  }
  if (call.is_alter_partition()) {
    HandleAlterPartitionResponse(context, BodyOf<AlterPartitionResponse>(*response.payload));
    return;
  }
  RunService(context, call.service,
             [&](Service& service, const ServiceContext& host, Effects& effects) {
               service.OnAnswer(host, call.token, response.payload, effects);
             });
}

void Broker::FailCalls(sim::Context& context, sim::ProcessId peer, sim::Channel channel) {
  std::vector<OpenCall> failed;
  std::vector<OpenCall>& calls = calls_.Mutable().all;
  for (size_t i = 0; i < calls.size();) {
    if (calls[i].to != peer || calls[i].channel != channel) {
      ++i;
      continue;
    }
    failed.push_back(calls[i]);
    calls.erase(calls.begin() + static_cast<std::ptrdiff_t>(i));
  }
  for (const OpenCall& call : failed) context.CancelTimer(call.timer);
  for (const OpenCall& call : failed) {
    if (!context.alive()) return;
    if (call.forwarded.has_value()) {
      if (call.token == static_cast<uint64_t>(ApiKey::kElectLeaders)) {
        context.Reply(*call.forwarded,
                      MakeMessage(ElectLeadersResponse{.error = ErrorCode::kRequestTimedOut}));
      } else {  // an error would have to be that of a topic; whoever asked will ask again
        context.BreakConnection(*call.forwarded);
      }
      continue;
    }
    if (call.is_alter_partition()) {
      RepeatAlterPartition(context, call.partition);
      continue;
    }
    RunService(context, call.service,
               [&](Service& service, const ServiceContext& host, Effects& effects) {
                 service.OnAnswer(host, call.token, nullptr, effects);
               });
  }
}

void Broker::ExpireCall(sim::Context& context, sim::CorrelationId correlation) {
  const std::vector<OpenCall>& calls = calls_->all;
  const auto found = std::find_if(calls.begin(), calls.end(), [&](const OpenCall& call) {
    return call.correlation == correlation;
  });
  if (found == calls.end()) return;
  // As Kafka's clients do it: a late answer costs the connection, and all that is open on it.
  const sim::ProcessId peer = found->to;
  const sim::Channel channel = found->channel;
  context.CloseConnection(peer, channel);
  FailCalls(context, peer, channel);
}

}  // namespace kafkasim::broker
