// The scenarios that are one thing smaller than a given one, as trees: one actor less, one line of
// a program less, fewer rounds, partitions or brokers. Not every one of them makes sense; who asks
// loads them.

#pragma once

#include <string>
#include <vector>

#include "scenarios/fault_counts.h"
#include "scenarios/yaml_tree.h"

namespace kafkasim::scenarios {

// Large changes first.
[[nodiscard]] std::vector<Node> SmallerScenarios(const Node& scenario);

// The scenario whose `explore:` allows `counts`, and has no victims for what it does not allow.
[[nodiscard]] Node WithFaultCounts(Node scenario, const FaultCounts& counts);

// The scenario with a script that starts its programs and does nothing else.
[[nodiscard]] Node WithoutScript(Node scenario);

// The names of the applications in it.
[[nodiscard]] std::vector<std::string> ProgramNames(const Node& scenario);

}  // namespace kafkasim::scenarios
