// A moment of a run: all that a picture or an explanation is made from. A value: it can be kept
// while the run goes on.

#pragma once

#include "scenarios/history.h"
#include "scenarios/name_table.h"
#include "sim/world.h"

namespace kafkasim::scenarios {

struct Moment {
  sim::World world;
  NameTable names;
  History history;
};

}  // namespace kafkasim::scenarios
