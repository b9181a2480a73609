// The verbs that actors have: how their arguments and results are written.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/api_catalog.h"
#include "scenarios/cluster.h"
#include "scenarios/form.h"
#include "scenarios/mapping_form.h"
#include "scenarios/operations.h"
#include "scenarios/outcomes.h"

namespace kafkasim::scenarios {

template <typename T>
[[nodiscard]] Form<Operation> AsOperation(Form<T> form) {
  return Map(std::move(form), [](T operation) { return Operation(std::move(operation)); });
}

struct Verb {
  std::string name;
  std::vector<ActorSpec::Role> roles;  // who can do it
  std::string description;
  std::optional<Operation> bare;  // what the verb alone means; nullopt: it needs arguments
  Form<Operation> arguments{};    // no reader: it takes none
  Form<Returns> returns{};        // no reader: it returns nothing
};

// All verbs of all roles. Two roles may have verbs of the same name.
const std::vector<Verb>& Verbs();
std::vector<Verb> AdminVerbs();  // but for `raw`

Form<Operation> RawRequestForm();

// What the verb returns; of `raw` depending on the API.
Form<Returns> IdentityForm();
Form<Returns> SendResultForm();
Form<Returns> PollResultForm();
Form<Returns> OffsetsResultForm();
Form<Returns> RawResultForm();  // of any API
Form<Returns> RawResultForm(const Api& api);

// `fails: PRODUCER_FENCED`
Form<Failure> FailureForm();

}  // namespace kafkasim::scenarios
