// Colours by the role of what is printed: fixed, from the 16 of any terminal, on its own
// background. Nothing is said by colour alone; every role also has a word or a shape.
#pragma once

#include <string_view>

namespace kafkasim::cli {

enum class Role {
  kPlain,
  kStrong,         // titles, headings
  kFaint,          // times, notes, what matters less
  kCommitted,      // [a] decided for good
  kUndecided,      // (d) in an open transaction
  kAborted,        // ~x~
  kCommitMarker,   // the COMMIT marker
  kAbortMarker,    // the ABORT marker
  kLogEnd,         // log_end_offset
  kHighWatermark,  // high_watermark
  kLastStable,     // last_stable_offset
  kVoice,          // what the script says to the class
  kGood,           // an expectation that held
  kError,          // a refusal, a claim that failed
  kDoubt,          // no verdict
  kFault,          // a crash, a lost message
  kTransaction,    // a state of a transaction
};

// The parameters of the terminal's "select graphic rendition" sequence; "" for none.
[[nodiscard]] std::string_view Sgr(Role role);

}  // namespace kafkasim::cli
