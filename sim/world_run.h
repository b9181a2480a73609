// How the world runs one handler of a process. Private to the world's own sources.
#pragma once

#include "sim/world.h"

namespace kafkasim::sim {

template <typename Handler>
void World::Run(ProcessId id, EventId cause, Observer* observer, Handler handler) {
  Context context(*this, id, cause, observer);
  handler(*Slot(id).box.Mutable(), context);
  if (context.reaction() == Reaction::kCrash)
    Crash(id, CrashKind::kProcess, observer, context.cause());
  if (context.reaction() == Reaction::kPause) Pause(id, observer, context.cause());
}

}  // namespace kafkasim::sim
