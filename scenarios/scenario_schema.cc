#include "scenarios/scenario_schema.h"

#include "scenarios/scenario_form.h"
#include "scenarios/schema.h"

namespace kafkasim::scenarios {

std::string ScenarioSchema() {
  return ToJson(*ScenarioForm().schema, "urn:kafkasim:schema:scenario-1", "kafkasim scenario");
}

}  // namespace kafkasim::scenarios
