// A snapshot of the cluster as JSON, part of the document of result_json.h.
#pragma once

#include <nlohmann/json.hpp>

#include "scenarios/snapshot.h"

namespace kafkasim::cli {

[[nodiscard]] nlohmann::ordered_json SnapshotJson(const scenarios::Snapshot& snapshot);

// The JSON Schema of what SnapshotJson makes.
[[nodiscard]] nlohmann::ordered_json SnapshotSchema();

}  // namespace kafkasim::cli
