// A fault in words, as the file writes it.

#pragma once

#include <string>

#include "scenarios/faults.h"

namespace kafkasim::scenarios {

// "crash broker-1", "hold request EndTxn from old", "partition [old] [broker-0]".
std::string FaultText(const FaultStep& fault);

}  // namespace kafkasim::scenarios
