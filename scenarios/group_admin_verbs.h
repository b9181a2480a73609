// What an admin does about the offsets of a group, as Kafka's Admin client calls it. Each verb is
// one raw request to the group's coordinator, without the retries of Java's client.
#pragma once

#include <vector>

#include "scenarios/operation_form.h"

namespace kafkasim::scenarios {

// alter_consumer_group_offsets, list_consumer_group_offsets.
std::vector<Verb> GroupAdminVerbs();

}  // namespace kafkasim::scenarios
