#include "scenarios/vocabulary.h"

#include <array>
#include <set>
#include <utility>

#include "broker/error_code.h"
#include "broker/message.h"
#include "client/exception.h"
#include "client/external_message.h"

namespace kafkasim::scenarios {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kTransactionStates{{
    {"EMPTY", "Empty"},
    {"ONGOING", "Ongoing"},
    {"PREPARE_COMMIT", "PrepareCommit"},
    {"PREPARE_ABORT", "PrepareAbort"},
    {"COMPLETE_COMMIT", "CompleteCommit"},
    {"COMPLETE_ABORT", "CompleteAbort"},
    {"DEAD", "Dead"},
    {"PREPARE_EPOCH_FENCE", "PrepareEpochFence"},
}};

}  // namespace

const std::vector<std::string>& TransactionStates() {
  static const std::vector<std::string> states = [] {
    std::vector<std::string> names;
    for (const auto& [upper, printed] : kTransactionStates) names.emplace_back(upper);
    return names;
  }();
  return states;
}

std::string CanonicalTransactionState(std::string_view text) {
  for (const auto& [upper, printed] : kTransactionStates) {
    if (text == upper || text == printed) return std::string(upper);
  }
  return "";
}

std::vector<std::string> TransactionStateSpellings() {
  std::vector<std::string> names = TransactionStates();
  for (const auto& [upper, printed] : kTransactionStates) names.emplace_back(printed);
  return names;
}

const std::vector<std::string>& ProducerStates() {
  static const std::vector<std::string> states = {
      "UNINITIALIZED",          "INITIALIZING",         "READY",           "IN_TRANSACTION",
      "COMMITTING_TRANSACTION", "ABORTING_TRANSACTION", "ABORTABLE_ERROR", "FATAL_ERROR",
  };
  return states;
}

const std::vector<std::string>& LifeStates() {
  static const std::vector<std::string> states = {"running", "paused", "crashed"};
  return states;
}

const std::vector<std::string>& ProgramStates() {
  static const std::vector<std::string> states = {"idle", "running", "closing", "through",
                                                  "crashed"};
  return states;
}

std::vector<std::string> ErrorNames() {
  std::vector<std::string> names;
  for (broker::ErrorCode code : broker::AllErrorCodes()) {
    if (code != broker::ErrorCode::kNone) names.emplace_back(broker::Name(code));
  }
  return names;
}

const std::vector<std::string>& ExceptionNames() {
  using client::Exception;
  static const std::vector<std::string> names = [] {
    std::set<std::string_view> all;
    for (broker::ErrorCode code : broker::AllErrorCodes()) all.insert(client::ExceptionOf(code));
    for (Exception own :
         {Exception::kKafka, Exception::kIllegalState, Exception::kIllegalArgument,
          Exception::kConfig, Exception::kTimeout, Exception::kTransactionAborted,
          Exception::kDisconnect, Exception::kCommitFailed, Exception::kRetriableCommitFailed,
          Exception::kRecordTooLarge, Exception::kNoOffsetForPartition, Exception::kDuplicateKey,
          Exception::kExternalService, Exception::kLogTruncation}) {
      all.insert(client::ClientError(own, client::ErrorClass::kFatal, "").ExceptionName());
    }
    all.erase("");
    return std::vector<std::string>(all.begin(), all.end());
  }();
  return names;
}

const std::vector<std::string>& MessageApis() {
  using broker::ApiKey;
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (ApiKey key : {ApiKey::kProduce,
                       ApiKey::kFetch,
                       ApiKey::kListOffsets,
                       ApiKey::kMetadata,
                       ApiKey::kCreateTopics,
                       ApiKey::kDeleteTopics,
                       ApiKey::kDeleteRecords,
                       ApiKey::kUpdateMetadata,
                       ApiKey::kOffsetCommit,
                       ApiKey::kOffsetFetch,
                       ApiKey::kFindCoordinator,
                       ApiKey::kJoinGroup,
                       ApiKey::kHeartbeat,
                       ApiKey::kLeaveGroup,
                       ApiKey::kSyncGroup,
                       ApiKey::kApiVersions,
                       ApiKey::kInitProducerId,
                       ApiKey::kOffsetForLeaderEpoch,
                       ApiKey::kAddPartitionsToTxn,
                       ApiKey::kAddOffsetsToTxn,
                       ApiKey::kEndTxn,
                       ApiKey::kWriteTxnMarkers,
                       ApiKey::kTxnOffsetCommit,
                       ApiKey::kElectLeaders,
                       ApiKey::kAlterPartition,
                       ApiKey::kDescribeProducers,
                       ApiKey::kBrokerRegistration,
                       ApiKey::kDescribeTransactions,
                       ApiKey::kListTransactions,
                       ApiKey::kAllocateProducerIds}) {
      all.emplace_back(broker::Name(key));
    }
    for (const client::ExternalVerb verb :
         {client::ExternalVerb::kCall, client::ExternalVerb::kInsert,
          client::ExternalVerb::kUpsert}) {
      all.emplace_back(client::Name(verb));
    }
    return all;
  }();
  return names;
}

bool NamesTransactionalId(std::string_view api, bool answer) {
  using broker::ApiKey;
  for (ApiKey key : {ApiKey::kAddPartitionsToTxn, ApiKey::kDescribeTransactions}) {
    if (api == broker::Name(key)) return true;
  }
  if (answer) return api == broker::Name(ApiKey::kListTransactions);
  for (ApiKey key : {ApiKey::kProduce, ApiKey::kFindCoordinator, ApiKey::kInitProducerId,
                     ApiKey::kAddOffsetsToTxn, ApiKey::kEndTxn}) {
    if (api == broker::Name(key)) return true;
  }
  return false;
}

bool NamesPartition(std::string_view api) {
  using broker::ApiKey;
  for (ApiKey key : {ApiKey::kProduce, ApiKey::kFetch, ApiKey::kListOffsets, ApiKey::kDeleteRecords,
                     ApiKey::kAddPartitionsToTxn, ApiKey::kWriteTxnMarkers, ApiKey::kAlterPartition,
                     ApiKey::kDescribeProducers, ApiKey::kOffsetForLeaderEpoch}) {
    if (api == broker::Name(key)) return true;
  }
  return false;
}

}  // namespace kafkasim::scenarios
