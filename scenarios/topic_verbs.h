// What an admin does about topics and records, as Kafka's Admin client calls it: each verb is one
// raw request, written in short.
#pragma once

#include <vector>

#include "scenarios/operation_form.h"

namespace kafkasim::scenarios {

// delete_records, create_topic, delete_topic.
std::vector<Verb> TopicVerbs();

}  // namespace kafkasim::scenarios
