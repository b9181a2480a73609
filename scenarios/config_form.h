// Settings as keys of a mapping, one field for each key of a registry (config_keys.h).

#pragma once

#include <string>
#include <vector>

#include "scenarios/config.h"
#include "scenarios/config_keys.h"
#include "scenarios/form.h"
#include "scenarios/mapping_form.h"

namespace kafkasim::scenarios {

// One value of `key`, in the form that config.h describes.
Form<ConfigValue> ConfigValueForm(const ConfigKey& key);

// A field for each of `keys` that adds an entry to the Config.
std::vector<Field<Config>> ConfigFields(const std::vector<ConfigKey>& keys);

// A mapping of nothing but such keys; `what` names it in errors: "producer settings".
Form<Config> ConfigForm(std::string what, const std::vector<ConfigKey>& keys);

// Beside fields of settings: refuses with a better message what is a setting of Kafka without a
// meaning here.
template <typename X>
OtherKeys<X> UnmodelledKeys() {
  return OtherKeys<X>{
      "",
      "",
      nullptr,
      [](const std::string& key, const Reader&) { return IsUnmodelledKey(key); },
      [](const Node& key, const Node&, Reader& reader, X&) {
        reader.Error(key.mark, Quote(key.text) + " is a setting of Kafka that is not modelled");
        return false;
      },
      {}};
}

}  // namespace kafkasim::scenarios
