// How the program ends. The codes are part of its interface; scripts and exercises rely on them.
#pragma once

namespace kafkasim::cli {

enum class ExitCode {
  kHolds = 0,      // done; every claim that was checked held
  kFails = 1,      // a claim did not hold
  kUsage = 2,      // wrong usage, an invalid scenario file, or output that cannot be written
  kNoVerdict = 3,  // nothing failed, but nothing can be said: see Inconclusive
  kBug = 4,        // a fault of the simulator itself
};

// The code of a run over several scenarios. What is to be repaired first wins: the simulator, the
// files, the claims, the doubts.
constexpr ExitCode WorseOf(ExitCode a, ExitCode b) {
  constexpr auto kRank = [](ExitCode code) {
    switch (code) {
      case ExitCode::kHolds:
        return 0;
      case ExitCode::kNoVerdict:
        return 1;
      case ExitCode::kFails:
        return 2;
      case ExitCode::kUsage:
        return 3;
      case ExitCode::kBug:
        return 4;
    }
    return 4;
  };
  return kRank(a) < kRank(b) ? b : a;
}

}  // namespace kafkasim::cli
