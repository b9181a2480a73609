#include "scenarios/operations.h"

#include <algorithm>

namespace kafkasim::scenarios {

const RawField* RawRequest::Find(std::string_view name) const {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const RawField& field) { return field.name == name; });
  return found == fields.end() ? nullptr : &*found;
}

}  // namespace kafkasim::scenarios
