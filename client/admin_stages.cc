// What the answers of a stage say, and which stage comes next: the rules of kafka-transactions.sh
// (TransactionsCommand) and how Admin puts its results together.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "broker/messages_admin.h"
#include "broker/messages_data.h"
#include "broker/messages_transaction.h"
#include "client/admin_task.h"

namespace kafkasim::client {

using broker::ApiKey;
using broker::BodyOf;

void AdminTask::NextStage(const broker::ClusterImage* image, sim::Time now,
                          const AdminConfig& config) {
  if (!begun_) {
    Begin(image, config);
    if (!keys_.empty()) return;
  }
  switch (api_) {
    case ApiKey::kDescribeProducers:
      return AfterProducers(*image, now);
    case ApiKey::kListTransactions:
      return AfterListing();
    case ApiKey::kDescribeTransactions:
      return AfterDescription();
    case ApiKey::kInitProducerId:
      return AfterFencing();
    case ApiKey::kListOffsets:
      return AfterOffsets();
    default:
      return Finish({});
  }
}

PartitionProducers AdminTask::Producers() const {
  PartitionProducers found;
  for (const AdminKey& key : keys_) {
    for (const auto& result : BodyOf<broker::DescribeProducersResponse>(*key.answer).partitions) {
      if (result.partition != key.partition) continue;
      for (const auto& state : result.active_producers) {
        found.rows.push_back({.partition = key.partition, .state = state});
      }
    }
  }
  return found;
}

void AdminTask::AfterProducers(const broker::ClusterImage& image, sim::Time now) {
  PartitionProducers producers = Producers();
  if (Is<DescribeProducers>() != nullptr) return Finish(AdminResult{std::move(producers)});
  if (const auto* abort = Is<AbortTransactionOn>()) {
    std::erase_if(producers.rows, [&](const PartitionProducers::Row& row) {
      return row.state.current_txn_start_offset != *abort->start_offset;
    });
    if (producers.rows.empty()) {
      return Fail(ClientError(Exception::kIllegalArgument, ErrorClass::kMisuse,
                              fmt::format("no transaction that starts at offset {} is open on {}",
                                          *abort->start_offset, image.NameOf(abort->partition))));
    }
    candidates_ = std::move(producers);
    return AskPartitions(ApiKey::kWriteTxnMarkers, {abort->partition});
  }
  const int64_t longest_ms = Is<FindHanging>()->max_transaction_timeout.millis();
  std::erase_if(producers.rows, [&](const PartitionProducers::Row& row) {
    return row.state.current_txn_start_offset == broker::kNoOffset ||
           now.millis() - row.state.last_timestamp_ms <= longest_ms;
  });
  candidates_ = std::move(producers);
  if (candidates_.rows.empty()) return Finish(AdminResult{PartitionProducers{}});
  AskAllBrokers(ApiKey::kListTransactions, image);
}

void AdminTask::AfterListing() {
  for (const AdminKey& key : keys_) {
    for (const auto& state : BodyOf<broker::ListTransactionsResponse>(*key.answer).transactions) {
      known_ids_.rows.push_back({.coordinator = key.broker, .state = state});
    }
  }
  std::stable_sort(known_ids_.rows.begin(), known_ids_.rows.end(),
                   [](const TransactionListings::Row& a, const TransactionListings::Row& b) {
                     return a.state.transactional_id < b.state.transactional_id;
                   });
  if (Is<ListTransactions>() != nullptr) return Finish(AdminResult{known_ids_});
  std::vector<std::string> ids;
  for (const TransactionListings::Row& row : known_ids_.rows) {
    ids.push_back(row.state.transactional_id);
  }
  if (ids.empty()) return Finish(AdminResult{Hanging()});
  AskIds(ApiKey::kDescribeTransactions, ids);
}

void AdminTask::AfterDescription() {
  for (const AdminKey& key : keys_) {
    const auto& response = BodyOf<broker::DescribeTransactionsResponse>(*key.answer);
    for (const auto& state : response.transactions) {
      if (state.transactional_id != key.transactional_id) continue;
      if (state.error != broker::ErrorCode::kNone) continue;
      known_transactions_.rows.push_back({.coordinator = key.broker, .state = state});
    }
  }
  if (Is<DescribeTransactions>() != nullptr) return Finish(AdminResult{known_transactions_});
  Finish(AdminResult{Hanging()});
}

PartitionProducers AdminTask::Hanging() const {
  // A producer id belongs to the id that was listed with it; that id's transaction is the one that
  // a marker is still to come for.
  const auto is_expected = [this](const PartitionProducers::Row& candidate) {
    const auto listed = std::find_if(known_ids_.rows.begin(), known_ids_.rows.end(),
                                     [&](const TransactionListings::Row& row) {
                                       return row.state.producer_id == candidate.state.producer_id;
                                     });
    if (listed == known_ids_.rows.end()) return false;
    return std::any_of(known_transactions_.rows.begin(), known_transactions_.rows.end(),
                       [&](const TransactionDescriptions::Row& row) {
                         const broker::PartitionList& partitions = row.state.partitions;
                         return row.state.transactional_id == listed->state.transactional_id &&
                                std::find(partitions.begin(), partitions.end(),
                                          candidate.partition) != partitions.end();
                       });
  };
  PartitionProducers hanging = candidates_;
  std::erase_if(hanging.rows, is_expected);
  return hanging;
}

void AdminTask::AfterFencing() {
  if (Is<ForceTerminateTransaction>() != nullptr) return Finish({});
  FencedProducers fenced;
  for (const AdminKey& key : keys_) {
    const auto& response = BodyOf<broker::InitProducerIdResponse>(*key.answer);
    fenced.rows.push_back({.transactional_id = key.transactional_id,
                           .producer_id = response.producer_id,
                           .epoch = response.producer_epoch});
  }
  Finish(AdminResult{std::move(fenced)});
}

void AdminTask::AfterOffsets() {
  PartitionOffsets offsets;
  for (const AdminKey& key : keys_) {
    for (const auto& result : BodyOf<broker::ListOffsetsResponse>(*key.answer).partitions) {
      if (result.partition == key.partition) {
        offsets.rows.push_back({key.partition, result.offset});
      }
    }
  }
  Finish(std::move(offsets));
}

}  // namespace kafkasim::client
