#include "coordinator/transaction_coordinator.h"

#include "broker/messages_transaction.h"
#include "coordinator/coordinator_timers.h"
#include "coordinator/coordinator_trace.h"
#include "sim/check.h"

namespace kafkasim::coordinator {

using broker::ApiKey;
using broker::BodyOf;
using broker::Effects;
using broker::ServiceContext;

std::unique_ptr<broker::Service> TransactionCoordinator::Clone() const {
  return std::make_unique<TransactionCoordinator>(*this);
}

void TransactionCoordinator::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(cache_);
  out.Add(markers_);
  out.Add(appends_);
  out.Add(jobs_);
  out.Add(producer_ids_);
  out.Add(abort_sweep_);
  out.Add(expiry_sweep_);
  out.Add(append_retry_armed_);
}

void TransactionCoordinator::Waiting::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(to);
  out.Add(api);
  out.Add(version);
}

void TransactionCoordinator::PendingAppend::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(kind);
  out.Add(partition);
  out.Add(epoch);
  out.Add(transactional_id);
  out.Add(waiting);
  out.Add(request);
  out.Add(transaction);
  out.Add(static_cast<uint32_t>(expired.size()));
  for (const auto& [id, producer_epoch] : expired) {
    out.Add(id);
    out.Add(producer_epoch);
  }
}

void TransactionCoordinator::AddPartitionsJob::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(waiting);
  out.Add(response);
  out.Add(remaining);
}

std::string_view TransactionCoordinator::topic() const { return broker::kTransactionStateTopic; }

bool TransactionCoordinator::Serves(ApiKey key) const {
  return key == ApiKey::kInitProducerId || key == ApiKey::kAddPartitionsToTxn ||
         key == ApiKey::kAddOffsetsToTxn || key == ApiKey::kEndTxn ||
         key == ApiKey::kListTransactions || key == ApiKey::kDescribeTransactions;
}

void TransactionCoordinator::OnStart(const ServiceContext& context, Effects&) {
  const broker::BrokerConfig& config = context.config();
  abort_sweep_.Start(context.now(), sim::Millis(config.transaction_abort_cleanup_interval_ms));
  expiry_sweep_.Start(context.now(), sim::Millis(config.transaction_remove_expired_interval_ms));
}

void TransactionCoordinator::OnRequest(const ServiceContext& context, const sim::RequestIn& request,
                                       Effects& effects) {
  Turn turn{context, effects};
  const ApiKey api = broker::AsMessage(*request.payload).key();
  Waiting waiting{.to = request.reply_to, .api = api};
  switch (api) {
    case ApiKey::kInitProducerId: {
      const auto& body = BodyOf<broker::InitProducerIdRequest>(*request.payload);
      waiting.version = body.version;
      return HandleInitProducerId(turn, waiting, body);
    }
    case ApiKey::kAddPartitionsToTxn: {
      const auto& body = BodyOf<broker::AddPartitionsToTxnRequest>(*request.payload);
      waiting.version = body.version;
      return HandleAddPartitions(turn, waiting, body);
    }
    case ApiKey::kAddOffsetsToTxn: {
      const auto& body = BodyOf<broker::AddOffsetsToTxnRequest>(*request.payload);
      waiting.version = body.version;
      return HandleAddOffsets(turn, waiting, body);
    }
    case ApiKey::kEndTxn: {
      const auto& body = BodyOf<broker::EndTxnRequest>(*request.payload);
      waiting.version = body.version;
      return HandleEndTxn(turn, waiting, body);
    }
    case ApiKey::kListTransactions:
      return HandleListTransactions(turn, waiting,
                                    BodyOf<broker::ListTransactionsRequest>(*request.payload));
    case ApiKey::kDescribeTransactions:
      return HandleDescribeTransactions(
          turn, waiting, BodyOf<broker::DescribeTransactionsRequest>(*request.payload));
    default:
      KAFKASIM_CHECK(false, "only requests that the coordinator serves reach it");
  }
}

void TransactionCoordinator::OnAppended(const ServiceContext& context, uint64_t token,
                                        broker::ErrorCode error, Effects& effects) {
  Turn turn{context, effects};
  const PendingAppend append = appends_.Mutable().Take(static_cast<uint32_t>(token));
  OnRecordAppended(turn, append, error);
}

void TransactionCoordinator::OnAnswer(const ServiceContext& context, uint64_t token,
                                      const sim::PayloadRef& response, Effects& effects) {
  Turn turn{context, effects};
  if (token == kProducerIdsToken) return OnProducerIds(turn, response);
  OnMarkersAnswered(turn, MarkersTokenBroker(token), response);
}

void TransactionCoordinator::OnTimer(const ServiceContext& context, uint32_t kind,
                                     uint64_t argument, Effects& effects) {
  Turn turn{context, effects};
  switch (static_cast<CoordinatorTimer>(kind)) {
    case CoordinatorTimer::kAbortSweep:
      if (abort_sweep_.IsDue(context.now())) AbortTimedOutTransactions(turn);
      return;
    case CoordinatorTimer::kExpirySweep:
      if (expiry_sweep_.IsDue(context.now())) RemoveExpiredTransactionalIds(turn);
      return;
    case CoordinatorTimer::kLoad: {
      const auto [index, epoch] = LoadArgument(argument);
      if (cache_->IsLoading(index, epoch)) Load(turn, index, epoch);
      return;
    }
    case CoordinatorTimer::kReconnect:
      markers_.Mutable().EndBackoff(broker::BrokerId(static_cast<int32_t>(argument)));
      return RunSender(turn);
    case CoordinatorTimer::kAppendRetry:
      append_retry_armed_ = false;
      return RunSender(turn);
  }
  KAFKASIM_CHECK(false, "the coordinator knows its timers");
}

void TransactionCoordinator::OnCrash() { *this = TransactionCoordinator(options_); }

broker::ErrorCode TransactionCoordinator::Refuse(Turn& turn, Refusal refusal, const Asked& asked,
                                                 int16_t version,
                                                 const TransactionMetadata* metadata) {
  const broker::ErrorCode error = ErrorForVersion(ErrorOf(refusal), asked.api, version);
  if (turn.context.tracing()) {
    turn.effects.push_back(RefusedPoint(refusal, error, asked, metadata));
  }
  return error;
}

std::optional<Refusal> TransactionCoordinator::StandingRefusal(
    const TransactionCache::Located& located) {
  switch (located.standing) {
    case TransactionCache::Standing::kHere:
      return std::nullopt;
    case TransactionCache::Standing::kLoading:
      return Refusal::kLoading;
    case TransactionCache::Standing::kElsewhere:
      return Refusal::kNotCoordinator;
  }
  KAFKASIM_CHECK(false, "a transactional id has a standing");
}

}  // namespace kafkasim::coordinator
