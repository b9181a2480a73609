#include "broker/broker.h"

#include <utility>

#include "broker/broker_timers.h"
#include "broker/channels.h"
#include "broker/messages_cluster.h"
#include "broker/messages_transaction.h"
#include "broker/service_run.h"
#include "broker/unsupported.h"
#include "sim/check.h"

namespace kafkasim::broker {

Broker::Broker(Options options)
    : id_(options.id), controller_(options.controller), config_(std::move(options.config)) {
  metadata_.Mutable() = {.image = std::move(options.image), .response = {}, .active = true};
  for (std::unique_ptr<Service>& service : options.services) {
    services_.emplace_back(ServiceBox(std::move(service)));
  }
  FillLogs(options.initial_batches);
}

const Partition* Broker::FindReplica(const PartitionId& partition) const {
  const sim::Cow<Partition>* replica = replicas_.Find(partition);
  return replica == nullptr ? nullptr : &**replica;
}

const Service* Broker::FindService(std::string_view topic) const {
  for (const sim::Cow<ServiceBox>& service : services_) {
    if ((*service)->topic() == topic) return &**service;
  }
  return nullptr;
}

std::unique_ptr<sim::Process> Broker::Clone() const { return std::make_unique<Broker>(*this); }

void Broker::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(replicas_);
  out.Add(broker_epoch_);
  out.Add(incarnation_);
  out.Add(metadata_);
  out.Add(writes_);
  out.Add(produces_);
  out.Add(fetches_);
  out.Add(deletes_);
  out.Add(sessions_);
  out.Add(fetchers_);
  out.Add(verification_);
  out.Add(calls_);
  out.Add(lag_);
  out.Add(deletions_);
  out.Add(cleanings_);
  for (const sim::Cow<ServiceBox>& service : services_) out.Add(service);
}

void Broker::OnStart(sim::Context& context) {
  broker_epoch_ = image().BrokerEpoch(id_);
  Activate(context, metadata_->image, /*silent=*/true);
  Settle(context);
}

void Broker::OnRequest(sim::Context& context, const sim::RequestIn& request) {
  Route(context, request);
  Settle(context);
}

void Broker::Route(sim::Context& context, const sim::RequestIn& request) {
  const Message& message = AsMessage(*request.payload);
  if (message.key() == ApiKey::kUpdateMetadata) {
    HandleUpdateMetadata(context, BodyOf<UpdateMetadataRequest>(message));
    return;
  }
  if (!active()) {  // its port is not open yet
    context.BreakConnection(request.reply_to);
    return;
  }
  switch (message.key()) {
    case ApiKey::kProduce:
      return HandleProduce(context, request);
    case ApiKey::kFetch:
      return HandleFetch(context, request);
    case ApiKey::kListOffsets:
      return HandleListOffsets(context, request);
    case ApiKey::kOffsetForLeaderEpoch:
      return HandleOffsetForLeaderEpoch(context, request);
    case ApiKey::kMetadata:
      return context.Reply(request.reply_to, metadata_->response);
    case ApiKey::kApiVersions:
      return context.Reply(
          request.reply_to,
          MakeMessage(ApiVersionsResponse{.transaction_version = config_->transaction_version}));
    case ApiKey::kFindCoordinator:
      return HandleFindCoordinator(context, request);
    case ApiKey::kWriteTxnMarkers:
      return HandleWriteTxnMarkers(context, request);
    case ApiKey::kDeleteRecords:
      return HandleDeleteRecords(context, request);
    case ApiKey::kDescribeProducers:
      return HandleDescribeProducers(context, request);
    case ApiKey::kCreateTopics:
    case ApiKey::kDeleteTopics:
    case ApiKey::kElectLeaders:
      return ForwardToController(context, request);
    default:
      break;
  }
  if (const std::optional<uint32_t> service = ServiceFor(message.key())) {
    RunService(context, *service, [&](Service& s, const ServiceContext& host, Effects& effects) {
      s.OnRequest(host, request, effects);
    });
    return;
  }
  if (sim::PayloadRef answer = UnsupportedAnswer(message)) {
    context.Reply(request.reply_to, std::move(answer));
  } else {
    context.BreakConnection(request.reply_to);
  }
}

void Broker::Settle(sim::Context& context) {
  TellServicesOfAppends(context);
  TellServicesOfRoles(context);
}

void Broker::OnResponse(sim::Context& context, const sim::ResponseIn& response) {
  const BrokerId from = BrokerOf(response.from);
  if (response.channel == kReplicaChannel) {
    if (AsMessage(*response.payload).key() == ApiKey::kListOffsets) {
      TakeLeadersOffset(context, from, BodyOf<ListOffsetsResponse>(*response.payload));
    } else {
      HandleFetchResponse(context, from, BodyOf<FetchResponse>(*response.payload));
    }
  } else if (response.channel == kVerificationChannel) {
    if (sim::TimerId* timer = verification_.Mutable().TimerOf(from)) {
      context.CancelTimer(*timer);
      TakeVerifications(context, verification_.Mutable().OnResponse(
                                     from, BodyOf<AddPartitionsToTxnResponse>(*response.payload)));
      SendVerification(context, from);
    }
  } else {
    TakeAnswer(context, response);
  }
  Settle(context);
}

void Broker::OnDisconnect(sim::Context& context, sim::ProcessId peer, sim::Channel channel) {
  if (channel == kReplicaChannel) {
    LoseLeader(context, BrokerOf(peer));
  } else if (channel == kVerificationChannel) {
    if (sim::TimerId* timer = verification_.Mutable().TimerOf(BrokerOf(peer))) {
      context.CancelTimer(*timer);
      TakeVerifications(context, verification_.Mutable().OnDisconnect(BrokerOf(peer)));
      SendVerification(context, BrokerOf(peer));
    }
  } else {
    FailCalls(context, peer, channel);
  }
  Settle(context);
}

void Broker::OnTimer(sim::Context& context, uint32_t kind, uint64_t argument) {
  const auto number = static_cast<uint32_t>(argument);
  const BrokerId peer(static_cast<int32_t>(number));
  switch (static_cast<BrokerTimer>(kind)) {
    case BrokerTimer::kWriteExpiry:
      if (auto expired = writes_.Mutable().TakeExpired(number)) {
        context.CancelTimer(expired->service_timer);
        CompleteWrite(context, std::move(*expired));
      }
      break;
    case BrokerTimer::kMarkerExpiry:
      if (auto expired = writes_.Mutable().TakeExpiredOfService(number)) {
        context.CancelTimer(expired->timer);
        CompleteWrite(context, std::move(*expired));
      }
      break;
    case BrokerTimer::kFetchExpiry:
      ExpireFetch(context, number);
      break;
    case BrokerTimer::kSessionExpiry: {
      FollowerSession& session = sessions_.Mutable().Of(peer);
      session.expiry = {};
      if (session.waiting.has_value()) AnswerFollower(context, session);
      break;
    }
    case BrokerTimer::kFetcher:
      WakeFetcher(context, peer);
      break;
    case BrokerTimer::kVerificationExpiry:
      context.CloseConnection(ProcessOf(peer), kVerificationChannel);
      TakeVerifications(context, verification_.Mutable().OnDisconnect(peer));
      SendVerification(context, peer);
      break;
    case BrokerTimer::kVerificationRetry:
      RetryVerification(context, number);
      break;
    case BrokerTimer::kLagCheck:
      CheckLag(context);
      break;
    case BrokerTimer::kDeleteExpiry:
      ExpireDelete(context, number);
      break;
    case BrokerTimer::kLogDeletion:
      if (!deletions_.IsDue(context.now())) break;
      DeleteOldSegmentsOf(context, /*compacted=*/false);
      if (context.alive()) WatchAllLogs(context);
      break;
    case BrokerTimer::kLogCleaning:
      if (!cleanings_.IsDue(context.now())) break;
      CleanLogs(context);
      if (context.alive()) DeleteOldSegmentsOf(context, /*compacted=*/true);
      if (context.alive()) WatchAllLogs(context);
      break;
    case BrokerTimer::kCallExpiry:
      ExpireCall(context, sim::CorrelationId(argument));
      break;
    default: {
      const uint32_t service = kind / kServiceTimerKinds - 1;
      KAFKASIM_CHECK(service < services_.size(), "a timer belongs to the broker or to a service");
      RunService(context, service, [&](Service& s, const ServiceContext& host, Effects& effects) {
        s.OnTimer(host, kind % kServiceTimerKinds, argument, effects);
      });
    }
  }
  Settle(context);
}

void Broker::OnReachability(sim::Context& context, sim::ProcessId peer, sim::Reachability seen) {
  if (sessions_->Find(BrokerOf(peer)) == nullptr) return;
  FollowerSession& session = sessions_.Mutable().Of(BrokerOf(peer));
  if (seen == sim::Reachability::kLost && session.IsWaiting()) {
    // Until now it was fetching; what it has not fetched from now on makes it lag.
    const std::vector<PartitionId> led =
        replicas_.KeysIf([](const PartitionId&, const sim::Cow<Partition>& replica) {
          return replica->is_leader();
        });
    for (const PartitionId& id : led) {
      replicas_.FindMutable(id)->Mutable().OnFollowerFetchAgain(session.follower, context.now());
    }
    session.last_fetch = context.now();
  }
  session.reachable = seen != sim::Reachability::kLost;
}

void Broker::OnCrash(sim::CrashKind kind) {
  const std::vector<PartitionId> all =
      replicas_.KeysIf([](const PartitionId&, const sim::Cow<Partition>&) { return true; });
  for (const PartitionId& id : all) {
    replicas_.FindMutable(id)->Mutable().Crash(kind, *crashed_at_, *config_);
  }
  metadata_.Mutable().active = false;
  writes_ = {};
  produces_ = {};
  fetches_ = {};
  deletes_ = {};
  sessions_ = {};
  fetchers_ = {};
  verification_ = {};
  calls_ = {};
  lag_ = {};
  deletions_ = {};
  cleanings_ = {};
  for (sim::Cow<ServiceBox>& service : services_) (*service.Mutable()).OnCrash();
  finished_appends_.clear();
  leadership_changes_.clear();
}

void Broker::OnRestart(sim::Context& context) {
  const std::vector<PartitionId> all =
      replicas_.KeysIf([](const PartitionId&, const sim::Cow<Partition>&) { return true; });
  for (const PartitionId& id : all) {
    replicas_.FindMutable(id)->Mutable().Restart(context.now());
  }
  ++incarnation_;
  SendRegistration(context);
}

void Broker::SendRegistration(sim::Context& context) {
  context.SendRequest(
      controller_, kControllerChannel,
      MakeMessage(BrokerRegistrationRequest{.broker = id_, .incarnation = incarnation_}));
}

void Broker::OnTimeout(sim::Context& context, sim::ProcessId peer, sim::Channel channel,
                       sim::CorrelationId correlation) {
  if (channel == kControllerChannel) {
    if (!active()) SendRegistration(context);
    return;
  }
  const ReplicaFetcher* fetcher = fetchers_->Find(BrokerOf(peer));
  if (fetcher == nullptr || fetcher->in_flight != correlation) return;
  context.CloseConnection(peer, channel);
  LoseLeader(context, BrokerOf(peer));
}

}  // namespace kafkasim::broker
