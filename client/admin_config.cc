#include "client/admin_config.h"

#include "client/config_setting.h"

namespace kafkasim::client {
namespace {

// clang-format off
constexpr Setting<AdminConfig> kAdminSettings[] = {
    {"request.timeout.ms", "A connection is given up when an answer takes longer; also the transaction timeout that fence_producers sets.", &AdminConfig::request_timeout_ms},
    {"default.api.timeout.ms", "How long a call waits.", &AdminConfig::default_api_timeout_ms},
    {"retry.backoff.ms", "Pause before the first retry.", &AdminConfig::retry_backoff_ms},
    {"retry.backoff.max.ms", "The longest pause before a retry.", &AdminConfig::retry_backoff_max_ms},
    {"reconnect.backoff.ms", "Pause before connecting again to a broker.", &AdminConfig::reconnect_backoff_ms},
    {"reconnect.backoff.max.ms", "The longest pause before connecting again.", &AdminConfig::reconnect_backoff_max_ms},
    {"metadata.max.age.ms", "Metadata is fetched anew after this time.", &AdminConfig::metadata_max_age_ms},
};
// clang-format on

}  // namespace

std::vector<ConfigKey> AdminConfigKeys() { return KeysOf(kAdminSettings); }

absl::Status SetConfig(AdminConfig& config, std::string_view key, std::string_view value) {
  return SetSetting(kAdminSettings, config, key, value);
}

}  // namespace kafkasim::client
