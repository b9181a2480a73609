// What each kind of line of a program does.
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "client/application.h"
#include "client/events.h"
#include "sim/check.h"

namespace kafkasim::client {

bool Application::Do(sim::Context& context, const CallLine& line) {
  run_.Await(Give(context, line.operation));
  return false;
}

TextTemplate::Filling Application::Filling() const {
  TextTemplate::Filling filling{
      .record = run_.record(), .answer = run_.answer(), .number = run_.number()};
  if (filling.record != nullptr && names_ != nullptr) {
    const broker::TopicImage* topic = names_->FindTopic(filling.record->partition.topic);
    if (topic != nullptr) filling.topic = topic->name;
  }
  return filling;
}

bool Application::Do(sim::Context& context, const SendLine& line) {
  const TextTemplate::Filling filling = Filling();
  ProducerRecord record{.value = line.value.Fill(filling)};
  if (line.key.has_value()) record.key = line.key->Fill(filling);
  Send send{.topic = line.topic, .partition = line.partition};
  send.records.push_back(std::move(record));
  run_.Await(Give(context, std::move(send)));
  return false;
}

std::vector<broker::OffsetToCommit> Application::OffsetsHere() const {
  const ConsumedRecord* record = run_.record();
  if (record == nullptr) return consumer()->positions();
  return {{.partition = record->partition, .offset = record->offset + 1}};
}

bool Application::Do(sim::Context& context, const SendOffsetsLine& line) {
  ConsumerGroupMetadata group = consumer()->group_metadata();
  if (line.group_id_alone) group = {.group_id = group.group_id};
  std::vector<broker::OffsetToCommit> offsets = OffsetsHere();
  if (offsets.empty()) return true;  // as in Java, where there is nothing to send then
  run_.Await(Give(context, SendOffsetsToTransaction{std::move(offsets), std::move(group)}));
  return false;
}

bool Application::Do(sim::Context& context, const CommitLine& line) {
  if (line.async) {
    Give(context, CommitAsync{OffsetsHere()});
    return true;
  }
  run_.Await(Give(context, CommitSync{OffsetsHere()}));
  return false;
}

bool Application::Do(sim::Context& context, const ExternalLine& line) {
  const TextTemplate::Filling filling = Filling();
  ExternalRequest request{.verb = line.verb, .text = line.with.Fill(filling)};
  if (line.idempotency_key.has_value()) {
    request.idempotency_key = line.idempotency_key->Fill(filling);
  }
  for (const auto& [column, value] : line.row)
    request.row.emplace_back(column, value.Fill(filling));
  run_.Await(Give(context, ExternalCall{.to = line.to,
                                        .request = MakeExternal(std::move(request)),
                                        .timeout = line.timeout}));
  return false;
}

bool Application::Do(sim::Context& context, const WorkLine& line) {
  context.SetTimer(line.duration, static_cast<uint32_t>(Timer::kWork));
  return false;
}

bool Application::Do(sim::Context& context, const CrashLine& line) {
  const auto index = static_cast<size_t>(run_.line().index);
  if (line.once && crashes_done_[index]) return true;
  crashes_done_[index] = true;
  context.Die();
  return false;
}

bool Application::Do(sim::Context&, const InnerLine&) {
  KAFKASIM_CHECK(false, "a program enters its blocks by itself");
  return false;
}

bool Application::Do(sim::Context&, const EndLine& line) {
  switch (line.kind) {
    case EndKind::kContinue:
      run_.Continue();
      break;
    case EndKind::kRetry:
      run_.Retry();
      break;
    case EndKind::kRestart:
      BeginClosing(/*restart=*/true);
      break;
    case EndKind::kStop:
      BeginClosing(/*restart=*/false);
      break;
  }
  return false;
}

}  // namespace kafkasim::client
