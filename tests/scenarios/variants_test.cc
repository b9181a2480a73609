// A matrix and the runs that come of it.

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scenarios/loading.h"

namespace kafkasim::scenarios {
namespace {

using ::testing::ElementsAre;

Scenario LoadMatrix(const std::string& matrix, const std::string& steps) {
  const LoadResult result = LoadScenarioText("f",
                                             "title: t\ntopics: {orders: {}}\nactors:\n"
                                             "  old: {producer: {linger.ms: 5}}\n"
                                             "  billing: {consumer: {assign: orders}}\n" +
                                                 matrix + "\nsteps:\n" + steps);
  EXPECT_EQ(result.Report(), "");
  return result.scenario.value_or(Scenario{});
}

std::vector<std::string> NamesOf(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const Variant& variant : scenario.variants) names.push_back(variant.name);
  return names;
}

TEST(Variants, WithoutAMatrixThereIsOneRunOfTheFileItself) {
  const Scenario scenario = LoadMatrix("", "  - old: flush\n");
  EXPECT_EQ(scenario.RunCount(), 1u);
  EXPECT_EQ(ForVariant(scenario, 0).steps.size(), 1u);
  EXPECT_TRUE(ForVariant(scenario, 0).variants.empty());
}

TEST(Variants, OfTheProtocolSetTheFeatureAndTheVerification) {
  const Scenario scenario = LoadMatrix("matrix: [TV1-noverify, TV1, TV2]", "  - old: flush\n");
  ASSERT_EQ(scenario.RunCount(), 3u);
  const Config noverify = ForVariant(scenario, 0).cluster.config;
  EXPECT_EQ(noverify.Integer("transaction.version"), 1);
  EXPECT_EQ(noverify.Boolean("transaction.partition.verification.enable"), false);
  const Config tv1 = ForVariant(scenario, 1).cluster.config;
  EXPECT_EQ(tv1.Integer("transaction.version"), 1);
  EXPECT_EQ(tv1.Boolean("transaction.partition.verification.enable"), std::nullopt);
  EXPECT_EQ(ForVariant(scenario, 2).cluster.config.Integer("transaction.version"), 2);
  EXPECT_EQ(ForVariant(scenario, 2).variants.at(0).name, "TV2");
}

TEST(Variants, OfTheProtocolLeaveTheVerificationToTheFile) {
  const Scenario scenario = LoadMatrix(
      "matrix: [TV1, TV2]\ncluster: {config: {transaction.partition.verification.enable: false}}",
      "  - old: flush\n");
  for (const std::size_t variant : {0, 1}) {
    const Config config = ForVariant(scenario, variant).cluster.config;
    EXPECT_EQ(config.Boolean("transaction.partition.verification.enable"), false);
  }
}

TEST(Variants, OfSettingsAreAllCombinations) {
  const Scenario scenario = LoadMatrix(
      "matrix: {protocol: [TV1, TV2], billing.isolation.level: [read_committed, read_uncommitted]}",
      "  - old: flush\n");
  EXPECT_THAT(NamesOf(scenario), ElementsAre("TV1, billing.isolation.level=read_committed",
                                             "TV1, billing.isolation.level=read_uncommitted",
                                             "TV2, billing.isolation.level=read_committed",
                                             "TV2, billing.isolation.level=read_uncommitted"));
  const Scenario last = ForVariant(scenario, 3);
  EXPECT_EQ(last.cluster.config.Integer("transaction.version"), 2);
  EXPECT_EQ(last.actors.at(1).config.Text("isolation.level"), "read_uncommitted");
}

TEST(Variants, WithANameOverrideSettings) {
  const Scenario scenario = LoadMatrix(
      "matrix:\n  - {name: patient, config: {transaction.max.timeout.ms: 1h}, "
      "actors: {old: {linger.ms: 0, acks: 1}}}",
      "  - old: flush\n");
  const Scenario patient = ForVariant(scenario, 0);
  EXPECT_EQ(patient.cluster.config.Integer("transaction.max.timeout.ms"), 3'600'000);
  EXPECT_EQ(patient.actors.at(0).config.Integer("linger.ms"), 0);
  EXPECT_EQ(patient.actors.at(0).config.Text("acks"), "1");
  EXPECT_EQ(scenario.actors.at(0).config.Integer("linger.ms"), 5) << "the file is as it was";
}

TEST(Variants, HaveTheStepsThatAreForThemOnly) {
  const Scenario scenario = LoadMatrix("matrix: [TV1-noverify, TV1, TV2]",
                                       "  - say: all\n"
                                       "  - {say: old, only: [TV1, TV1-noverify]}\n"
                                       "  - {say: new, only: TV2}\n");
  const auto texts = [&](std::size_t run) {
    std::vector<std::string> said;
    for (const Step& step : ForVariant(scenario, run).steps) {
      said.push_back(std::get<Say>(step.what).text);
      EXPECT_TRUE(step.only.empty());
    }
    return said;
  };
  EXPECT_THAT(texts(0), ElementsAre("all", "old"));
  EXPECT_THAT(texts(1), ElementsAre("all", "old"));
  EXPECT_THAT(texts(2), ElementsAre("all", "new"));
}

TEST(Variants, ReplaceAnOutcomeAsAWhole) {
  const Scenario scenario = LoadMatrix("matrix: [TV1, TV2]",
                                       "  - old: commit_transaction\n"
                                       "    fails: PRODUCER_FENCED\n"
                                       "    in: {TV2: {returns: {epoch: 1}}}\n");
  const auto outcome = [&](std::size_t run) {
    return std::get<Action>(ForVariant(scenario, run).steps.at(0).what).outcome;
  };
  EXPECT_TRUE(outcome(0).fails.has_value());
  EXPECT_FALSE(outcome(0).returns.has_value());
  EXPECT_FALSE(outcome(1).fails.has_value());
  EXPECT_TRUE(outcome(1).returns.has_value());
}

TEST(Variants, CanBeMeantByAValueAlone) {
  const Scenario scenario =
      LoadMatrix("matrix: {billing.isolation.level: [read_committed, read_uncommitted]}",
                 "  - {say: hidden, only: read_committed}\n");
  EXPECT_EQ(ForVariant(scenario, 0).steps.size(), 1u);
  EXPECT_EQ(ForVariant(scenario, 1).steps.size(), 0u);
}

}  // namespace
}  // namespace kafkasim::scenarios
