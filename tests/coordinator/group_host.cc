#include "tests/coordinator/group_host.h"

#include <algorithm>

#include <fmt/format.h>

#include "broker/channels.h"
#include "sim/check.h"

namespace kafkasim::coordinator {

namespace {

using broker::BrokerId;
using broker::ErrorCode;
using broker::PartitionId;

broker::TopicImage MakeLedTopic(std::string name, int32_t partitions) {
  broker::TopicImage topic{.name = std::move(name)};
  for (int32_t i = 0; i < partitions; ++i) {
    topic.partitions.push_back(
        {.leader = BrokerId(1), .replicas = {BrokerId(1)}, .isr = {BrokerId(1)}});
  }
  return topic;
}

}  // namespace

GroupHost::GroupHost(const Options& options)
    : coordinator(GroupCoordinator::Options{.load_time = options.load_time}),
      logs_(static_cast<size_t>(options.partitions)),
      epochs_(static_cast<size_t>(options.partitions)) {
  cluster.brokers = {BrokerId(1)};
  cluster.topics.push_back(
      MakeLedTopic(std::string(broker::kConsumerOffsetsTopic), options.partitions));
  cluster.topics.push_back(MakeLedTopic("foo", 3));
  cluster.topics.push_back(MakeLedTopic("bar", 3));
  broker::Effects effects;
  coordinator.OnStart(*this, effects);
  CarryOut(std::move(effects));
  for (int32_t i = 0; options.elect && i < options.partitions; ++i) Elect(i, 0);
}

const broker::PartitionLog* GroupHost::LocalLog(const PartitionId& p) const {
  return p.topic == broker::TopicId(0) ? &log(p.index) : nullptr;
}

const broker::PartitionLog& GroupHost::log(int32_t partition) const {
  return logs_[static_cast<size_t>(partition)];
}

void GroupHost::Elect(int32_t partition, int32_t epoch) {
  const broker::LeaderEpoch leader_epoch(epoch);
  logs_[static_cast<size_t>(partition)].StartLeaderEpoch(leader_epoch);
  epochs_[static_cast<size_t>(partition)] = leader_epoch;
  broker::Effects effects;
  coordinator.OnElected(*this, {broker::TopicId(0), partition}, leader_epoch, effects);
  CarryOut(std::move(effects));
}

void GroupHost::Resign(int32_t partition) {
  const broker::LeaderEpoch epoch = epochs_[static_cast<size_t>(partition)];
  epochs_[static_cast<size_t>(partition)] = broker::kNoLeaderEpoch;
  // What waits for the partition fails first.
  for (const Held& held : std::exchange(held_, {})) {
    if (held.partition == partition) {
      ended_.emplace_back(held.token, ErrorCode::kNotLeaderOrFollower);
    } else {
      held_.push_back(held);
    }
  }
  Drain();
  broker::Effects effects;
  coordinator.OnResigned(*this, {broker::TopicId(0), partition}, epoch, effects);
  CarryOut(std::move(effects));
}

void GroupHost::MetadataChanged() {
  ++cluster.version;
  broker::Effects effects;
  coordinator.OnMetadata(*this, effects);
  CarryOut(std::move(effects));
}

void GroupHost::AdvanceTo(sim::Time time) {
  for (;;) {
    const auto next =
        std::min_element(timers_.begin(), timers_.end(), [](const auto& a, const auto& b) {
          return std::pair(a.at, a.sequence) < std::pair(b.at, b.sequence);
        });
    if (next == timers_.end() || next->at > time) break;
    const ArmedTimer timer = *next;
    timers_.erase(next);
    now_ = timer.at;
    broker::Effects effects;
    coordinator.OnTimer(*this, timer.kind, timer.argument, effects);
    CarryOut(std::move(effects));
  }
  now_ = time;
}

void GroupHost::CarryOut(broker::Effects effects) {
  for (broker::Effect& effect : effects) {
    if (auto* point = std::get_if<broker::PointEffect>(&effect)) {
      points_.push_back(std::move(*point));
    } else if (auto* reply = std::get_if<broker::ReplyEffect>(&effect)) {
      const auto [at, first] = replies_.emplace(reply->to.correlation.value(), reply->response);
      KAFKASIM_CHECK(first, "a request is answered once");
    } else if (auto* append = std::get_if<broker::AppendEffect>(&effect)) {
      CarryOut(*append);
    } else if (auto* await = std::get_if<broker::AwaitEffect>(&effect)) {
      CarryOut(*await);
    } else if (auto* verify = std::get_if<broker::VerifyEffect>(&effect)) {
      CarryOut(*verify);
    } else if (auto* timer = std::get_if<broker::TimerEffect>(&effect)) {
      timers_.push_back({now_ + timer->delay, next_timer_++, timer->kind, timer->argument});
    }
  }
  Drain();
}

void GroupHost::CarryOut(const broker::AppendEffect& effect) {
  const auto index = static_cast<size_t>(effect.partition.index);
  KAFKASIM_CHECK(effect.acks == 1, "a group coordinator appends with acks=1");
  if (effect.expected_epoch != epochs_[index]) {
    ended_.emplace_back(effect.token, ErrorCode::kNotLeaderOrFollower);
    return;
  }
  if (appends == Appends::kFail) {
    ended_.emplace_back(effect.token, append_error);
    return;
  }
  const auto info = logs_[index].AppendAsLeader(
      effect.batch, effect.expected_epoch,
      {.origin = broker::AppendOrigin::kCoordinator, .guard = effect.guard});
  if (!info.ok()) {
    ended_.emplace_back(effect.token, broker::CodeOf(info.status()));
    return;
  }
  if (effect.appended.has_value()) points_.push_back(*effect.appended);
  broker::Effects effects;
  coordinator.OnWritten(*this, effect.token, info->first_offset, effects);
  CarryOut(std::move(effects));
  WaitFor({effect.partition.index, effect.token, logs_[index].log_end_offset()});
}

void GroupHost::CarryOut(const broker::AwaitEffect& effect) {
  const auto index = static_cast<size_t>(effect.partition.index);
  held_.push_back({effect.partition.index, effect.token, logs_[index].log_end_offset()});
}

void GroupHost::WaitFor(const Held& held) {
  if (appends == Appends::kHold) {
    held_.push_back(held);
    return;
  }
  logs_[static_cast<size_t>(held.partition)].MaybeIncrementHighWatermark(held.required);
  ended_.emplace_back(held.token, ErrorCode::kNone);
}

void GroupHost::CarryOut(const broker::VerifyEffect& effect) {
  const auto index = static_cast<size_t>(effect.partition.index);
  const bool adds = effect.operation == broker::TransactionOperation::kAddPartition;
  const auto guard = logs_[index].MaybeStartTransactionVerification(
      effect.producer_id, broker::kNoSequence, effect.producer_epoch, adds, now_.millis());
  const ErrorCode error = guard.ok() ? verification : broker::CodeOf(guard.status());
  broker::Effects effects;
  coordinator.OnVerified(*this, effect.token, guard.ok() ? *guard : broker::kNoVerificationGuard,
                         error, effects);
  CarryOut(std::move(effects));
}

void GroupHost::Drain() {
  if (draining_) return;
  draining_ = true;
  while (!ended_.empty()) {
    const auto [token, error] = ended_.front();
    ended_.erase(ended_.begin());
    broker::Effects effects;
    coordinator.OnAppended(*this, token, error, effects);
    CarryOut(std::move(effects));
  }
  draining_ = false;
}

void GroupHost::Release(ErrorCode error) {
  KAFKASIM_CHECK(!held_.empty(), "something waits");
  const Held held = held_.front();
  held_.erase(held_.begin());
  if (error == ErrorCode::kNone) {
    logs_[static_cast<size_t>(held.partition)].MaybeIncrementHighWatermark(held.required);
  }
  ended_.emplace_back(held.token, error);
  Drain();
}

void GroupHost::ReleaseAll() {
  appends = Appends::kReplicate;
  while (!held_.empty()) Release();
}

ErrorCode GroupHost::Mark(int64_t producer_id, int16_t epoch, bool commit,
                          int16_t transaction_version) {
  const PartitionId partition{broker::TopicId(0), 0};
  const ErrorCode refused = coordinator.CheckMarker(*this, partition);
  if (refused != ErrorCode::kNone) return refused;
  const auto info = logs_[0].AppendAsLeader(
      broker::MakeMarkerBatch(
          broker::ProducerId(producer_id), broker::ProducerEpoch(epoch),
          {.type = commit ? broker::ControlType::kCommit : broker::ControlType::kAbort,
           .coordinator_epoch = broker::CoordinatorEpoch(0)},
          now_.millis()),
      epochs_[0],
      {.origin = broker::AppendOrigin::kCoordinator, .transaction_version = transaction_version});
  if (!info.ok()) return broker::CodeOf(info.status());
  broker::Effects effects;
  coordinator.OnMarkerWritten(*this, partition, *info->batch, effects);
  CarryOut(std::move(effects));
  if (appends != Appends::kHold) logs_[0].MaybeIncrementHighWatermark(logs_[0].log_end_offset());
  return ErrorCode::kNone;
}

uint64_t GroupHost::Submit(sim::PayloadRef request) {
  const uint64_t number = next_number_++;
  broker::Effects effects;
  coordinator.OnRequest(*this,
                        {.reply_to = {.process = sim::ProcessId(9),
                                      .channel = broker::kClientChannel,
                                      .generation = 0,
                                      .correlation = sim::CorrelationId(number)},
                         .payload = std::move(request)},
                        effects);
  CarryOut(std::move(effects));
  return number;
}

GroupView GroupHost::Find(std::string_view group_id) const {
  const std::optional<GroupView> view = FindGroup(coordinator, group_id);
  KAFKASIM_CHECK(view.has_value(), "the coordinator knows the group");
  return *view;
}

std::vector<std::string> GroupHost::Log() const {
  std::vector<std::string> texts;
  for (const GroupLogEntry& entry : DecodeGroupLog(log(0))) {
    if (entry.marker.has_value()) {
      texts.push_back(fmt::format("{} {}", broker::Name(*entry.marker), entry.producer_id));
      continue;
    }
    std::string text = Describe(*entry.record, cluster);
    if (entry.producer_id != broker::kNoProducerId) {
      text += fmt::format(" by {}", entry.producer_id);
    }
    texts.push_back(std::move(text));
  }
  return texts;
}

std::vector<std::string> GroupHost::EventNames() const {
  std::vector<std::string> names;
  for (const broker::PointEffect& point : points_) names.emplace_back(point.kind->name);
  return names;
}

std::vector<std::string> GroupHost::TextsOf(const sim::EventKind& kind,
                                            std::string_view field) const {
  std::vector<std::string> texts;
  for (const broker::PointEffect& point : points_) {
    if (point.kind != &kind) continue;
    for (const sim::Field& f : point.fields) {
      if (f.name != field) continue;
      if (const auto* list = std::get_if<std::vector<std::string>>(&f.value)) {
        texts.push_back(fmt::format("{}", fmt::join(*list, " ")));
      } else {
        texts.push_back(std::get<std::string>(f.value));
      }
    }
  }
  return texts;
}

}  // namespace kafkasim::coordinator
