// One key of a client's configuration, for documentation and checks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kafkasim::client {

struct ConfigKey {
  std::string_view name{};
  std::string_view sentence{};
  std::string default_value{};         // as text; "" = unset
  std::vector<std::string> choices{};  // the values allowed; empty = any of its type
};

}  // namespace kafkasim::client
