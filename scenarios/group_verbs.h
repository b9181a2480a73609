// The verbs about consumer groups, and forms that they share with the description of actors.

#pragma once

#include <vector>

#include "scenarios/form.h"
#include "scenarios/mark.h"
#include "scenarios/operation_form.h"

namespace kafkasim::scenarios {

std::vector<Verb> GroupVerbs();

// `orders`, or `[orders, payments]`: whole topics.
Form<std::vector<Name>> SubscriptionForm();

}  // namespace kafkasim::scenarios
