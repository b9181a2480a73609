// Forms of the claims in an `expect:`, one for each subject.

#pragma once

#include <vector>

#include "scenarios/expectations.h"
#include "scenarios/form.h"

namespace kafkasim::scenarios {

// Without its partition, which is the key it stands under.
Form<PartitionExpectation> PartitionExpectationForm();

Form<std::vector<TransactionExpectation>> TransactionsForm();
Form<std::vector<TransactionLogExpectation>> TransactionLogsForm();
Form<std::vector<CoordinatorExpectation>> CoordinatorsForm();
Form<std::vector<ActorExpectation>> ActorExpectationsForm();
Form<std::vector<CountExpectation>> CountsForm();

// `what: absent`, which sets the flag, or a mapping.
template <typename T>
Form<T> OrAbsent(std::string what, Form<T> mapping) {
  Notations<T> notations{std::move(what)};
  notations.scalar = ChoiceForm<T>("word", {{"absent", [] {
                                               T nothing;
                                               nothing.absent = true;
                                               return nothing;
                                             }()}});
  notations.mapping = std::move(mapping);
  return ByKind(std::move(notations));
}

}  // namespace kafkasim::scenarios
