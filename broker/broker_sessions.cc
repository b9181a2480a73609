// A leader's side of replication: fetch sessions of followers (see follower_session.h).
#include <algorithm>
#include <utility>

#include "broker/broker.h"
#include "broker/broker_timers.h"

namespace kafkasim::broker {

void Broker::HandleFollowerFetch(sim::Context& context, const sim::RequestIn& in) {
  const auto& request = BodyOf<FetchRequest>(*in.payload);
  FollowerSession& session = sessions_.Mutable().Of(request.replica);
  if (session.expiry.sequence != 0) context.CancelTimer(std::exchange(session.expiry, {}));
  if (request.session_epoch == 0) ForgetSession(request.replica);
  const ErrorCode error = session.OnRequest(request.session_epoch, context.now());
  if (error != ErrorCode::kNone) {
    context.Reply(in.reply_to, MakeMessage(FetchResponse{.error = error}));
    return;
  }
  session.max_wait = sim::Millis(request.max_wait_ms);
  session.max_bytes = request.max_bytes;
  for (const PartitionId& id : request.forgotten) {
    session.Forget(id);
    if (sim::Cow<Partition>* replica = replicas_.FindMutable(id)) {
      replica->Mutable().LeaveSession(request.replica);
    }
  }
  for (const FetchRequest::PartitionFetch& fetch : request.partitions) {
    session.returned.Erase(fetch.partition);
    TakeFollowerFetch(context, session, fetch, request.replica_epoch);
    if (!context.alive()) return;
  }
  // Data that the follower got and did not take: it is there to be fetched again.
  for (const PartitionId& id : std::exchange(session.returned, {})) {
    sim::Cow<Partition>* replica = replicas_.FindMutable(id);
    if (replica == nullptr) continue;
    replica->Mutable().OnFollowerFetchAgain(request.replica, context.now());
    NoteNews(session, **replica);
  }
  session.waiting = in.reply_to;
  session.waiting_since = context.now();
  if (session.MustAnswerAtOnce() || request.max_wait_ms <= 0) {
    AnswerFollower(context, session);
  } else {
    ArmSessionExpiry(context, session);
  }
}

void Broker::ForgetSession(BrokerId follower) {
  const std::vector<PartitionId> fetched =
      replicas_.KeysIf([&](const PartitionId&, const sim::Cow<Partition>& replica) {
        const FollowerProgress* progress = replica->FindFollower(follower);
        return progress != nullptr && progress->in_session;
      });
  for (const PartitionId& id : fetched) replicas_.FindMutable(id)->Mutable().LeaveSession(follower);
}

void Broker::TakeFollowerFetch(sim::Context& context, FollowerSession& session,
                               const FetchRequest::PartitionFetch& fetch, int64_t broker_epoch) {
  const PartitionId& id = fetch.partition;
  std::erase_if(session.errors, [&](const FollowerSession::PartitionError& error) {
    return error.partition == id;  // of an earlier epoch
  });
  sim::Cow<Partition>* replica = replicas_.FindMutable(id);
  if (replica == nullptr) {
    session.errors.push_back({.partition = id, .error = NotHosted(id)});
    return;
  }
  Partition& partition = replica->Mutable();
  const FollowerProgress* known = partition.FindFollower(session.follower);
  if (known == nullptr || !known->in_session) session.complete_is_known = false;
  const Watermarks before = Watermarks::Of(partition, context.tracing());
  Partition::FollowerFetch fetched =
      partition.OnFollowerFetch(session.follower, broker_epoch, fetch, Surroundings(context));
  session.data.Erase(id);
  session.news.Erase(id);
  if (fetched.error != ErrorCode::kNone) {
    session.Forget(id);
    session.errors.push_back({.partition = id, .error = fetched.error});
    return;
  }
  if (fetched.isr_change.has_value()) SendAlterPartition(context, *fetched.isr_change);
  NoteNews(session, partition);
  AfterChange(context, partition, before);
  if (!context.alive()) return;
  TrackLag(context, partition);
  FinishDeletes(context);
}

void Broker::NoteNews(FollowerSession& session, const Partition& partition) {
  const FollowerProgress* progress = partition.FindFollower(session.follower);
  if (progress == nullptr) return;
  switch (partition.NewsFor(*progress)) {
    case Partition::News::kAtOnce:
      session.data.Insert(partition.id());
      break;
    case Partition::News::kGoesAlong:
      session.news.Insert(partition.id());
      break;
    case Partition::News::kNothing:
      break;
  }
}

void Broker::AnswerFollower(sim::Context& context, FollowerSession& session) {
  FetchResponse response;
  for (const FollowerSession::PartitionError& error : std::exchange(session.errors, {})) {
    response.partitions.push_back({.partition = error.partition, .error = error.error});
  }
  PartitionSet told = std::exchange(session.news, {});
  for (const PartitionId& id : std::exchange(session.data, {})) told.Insert(id);
  int64_t limit = session.max_bytes;
  bool min_one_message = true;
  for (const PartitionId& id : told) {
    sim::Cow<Partition>* replica = replicas_.FindMutable(id);
    if (replica == nullptr) continue;
    Partition::FetchRead read =
        replica->Mutable().ReadForFollower(session.follower, limit, min_one_message);
    if (read.bytes > 0) min_one_message = false;
    limit = std::max<int64_t>(0, limit - read.bytes);
    if (read.result.error != ErrorCode::kNone) session.complete_is_known = false;
    if (read.bytes > 0 || read.must_be_told_at_once()) session.returned.Insert(id);
    response.partitions.push_back(std::move(read.result));
    // What did not fit waits for the next answer.
    NoteNews(session, **replica);
    if (session.returned.Contains(id)) session.data.Erase(id);
  }
  context.Reply(*session.waiting, MakeMessage(std::move(response)));
  session.waiting.reset();
  if (session.expiry.sequence != 0) context.CancelTimer(std::exchange(session.expiry, {}));
}

void Broker::ArmSessionExpiry(sim::Context& context, FollowerSession& session) {
  if (!session.waiting.has_value() || session.expiry.sequence != 0) return;
  if (!session.complete_is_known) {
    session.complete = AsksForAll(session);
    session.complete_is_known = true;
  }
  if (session.complete && session.news.empty()) return;
  session.expiry = context.SetTimer(session.UntilExpiry(context.now()),
                                    static_cast<uint32_t>(BrokerTimer::kSessionExpiry),
                                    static_cast<uint64_t>(session.follower.value()));
}

bool Broker::AsksForAll(const FollowerSession& session) const {
  if (!image().IsAlive(session.follower)) return true;
  bool all = true;
  replicas_.ForEach([&](const PartitionId&, const sim::Cow<Partition>& replica) {
    const FollowerProgress* progress = replica->FindFollower(session.follower);
    all = all && (progress == nullptr || progress->in_session);
  });
  return all;
}

void Broker::NoteWaitingFollowers(sim::Time now, Partition& partition) {
  if (!partition.is_leader()) return;
  for (const FollowerProgress& follower : partition.followers()) {
    const FollowerSession* session = sessions_->Find(follower.broker);
    if (session == nullptr || !follower.in_session) continue;
    const sim::Time fetched = session->LastFetch(now);
    if (fetched > follower.last_fetch) partition.OnFollowerFetchAgain(follower.broker, fetched);
  }
}

void Broker::WakeFollowers(sim::Context& context, const Partition& partition) {
  absl::InlinedVector<BrokerId, 4> followers;
  for (const FollowerProgress& follower : partition.followers()) {
    if (follower.in_session) followers.push_back(follower.broker);
  }
  for (const BrokerId follower : followers) {
    FollowerSession& session = sessions_.Mutable().Of(follower);
    session.data.Insert(partition.id());
    if (session.waiting.has_value()) AnswerFollower(context, session);
  }
}

}  // namespace kafkasim::broker
