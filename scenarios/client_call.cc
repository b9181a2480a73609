#include "scenarios/client_call.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "client/client_process.h"
#include "scenarios/admin_call.h"
#include "scenarios/group_call.h"
#include "scenarios/process_lookup.h"
#include "scenarios/raw_message.h"

namespace kafkasim::scenarios {
namespace {

// `{n}` becomes the number of the record.
std::string Fill(const std::string& text, std::int64_t n) {
  std::string filled;
  std::size_t from = 0;
  for (std::size_t at = text.find("{n}"); at != std::string::npos; at = text.find("{n}", from)) {
    filled.append(text, from, at - from);
    filled += fmt::format("{}", n);
    from = at + 3;
  }
  return filled.append(text, from);
}

// When record `n` of a send is sent, since its beginning.
sim::Duration DueTime(const Send& send, std::int64_t n) {
  if (send.rate_per_second.has_value()) return sim::Micros(n * 1'000'000 / *send.rate_per_second);
  return sim::Micros(n * send.interval_us);
}

client::ProducerRecord RecordOf(const Send& send, std::int64_t n,
                                const std::optional<std::string>& value) {
  client::ProducerRecord record{.timestamp_ms = send.timestamp_ms};
  if (value.has_value()) record.value = Fill(*value, n);
  if (send.key.has_value()) record.key = Fill(*send.key, n);
  return record;
}

std::vector<PlannedCall> Plan(const Send& send, const NameTable& names) {
  client::Send call{.topic = names.topics->FindTopicId(send.to.topic).value_or(broker::TopicId(-1)),
                    .partition = send.to.partition};
  std::vector<PlannedCall> calls;
  const auto values = static_cast<std::int64_t>(send.values.size());
  const bool timed = send.rate_per_second.has_value() || send.interval_us > 0;
  const std::int64_t count = values * send.count;
  for (std::int64_t n = 0; timed || n < count; ++n) {
    const sim::Duration due = DueTime(send, n);
    if (send.for_us.has_value() ? due.us >= *send.for_us : n >= count) break;
    const std::int64_t which = send.for_us.has_value() ? n % values : n / send.count;
    call.records.push_back(RecordOf(send, n, send.values[static_cast<std::size_t>(which)]));
    if (!timed) continue;
    calls.push_back({.after = due, .operation = call});
    call.records.clear();
  }
  if (!timed) calls.push_back({.operation = std::move(call)});
  return calls;
}

std::vector<broker::PartitionId> Ids(const std::vector<PartitionName>& partitions,
                                     const NameTable& names) {
  std::vector<broker::PartitionId> ids;
  for (const PartitionName& partition : partitions) {
    if (const auto id = names.FindPartition(partition)) ids.push_back(*id);
  }
  return ids;
}

// An operation that is one call.
struct TranslateCall {
  const Moment& moment;
  using Result = std::optional<client::Operation>;

  Result operator()(const InitTransactions&) const { return client::InitTransactions{}; }
  Result operator()(const BeginTransaction&) const { return client::BeginTransaction{}; }
  Result operator()(const CommitTransaction&) const { return client::CommitTransaction{}; }
  Result operator()(const AbortTransaction&) const { return client::AbortTransaction{}; }
  Result operator()(const Flush&) const { return client::Flush{}; }
  Result operator()(const Close&) const { return client::Close{}; }
  Result operator()(const Send&) const { return std::nullopt; }
  Result operator()(const Poll& poll) const {
    client::Poll call{.timeout = sim::Micros(poll.timeout_us)};
    if (poll.max_records.has_value()) {
      call.max_records = static_cast<std::int32_t>(*poll.max_records);
    }
    return call;
  }
  Result operator()(const Seek& seek) const {
    const auto partition = moment.names.FindPartition(seek.partition);
    if (!partition.has_value()) return std::nullopt;
    return client::Seek{.partition = *partition, .offset = broker::Offset(seek.offset)};
  }
  Result operator()(const SeekToBeginning& seek) const {
    return client::SeekToBeginning{.partitions = Ids(seek.partitions, moment.names)};
  }
  Result operator()(const SeekToEnd& seek) const {
    return client::SeekToEnd{.partitions = Ids(seek.partitions, moment.names)};
  }
  Result operator()(const Position& position) const {
    const auto partition = moment.names.FindPartition(position.partition);
    if (!partition.has_value()) return std::nullopt;
    return client::Position{.partition = *partition};
  }
  Result operator()(const BeginningOffsets& offsets) const {
    return client::BeginningOffsets{.partitions = Ids(offsets.partitions, moment.names)};
  }
  Result operator()(const EndOffsets& offsets) const {
    return client::EndOffsets{.partitions = Ids(offsets.partitions, moment.names)};
  }
  Result operator()(const OffsetsForTimes& offsets) const {
    return client::OffsetsForTimes{.partitions = Ids(offsets.partitions, moment.names),
                                   .timestamp_ms = offsets.timestamp_ms};
  }
  Result operator()(const AdminCall& call) const {
    std::optional<client::AdminCall> translated = TranslateAdminCall(call, moment.names);
    if (!translated.has_value()) return std::nullopt;
    return std::move(*translated);
  }
  Result operator()(const Unsubscribe&) const { return client::Unsubscribe{}; }
  Result operator()(const SeekToCommitted&) const { return client::SeekToCommitted{}; }
  Result operator()(const GroupMetadata&) const { return client::GroupMetadata{}; }
  Result operator()(const EnforceRebalance&) const { return client::EnforceRebalance{}; }
  template <typename OfGroup>
  Result operator()(const OfGroup& operation) const {
    return GroupCallOf(operation, moment);
  }
  Result operator()(const RawRequest& request) const {
    const auto to = FindProcess(request.to, moment);
    if (!to.has_value()) return std::nullopt;
    return client::RawRequest{.to = *to,
                              .request = MakeRawMessage(request, moment.names, moment.world.now())};
  }
};

void Merge(const client::SentRecords& part, client::SentRecords& whole) {
  whole.records.insert(whole.records.end(), part.records.begin(), part.records.end());
  whole.acknowledged += part.acknowledged;
  whole.failed += part.failed;
}

}  // namespace

std::optional<std::vector<PlannedCall>> PlanCalls(const Operation& operation,
                                                  const Moment& moment) {
  if (const auto* send = std::get_if<Send>(&operation)) return Plan(*send, moment.names);
  std::optional<client::Operation> call = std::visit(TranslateCall{moment}, operation);
  if (!call.has_value()) return std::nullopt;
  return std::vector<PlannedCall>{{.operation = std::move(*call)}};
}

CallSummary Summarize(const std::vector<client::CallId>& calls, sim::ProcessId actor,
                      const Moment& moment) {
  const client::ClientProcess& client = client::AsClient(moment.world.process(actor));
  CallSummary summary{.done = true};
  client::SentRecords sent;
  bool is_send = false;
  for (const client::CallId id : calls) {
    const client::CallResult* result = client.FindCall(id);
    if (result == nullptr || !result->done()) {
      summary.done = false;
      summary.lost = result != nullptr && result->state == client::CallState::kLost;
      return summary;
    }
    if (summary.error.ok()) summary.error = result->error;
    if (const auto* part = std::get_if<client::SentRecords>(&result->value)) {
      is_send = true;
      Merge(*part, sent);
    } else {
      summary.value = result->value;
    }
  }
  if (is_send) summary.value = std::move(sent);
  return summary;
}

}  // namespace kafkasim::scenarios
