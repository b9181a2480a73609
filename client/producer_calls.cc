// The methods of KafkaProducer, as its application's thread runs through them.
#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "client/call_events.h"
#include "client/partitioner.h"
#include "client/producer.h"

namespace kafkasim::client {
namespace {

// Bytes around key and value of a record alone in its batch, upper bound.
constexpr int64_t kRecordOverhead = 61 + 21;

int64_t TextSize(const std::optional<std::string>& text) {
  return static_cast<int64_t>(text.has_value() ? text->size() : 0);
}

ApiError ClosedError() {
  return ClientError(Exception::kIllegalState, ErrorClass::kMisuse, "the producer is closed");
}

}  // namespace

void Producer::Begin(sim::Context& context, const CallRef& call) {
  CallResult& result = calls_.Mutable().Mutable(call->id());
  result.state = CallState::kOpen;
  result.started = context.now();
  if (context.tracing()) {
    const broker::ClusterImageRef& known = sender_.connection().metadata().image();
    EmitCallStarted(context, *call, (options_.names != nullptr ? options_.names : known).get());
  }
  const Operation& operation = call->operation();
  if (const auto* send = std::get_if<Send>(&operation)) {
    result.value = SentRecords{.records = std::vector<RecordMetadata>(send->records.size())};
    SendRecords(context, call, 0, /*gave_up=*/false);
  } else if (std::holds_alternative<Close>(operation)) {
    sender_.InitiateClose();
    Block(context, call, Blocking::On::kClose, -1);
  } else if (std::holds_alternative<Flush>(operation)) {
    Block(context, call, Blocking::On::kFlush, -1);
    blocking_->flush_up_to = sender_.accumulator().newest_batch();
  } else {
    BeginTransition(context, call);
  }
}

void Producer::BeginTransition(sim::Context& context, const CallRef& call) {
  TransactionManager& transactions = sender_.transactions();
  const std::optional<int64_t> level = sender_.connection().transaction_version();
  const Operation& operation = call->operation();
  ApiError error;
  if (sender_.is_closed()) {
    error = ClosedError();
  } else if (std::holds_alternative<InitTransactions>(operation)) {
    error = transactions.InitTransactions();
  } else if (std::holds_alternative<BeginTransaction>(operation)) {
    error = transactions.BeginTransaction();
  } else if (std::holds_alternative<CommitTransaction>(operation)) {
    error = transactions.BeginCommit(level);
  } else if (std::holds_alternative<AbortTransaction>(operation)) {
    error = transactions.BeginAbort(level);
  } else if (const auto* offsets = std::get_if<SendOffsetsToTransaction>(&operation)) {
    error = transactions.BeginSendOffsets(*offsets);
    if (error.ok()) return Block(context, call, Blocking::On::kOffsets, config_->max_block_ms);
  } else {
    error = ClientError(Exception::kIllegalArgument, ErrorClass::kMisuse,
                        fmt::format("a producer has no {}", Name(operation)));
  }
  if (!error.ok() || std::holds_alternative<BeginTransaction>(operation)) {
    Finish(context, call->id(), {}, error);
    return;
  }
  Block(context, call, Blocking::On::kTransition, config_->max_block_ms);
}

void Producer::Block(sim::Context& context, const CallRef& call, Blocking::On on,
                     int64_t timeout_ms) {
  blocking_ = Blocking{.call = call, .on = on};
  blocking_->requests_before = sender_.transactional_requests();
  if (timeout_ms >= 0) blocking_->deadline = context.now() + sim::Millis(timeout_ms);
}

bool Producer::ContinueBlocking(sim::Context& context) {
  TransactionManager& transactions = sender_.transactions();
  const CallRef call = blocking_->call;
  const bool late = context.now() >= blocking_->deadline;
  CallValue value;
  ApiError error;
  switch (blocking_->on) {
    case Blocking::On::kClose:
      if (!sender_.is_closed()) return false;
      break;
    case Blocking::On::kFlush:
      if (sender_.accumulator().HasIncompleteUpTo(blocking_->flush_up_to)) return false;
      break;
    case Blocking::On::kMetadata: {
      const bool found = HasMetadataFor(std::get<Send>(call->operation()));
      const int32_t from = blocking_->next_record;
      if (!found && !late) {
        sender_.connection().metadata().RequestUpdate();
        sender_.connection().Poll(context);
        return false;
      }
      blocking_.reset();
      SendRecords(context, call, from, /*gave_up=*/!found);
      return true;
    }
    case Blocking::On::kOffsets:
      if (transactions.offsets_result().completed) {
        error = transactions.offsets_result().error;
      } else if (late) {
        error = ClientError(Exception::kTimeout, ErrorClass::kRetriable,
                            fmt::format("sendOffsetsToTransaction did not end within "
                                        "max.block.ms={}; the offsets are still being sent",
                                        config_->max_block_ms));
      } else {
        return false;
      }
      value = HandedInOffsets{std::get<SendOffsetsToTransaction>(call->operation()).offsets};
      break;
    case Blocking::On::kTransition:
      if (transactions.pending_transition()->completed) {
        error = transactions.pending_transition()->error;
        transactions.Acknowledge();
        if (std::holds_alternative<InitTransactions>(call->operation())) {
          transactions.UpdateTransactionVersion(sender_.connection().transaction_version(),
                                                /*initializing=*/true);
        }
        value = transactions.identity();
      } else if (late) {
        error = ClientError(
            Exception::kTimeout, ErrorClass::kRetriable,
            fmt::format("{} did not end within max.block.ms={}; it can only be tried again",
                        transactions.pending_transition()->operation, config_->max_block_ms));
      } else {
        return false;
      }
      break;
  }
  calls_.Mutable().Mutable(call->id()).requests =
      static_cast<int32_t>(sender_.transactional_requests() - blocking_->requests_before);
  blocking_.reset();
  Finish(context, call->id(), std::move(value), error);
  return true;
}

// --- send ----------------------------------------------------------------------------------------

bool Producer::HasMetadataFor(const Send& send) const {
  const broker::ClusterImageRef& image = sender_.connection().metadata().image();
  const broker::TopicImage* topic = image == nullptr ? nullptr : image->FindTopic(send.topic);
  if (topic == nullptr || topic->partitions.empty()) return false;
  return send.partition.value_or(0) < static_cast<int32_t>(topic->partitions.size());
}

// Sends the records of a call from this one on, until one of them has to wait for metadata.
void Producer::SendRecords(sim::Context& context, const CallRef& call, int32_t from, bool gave_up) {
  const auto& send = std::get<Send>(call->operation());
  const auto count = static_cast<int32_t>(send.records.size());
  for (int32_t i = from; i < count; ++i) {
    if (!sender_.is_closed() && !HasMetadataFor(send) && !std::exchange(gave_up, false)) {
      sender_.connection().metadata().RequestUpdateNow();
      Block(context, call, Blocking::On::kMetadata, config_->max_block_ms);
      blocking_->next_record = i;
      return;
    }
    if (!SendRecord(context, call->id(), send, i)) break;
  }
  FinishSendIfComplete(context, call->id());
}

bool Producer::SendRecord(sim::Context& context, CallId call, const Send& send, int32_t index) {
  ApiError error = CheckRecord(send, index);
  if (error.ok()) {
    const broker::PartitionId partition = AppendRecord(context, call, send, index);
    if (config_->idempotent()) error = sender_.transactions().MaybeAddPartition(partition);
    if (error.ok()) return true;
    // Kafka has appended the record before it notices; it stays behind, and nobody waits for it.
    sender_.accumulator().DisownLast(partition);
  }
  if (config_->idempotent() && error.IsApiException()) {
    const ApiError illegal = sender_.transactions().OnSendFailed(error);
    if (!illegal.ok()) error = illegal;
  }
  FailRecord(call, index, error);
  if (error.IsApiException()) return true;
  // An exception ends the application's loop: the records after this one are not sent.
  std::get<SentRecords>(calls_.Mutable().Mutable(call).value)
      .records.resize(static_cast<size_t>(index) + 1);
  return false;
}

ApiError Producer::CheckRecord(const Send& send, int32_t index) const {
  if (sender_.is_closed()) return ClosedError();
  if (!HasMetadataFor(send)) {
    return ClientError(Exception::kTimeout, ErrorClass::kRetriable,
                       fmt::format("the partition is not in the metadata after max.block.ms={}",
                                   config_->max_block_ms));
  }
  const ProducerRecord& record = send.records[static_cast<size_t>(index)];
  const int64_t bytes = kRecordOverhead + TextSize(record.key) + TextSize(record.value);
  if (bytes <= config_->max_request_size) return {};
  return ClientError(Exception::kRecordTooLarge, ErrorClass::kAbortable,
                     fmt::format("the record has {} bytes, max.request.size is {}", bytes,
                                 config_->max_request_size));
}

broker::PartitionId Producer::AppendRecord(sim::Context& context, CallId call, const Send& send,
                                           int32_t index) {
  const ProducerRecord& record = send.records[static_cast<size_t>(index)];
  const broker::PartitionId partition{send.topic, PartitionOf(context, send, record)};
  const int64_t timestamp = record.timestamp_ms.value_or(context.now().millis());
  auto& sent = std::get<SentRecords>(calls_.Mutable().Mutable(call).value);
  sent.records[static_cast<size_t>(index)] = {.partition = partition, .timestamp_ms = timestamp};
  const RecordAccumulator::Appended appended = sender_.accumulator().Append(
      partition, {.key = record.key, .value = record.value, .timestamp_ms = timestamp}, call, index,
      context.now());
  const bool keyed = record.key.has_value() && !config_->partitioner_ignore_keys;
  if (!send.partition.has_value() && !keyed) {
    sender_.accumulator()
        .StickyOf(send.topic)
        .OnAppended(appended.bytes, config_->batch_size, appended.full);
  }
  return partition;
}

int32_t Producer::PartitionOf(sim::Context& context, const Send& send,
                              const ProducerRecord& record) {
  if (send.partition.has_value()) return *send.partition;
  const broker::ClusterImage& image = *sender_.connection().metadata().image();
  if (record.key.has_value() && !config_->partitioner_ignore_keys) {
    const auto partitions = static_cast<int32_t>(image.FindTopic(send.topic)->partitions.size());
    return PartitionForRecordKey(*record.key, partitions);
  }
  return sender_.accumulator()
      .StickyOf(send.topic)
      .Current(image, send.topic, context.rng(sim::RngStream::kClients));
}

// The error of a send is that of its first record that failed.
void Producer::FailRecord(CallId call, int32_t index, const ApiError& error) {
  CallResult& result = calls_.Mutable().Mutable(call);
  auto& sent = std::get<SentRecords>(result.value);
  sent.records[static_cast<size_t>(index)].done = true;
  ++sent.failed;
  if (result.error.ok()) result.error = error;
}

void Producer::FinishSendIfComplete(sim::Context& context, CallId call) {
  CallResult& result = calls_.Mutable().Mutable(call);
  const auto& sent = std::get<SentRecords>(result.value);
  if (static_cast<size_t>(sent.acknowledged + sent.failed) < sent.records.size()) return;
  if (!result.done()) Return(context, result);
}

void Producer::Finish(sim::Context& context, CallId call, CallValue value, const ApiError& error) {
  CallResult& result = calls_.Mutable().Mutable(call);
  result.error = error;
  result.value = std::move(value);
  Return(context, result);
}

void Producer::Return(sim::Context& context, CallResult& result) {
  result.state = CallState::kDone;
  result.finished = context.now();
  if (context.tracing()) {
    EmitCallFinished(context, result, sender_.connection().metadata().image().get());
  }
}

}  // namespace kafkasim::client
