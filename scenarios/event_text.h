// An event of the trace as one line for people. Plain text: colours and widths are for the terminal
// to choose, by category and importance.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "scenarios/history.h"
#include "scenarios/name_table.h"
#include "sim/trace.h"

namespace kafkasim::scenarios {

enum class EventCategory {
  kScript,       // a step, a sentence for the class
  kCall,         // a client's API call and its result
  kAppend,       // a batch in a log, or refused
  kMarker,       // a marker in a log, or refused
  kTransaction,  // the coordinator's transaction state
  kGroup,        // members and offsets of consumer groups
  kPosition,     // high watermark, last stable offset
  kReplication,  // followers, ISR
  kCluster,      // elections, sessions of brokers
  kFault,        // crash, pause, partition, held and lost messages
  kMessage,      // requests and answers
  kJudgement,    // expectations, verdict
};

enum class Importance {
  kNormal,   // what a lecture shows
  kVerbose,  // every message and every step of replication
};

// 0.412s  old  commit_transaction → PRODUCER_FENCED  epoch 0 of producer 7 is older than 1
struct EventText {
  EventCategory category = EventCategory::kScript;
  Importance importance = Importance::kNormal;
  bool is_error = false;
  bool repeats = false;  // comes again and again by itself: to be told once, then counted
  std::string time{};    // "0.412s"
  std::string actor{};   // "old", "broker-1"; "" for the script
  std::string what{};    // "commit_transaction", "appended", "PREPARE_COMMIT"
  std::string result{};  // "PRODUCER_FENCED", "orders-0 @4", ""
  std::string reason{};  // why, or with what; ""

  // `what → result: reason`, without the parts that are empty.
  std::string Sentence() const;
};

// An error passes through several hands, and each puts its code before or behind the text. This is
// the text with each code once, without the one that is `said` already.
std::string WithEachCodeOnce(std::string_view reason, std::string_view said);

// What the text of an event of this kind has at most: most events are messages, and need not be put
// into words to be left out.
Importance HighestImportance(const sim::EventKind& kind);

EventText TextOf(const sim::TraceEvent& event, const NameTable& names, const History& history);

}  // namespace kafkasim::scenarios
