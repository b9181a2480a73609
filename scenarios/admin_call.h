// Calls of administrators: from the language to the client's, and their results as rows of named
// fields.

#pragma once

#include <optional>
#include <vector>

#include "client/admin_operation.h"
#include "client/admin_result.h"
#include "scenarios/admin_operations.h"
#include "scenarios/name_table.h"
#include "scenarios/raw_message.h"

namespace kafkasim::scenarios {

// nullopt if a partition that it is about does not exist.
[[nodiscard]] std::optional<client::AdminCall> TranslateAdminCall(const AdminCall& call,
                                                                  const NameTable& names);

using AnswerRow = std::vector<AnswerField>;

// The rows that the call gave; lists within a field are sorted.
[[nodiscard]] std::vector<AnswerRow> ReadAdminResult(const client::AdminResult& result,
                                                     const NameTable& names);

}  // namespace kafkasim::scenarios
