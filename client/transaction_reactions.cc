#include "client/transaction_reactions.h"

namespace kafkasim::client {
namespace {

using broker::ErrorCode;
using R = Reaction;

// Columns in the order of TransactionApi.
struct ReactionRow {
  ErrorCode code;
  R reactions[kTransactionApis.size()];
};

constexpr R kFind = R::kFindCoordinatorAndRetry;
constexpr R kUninit = R::kAbortableThenUninitialized;

// Rows for single codes; the two lines below them stand for all others.
// clang-format off
constexpr ReactionRow kReactions[] = {
    //                                               Produce                 FindCoordinator  InitProducerId  AddPartitionsToTxn    AddOffsetsToTxn       TxnOffsetCommit             EndTxn(commit)        EndTxn(abort)
    {ErrorCode::kNone,                               {R::kProceed,           R::kProceed,     R::kProceed,    R::kProceed,          R::kProceed,          R::kProceed,                R::kProceed,          R::kProceed}},
    {ErrorCode::kNotCoordinator,                     {R::kRetry,             R::kRetry,       kFind,          kFind,                kFind,                kFind,                      kFind,                kFind}},
    {ErrorCode::kCoordinatorNotAvailable,            {R::kRetry,             R::kRetry,       kFind,          kFind,                kFind,                kFind,                      kFind,                kFind}},
    {ErrorCode::kRequestTimedOut,                    {R::kRetry,             R::kRetry,       R::kRetry,      R::kRetry,            R::kRetry,            kFind,                      R::kRetry,            R::kRetry}},
    {ErrorCode::kConcurrentTransactions,             {R::kRetry,             R::kRetry,       R::kRetry,      R::kRetrySoon,        R::kRetry,            R::kRetry,                  R::kRetry,            R::kRetry}},
    {ErrorCode::kInvalidProducerEpoch,               {R::kAbortable,         R::kFatalKafka,  R::kFatalAsFenced, R::kFatalAsFenced, R::kFatalAsFenced,    R::kFatalAsFenced,          R::kFatalAsFenced,    R::kFatalAsFenced}},
    {ErrorCode::kProducerFenced,                     {R::kFatal,             R::kFatalKafka,  R::kFatalAsFenced, R::kFatalAsFenced, R::kFatalAsFenced,    R::kFatalAsFenced,          R::kFatalAsFenced,    R::kFatalAsFenced}},
    {ErrorCode::kInvalidProducerIdMapping,           {R::kFatal,             R::kFatalKafka,  R::kFatalKafka, R::kFatal,            R::kFatal,            R::kFatalKafka,             R::kFatal,            R::kFatal}},
    {ErrorCode::kInvalidTxnState,                    {R::kAbortableAsAbortable, R::kFatalKafka, R::kFatalKafka, R::kFatal,          R::kFatal,            R::kFatalKafka,             R::kFatal,            R::kFatal}},
    {ErrorCode::kTransactionAbortable,               {R::kAbortable,         R::kAbortable,   R::kAbortable,  R::kAbortable,        R::kAbortable,        R::kAbortable,              R::kAbortable,        R::kFatalKafka}},
    {ErrorCode::kOutOfOrderSequenceNumber,           {R::kRetryUnlessNext,   R::kFatalKafka,  R::kFatalKafka, R::kAbortableKafka,   R::kFatalKafka,       R::kFatalKafka,             R::kFatalKafka,       R::kFatalKafka}},
    {ErrorCode::kUnknownProducerId,                  {R::kResetAndRetry,     R::kFatalKafka,  R::kFatalKafka, R::kAbortableAndBump, R::kAbortableAndBump, R::kFatalKafka,             R::kAbortableAndBump, R::kAbortableAndBump}},
    {ErrorCode::kDuplicateSequenceNumber,            {R::kProceed,           R::kFatalKafka,  R::kFatalKafka, R::kAbortableKafka,   R::kFatalKafka,       R::kFatalKafka,             R::kFatalKafka,       R::kFatalKafka}},
    {ErrorCode::kTransactionalIdAuthorizationFailed, {R::kFatal,             R::kFatal,       kUninit,        R::kFatal,            R::kFatal,            R::kFatal,                  R::kFatal,            R::kFatal}},
    {ErrorCode::kTopicAuthorizationFailed,           {R::kAbortable,         R::kFatalKafka,  R::kFatalKafka, R::kAbortable,        R::kFatalKafka,       R::kFatalKafka,             R::kFatalKafka,       R::kFatalKafka}},
    {ErrorCode::kGroupAuthorizationFailed,           {R::kAbortable,         R::kAbortable,   R::kFatalKafka, R::kAbortableKafka,   R::kAbortable,        R::kAbortable,              R::kFatalKafka,       R::kFatalKafka}},
    {ErrorCode::kUnsupportedVersion,                 {R::kFatal,             R::kFatalKafka,  R::kFatalKafka, R::kAbortableKafka,   R::kFatalKafka,       R::kFatalKafka,             R::kFatalKafka,       R::kFatalKafka}},
    {ErrorCode::kUnsupportedForMessageFormat,        {R::kAbortable,         R::kFatalKafka,  R::kFatalKafka, R::kAbortableKafka,   R::kFatalKafka,       R::kFatal,                  R::kFatalKafka,       R::kFatalKafka}},
    {ErrorCode::kFencedInstanceId,                   {R::kAbortable,         R::kFatalKafka,  R::kFatalKafka, R::kAbortableKafka,   R::kFatalKafka,       R::kAbortable,              R::kFatalKafka,       R::kFatalKafka}},
    {ErrorCode::kUnknownMemberId,                    {R::kAbortable,         R::kFatalKafka,  R::kFatalKafka, R::kAbortableKafka,   R::kFatalKafka,       R::kAbortableCommitFailed,  R::kFatalKafka,       R::kFatalKafka}},
    {ErrorCode::kIllegalGeneration,                  {R::kAbortable,         R::kFatalKafka,  R::kFatalKafka, R::kAbortableKafka,   R::kFatalKafka,       R::kAbortableCommitFailed,  R::kFatalKafka,       R::kFatalKafka}},
    {ErrorCode::kGroupIdNotFound,                    {R::kAbortable,         R::kFatalKafka,  R::kFatalKafka, R::kAbortableKafka,   R::kFatalKafka,       R::kAbortableCommitFailed,  R::kFatalKafka,       R::kFatalKafka}},
    {ErrorCode::kStaleMemberEpoch,                   {R::kAbortable,         R::kFatalKafka,  R::kFatalKafka, R::kAbortableKafka,   R::kFatalKafka,       R::kAbortableCommitFailed,  R::kFatalKafka,       R::kFatalKafka}},
};
constexpr R kOtherRetriable[] =                      {R::kRetry,             R::kRetry,       R::kRetry,      R::kRetry,            R::kRetry,            R::kRetry,                  R::kRetry,            R::kRetry};
constexpr R kOther[] =                               {R::kAbortable,         R::kFatalKafka,  R::kFatalKafka, R::kAbortableKafka,   R::kFatalKafka,       R::kFatalKafka,             R::kFatalKafka,       R::kFatalKafka};
// clang-format on

}  // namespace

std::string_view Name(Reaction reaction) {
  switch (reaction) {
    case R::kProceed:
      return "proceed";
    case R::kRetry:
      return "retry";
    case R::kRetrySoon:
      return "retry soon";
    case R::kFindCoordinatorAndRetry:
      return "find the coordinator and retry";
    case R::kRetryUnlessNext:
      return "retry unless it is the next batch";
    case R::kResetAndRetry:
      return "reset sequences and retry";
    case R::kAbortable:
      return "abortable";
    case R::kAbortableAndBump:
      return "abortable with an epoch bump";
    case R::kAbortableAsAbortable:
      return "abortable as TransactionAbortableException";
    case R::kAbortableKafka:
      return "abortable as KafkaException";
    case R::kAbortableCommitFailed:
      return "abortable as CommitFailedException";
    case R::kAbortableThenUninitialized:
      return "abortable, then uninitialized";
    case R::kFatal:
      return "fatal";
    case R::kFatalAsFenced:
      return "fatal as ProducerFencedException";
    case R::kFatalKafka:
      return "fatal as KafkaException";
  }
  return "?";
}

Reaction ReactionTo(TransactionApi api, broker::ErrorCode code) {
  const auto column = static_cast<size_t>(api);
  for (const ReactionRow& row : kReactions) {
    if (row.code == code) return row.reactions[column];
  }
  return broker::IsRetriable(code) ? kOtherRetriable[column] : kOther[column];
}

std::ostream& operator<<(std::ostream& out, Reaction reaction) { return out << Name(reaction); }

}  // namespace kafkasim::client
