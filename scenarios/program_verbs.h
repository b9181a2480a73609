// The verbs of a program that do something by themselves: how their arguments are written.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/form.h"
#include "scenarios/programs.h"

namespace kafkasim::scenarios {

struct ProgramVerb {
  // What the application has to have for it.
  enum class Needs {
    kNothing,
    kProducer,
    kTransactions,
    kConsumer,
    kGroup,
    kConsumerAndTransactions
  };

  std::string name;
  Needs needs = Needs::kNothing;
  std::string description;
  std::optional<decltype(ProgramLine::what)> bare{};  // what the verb alone means
  Form<decltype(ProgramLine::what)> arguments{};      // no reader: it takes none
  std::string example{};                              // of its arguments, if it needs them
};

const std::vector<ProgramVerb>& LeafVerbs();

}  // namespace kafkasim::scenarios
