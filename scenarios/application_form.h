// How applications and what lies outside Kafka are written.

#pragma once

#include "scenarios/form.h"
#include "scenarios/programs.h"

namespace kafkasim::scenarios {

Form<ApplicationSpec> ApplicationForm();
Form<StoreSpec> StoreForm();
Form<ApiSpec> ApiForm();

// `orders-0`, or `orders` for all of its partitions; one or a list.
Form<std::vector<PartitionName>> AssignForm();

}  // namespace kafkasim::scenarios
