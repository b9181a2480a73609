// A program of an application: what its author wrote around the Kafka clients, as a tree that reads
// like pseudo-code. It is immutable and shared by all copies of a world; where an application is in
// it stands in program_run.h.
//
//   loop:
//   - poll
//   - begin_transaction
//   - for_each: record
//     do: [send: ...]
//   - send_offsets
//   - commit_transaction
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "broker/error_code.h"
#include "broker/ids.h"
#include "client/call.h"
#include "client/exception.h"
#include "client/external_message.h"
#include "client/rebalance_callback.h"
#include "client/text_template.h"
#include "sim/ids.h"
#include "sim/strong_int.h"
#include "sim/time.h"

namespace kafkasim::client {

// An index into Program::blocks; 0 is the whole.
using BlockId = sim::StrongInt<struct BlockIdTag, int32_t>;
inline constexpr BlockId kMainBlock{0};

// --- What a line does ----------------------------------------------------------------------------

// A call of one of the clients with fixed arguments: init_transactions, poll, flush, ...
struct CallLine {
  Operation operation{};
};

// producer.send(...): returns when the record is in the accumulator; nobody looks at its future.
struct SendLine {
  broker::TopicId topic{-1};
  std::optional<int32_t> partition{};
  std::optional<TextTemplate> key{};
  TextTemplate value{};
};

// producer.sendOffsetsToTransaction(...): inside a for_each the offset after the current record,
// outside the positions of all assigned partitions.
struct SendOffsetsLine {
  bool group_id_alone = false;  // without generation and member: the coordinator compares nothing
};

// consumer.commitSync(...) or commitAsync: offsets as for send_offsets.
struct CommitLine {
  bool async = false;
};

// A call of a service or a statement to a database.
struct ExternalLine {
  sim::ProcessId to = sim::kNoProcess;
  ExternalVerb verb = ExternalVerb::kCall;
  TextTemplate with{};                                      // kCall
  std::optional<TextTemplate> idempotency_key{};            // kCall
  std::vector<std::pair<std::string, TextTemplate>> row{};  // kInsert, kUpsert
  bool skip_duplicates = false;                             // kInsert: ON CONFLICT DO NOTHING
  sim::Duration timeout = sim::Seconds(10);
};

// The application thinks for so long.
struct WorkLine {
  sim::Duration duration{};
};

// The process dies here: every time, or only the first time in the run.
struct CrashLine {
  bool once = true;
};

// A block inside the block.
struct InnerLine {
  BlockId block{};
};

// How a handler of an error, or the program, ends.
enum class EndKind : uint8_t {
  kContinue,  // with the next round of the innermost loop; outside of one with the next line
  kRetry,     // the line that failed
  kRestart,   // close the clients, make new ones, begin from the top
  kStop,      // close the clients; the program is through
};
struct EndLine {
  EndKind kind = EndKind::kContinue;
};

struct Line {
  using What = std::variant<CallLine, SendLine, SendOffsetsLine, CommitLine, ExternalLine, WorkLine,
                            CrashLine, InnerLine, EndLine>;

  What what{};
  std::string verb{};  // as in the language: "send"
  std::string text{};  // as written, on one line
  int32_t number = 0;  // in the file
  int32_t index = 0;   // among all lines of the program
};

// --- The tree ------------------------------------------------------------------------------------

struct Block {
  enum class Kind : uint8_t {
    kOnce,     // the whole, a callback, a handler
    kLoop,     // for ever
    kTimes,    // so many rounds
    kForEach,  // a round for each record of the last poll
    kIf,       // once, under a condition
  };
  enum class Condition : uint8_t {
    kRecords,  // the last poll gave some
    kNoRecords,
    kInTransaction,  // the producer's transaction is open
    kNotInTransaction,
  };

  Kind kind = Kind::kOnce;
  int64_t times = 1;                          // kTimes
  Condition condition = Condition::kRecords;  // kIf
  std::vector<Line> lines{};
};

// `catch (...)`: the first that fits is run.
struct ErrorHandler {
  enum class Catches : uint8_t { kAny, kClass, kCode, kException };

  Catches catches = Catches::kAny;
  ErrorClass error_class = ErrorClass::kNone;         // kClass
  broker::ErrorCode code = broker::ErrorCode::kNone;  // kCode
  std::string exception{};                            // kException: "TimeoutException"
  std::string text{};                                 // as written
  BlockId block{};

  [[nodiscard]] bool Fits(const ApiError& error) const;
};

struct Program {
  std::vector<Block> blocks{};
  std::vector<ErrorHandler> on_error{};
  std::optional<BlockId> on_assigned{};
  std::optional<BlockId> on_revoked{};
  std::optional<BlockId> on_lost{};  // default: as on_revoked, as in Java
  int32_t line_count = 0;

  [[nodiscard]] const Block& block(BlockId id) const {
    return blocks[static_cast<size_t>(id.value())];
  }
  [[nodiscard]] std::optional<BlockId> CallbackFor(RebalanceCallback::Kind kind) const;
  [[nodiscard]] bool has_listener() const {
    return on_assigned.has_value() || on_revoked.has_value() || on_lost.has_value();
  }
};

using ProgramRef = std::shared_ptr<const Program>;

}  // namespace kafkasim::client
