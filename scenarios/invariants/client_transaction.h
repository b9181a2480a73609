// A transaction as the application of a producer sees it: what it sent, what it asked for, what it
// was answered. Read from the log of its calls.
#pragma once

#include <vector>

#include "client/call_result.h"

namespace kafkasim::scenarios {

struct ClientTransaction {
  enum class Outcome : uint8_t { kOpen, kUnknown, kCommitted, kAborted };

  Outcome outcome = Outcome::kOpen;  // kUnknown: asked to end, no or no good answer
  bool commit_asked = false;
  // Those that the application knows to be written.
  std::vector<client::RecordMetadata> acknowledged{};
};

// In the order in which they were begun.
[[nodiscard]] std::vector<ClientTransaction> TransactionsOf(const client::CallLog& calls);

}  // namespace kafkasim::scenarios
