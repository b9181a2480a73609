// Named fields of requests and answers, as api_catalog.h lists them: how their values are written.

#pragma once

#include <utility>
#include <vector>

#include "scenarios/api_catalog.h"
#include "scenarios/form.h"
#include "scenarios/mapping_form.h"
#include "scenarios/operations.h"

namespace kafkasim::scenarios {

// A list in an answer may be empty, which says something; in a request it would say nothing.
enum class FieldUse { kRequest, kAnswer };
Form<RawField::Value> FieldValueForm(ApiField::Type type, FieldUse use);

// The fields of a catalog that go into `member`. Those of answers are all optional.
template <typename X>
std::vector<Field<X>> ApiFields(const std::vector<ApiField>& fields,
                                std::vector<RawField> X::*member, FieldUse use) {
  std::vector<Field<X>> forms;
  for (const ApiField& field : fields) {
    const auto take = [name = field.name, member](RawField::Value value, const Node& node, Reader&,
                                                  X& out) {
      (out.*member).push_back(RawField{name, std::move(value), node.mark});
      return true;
    };
    forms.push_back(
        Taking<X>(field.name, FieldValueForm(field.type, use), take, field.description));
    forms.back().required = field.required && use == FieldUse::kRequest;
  }
  return forms;
}

}  // namespace kafkasim::scenarios
