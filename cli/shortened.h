// Texts that a scenario may make as long as it likes, in outputs that have a line or a few for
// them: JSON, --ndjson and log --dump have them whole.
#pragma once

#include <string>
#include <string_view>

namespace kafkasim::cli {

// `text` itself, or its beginning and an ellipsis if it is much longer than anybody reads.
[[nodiscard]] std::string Shortened(std::string_view text);

}  // namespace kafkasim::cli
