#include "scenarios/history.h"

#include <algorithm>

#include "broker/events.h"
#include "client/events.h"
#include "scenarios/run_events.h"
#include "sim/check.h"

namespace kafkasim::scenarios {

void History::Add(const sim::TraceEvent& event, const NameTable& names, bool keep) {
  const sim::EventId step = event.Is(events::kStep) ? event.id : StepBehind(event.cause);
  causes_.push_back({.cause = event.cause, .actor = event.actor, .step = step});
  KAFKASIM_CHECK(event.id.value() == causes_.size(), "events are numbered without a gap");
  if (event.Is(client::events::kProducerIdentity)) {
    NoteIdentity(event, names);
  } else if (event.Is(broker::events::kAppended)) {
    NoteAppend(event, names, "base_offset", "last_offset");
  } else if (event.Is(broker::events::kMarkerAppended)) {
    NoteAppend(event, names, "offset", "offset");
  }
  if (!keep) return;
  if (event.Is(client::events::kCallStarted) && !event.Text("arguments").empty()) {
    arguments_[{event.actor, event.Int("call")}] = event.Text("arguments");
  }
  trace_.push_back(event);
}

void History::NoteIdentity(const sim::TraceEvent& event, const NameTable& names) {
  const broker::ProducerId producer(event.Int("producer_id"));
  const ProcessEntry* actor = names.Find(event.actor);
  if (producer == broker::kNoProducerId || actor == nullptr) return;
  owners_[producer].push_back(
      {.epoch = broker::ProducerEpoch(static_cast<std::int16_t>(event.Int("epoch"))),
       .actor = actor->name});
  if (!actor->transactional_id.empty()) transactional_ids_[producer] = actor->transactional_id;
}

void History::NoteAppend(const sim::TraceEvent& event, const NameTable& names,
                         std::string_view first, std::string_view last) {
  const std::optional<broker::PartitionId> partition = names.FindPartition(event.Text("partition"));
  if (!partition.has_value()) return;
  const broker::Offset base(event.Int(first));
  appended_[{*partition, base}] = {.last_offset = broker::Offset(event.Int(last)),
                                   .happening = {.event = event.id, .at = event.at},
                                   .writer = std::string(ActorBehind(event.cause, names))};
}

std::string_view History::ActorBehind(sim::EventId event, const NameTable& names) const {
  while (event != sim::kNoEvent) {
    const Origin& origin = causes_[event.value() - 1];
    const ProcessEntry* process = names.Find(origin.actor);
    if (process != nullptr && process->is_actor()) return process->name;
    event = origin.cause;
  }
  return {};
}

void History::AddDelivered(sim::ProcessId reader, DeliveredRecord record) {
  delivered_[reader].push_back(std::move(record));
}

std::string_view History::OwnerOf(broker::ProducerId producer, broker::ProducerEpoch epoch) const {
  const auto found = owners_.find(producer);
  if (found == owners_.end()) return {};
  const Ownership* best = nullptr;
  for (const Ownership& owner : found->second) {
    if (owner.epoch <= epoch && (best == nullptr || owner.epoch >= best->epoch)) best = &owner;
  }
  return best == nullptr ? std::string_view(found->second.front().actor) : best->actor;
}

std::vector<std::string_view> History::OwnersOf(broker::ProducerId producer) const {
  std::vector<std::string_view> actors;
  const auto found = owners_.find(producer);
  if (found == owners_.end()) return actors;
  for (const Ownership& owner : found->second) {
    if (std::find(actors.begin(), actors.end(), owner.actor) == actors.end()) {
      actors.push_back(owner.actor);
    }
  }
  return actors;
}

std::string_view History::TransactionalIdOf(broker::ProducerId producer) const {
  const auto found = transactional_ids_.find(producer);
  return found == transactional_ids_.end() ? std::string_view() : found->second;
}

const History::Appended* History::FindAppend(const broker::PartitionId& partition,
                                             broker::Offset offset) const {
  auto after = appended_.upper_bound({partition, offset});
  if (after == appended_.begin()) return nullptr;
  --after;
  if (after->first.first != partition || after->second.last_offset < offset) return nullptr;
  return &after->second;
}

std::optional<Happening> History::AppendOf(const broker::PartitionId& partition,
                                           broker::Offset offset) const {
  const Appended* append = FindAppend(partition, offset);
  if (append == nullptr) return std::nullopt;
  return append->happening;
}

std::string_view History::WriterOf(const broker::PartitionId& partition,
                                   broker::Offset offset) const {
  const Appended* append = FindAppend(partition, offset);
  return append == nullptr ? std::string_view() : append->writer;
}

std::string_view History::ArgumentsOf(sim::ProcessId actor, std::int64_t call) const {
  const auto found = arguments_.find({actor, call});
  return found == arguments_.end() ? std::string_view() : found->second;
}

const std::vector<DeliveredRecord>& History::DeliveredTo(sim::ProcessId reader) const {
  static const std::vector<DeliveredRecord> kNothing;
  const auto found = delivered_.find(reader);
  return found == delivered_.end() ? kNothing : found->second;
}

const sim::TraceEvent* History::Find(sim::EventId event) const {
  return event == sim::kNoEvent || event.value() > trace_.size() ? nullptr
                                                                 : &trace_[event.value() - 1];
}

sim::EventId History::StepBehind(sim::EventId event) const {
  return event == sim::kNoEvent ? sim::kNoEvent : causes_[event.value() - 1].step;
}

std::vector<const sim::TraceEvent*> History::Causes(sim::EventId event) const {
  std::vector<const sim::TraceEvent*> causes;
  for (const sim::TraceEvent* e = Find(event); e != nullptr; e = Find(e->cause)) {
    causes.push_back(e);
  }
  std::reverse(causes.begin(), causes.end());
  return causes;
}

}  // namespace kafkasim::scenarios
