// What a broker knows of the transactional ids that it coordinates, by partition of
// __transaction_state (the cache of class TransactionStateManager, Kafka 4.4 development line).
// Volatile: it is rebuilt from the log whenever the broker is elected.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "broker/ids.h"
#include "coordinator/transaction_log_record.h"
#include "coordinator/transaction_metadata.h"
#include "sim/cow.h"
#include "sim/fingerprint.h"

namespace kafkasim::coordinator {

class TransactionCache {
 public:
  using Entries = std::vector<sim::Cow<TransactionMetadata>>;  // sorted by transactional id

  struct Partition {
    int32_t index = -1;
    broker::CoordinatorEpoch epoch = broker::kNoCoordinatorEpoch;
    bool loading = true;
    sim::Cow<Entries> entries;

    void AppendTo(sim::CanonicalBytes& out) const;
  };

  // Where an id belongs, and whether this broker can speak for it.
  enum class Standing : uint8_t { kHere, kLoading, kElsewhere };
  struct Located {
    Standing standing = Standing::kElsewhere;
    int32_t partition = -1;
    broker::CoordinatorEpoch epoch = broker::kNoCoordinatorEpoch;
    const TransactionMetadata* metadata = nullptr;  // null: the id is not known
  };

  // The topic and its number of partitions, which never changes: known from the first election.
  void SetTopic(broker::TopicId topic, int32_t partition_count);
  [[nodiscard]] broker::PartitionId TopicPartition(int32_t index) const { return {topic_, index}; }

  [[nodiscard]] Located Locate(std::string_view transactional_id) const;
  // The partition, if this broker has loaded it at `epoch`; null if not, or if by now at another.
  [[nodiscard]] const Partition* Find(int32_t index, broker::CoordinatorEpoch epoch) const;
  [[nodiscard]] const TransactionMetadata* Find(const Partition& partition,
                                                std::string_view transactional_id) const;
  // All partitions, by index.
  [[nodiscard]] const std::vector<Partition>& partitions() const { return partitions_; }

  // Begins to load a partition; what was known of it before is dropped.
  void StartLoading(int32_t index, broker::CoordinatorEpoch epoch);
  [[nodiscard]] bool IsLoading(int32_t index, broker::CoordinatorEpoch epoch) const;
  // Ends loading with what the log says.
  void Install(int32_t index, const LoadedTransactions& loaded);
  // Forgets a partition. False if it was not there.
  bool Remove(int32_t index);

  // The metadata for writing; it must be there.
  [[nodiscard]] TransactionMetadata& Mutable(int32_t partition, std::string_view transactional_id);
  // A new id; it must not be there.
  TransactionMetadata& Insert(int32_t partition, TransactionMetadata metadata);
  void Erase(int32_t partition, std::string_view transactional_id);

  void AppendTo(sim::CanonicalBytes& out) const;

 private:
  [[nodiscard]] const Partition* FindAny(int32_t index) const;
  [[nodiscard]] Partition& MutablePartition(int32_t index);

  broker::TopicId topic_{-1};
  int32_t partition_count_ = 0;
  std::vector<Partition> partitions_;
};

}  // namespace kafkasim::coordinator
