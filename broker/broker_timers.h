// What the timers of a broker are for, and what their argument says. Private to the broker's
// sources.
#pragma once

#include <cstdint>

namespace kafkasim::broker {

enum class BrokerTimer : uint32_t {
  kWriteExpiry = 1,     // id in PendingWrites
  kFetchExpiry,         // id in WaitingFetches
  kSessionExpiry,       // follower
  kFetcher,             // leader: a delay or the back-off ends
  kVerificationExpiry,  // coordinator
  kVerificationRetry,   // ticket of a PendingProduce
  kLagCheck,            // nothing
  kCallExpiry,          // correlation of an OpenCall
  kMarkerExpiry,        // id in PendingWrites
  kService = 1'000,     // + 1000 * index of the service + its kind
};

inline constexpr uint32_t kServiceTimerKinds = 1'000;

}  // namespace kafkasim::broker
