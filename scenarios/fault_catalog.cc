#include "scenarios/fault_catalog.h"

#include <utility>

#include "scenarios/step_form.h"

namespace kafkasim::scenarios {
namespace {

template <typename X>
CatalogEntry EntryOf(const std::string& name, const MappingForm<X>& mapping) {
  CatalogEntry entry{.name = name, .description = "", .keys = {}};
  for (const Field<X>& field : mapping.fields) {
    if (field.key == name) {
      entry.description = field.description;
    } else {
      entry.keys.push_back({.name = field.key, .description = field.description});
    }
  }
  return entry;
}

template <typename Kinds>
std::vector<CatalogEntry> CatalogOf(const Kinds& kinds) {
  std::vector<CatalogEntry> catalog;
  for (const auto& kind : kinds) catalog.push_back(EntryOf(kind.key, kind.mapping));
  return catalog;
}

}  // namespace

std::vector<CatalogEntry> FaultCatalog() { return CatalogOf(FaultKinds()); }

std::vector<CatalogEntry> PointCatalog() { return CatalogOf(TriggerKinds()); }

}  // namespace kafkasim::scenarios
