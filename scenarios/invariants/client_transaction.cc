#include "scenarios/invariants/client_transaction.h"

#include <variant>

namespace kafkasim::scenarios {
namespace {

void TakeRecords(const client::CallResult& result, ClientTransaction& transaction) {
  const auto* sent = std::get_if<client::SentRecords>(&result.value);
  if (sent == nullptr) return;
  for (const client::RecordMetadata& record : sent->records) {
    if (record.done && record.offset != broker::kNoOffset) {
      transaction.acknowledged.push_back(record);
    }
  }
}

}  // namespace

std::vector<ClientTransaction> TransactionsOf(const client::CallLog& calls) {
  std::vector<ClientTransaction> transactions;
  bool inside = false;
  for (const client::CallResult& result : calls.results()) {
    if (result.operation == "begin_transaction" && result.ok()) {
      transactions.emplace_back();
      inside = true;
    }
    if (!inside) continue;
    ClientTransaction& transaction = transactions.back();
    if (result.operation == "send") {
      TakeRecords(result, transaction);
    } else if (result.operation == "commit_transaction") {
      transaction.commit_asked = true;
      transaction.outcome = result.ok() ? ClientTransaction::Outcome::kCommitted
                                        : ClientTransaction::Outcome::kUnknown;
      inside = !result.ok();
    } else if (result.operation == "abort_transaction" ||
               (result.operation == "close" && !transaction.commit_asked)) {
      // A close aborts what is open, and finishes a commit that was asked for.
      transaction.outcome =
          result.ok() ? ClientTransaction::Outcome::kAborted : ClientTransaction::Outcome::kUnknown;
      inside = !result.ok();
    } else if (result.operation == "init_transactions") {
      // A new life of the application: what was open then is for the coordinator to end.
      inside = false;
    }
  }
  return transactions;
}

}  // namespace kafkasim::scenarios
