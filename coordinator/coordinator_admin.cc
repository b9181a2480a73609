// What a coordinator tells administrators: ListTransactions and DescribeTransactions
// (TransactionCoordinator.handleDescribeTransactions, TransactionStateManager
// .listTransactionStates). An id that is being expired is told of until its tombstone is
// replicated: Kafka leaves out ids in state Dead, but only a pending change has that state.
#include <algorithm>
#include <optional>
#include <regex>
#include <string>
#include <utility>

#include "broker/messages_admin.h"
#include "coordinator/coordinator_trace.h"
#include "coordinator/transaction_coordinator.h"

namespace kafkasim::coordinator {

using broker::DescribeTransactionsResponse;
using broker::ErrorCode;
using broker::ListTransactionsRequest;
using broker::ListTransactionsResponse;

namespace {

std::optional<TransactionState> StateOf(const std::string& name) {
  for (const TransactionState state : kAllTransactionStates) {
    if (Name(state) == name) return state;
  }
  return std::nullopt;
}

// Kafka's patterns are those of RE2, of which ECMAScript's are a superset.
std::optional<std::regex> PatternOf(const std::string& text) {
  try {
    return std::regex(text);
  } catch (const std::regex_error&) {
    return std::nullopt;
  }
}

// The filters of a request that let a transaction through or not.
class Filter {
 public:
  // Names of states that there are not go to `unknown`.
  Filter(const ListTransactionsRequest& request, const std::optional<std::regex>& pattern,
         int64_t now_ms, std::vector<std::string>& unknown)
      : request_(request), pattern_(pattern), now_ms_(now_ms) {
    for (const std::string& name : request.state_filters) {
      const std::optional<TransactionState> state = StateOf(name);
      if (state.has_value()) {
        states_.push_back(*state);
      } else {
        unknown.push_back(name);
      }
    }
  }

  [[nodiscard]] bool Admits(const TransactionMetadata& metadata) const {
    const TransactionValue& value = metadata.value;
    const auto& ids = request_.producer_id_filters;
    if (!ids.empty() && std::find(ids.begin(), ids.end(), value.producer_id) == ids.end()) {
      return false;
    }
    if (!request_.state_filters.empty() &&
        std::find(states_.begin(), states_.end(), value.state) == states_.end()) {
      return false;
    }
    // An id without a transaction counts as one that began before all times.
    const int64_t duration_ms = now_ms_ - value.start_timestamp_ms;
    if (request_.duration_filter_ms >= 0 && duration_ms <= request_.duration_filter_ms) {
      return false;
    }
    return !pattern_.has_value() || std::regex_match(metadata.transactional_id, *pattern_);
  }

 private:
  const ListTransactionsRequest& request_;
  const std::optional<std::regex>& pattern_;
  int64_t now_ms_;
  std::vector<TransactionState> states_{};
};

}  // namespace

void TransactionCoordinator::HandleListTransactions(Turn& turn, const Waiting& waiting,
                                                    const ListTransactionsRequest& request) {
  ListTransactionsResponse response;
  std::optional<std::regex> pattern;
  const auto& partitions = cache_->partitions();
  const bool has_pattern = !request.transactional_id_pattern.empty();
  if (std::any_of(partitions.begin(), partitions.end(),
                  [](const TransactionCache::Partition& known) { return known.loading; })) {
    response.error = ErrorCode::kCoordinatorLoadInProgress;
  } else if (has_pattern) {
    pattern = PatternOf(request.transactional_id_pattern);
    if (!pattern.has_value()) response.error = ErrorCode::kInvalidRegularExpression;
  }
  if (response.error == ErrorCode::kNone) {
    const Filter filter(request, pattern, turn.now_ms(), response.unknown_state_filters);
    for (const TransactionCache::Partition& partition : partitions) {
      for (const sim::Cow<TransactionMetadata>& metadata : *partition.entries) {
        if (!filter.Admits(*metadata)) continue;
        response.transactions.push_back({.transactional_id = metadata->transactional_id,
                                         .producer_id = metadata->value.producer_id,
                                         .state = std::string(Name(metadata->value.state))});
      }
    }
  }
  turn.effects.push_back(broker::ReplyEffect{waiting.to, broker::MakeMessage(std::move(response))});
}

void TransactionCoordinator::HandleDescribeTransactions(
    Turn& turn, const Waiting& waiting, const broker::DescribeTransactionsRequest& request) {
  DescribeTransactionsResponse response;
  for (const std::string& id : request.transactional_ids) {
    auto& state = response.transactions.emplace_back();
    state.transactional_id = id;
    const TransactionCache::Located located = cache_->Locate(id);
    if (id.empty()) {
      state.error = ErrorCode::kInvalidRequest;
    } else if (const std::optional<Refusal> refusal = StandingRefusal(located)) {
      state.error = ErrorOf(*refusal);
    } else if (located.metadata == nullptr) {
      state.error = ErrorCode::kTransactionalIdNotFound;
    } else {
      const TransactionValue& value = located.metadata->value;
      state.state = std::string(Name(value.state));
      state.timeout_ms = value.timeout_ms;
      state.start_time_ms = value.start_timestamp_ms;
      state.producer_id = value.producer_id;
      state.producer_epoch = value.producer_epoch;
      state.partitions = value.partitions;
    }
  }
  turn.effects.push_back(broker::ReplyEffect{waiting.to, broker::MakeMessage(std::move(response))});
}

}  // namespace kafkasim::coordinator
