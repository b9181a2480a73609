// Shared by the forms of steps: what may stand beside every step, and what the body of a step is.

#pragma once

#include <string>
#include <variant>
#include <vector>

#include "scenarios/form.h"
#include "scenarios/mapping_form.h"
#include "scenarios/operation_form.h"
#include "scenarios/steps.h"

namespace kafkasim::scenarios {

// The step's body as a Body, which it becomes if it is not one yet.
template <typename Body>
Body& BodyOf(Step& step) {
  if (!std::holds_alternative<Body>(step.what)) step.what = Body{};
  return std::get<Body>(step.what);
}

// `only:` and `because:`.
std::vector<Field<Step>> StepFields();

// The words that a step other than an action may begin with.
std::vector<std::string> StepKeys();

// A label of the matrix: TV2.
Form<Name> VariantLabelForm();

// The `as:` of an action in the background.
Form<Name> ActionHandleForm();

// `await: NAME` with `returns`, `fails` or `in` beside it.
Form<Step> AwaitForm();

}  // namespace kafkasim::scenarios
