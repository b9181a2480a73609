// The trace of a run as lines of JSON (ndjson): a header, one line an event, a last line by which
// two runs can be compared. The same run gives the same bytes in every process, by every compiler.
// TraceSchema() describes the lines; field names are Kafka's own terms.

#pragma once

#include <ostream>
#include <string>
#include <string_view>

#include "scenarios/history.h"
#include "scenarios/name_table.h"
#include "scenarios/run.h"
#include "scenarios/scenario.h"
#include "sim/trace.h"

namespace kafkasim::scenarios {

// Grows when a line of the trace changes its meaning or loses a field.
inline constexpr int kTraceSchemaVersion = 1;

// One line each, without a line end.
std::string HeaderLine(const Scenario& scenario, const RunResult& result,
                       std::string_view tool_version);
std::string EventLine(const sim::TraceEvent& event, const NameTable& names, const History& history);
std::string LastLine(const RunResult& result);

// The whole trace of a run that kept it.
void WriteTrace(std::ostream& out, const Scenario& scenario, const RunResult& result,
                std::string_view tool_version);

// The JSON Schema of one line, with every kind of event and its fields.
std::string TraceSchema();

}  // namespace kafkasim::scenarios
