// From the settings of an actor to the configuration of its client.

#pragma once

#include "client/consumer_config.h"
#include "client/producer_config.h"
#include "scenarios/cluster.h"

namespace kafkasim::scenarios {

// Needs an actor of that role out of a file that loaded, where every key and value is known to be
// good. Kafka's rules about several settings together (client::FinishConfig) are not applied yet.
client::ProducerConfig ProducerConfigOf(const ActorSpec& actor);
client::ConsumerConfig ConsumerConfigOf(const ActorSpec& actor);

}  // namespace kafkasim::scenarios
