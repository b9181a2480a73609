// Claims about programs of applications, and about databases and services outside Kafka.

#pragma once

#include <string>
#include <vector>

#include "scenarios/expectations.h"
#include "scenarios/mapping_form.h"
#include "scenarios/mismatch.h"
#include "scenarios/snapshot.h"

namespace kafkasim::scenarios {

// How they are written, as keys of the expectations of an actor.
std::vector<Field<ActorExpectation>> OutsideFields();

// Whether this kind of actor has what is claimed of it; if not, that is reported.
bool CheckOutsideClaims(const ActorExpectation& claim, const Names::Actor& actor, Reader& reader);

std::size_t CountOutsideClaims(const ActorExpectation& claim);

// What does not hold is added to `found`.
void CheckOutside(const ActorExpectation& claim, const ActorView& view, MismatchList& found);

// Each claim in words.
std::vector<std::string> OutsideTexts(const ActorExpectation& claim);

}  // namespace kafkasim::scenarios
