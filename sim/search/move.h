// One step of a search: something that can happen next in a world, by itself or by a fault.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/ids.h"
#include "sim/network.h"
#include "sim/world.h"

namespace kafkasim::sim {

enum class MoveKind : uint8_t {
  kDeliver,  // the message at the front of a link arrives
  kFire,     // time passes until the next timer is due, and it fires
  kHold,     // the message at the front of a link gets stuck, and with it the connection
  kRelease,  // it goes on its way
  kLose,     // the message at the front of a link is lost; its sender learns it by a timeout
  kCrash,    // a process dies: its memory is gone
  kRestart,
  kPause,  // a process stops running, as in a long GC pause
  kResume,
  kOrder,  // an order of the search's space is given to its process
};
[[nodiscard]] std::string_view Name(MoveKind kind);  // "deliver"

struct Move {
  MoveKind kind = MoveKind::kDeliver;
  ProcessId process = kNoProcess;  // who acts, or is struck
  Choice choice{};                 // kDeliver, kFire
  Route route{};                   // of the message that is held, released or lost
  uint32_t order = 0;              // kOrder: which of the space's orders
};

}  // namespace kafkasim::sim
