#include "scenarios/drain.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "coordinator/transaction_view.h"
#include "scenarios/invariants/subject.h"

namespace kafkasim::scenarios {
namespace {

constexpr sim::Duration kAtOnce = sim::Seconds(1);
constexpr sim::Duration kDrainStep = sim::Seconds(10);
constexpr sim::Duration kLatency = sim::Millis(1);

bool IsOver(const coordinator::TransactionValue& value) {
  return coordinator::IsExpirationAllowed(value.state);
}

// What was open in a state, to be found again later.
class OpenThings {
 public:
  explicit OpenThings(const Subject& state) {
    for (const LedPartition& led : state.led()) {
      logs_.push_back({led.id(), led.log().log_end_offset()});
    }
    for (const RunningCoordinator& running : state.coordinators()) {
      for (const auto& view : coordinator::ViewTransactions(*running.coordinator)) {
        if (IsOver(view.value) && !view.pending.has_value()) continue;
        transactions_.push_back({view.transactional_id, view.value});
      }
    }
    for (const RunningProducer& running : state.producers()) {
      for (const client::CallResult& call : running.producer->calls().results()) {
        if (IsOpen(call)) calls_.push_back({std::string(running.name), call.id});
      }
    }
  }

  // The first of them that is open still. Log entries come last: `only_logs` then tells that
  // nothing else is open.
  [[nodiscard]] std::optional<std::string> FirstUnfinished(const Subject& now,
                                                           bool& only_logs) const {
    only_logs = false;
    for (const OpenCall& call : calls_) {
      if (IsUnfinished(call, now)) return fmt::format("a call of {} does not return", call.client);
    }
    for (const OpenTransaction& transaction : transactions_) {
      if (auto text = Unfinished(transaction, now)) return text;
    }
    only_logs = true;
    for (const LogEnd& log : logs_) {
      if (auto text = Unfinished(log, now)) return text;
    }
    return std::nullopt;
  }

  // Whether each log that is not through is pinned by transactions that no coordinator knows:
  // what kafka-transactions.sh find-hanging finds.
  [[nodiscard]] bool OnlyHanging(const Subject& now) const {
    return std::all_of(logs_.begin(), logs_.end(), [&](const LogEnd& log) {
      const LedPartition* led = now.FindLed(log.partition);
      if (led == nullptr) return now.IsEmpty(log.partition);
      const std::vector<ReadTransaction>& all = led->reading().transactions();
      return std::all_of(all.begin(), all.end(), [&](const ReadTransaction& transaction) {
        return transaction.marker != broker::kNoOffset ||
               !IsCoordinated(transaction.producer_id, log.partition, now);
      });
    });
  }

 private:
  struct LogEnd {
    broker::PartitionId partition{};
    broker::Offset end{0};
  };
  struct OpenTransaction {
    std::string id{};
    coordinator::TransactionValue value{};
  };
  struct OpenCall {
    std::string client{};
    client::CallId call{};
  };

  static bool IsOpen(const client::CallResult& call) {
    return call.state == client::CallState::kOpen || call.state == client::CallState::kWaiting;
  }

  static bool IsUnfinished(const OpenCall& call, const Subject& now) {
    return std::any_of(now.producers().begin(), now.producers().end(),
                       [&](const RunningProducer& running) {
                         if (running.name != call.client || running.crashed) return false;
                         const client::CallResult* result = running.producer->FindCall(call.call);
                         return result != nullptr && IsOpen(*result);
                       });
  }

  static std::optional<std::string> Unfinished(const OpenTransaction& transaction,
                                               const Subject& now) {
    for (const RunningCoordinator& running : now.coordinators()) {
      const auto view = coordinator::FindTransaction(*running.coordinator, transaction.id);
      if (!view.has_value()) continue;
      const coordinator::TransactionValue& value = view->value;
      const bool same = value.producer_id == transaction.value.producer_id &&
                        value.start_timestamp_ms == transaction.value.start_timestamp_ms;
      if (!same || (IsOver(value) && !view->pending.has_value())) return std::nullopt;
      return fmt::format("{} stays in {}", transaction.id, UpperName(value.state));
    }
    return fmt::format("{} has no coordinator", transaction.id);
  }

  // A log that has lost its end has nothing there that could be read.
  static std::optional<std::string> Unfinished(const LogEnd& log, const Subject& now) {
    const LedPartition* led = now.FindLed(log.partition);
    if (led == nullptr) {
      if (now.IsEmpty(log.partition)) return std::nullopt;
      return fmt::format("{} has no leader", now.NameOf(log.partition));
    }
    const broker::Offset end = std::min(log.end, led->log().log_end_offset());
    if (led->log().last_stable_offset() >= end) return std::nullopt;
    return fmt::format("{}: the LSO stays at {}, before entries up to {}",
                       now.NameOf(log.partition), led->log().last_stable_offset(), end);
  }

  static bool IsCoordinated(broker::ProducerId producer, const broker::PartitionId& partition,
                            const Subject& now) {
    for (const RunningCoordinator& running : now.coordinators()) {
      for (const auto& view : coordinator::ViewTransactions(*running.coordinator)) {
        const broker::PartitionList& partitions = view.value.partitions;
        if (view.value.producer_id == producer && !IsOver(view.value) &&
            std::find(partitions.begin(), partitions.end(), partition) != partitions.end()) {
          return true;
        }
      }
    }
    return false;
  }

  std::vector<LogEnd> logs_;
  std::vector<OpenTransaction> transactions_;
  std::vector<OpenCall> calls_;
};

// From here on messages take a little time, so that what is tried again at once does not keep the
// clock from running.
void HealAll(sim::World& world, const sim::SearchSpace& space, sim::Observer* observer) {
  world.SetLatency({.least = kLatency, .most = kLatency});
  std::vector<sim::Route> held;
  for (const sim::Link& link : world.network().links) {
    if (!link.queue.empty() && link.queue.front().rule != 0) held.push_back(link.route);
  }
  for (const sim::Route& route : held) world.ReleaseFront(route, observer);
  for (size_t i = 0; i < world.process_count(); ++i) {
    const sim::ProcessId process(static_cast<int32_t>(i));
    world.Resume(process, observer);
  }
  for (const auto* comes_back : {&space.may_crash, &space.may_restart}) {
    for (const sim::ProcessId process : *comes_back) world.Restart(process, observer);
  }
}

}  // namespace

std::string_view NameOf(Recovery recovery) {
  switch (recovery) {
    case Recovery::kAtOnce:
      return "at once";
    case Recovery::kByTimeout:
      return "by a timeout";
    case Recovery::kByOperator:
      return "by an operator";
    case Recovery::kNotInTime:
      return "not in that time";
  }
  return "?";
}

Drained Drain(const sim::World& state, const sim::SearchSpace& space, const NameTable& names,
              sim::Duration limit, sim::Observer* observer) {
  const OpenThings open(Subject(state, names));
  Drained drained{.end = state};
  sim::World& world = drained.end;
  HealAll(world, space, observer);
  bool only_logs = false;
  for (sim::Duration at = kAtOnce;;
       at = std::min(at == kAtOnce ? kDrainStep : at + kDrainStep, limit)) {
    world.RunUntil(state.now() + at, observer);
    const auto unfinished = open.FirstUnfinished(Subject(world, names), only_logs);
    drained.took = at;
    if (!unfinished.has_value()) {
      drained.recovery = at == kAtOnce ? Recovery::kAtOnce : Recovery::kByTimeout;
      return drained;
    }
    if (at >= limit) {
      drained.unfinished = *unfinished;
      break;
    }
  }
  drained.recovery = only_logs && open.OnlyHanging(Subject(world, names)) ? Recovery::kByOperator
                                                                          : Recovery::kNotInTime;
  return drained;
}

}  // namespace kafkasim::scenarios
