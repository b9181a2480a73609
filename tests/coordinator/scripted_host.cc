#include "tests/coordinator/scripted_host.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "broker/channels.h"
#include "broker/messages_cluster.h"
#include "coordinator/transaction_log_record.h"
#include "sim/check.h"

namespace kafkasim::coordinator {

using broker::BrokerId;
using broker::ErrorCode;
using broker::PartitionId;
using broker::ProducerEpoch;
using broker::ProducerId;

namespace {

broker::TopicImage MakeTopic(std::string name, int32_t partitions, int32_t first_leader) {
  broker::TopicImage topic{.name = std::move(name), .config = {}, .partitions = {}};
  for (int32_t i = 0; i < partitions; ++i) {
    const int32_t leader = first_leader == 0 ? 1 + i % 3 : first_leader;
    topic.partitions.push_back({.leader = BrokerId(leader),
                                .replicas = {BrokerId(1), BrokerId(2), BrokerId(3)},
                                .isr = {BrokerId(1), BrokerId(2), BrokerId(3)}});
  }
  return topic;
}

}  // namespace

ScriptedHost::ScriptedHost(const Options& options)
    : coordinator(TransactionCoordinator::Options{.load_time = options.load_time}),
      producer_id_count_(options.producer_id_count),
      logs_(static_cast<size_t>(options.txn_partitions)),
      epochs_(static_cast<size_t>(options.txn_partitions)) {
  broker_config.transaction_version = options.transaction_version;
  cluster.brokers = {BrokerId(1), BrokerId(2), BrokerId(3)};
  cluster.topics.push_back(
      MakeTopic(std::string(broker::kTransactionStateTopic), options.txn_partitions, 1));
  cluster.topics.push_back(MakeTopic(std::string(broker::kConsumerOffsetsTopic), 50, 2));
  cluster.topics.push_back(MakeTopic("orders", 3, 0));
  broker::Effects effects;
  coordinator.OnStart(*this, effects);
  CarryOut(std::move(effects));
  if (options.elect) ElectAll(0);
  // The first request for an id only fetches a block.
  if (options.with_producer_ids) Submit(broker::MakeMessage(broker::InitProducerIdRequest{}));
  points_.clear();
}

const broker::PartitionLog* ScriptedHost::LocalLog(const PartitionId& p) const {
  return p.topic == broker::TopicId(0) ? &log(p.index) : nullptr;
}

const broker::PartitionLog& ScriptedHost::log(int32_t partition) const {
  return logs_[static_cast<size_t>(partition)];
}

void ScriptedHost::Elect(int32_t partition, int32_t epoch) {
  const broker::LeaderEpoch leader_epoch(epoch);
  logs_[static_cast<size_t>(partition)].StartLeaderEpoch(leader_epoch);
  epochs_[static_cast<size_t>(partition)] = leader_epoch;
  broker::Effects effects;
  coordinator.OnElected(*this, {broker::TopicId(0), partition}, leader_epoch, effects);
  CarryOut(std::move(effects));
}

void ScriptedHost::ElectAll(int32_t epoch) {
  for (size_t i = 0; i < logs_.size(); ++i) Elect(static_cast<int32_t>(i), epoch);
}

void ScriptedHost::Resign(int32_t partition, int32_t epoch) {
  epochs_[static_cast<size_t>(partition)] = broker::kNoLeaderEpoch;
  broker::Effects effects;
  coordinator.OnResigned(*this, {broker::TopicId(0), partition}, broker::LeaderEpoch(epoch),
                         effects);
  CarryOut(std::move(effects));
}

void ScriptedHost::Crash() {
  coordinator.OnCrash();
  held_.clear();
  requests_.clear();
  timers_.clear();
  broker::Effects effects;
  coordinator.OnStart(*this, effects);
  CarryOut(std::move(effects));
}

void ScriptedHost::MetadataChanged() {
  ++cluster.version;
  broker::Effects effects;
  coordinator.OnMetadata(*this, effects);
  CarryOut(std::move(effects));
}

void ScriptedHost::AdvanceTo(sim::Time time) {
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

void ScriptedHost::CarryOut(broker::Effects effects) {
  for (broker::Effect& effect : effects) {
    if (auto* point = std::get_if<broker::PointEffect>(&effect)) {
      points_.push_back(std::move(*point));
    } else if (auto* reply = std::get_if<broker::ReplyEffect>(&effect)) {
      replies_[reply->to.correlation.value()] = reply->response;
    } else if (auto* append = std::get_if<broker::AppendEffect>(&effect)) {
      CarryOut(*append);
    } else if (auto* send = std::get_if<broker::SendEffect>(&effect)) {
      CarryOut(*send);
    } else if (auto* timer = std::get_if<broker::TimerEffect>(&effect)) {
      timers_.push_back({now_ + timer->delay, next_timer_++, timer->kind, timer->argument});
    }
  }
  Drain();
}

void ScriptedHost::CarryOut(const broker::AppendEffect& effect) {
  const auto index = static_cast<size_t>(effect.partition.index);
  last_append_timeout_ = effect.timeout;
  if (effect.expected_epoch != epochs_[index]) {
    ended_appends_.emplace_back(effect.token, ErrorCode::kNotLeaderOrFollower);
    return;
  }
  if (appends == Appends::kFail) {
    ended_appends_.emplace_back(effect.token, append_error);
    return;
  }
  const auto info = logs_[index].AppendAsLeader(effect.batch, effect.expected_epoch,
                                                {.origin = broker::AppendOrigin::kCoordinator});
  KAFKASIM_CHECK(info.ok(), "a record of the coordinator fits into the log");
  if (effect.appended.has_value()) points_.push_back(*effect.appended);
  if (appends == Appends::kHold) {
    held_.push_back({effect.partition.index, effect.token, logs_[index].log_end_offset()});
  } else if (appends == Appends::kFailAfterAppend) {
    ended_appends_.emplace_back(effect.token, append_error);
  } else {
    logs_[index].MaybeIncrementHighWatermark(logs_[index].log_end_offset());
    ended_appends_.emplace_back(effect.token, ErrorCode::kNone);
  }
}

void ScriptedHost::CarryOut(const broker::SendEffect& effect) {
  if (effect.channel == broker::kControllerChannel) {
    answers_.emplace_back(
        effect.token, broker::MakeMessage(broker::AllocateProducerIdsResponse{
                          .first = ProducerId(next_producer_id_), .count = producer_id_count_}));
    next_producer_id_ += producer_id_count_;
    return;
  }
  requests_.push_back({broker::BrokerOf(effect.to),
                       broker::BodyOf<broker::WriteTxnMarkersRequest>(*effect.request),
                       effect.token});
}

void ScriptedHost::Drain() {
  if (draining_) return;
  draining_ = true;
  for (;;) {
    if (!ended_appends_.empty()) {
      const auto [token, error] = ended_appends_.front();
      ended_appends_.erase(ended_appends_.begin());
      broker::Effects effects;
      coordinator.OnAppended(*this, token, error, effects);
      CarryOut(std::move(effects));
    } else if (!answers_.empty()) {
      const auto [token, response] = answers_.front();
      answers_.erase(answers_.begin());
      Answer(token, response);
    } else if (markers == Markers::kAcknowledge && !requests_.empty()) {
      AnswerMarkers(0);
    } else {
      break;
    }
  }
  draining_ = false;
}

void ScriptedHost::Answer(uint64_t token, const sim::PayloadRef& response) {
  broker::Effects effects;
  coordinator.OnAnswer(*this, token, response, effects);
  CarryOut(std::move(effects));
}

void ScriptedHost::Release(ErrorCode error) {
  KAFKASIM_CHECK(!held_.empty(), "an append is held");
  const HeldAppend held = held_.front();
  held_.erase(held_.begin());
  if (error == ErrorCode::kNone) {
    logs_[static_cast<size_t>(held.partition)].MaybeIncrementHighWatermark(held.next_offset);
  }
  ended_appends_.emplace_back(held.token, error);
  Drain();
}

void ScriptedHost::AnswerMarkers(size_t i, ErrorCode error) {
  AnswerMarkers(i, std::map<int32_t, ErrorCode>{{-1, error}});
}

void ScriptedHost::AnswerMarkers(size_t i, const std::map<int32_t, ErrorCode>& by_index) {
  const MarkerRequest request = requests_[i];
  requests_.erase(requests_.begin() + static_cast<std::ptrdiff_t>(i));
  broker::WriteTxnMarkersResponse response;
  for (const auto& marker : request.request.markers) {
    auto& result = response.markers.emplace_back();
    result.producer_id = marker.producer_id;
    for (const PartitionId& partition : marker.partitions) {
      const auto own = by_index.find(partition.index);
      const auto all = by_index.find(-1);
      const ErrorCode error = own != by_index.end()   ? own->second
                              : all != by_index.end() ? all->second
                                                      : ErrorCode::kNone;
      result.partitions.push_back({partition, error});
    }
  }
  Answer(request.token, broker::MakeMessage(std::move(response)));
}

void ScriptedHost::DisconnectMarkers(size_t i) {
  const MarkerRequest request = requests_[i];
  requests_.erase(requests_.begin() + static_cast<std::ptrdiff_t>(i));
  Answer(request.token, nullptr);
}

void ScriptedHost::Store(const std::string& transactional_id, const TransactionValue& value,
                         int16_t value_version) {
  const auto index = static_cast<size_t>(
      cluster.PartitionForKey(broker::kTransactionStateTopic, transactional_id)->index);
  const auto info = logs_[index].AppendAsLeader(
      broker::MakeBatch({EncodeTransaction(transactional_id, value, value_version, now_.millis())}),
      epochs_[index], {.origin = broker::AppendOrigin::kCoordinator});
  KAFKASIM_CHECK(info.ok(), "a record of the coordinator fits into the log");
}

void ScriptedHost::StoreTombstone(const std::string& transactional_id) {
  const auto index = static_cast<size_t>(
      cluster.PartitionForKey(broker::kTransactionStateTopic, transactional_id)->index);
  const auto info = logs_[index].AppendAsLeader(
      broker::MakeBatch({EncodeTombstone(transactional_id, now_.millis())}), epochs_[index],
      {.origin = broker::AppendOrigin::kCoordinator});
  KAFKASIM_CHECK(info.ok(), "a tombstone fits into the log");
}

uint64_t ScriptedHost::Submit(sim::PayloadRef request) {
  const uint64_t correlation = next_correlation_++;
  broker::Effects effects;
  coordinator.OnRequest(*this,
                        {.reply_to = {.process = sim::ProcessId(9),
                                      .channel = broker::kClientChannel,
                                      .generation = 0,
                                      .correlation = sim::CorrelationId(correlation)},
                         .payload = std::move(request)},
                        effects);
  CarryOut(std::move(effects));
  return correlation;
}

std::optional<broker::InitProducerIdResponse> ScriptedHost::Init(const std::string& id,
                                                                 int64_t producer_id, int16_t epoch,
                                                                 int32_t timeout_ms) {
  return ReplyOf<broker::InitProducerIdResponse>(Submit(
      broker::MakeMessage(broker::InitProducerIdRequest{.transactional_id = id,
                                                        .transaction_timeout_ms = timeout_ms,
                                                        .producer_id = ProducerId(producer_id),
                                                        .producer_epoch = ProducerEpoch(epoch)})));
}

std::optional<ErrorCode> ScriptedHost::Add(const std::string& id, int64_t producer_id,
                                           int16_t epoch, const broker::PartitionList& partitions,
                                           int16_t version) {
  broker::AddPartitionsToTxnRequest request{.version = version, .transactions = {}};
  request.transactions.push_back(
      {id, ProducerId(producer_id), ProducerEpoch(epoch), false, partitions});
  const auto reply =
      ReplyOf<broker::AddPartitionsToTxnResponse>(Submit(broker::MakeMessage(request)));
  if (!reply.has_value()) return std::nullopt;
  return reply->transactions.at(0).partitions.at(0).error;
}

std::optional<ErrorCode> ScriptedHost::Verify(const std::string& id, int64_t producer_id,
                                              int16_t epoch,
                                              const broker::PartitionList& partitions) {
  broker::AddPartitionsToTxnRequest request{.version = 4, .transactions = {}};
  request.transactions.push_back(
      {id, ProducerId(producer_id), ProducerEpoch(epoch), true, partitions});
  const auto reply =
      ReplyOf<broker::AddPartitionsToTxnResponse>(Submit(broker::MakeMessage(request)));
  if (!reply.has_value()) return std::nullopt;
  return reply->transactions.at(0).partitions.at(0).error;
}

std::optional<ErrorCode> ScriptedHost::AddOffsets(const std::string& id, int64_t producer_id,
                                                  int16_t epoch, const std::string& group) {
  const auto reply = ReplyOf<broker::AddOffsetsToTxnResponse>(Submit(
      broker::MakeMessage(broker::AddOffsetsToTxnRequest{.transactional_id = id,
                                                         .producer_id = ProducerId(producer_id),
                                                         .producer_epoch = ProducerEpoch(epoch),
                                                         .group_id = group})));
  if (!reply.has_value()) return std::nullopt;
  return reply->error;
}

std::optional<broker::EndTxnResponse> ScriptedHost::End(const std::string& id, int64_t producer_id,
                                                        int16_t epoch, bool commit,
                                                        int16_t version) {
  return ReplyOf<broker::EndTxnResponse>(
      Submit(broker::MakeMessage(broker::EndTxnRequest{.version = version,
                                                       .transactional_id = id,
                                                       .producer_id = ProducerId(producer_id),
                                                       .producer_epoch = ProducerEpoch(epoch),
                                                       .committed = commit})));
}

TransactionState ScriptedHost::StateOf(std::string_view id) const {
  const auto view = Find(id);
  KAFKASIM_CHECK(view.has_value(), "the coordinator knows the id");
  return view->value.state;
}

int16_t ScriptedHost::EpochOf(std::string_view id) const {
  const auto view = Find(id);
  KAFKASIM_CHECK(view.has_value(), "the coordinator knows the id");
  return view->value.producer_epoch.value();
}

std::string ScriptedHost::LogOf(const std::string& id) const {
  std::string text;
  const int32_t partition = cluster.PartitionForKey(broker::kTransactionStateTopic, id)->index;
  for (const TransactionLogEntry& entry : DecodeTransactionLog(log(partition))) {
    if (entry.record.transactional_id != id) continue;
    if (!text.empty()) text += ", ";
    if (!entry.record.value.has_value()) {
      text += "tombstone";
      continue;
    }
    text += fmt::format("{} {}/{}", UpperName(entry.record.value->state),
                        entry.record.value->producer_id, entry.record.value->producer_epoch);
  }
  return text;
}

std::vector<std::string> ScriptedHost::TextsOf(const sim::EventKind& kind,
                                               std::string_view field) const {
  std::vector<std::string> texts;
  for (const broker::PointEffect& point : points_) {
    if (point.kind != &kind) continue;
    for (const sim::Field& f : point.fields) {
      if (f.name == field) texts.push_back(std::get<std::string>(f.value));
    }
  }
  return texts;
}

broker::PartitionList ScriptedHost::OrdersList(std::vector<int32_t> indexes) const {
  broker::PartitionList list;
  for (const int32_t index : indexes) list.push_back(Orders(index));
  return list;
}

}  // namespace kafkasim::coordinator
