// The faults of the language and the protocol points at which they can strike, from the same forms
// that read them.
#pragma once

#include <string>
#include <vector>

namespace kafkasim::scenarios {

struct CatalogEntry {
  struct Key {
    std::string name;
    std::string description;
  };

  std::string name;  // "crash", "marker"
  std::string description;
  std::vector<Key> keys;  // what else may stand there
};

[[nodiscard]] std::vector<CatalogEntry> FaultCatalog();
[[nodiscard]] std::vector<CatalogEntry> PointCatalog();

}  // namespace kafkasim::scenarios
