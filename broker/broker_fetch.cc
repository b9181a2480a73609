// Reads of consumers: Fetch with its wait, and ListOffsets (ReplicaManager.fetchMessages,
// DelayedFetch).
#include <algorithm>
#include <utility>

#include "broker/broker.h"
#include "broker/broker_timers.h"

namespace kafkasim::broker {

void Broker::HandleFetch(sim::Context& context, const sim::RequestIn& in) {
  const auto& request = BodyOf<FetchRequest>(*in.payload);
  if (request.replica != kNoBroker) {
    HandleFollowerFetch(context, in);
    return;
  }
  FetchOutcome outcome = ReadForConsumer(request);
  if (request.max_wait_ms <= 0 || request.partitions.empty() || outcome.at_once ||
      outcome.bytes >= request.min_bytes) {
    context.Reply(in.reply_to, MakeMessage(std::move(outcome.response)));
    return;
  }
  WaitingFetch& fetch =
      fetches_.Mutable().Add(WaitingFetch{.reply_to = in.reply_to, .request = in.payload});
  fetch.timer = context.SetTimer(sim::Millis(request.max_wait_ms),
                                 static_cast<uint32_t>(BrokerTimer::kFetchExpiry), fetch.id);
}

ErrorCode Broker::NotHosted(const PartitionId& partition) const {
  if (image().FindTopic(partition.topic) == nullptr) return ErrorCode::kUnknownTopicId;
  return Knows(partition) ? ErrorCode::kNotLeaderOrFollower : ErrorCode::kUnknownTopicOrPartition;
}

FetchOutcome Broker::ReadForConsumer(const FetchRequest& request) const {
  FetchOutcome outcome;
  int64_t limit = request.max_bytes;
  bool min_one_message = true;
  for (const FetchRequest::PartitionFetch& fetch : request.partitions) {
    const Partition* partition = FindReplica(fetch.partition);
    if (partition == nullptr) {
      outcome.at_once = true;
      outcome.response.partitions.push_back(
          {.partition = fetch.partition, .error = NotHosted(fetch.partition)});
      continue;
    }
    Partition::FetchRead read =
        partition->Read(fetch, request.isolation_level, limit, min_one_message);
    // As Kafka does it: neither a position beyond the readable end nor one that lags by a segment
    // waits.
    const Offset bound = request.isolation_level == IsolationLevel::kReadCommitted
                             ? read.result.last_stable_offset
                             : read.result.high_watermark;
    if (read.must_be_told_at_once() || fetch.fetch_offset > bound ||
        (read.bytes > 0 && read.bytes < request.min_bytes &&
         partition->log().OnOlderSegment(fetch.fetch_offset, bound))) {
      outcome.at_once = true;
    }
    if (read.bytes > 0) min_one_message = false;
    limit = std::max<int64_t>(0, limit - read.bytes);
    outcome.bytes += read.bytes;
    outcome.response.partitions.push_back(std::move(read.result));
  }
  return outcome;
}

void Broker::TryWaitingFetches(sim::Context& context, const PartitionId& id) {
  for (size_t i = 0; i < fetches_->all.size();) {
    const auto& request = BodyOf<FetchRequest>(*fetches_->all[i].request);
    const bool concerned = std::any_of(
        request.partitions.begin(), request.partitions.end(),
        [&](const FetchRequest::PartitionFetch& fetch) { return fetch.partition == id; });
    FetchOutcome outcome;
    if (concerned) outcome = ReadForConsumer(request);
    if (!concerned || (!outcome.at_once && outcome.bytes < request.min_bytes)) {
      ++i;
      continue;
    }
    std::vector<WaitingFetch>& all = fetches_.Mutable().all;
    const WaitingFetch fetch = std::move(all[i]);
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
    context.CancelTimer(fetch.timer);
    context.Reply(fetch.reply_to, MakeMessage(std::move(outcome.response)));
  }
}

void Broker::ExpireFetch(sim::Context& context, uint32_t id) {
  std::vector<WaitingFetch>& all = fetches_.Mutable().all;
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const WaitingFetch& fetch) { return fetch.id == id; });
  if (found == all.end()) return;
  const WaitingFetch fetch = std::move(*found);
  all.erase(found);
  context.Reply(fetch.reply_to,
                MakeMessage(ReadForConsumer(BodyOf<FetchRequest>(*fetch.request)).response));
}

void Broker::HandleListOffsets(sim::Context& context, const sim::RequestIn& in) {
  const auto& request = BodyOf<ListOffsetsRequest>(*in.payload);
  const bool consumer = request.replica == kNoBroker;
  FetchIsolation isolation = FetchIsolation::kLogEnd;
  if (consumer) {
    isolation = request.isolation_level == IsolationLevel::kReadCommitted
                    ? FetchIsolation::kTxnCommitted
                    : FetchIsolation::kHighWatermark;
  }
  ListOffsetsResponse response;
  for (const ListOffsetsRequest::PartitionQuery& query : request.partitions) {
    if (const Partition* partition = FindReplica(query.partition)) {
      response.partitions.push_back(partition->ListOffsets(query, isolation));
      continue;
    }
    response.partitions.push_back(
        {.partition = query.partition, .error = ErrorForMissing(query.partition)});
  }
  context.Reply(in.reply_to, MakeMessage(std::move(response)));
}

}  // namespace kafkasim::broker
