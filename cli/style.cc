#include "cli/style.h"

namespace kafkasim::cli {

std::string_view Sgr(Role role) {
  switch (role) {
    case Role::kPlain:
      return "";
    case Role::kStrong:
    case Role::kLogEnd:
      return "1";
    case Role::kFaint:
      return "2";
    case Role::kCommitted:
    case Role::kCommitMarker:
      return "1;94";
    case Role::kUndecided:
    case Role::kDoubt:
      return "33";
    case Role::kAborted:
      return "2;9";
    case Role::kAbortMarker:
      return "31";
    case Role::kHighWatermark:
      return "1;36";
    case Role::kLastStable:
      return "1;35";
    case Role::kVoice:
      return "1;36";
    case Role::kGood:
      return "32";
    case Role::kError:
      return "1;31";
    case Role::kFault:
      return "35";
    case Role::kTransaction:
      return "36";
  }
  return "";
}

}  // namespace kafkasim::cli
