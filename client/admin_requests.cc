// What an administrator's client sends for the keys of a call, and what it makes of the answers.
#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "broker/messages_transaction.h"
#include "client/admin.h"
#include "client/events.h"

namespace kafkasim::client {

using broker::BrokerId;
using broker::ErrorCode;

void Admin::SendKeys(sim::Context& context, AdminTask& task) {
  std::vector<std::pair<BrokerId, std::vector<size_t>>> groups;
  for (size_t i = 0; i < task.keys().size(); ++i) {
    const AdminKey& key = task.keys()[i];
    if (key.answer != nullptr || key.request != 0 || key.retry_at > context.now()) continue;
    const BrokerId broker = Resolve(context, task, i);
    if (broker == broker::kNoBroker) continue;
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
      return task.BatchesKeys() && group.first == broker;
    });
    if (same == groups.end()) {
      groups.push_back({broker, {i}});
    } else {
      same->second.push_back(i);
    }
  }
  for (auto& [broker, keys] : groups) {
    if (!connection_.Ready(context, broker)) continue;
    SendRequest(context, task, broker, std::move(keys), /*finds_coordinator=*/false);
  }
}

BrokerId Admin::Resolve(sim::Context& context, AdminTask& task, size_t index) {
  AdminKey& key = task.keys()[index];
  if (key.broker != broker::kNoBroker) return key.broker;
  if (task.lookup() == AdminLookup::kLeader) {
    key.broker = connection_.metadata().LeaderOf(key.partition);
    if (key.broker == broker::kNoBroker) {
      Delay(context, task, key, /*find_again=*/true, broker::Name(broker::ApiKey::kMetadata),
            ErrorCode::kLeaderNotAvailable);
    }
    return key.broker;
  }
  const std::optional<BrokerId> any = connection_.LeastLoaded(context.now());
  if (!any.has_value() || !connection_.Ready(context, *any)) return broker::kNoBroker;
  if (task.lookup() == AdminLookup::kAnyBroker) return *any;
  SendRequest(context, task, *any, {index}, /*finds_coordinator=*/true);
  return broker::kNoBroker;
}

void Admin::SendRequest(sim::Context& context, AdminTask& task, BrokerId broker,
                        std::vector<size_t> keys, bool finds_coordinator) {
  const uint64_t number = ++next_request_;
  sim::PayloadRef request = finds_coordinator
                                ? broker::MakeMessage(broker::FindCoordinatorRequest{
                                      .key = task.keys()[keys.front()].transactional_id})
                                : task.MakeRequest(keys);
  connection_.Send(context, broker, std::move(request), number);
  for (const size_t key : keys) task.keys()[key].request = number;
  ++task.requests;
  under_way_.push_back({.number = number,
                        .call = task.call()->id(),
                        .finds_coordinator = finds_coordinator,
                        .keys = std::move(keys)});
}

void Admin::TakeAnswer(sim::Context& context, AdminTask& task, const UnderWay& asked,
                       const Completed& completed) {
  const std::string_view api =
      broker::Name(asked.finds_coordinator ? broker::ApiKey::kFindCoordinator : task.api());
  for (const size_t index : asked.keys) {
    AdminKey& key = task.keys()[index];
    key.request = 0;
    if (completed.how != Completed::How::kAnswered) {
      Delay(context, task, key, /*find_again=*/true, api,
            completed.how == Completed::How::kTimedOut ? ErrorCode::kRequestTimedOut
                                                       : ErrorCode::kNetworkException);
      continue;
    }
    if (asked.finds_coordinator) {
      TakeCoordinator(context, task, key, *completed.response);
      continue;
    }
    const ErrorCode error = task.ErrorFor(key, *completed.response);
    switch (task.ReactionTo(error)) {
      case AdminReaction::kSettled:
        key.answer = completed.response;
        break;
      case AdminReaction::kRetry:
        Delay(context, task, key, /*find_again=*/false, api, error);
        break;
      case AdminReaction::kFindAgain:
        Delay(context, task, key, /*find_again=*/true, api, error);
        break;
      case AdminReaction::kFail:
        if (task.finished()) break;
        task.Fail(ErrorFromCode(
            error, broker::IsRetriable(error) ? ErrorClass::kRetriable : ErrorClass::kFatal,
            fmt::format("{} of {} at broker {}", api,
                        task.NameOf(key, connection_.metadata().image().get()), completed.broker)));
        break;
    }
  }
}

void Admin::TakeCoordinator(sim::Context& context, AdminTask& task, AdminKey& key,
                            const sim::Payload& response) {
  const auto& found = broker::BodyOf<broker::FindCoordinatorResponse>(response);
  if (found.error == ErrorCode::kNone) {
    key.broker = found.broker;
    if (context.tracing()) {
      context.Emit(events::kCoordinatorFound, {{"coordinator", int64_t{found.broker.value()}},
                                               {"transactional_id", key.transactional_id}});
    }
    return;
  }
  Delay(context, task, key, /*find_again=*/true, broker::Name(broker::ApiKey::kFindCoordinator),
        found.error);
}

void Admin::Delay(sim::Context& context, const AdminTask& task, AdminKey& key, bool find_again,
                  std::string_view api, ErrorCode error) {
  const Backoff backoff{sim::Millis(config_.retry_backoff_ms),
                        sim::Millis(config_.retry_backoff_max_ms)};
  key.retry_at = context.now() + backoff.After(key.failures++);
  if (find_again && task.lookup() != AdminLookup::kBroker) {
    key.broker = broker::kNoBroker;
    if (task.lookup() == AdminLookup::kLeader) connection_.metadata().RequestUpdate();
  }
  if (!context.tracing()) return;
  context.Emit(events::kRequestFailed,
               {{"api", std::string(api)},
                {"error", std::string(broker::Name(error))},
                {"reason", "about " + task.NameOf(key, connection_.metadata().image().get())},
                {"retried", true}});
}

}  // namespace kafkasim::client
