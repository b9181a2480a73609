// The result of running a scenario file as one JSON document: for notebooks, graders and scripts.
// Field names are Kafka's own terms, offsets are numbers; 64-bit seeds and digests are texts.
// Fields are only ever added; the number in the schema's id grows when one changes its meaning.
#pragma once

#include <string>
#include <vector>

#include "cli/exit_code.h"

#include "scenarios/run.h"
#include "scenarios/scenario.h"

namespace kafkasim::cli {

inline constexpr const char* kResultSchemaId = "https://kafkasim.invalid/schema/result-1.json";

// The document of `results`, one a variant, with a line end. Each result has its Moment at the end.
[[nodiscard]] std::string ResultJson(const scenarios::Scenario& scenario,
                                     const std::vector<scenarios::RunResult>& results,
                                     ExitCode exit_code);

// The JSON Schema of that document.
[[nodiscard]] std::string ResultSchema();

}  // namespace kafkasim::cli
