// A list of records in one line, as long as the line is: its beginning, how many are left out, and
// the last one. Never cut without saying so.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "cli/line.h"
#include "cli/look.h"

#include "scenarios/entry_view.h"

namespace kafkasim::cli {

// A list in a table has as many columns at least.
inline constexpr int kLeastList = 24;

// `a b c … 8 990 more … z` in at most `width` columns, of `count` texts; "nothing" if there is
// none.
[[nodiscard]] Line DrawList(std::size_t count, const std::function<std::string(std::size_t)>& text,
                            int width, const Look& look);

// A record as such a list shows it: `42=paid`.
[[nodiscard]] std::string RecordText(const scenarios::EntryView& entry, const Look& look);

}  // namespace kafkasim::cli
