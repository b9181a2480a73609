// Forms of what stands before the steps. Each declares its names to the reader.

#pragma once

#include <vector>

#include "scenarios/cluster.h"
#include "scenarios/form.h"
#include "scenarios/reader.h"
#include "scenarios/scenario.h"
#include "scenarios/yaml_tree.h"

namespace kafkasim::scenarios {

Form<ClusterSpec> ClusterForm();
Form<std::vector<TopicSpec>> TopicsForm();
Form<std::vector<ActorSpec>> ActorsForm();
Form<std::vector<Variant>> MatrixForm();

// Declares what can be known before anything is read: the internal topics, the transactional ids of
// actors, variants and raw requests, and whether a section is missing or broken.
void DeclareNames(const Node& root, Reader& reader);

}  // namespace kafkasim::scenarios
