// A call of an administrator on its way: class AdminApiDriver with its handlers and lookup
// strategies, and the commands of TransactionsCommand that are made of several calls. Kafka 4.4
// development line.
//
// A call runs through stages. Each stage asks one API about some keys: partitions, transactional
// ids or brokers. For each key the broker to ask is found first (the leader from metadata, the
// coordinator by FindCoordinator), then it is asked, again and again while the answer is one that
// may change. What follows from the answers is decided here; admin.h sends and waits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "broker/cluster_image.h"
#include "broker/error_code.h"
#include "broker/ids.h"
#include "broker/message.h"
#include "client/admin_config.h"
#include "client/admin_operation.h"
#include "client/call.h"
#include "client/call_result.h"
#include "sim/fingerprint.h"
#include "sim/payload.h"
#include "sim/time.h"

namespace kafkasim::client {

// Who answers for a key.
enum class AdminLookup : uint8_t { kLeader, kCoordinator, kBroker, kAnyBroker };

struct AdminKey {
  // What it is: one of these.
  broker::PartitionId partition{};
  std::string transactional_id{};
  // Whom to ask, once that is known; given for kBroker.
  broker::BrokerId broker = broker::kNoBroker;
  uint64_t request = 0;  // of the lookup or the question under way; 0: none
  int32_t failures = 0;
  sim::Time retry_at{};
  sim::PayloadRef answer{};  // the response that settled it

  void AppendTo(sim::CanonicalBytes& out) const;
};

// What to do about an answer for a key.
enum class AdminReaction : uint8_t {
  kSettled,
  kRetry,      // ask the same broker again
  kFindAgain,  // it is the wrong one: look the right one up
  kFail,
};

class AdminTask {
 public:
  AdminTask(CallRef call, sim::Time deadline) : call_(std::move(call)), deadline_(deadline) {}

  [[nodiscard]] const CallRef& call() const { return call_; }
  [[nodiscard]] sim::Time deadline() const { return deadline_; }
  [[nodiscard]] broker::ApiKey api() const { return api_; }
  [[nodiscard]] AdminLookup lookup() const { return lookup_; }
  [[nodiscard]] std::vector<AdminKey>& keys() { return keys_; }
  [[nodiscard]] const std::vector<AdminKey>& keys() const { return keys_; }
  // Whether it begins with metadata that is newer than the call.
  [[nodiscard]] bool NeedsMetadata() const;
  [[nodiscard]] bool StageIsSettled() const;

  // All keys of the stage are settled, or the call has just begun: goes on to the next stage, or is
  // finished. `image` is null as long as there is no metadata, which only some calls need.
  void NextStage(const broker::ClusterImage* image, sim::Time now, const AdminConfig& config);
  // The request about these keys, all of one broker. More than one key if BatchesKeys.
  [[nodiscard]] bool BatchesKeys() const;
  [[nodiscard]] sim::PayloadRef MakeRequest(const std::vector<size_t>& keys) const;
  // The error that a response has for a key, and what to do about it.
  [[nodiscard]] broker::ErrorCode ErrorFor(const AdminKey& key, const sim::Payload& response) const;
  [[nodiscard]] AdminReaction ReactionTo(broker::ErrorCode error) const;
  // What a key is, for people: "orders-0".
  [[nodiscard]] std::string NameOf(const AdminKey& key, const broker::ClusterImage* image) const;

  [[nodiscard]] bool finished() const { return finished_; }
  void Fail(ApiError error);
  [[nodiscard]] const CallValue& value() const { return value_; }
  [[nodiscard]] const ApiError& error() const { return error_; }
  int32_t requests = 0;  // sent so far

  void AppendTo(sim::CanonicalBytes& out) const;

 private:
  template <typename T>
  [[nodiscard]] const T* Is() const {
    return std::get_if<T>(&std::get<AdminCall>(call_->operation()).what);
  }
  void Begin(const broker::ClusterImage* image, const AdminConfig& config);
  void Ask(broker::ApiKey api, AdminLookup lookup);  // the stage to come, without keys yet
  void AskPartitions(broker::ApiKey api, const std::vector<broker::PartitionId>& partitions,
                     std::optional<broker::BrokerId> broker = {});
  void AskIds(broker::ApiKey api, const std::vector<std::string>& transactional_ids);
  void AskAllBrokers(broker::ApiKey api, const broker::ClusterImage& image);
  void Finish(CallValue value);
  [[nodiscard]] sim::PayloadRef MakeListing() const;
  [[nodiscard]] sim::PayloadRef MakeMarker() const;

  // admin_stages.cc: what the answers of a stage say, and what follows.
  void AfterProducers(const broker::ClusterImage& image, sim::Time now);
  void AfterListing();
  void AfterDescription();
  void AfterFencing();
  void AfterOffsets();
  [[nodiscard]] PartitionProducers Producers() const;
  // Those of `candidates_` whose partition no coordinator has in a transaction of theirs.
  [[nodiscard]] PartitionProducers Hanging() const;

  CallRef call_;
  sim::Time deadline_{};
  broker::ApiKey api_ = broker::ApiKey::kMetadata;
  AdminLookup lookup_ = AdminLookup::kAnyBroker;
  bool begun_ = false;
  std::vector<AdminKey> keys_;
  int32_t transaction_timeout_ms_ = 0;  // of fencing
  // Of the search for hanging transactions, and of the one to be aborted.
  PartitionProducers candidates_;
  TransactionListings known_ids_;
  TransactionDescriptions known_transactions_;
  bool finished_ = false;
  CallValue value_{};
  ApiError error_{};
};

}  // namespace kafkasim::client
