// Produce (KafkaApis.handleProduceRequest, ReplicaManager.handleProduceAppend).
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "broker/broker.h"

namespace kafkasim::broker {
namespace {

bool IsTransactional(const RecordBatch& batch) {
  return batch.transactional && batch.has_producer_id();
}

ProduceResponse AllFail(const ProduceRequest& request, ErrorCode error, std::string_view why) {
  ProduceResponse response;
  for (const ProduceRequest::PartitionData& data : request.partitions) {
    response.partitions.push_back(
        {.partition = data.partition, .error = error, .error_message = std::string(why)});
  }
  return response;
}

// What a producer hears of the coordinator's answer about its transaction.
ErrorCode AsProduceError(ErrorCode error, int16_t version) {
  switch (error) {
    case ErrorCode::kNetworkException:
    case ErrorCode::kCoordinatorLoadInProgress:
    case ErrorCode::kCoordinatorNotAvailable:
    case ErrorCode::kNotCoordinator:
      // Retriable for every client, and no reason to refresh metadata.
      return ErrorCode::kNotEnoughReplicas;
    case ErrorCode::kConcurrentTransactions:
      return OperationOfProduce(version) == TransactionOperation::kAddPartition
                 ? error
                 : ErrorCode::kNotEnoughReplicas;
    default:
      return error;
  }
}

absl::Status AsProduceError(absl::Status refusal, int16_t version) {
  const ErrorCode heard = AsProduceError(CodeOf(refusal), version);
  return heard == CodeOf(refusal) ? refusal : KafkaError(heard, std::string(refusal.message()));
}

}  // namespace

void Broker::HandleProduce(sim::Context& context, const sim::RequestIn& in) {
  const auto& request = BodyOf<ProduceRequest>(*in.payload);
  const RecordBatch* transaction = nullptr;
  bool one_transaction = true;
  for (const ProduceRequest::PartitionData& data : request.partitions) {
    if (!IsTransactional(*data.batch)) continue;
    if (transaction == nullptr) transaction = &*data.batch;
    one_transaction = one_transaction && transaction->producer_id == data.batch->producer_id &&
                      transaction->producer_epoch == data.batch->producer_epoch;
  }
  if (transaction != nullptr && !request.transactional_id.has_value()) {
    context.Reply(in.reply_to,
                  MakeMessage(AllFail(request, ErrorCode::kTransactionalIdAuthorizationFailed,
                                      "transactional records without a transactional id")));
    return;
  }
  if (!one_transaction) {
    context.Reply(in.reply_to, MakeMessage(AllFail(request, ErrorCode::kInvalidProducerIdMapping,
                                                   "records of more than one transaction")));
    return;
  }
  const bool adds = OperationOfProduce(request.version) == TransactionOperation::kAddPartition;
  if (transaction != nullptr && (adds || config_->transaction_partition_verification_enable)) {
    StartVerification(
        context,
        PendingProduce{.reply_to = in.reply_to, .request = in.payload, .started = context.now()});
    return;
  }
  AppendProduce(context, in.reply_to, request, nullptr);
}

void Broker::AppendProduce(sim::Context& context, const sim::ReplyTo& reply_to,
                           const ProduceRequest& request, const PendingProduce* verified) {
  ProduceResponse response;
  PendingWrite write;
  bool failed = false;
  for (size_t i = 0; i < request.partitions.size(); ++i) {
    Offset last_offset = kNoOffset;
    response.partitions.push_back(AppendProducedBatch(context, request, i, verified, last_offset));
    if (!context.alive()) return;
    if (response.partitions.back().error != ErrorCode::kNone) {
      failed = true;
    } else if (request.acks == -1) {
      write.waits.push_back({.partition = request.partitions[i].partition,
                             .required = last_offset + 1,
                             .result = static_cast<uint32_t>(i)});
    }
  }
  if (request.acks == 0) {
    // Nobody waits for an answer; a broken connection says that something went wrong.
    if (failed) context.BreakConnection(reply_to);
    return;
  }
  write.reply_to = reply_to;
  write.answer = std::move(response);
  WaitForReplication(context, std::move(write), sim::Millis(request.timeout_ms));
}

ProduceResponse::PartitionResult Broker::AppendProducedBatch(sim::Context& context,
                                                             const ProduceRequest& request,
                                                             size_t index,
                                                             const PendingProduce* verified,
                                                             Offset& last_offset) {
  const ProduceRequest::PartitionData& data = request.partitions[index];
  ProduceResponse::PartitionResult result{.partition = data.partition};
  AppendOptions options{.origin = AppendOrigin::kClient};
  absl::Status refused;
  const TopicImage* topic = image().FindTopic(data.partition.topic);
  if (topic == nullptr || !Knows(data.partition)) {
    refused = KafkaError(ErrorCode::kUnknownTopicOrPartition, "no such partition");
  } else if (request.acks < -1 || request.acks > 1) {
    refused = KafkaError(ErrorCode::kInvalidRequiredAcks,
                         fmt::format("acks is -1, 0 or 1, not {}", request.acks));
  } else if (IsInternalTopic(topic->name)) {
    refused = KafkaError(ErrorCode::kInvalidTopic, "clients do not write to internal topics");
  } else if (verified != nullptr) {
    refused = AsProduceError(verified->parts[index].refusal, request.version);
    options.guard = verified->parts[index].guard;
  }
  if (refused.ok()) {
    const absl::StatusOr<AppendInfo> info =
        Append(context, data.partition, *data.batch, options, request.acks);
    if (info.ok()) {
      result.base_offset = info->first_offset;
      last_offset = info->last_offset;
      if (const Partition* replica = FindReplica(data.partition)) {
        result.log_start_offset = replica->log().log_start_offset();
      }
      return result;
    }
    refused = info.status();
  } else if (context.tracing()) {
    TraceRefusal(context, data.partition, *data.batch, refused, image());
  }
  result.error = CodeOf(refused);
  result.error_message = std::string(refused.message());
  return result;
}

}  // namespace kafkasim::broker
