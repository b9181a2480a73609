// Claims about consumer groups: `groups: {enrichment: {state: STABLE, committed: {orders-0: 7}}}`.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scenarios/expectations.h"
#include "scenarios/form.h"
#include "scenarios/mismatch.h"
#include "scenarios/moment.h"

namespace kafkasim::scenarios {

Form<std::vector<GroupExpectation>> GroupsForm();

std::size_t CountClaims(const GroupExpectation& claim);
std::vector<Mismatch> CheckGroup(const GroupExpectation& claim, const Moment& moment);

// What is claimed, in words.
std::string ClaimText(const GroupExpectation& claim);

}  // namespace kafkasim::scenarios
