#include "scenarios/loader.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "scenarios/reader.h"
#include "scenarios/scenario_form.h"
#include "scenarios/setup_form.h"
#include "scenarios/utf8.h"
#include "scenarios/yaml_tree.h"

namespace kafkasim::scenarios {
namespace {

constexpr std::size_t kLargestFile = 1'000'000;
// Nobody writes longer lines, and scanning one takes the YAML library long.
constexpr std::size_t kLongestLine = 10'000;
constexpr std::size_t kMostErrors = 50;

std::string TooLarge(std::uintmax_t size) {
  return "the file is too large: " + std::to_string(size) + " bytes; a scenario has at most " +
         std::to_string(kLargestFile);
}

LoadResult Failed(std::shared_ptr<const Source> source, Mark mark, std::string message) {
  LoadResult result;
  result.source = std::move(source);
  result.errors.push_back(Diagnostic{mark, std::move(message), ""});
  return result;
}

LoadResult CannotRead(const std::string& path, std::string message) {
  return Failed(std::make_shared<const Source>(path, ""), Mark{}, std::move(message));
}

// The error of a text that no YAML can be read from, if it is one.
std::optional<Diagnostic> NotReadable(const Source& source) {
  if (source.text().size() > kLargestFile) {
    return Diagnostic{Mark{1, 1}, TooLarge(source.text().size()), ""};
  }
  if (const auto byte = FirstBinaryByte(source.text())) {
    return Diagnostic{source.MarkAt(*byte), "this is no text: a scenario is a file in UTF-8", ""};
  }
  for (int line = 1; line <= source.line_count(); ++line) {
    if (source.Line(line).size() <= kLongestLine) continue;
    return Diagnostic{Mark{line, 1},
                      "the line is longer than " + std::to_string(kLongestLine) + " characters",
                      ""};
  }
  return std::nullopt;
}

}  // namespace

std::string LoadResult::Report() const {
  std::string report;
  for (std::size_t i = 0; i < errors.size() && i < kMostErrors; ++i) {
    report += Render(*source, errors[i]);
  }
  if (errors.size() > 1) report += std::to_string(errors.size()) + " errors";
  if (errors.size() > kMostErrors) {
    report += ", of which the first " + std::to_string(kMostErrors) + " are shown";
  }
  if (errors.size() > 1) report += '\n';
  return report;
}

LoadResult LoadScenarioText(std::string name, std::string text) {
  const auto source = std::make_shared<const Source>(std::move(name), std::move(text));
  if (const auto problem = NotReadable(*source)) {
    return Failed(source, problem->mark, problem->message);
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
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) return CannotRead(path, "there is no such file");
  error.clear();
  if (std::filesystem::is_directory(status)) {
    return CannotRead(path, "this is a directory; a scenario is a file");
  }
  std::uintmax_t size = kLargestFile;
  if (std::filesystem::is_regular_file(status)) size = std::filesystem::file_size(path, error);
  if (error) return CannotRead(path, "the file cannot be read: " + error.message());
  if (size > kLargestFile) {
    return Failed(std::make_shared<const Source>(path, ""), Mark{1, 1}, TooLarge(size));
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  // One byte more than allowed tells a device or a pipe that never ends.
  std::string text(size + 1, '\0');
  if (file) file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.is_open() || file.bad()) {
    return CannotRead(path, std::string("the file cannot be read: ") + std::strerror(errno));
  }
  text.resize(static_cast<std::size_t>(file.gcount()));
  return LoadScenarioText(path, std::move(text));
}

}  // namespace kafkasim::scenarios
