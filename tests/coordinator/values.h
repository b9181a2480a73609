// Short ways to write the values of transactional ids in tests.
#pragma once

#include <utility>

#include "broker/ids.h"
#include "coordinator/transaction_metadata.h"

namespace kafkasim::coordinator {

// Partitions of a topic that groups read.
inline constexpr broker::PartitionId kFoo0{broker::TopicId(1), 0};
inline constexpr broker::PartitionId kFoo1{broker::TopicId(1), 1};

// As a coordinator of TV2 would have logged it, open since 1,000 ms where that matters.
inline TransactionValue MakeValue(TransactionState state, int64_t producer_id, int16_t epoch,
                                  broker::PartitionList partitions = {}) {
  TransactionValue value;
  value.producer_id = broker::ProducerId(producer_id);
  value.prev_producer_id = value.producer_id;
  value.producer_epoch = broker::ProducerEpoch(epoch);
  value.timeout_ms = 60'000;
  value.state = state;
  value.partitions = std::move(partitions);
  value.start_timestamp_ms = state == TransactionState::kEmpty ? -1 : 1'000;
  value.last_update_timestamp_ms = 1'000;
  value.client_transaction_version = 2;
  return value;
}

}  // namespace kafkasim::coordinator
