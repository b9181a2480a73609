// Forms of names and numbers that stand everywhere in the language.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "broker/bugs.h"
#include "scenarios/form.h"
#include "scenarios/mark.h"
#include "scenarios/patterns.h"
#include "scenarios/references.h"

namespace kafkasim::scenarios {

Form<PartitionName> PartitionForm();
Form<Destination> DestinationForm();
Form<std::string> TopicForm();  // declared in the file
Form<ProcessName> ProcessForm();
Form<std::string> TransactionalIdForm();
Form<ProducerName> ProducerNameForm();
Form<std::int32_t> BrokerForm();  // a broker's id

// `6`, or `{at_least: 3, at_most: 7}`; -1 is a number that Kafka uses for "none".
Form<NumberPattern> NumberForm();

// The name that `as:` gives.
Form<Name> HandleForm();

// Regular expressions of the same for the schema.
inline constexpr const char* kPartitionPattern = "^[A-Za-z0-9._-]+-[0-9]+$";
inline constexpr const char* kNamePattern = "^[A-Za-z_][A-Za-z0-9_-]*$";

// The same regular expressions as schemas.
SchemaRef PartitionSchema();

// A rule of Kafka's that can be switched off: lso_is_high_watermark.
Form<broker::Bug> BugForm();
// One of them, or a list.
Form<broker::Bugs> BugsForm();

}  // namespace kafkasim::scenarios
