// For tests of the scenario language: a small file to which a test adds its line, and what loading
// it says.

#pragma once

#include <string>

#include "scenarios/loader.h"

namespace kafkasim::scenarios {

// A good file around `steps`, which are whole lines; the steps begin in line 8.
inline std::string FileWith(const std::string& steps) {
  return R"(title: t
topics: {orders: {partitions: 2, replicas: 3}, payments: {}}
actors:
  old: {producer: {transactional.id: pay-1}}
  billing: {consumer: {isolation.level: read_committed, assign: [orders-0]}}
  tool: admin
steps:
)" + steps;
}

// All errors of a file called `f` with these steps; "" for none.
inline std::string ErrorsOf(const std::string& steps) {
  return LoadScenarioText("f", FileWith(steps)).Report();
}

// The first step of a file with these steps. A file that does not load gives an empty step, and the
// test fails on that.
inline Step StepOf(const std::string& steps) {
  LoadResult result = LoadScenarioText("f", FileWith(steps));
  return result.scenario ? result.scenario->steps.at(0) : Step{};
}

template <typename Body>
Body BodyIn(const std::string& steps) {
  const Step step = StepOf(steps);
  const Body* body = std::get_if<Body>(&step.what);
  return body == nullptr ? Body{} : *body;
}

}  // namespace kafkasim::scenarios
