// Named points of the protocol at which a `when:` strikes or a `wait_until:` stops.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "scenarios/mark.h"
#include "scenarios/patterns.h"
#include "scenarios/references.h"

namespace kafkasim::scenarios {

// A log position is reached twice: by the leader's append, and when the high watermark passes it.
enum class LogPoint { kAppended, kReplicated };
// A message is seen twice: when it leaves its sender, and when its receiver is about to handle it.
enum class MessagePoint { kSent, kDelivered };

// `{transaction_record: PREPARE_COMMIT, point: replicated, transactional_id: pay-1}`
struct TransactionRecordTrigger {
  std::string state;  // canonical: PREPARE_COMMIT
  std::optional<std::string> transactional_id;
  LogPoint point = LogPoint::kAppended;
};

// `{marker: COMMIT, partition: orders-0, point: appended}`; `marker: any` for both kinds.
struct MarkerTrigger {
  enum class Kind { kAny, kCommit, kAbort };
  Kind kind = Kind::kAny;
  std::optional<PartitionName> partition;
  std::optional<std::string> transactional_id;
  LogPoint point = LogPoint::kAppended;
};

// `{request: EndTxn, point: delivered, from: old}`, `{answer: EndTxn, ...}`
struct MessageTrigger {
  MessagePattern pattern;
  MessagePoint point = MessagePoint::kSent;
};

// `{program: enrichment, after: send, nth: 10}`, `{program: enrichment, is: idle}`
struct ProgramTrigger {
  enum class When {
    kBefore,   // a line with this verb
    kAfter,    // such a line, when it has returned without an error
    kIdle,     // a poll has waited until its timeout, and nothing came
    kThrough,  // it has closed its clients
    kCrashed,  // an exception that nobody caught has ended it
    kError,    // it has caught an exception
  };
  Name actor;
  When when = When::kAfter;
  std::string verb;  // kBefore, kAfter
};

struct Trigger {
  std::variant<TransactionRecordTrigger, MarkerTrigger, MessageTrigger, ProgramTrigger> event;
  std::int64_t nth = 1;  // the nth time from now on
  Mark mark{};
};

}  // namespace kafkasim::scenarios
