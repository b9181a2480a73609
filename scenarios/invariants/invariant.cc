#include "scenarios/invariants/invariant.h"

#include <algorithm>

namespace kafkasim::scenarios {

const std::vector<Invariant>& Invariants() {
  static const std::vector<Invariant> all = [] {
    std::vector<Invariant> list;
    for (const auto part :
         {LogInvariants, CoordinatorInvariants, GroupInvariants, ProducerInvariants,
          ReaderInvariants, ServiceInvariants, RestInvariants}) {
      const std::vector<Invariant> some = part();
      list.insert(list.end(), some.begin(), some.end());
    }
    return list;
  }();
  return all;
}

const Invariant* FindInvariant(std::string_view name) {
  const std::vector<Invariant>& all = Invariants();
  const auto at = std::find_if(all.begin(), all.end(),
                               [&](const Invariant& invariant) { return invariant.name == name; });
  return at == all.end() ? nullptr : &*at;
}

}  // namespace kafkasim::scenarios
