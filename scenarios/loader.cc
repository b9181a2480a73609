#include "scenarios/loader.h"

#include <string_view>
#include <utility>

#include "scenarios/reader.h"
#include "scenarios/scenario_form.h"
#include "scenarios/setup_form.h"
#include "scenarios/source_file.h"
#include "scenarios/yaml_tree.h"

namespace kafkasim::scenarios {
namespace {

constexpr std::string_view kScenarioFile = "a scenario";

LoadResult FailedLoad(std::shared_ptr<const Source> source, Diagnostic error) {
  LoadResult result;
  result.source = std::move(source);
  result.errors.push_back(std::move(error));
  return result;
}

}  // namespace

std::string LoadResult::Report() const { return ReportOf(*source, errors); }

LoadResult LoadScenarioText(std::string name, std::string text) {
  const auto source = std::make_shared<const Source>(std::move(name), std::move(text));
  if (std::optional<Diagnostic> problem = NotReadable(*source, kScenarioFile)) {
    return FailedLoad(source, std::move(*problem));
  }
  YamlResult yaml = ReadYaml(*source);
  LoadResult result;
  result.source = source;
  Reader reader;
  for (Diagnostic& error : yaml.errors) {
    reader.Error(error.mark, std::move(error.message), std::move(error.suggestion));
  }
  std::optional<Scenario> scenario;
  if (yaml.root) {
    DeclareNames(*yaml.root, reader);
    static const Form<Scenario> form = ScenarioForm();
    scenario = form.read(*yaml.root, reader);
  }
  result.errors = reader.TakeErrors();
  if (scenario && result.errors.empty()) {
    scenario->source = source;
    result.scenario = std::move(scenario);
  }
  return result;
}

LoadResult LoadScenarioFile(const std::string& path) {
  SourceFile file = ReadSourceFile(path, kScenarioFile);
  if (file.error.has_value()) return FailedLoad(std::move(file.source), std::move(*file.error));
  return LoadScenarioText(path, file.source->text());
}

}  // namespace kafkasim::scenarios
