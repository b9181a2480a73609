// The timers of the group coordinator; the argument of each is a partition and its epoch. Private
// to the coordinator's sources.
#pragma once

#include <cstdint>

namespace kafkasim::coordinator {

enum class GroupTimer : uint32_t {
  kLoad,    // the log has been read
  kWake,    // a session, a join phase or a sync phase may be over
  kExpiry,  // offsets.retention.check.interval.ms
};

}  // namespace kafkasim::coordinator
