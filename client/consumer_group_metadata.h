// Who a consumer is in its group, as it shows itself to a producer that commits its offsets inside
// a transaction: class ConsumerGroupMetadata (KIP-447), Kafka 4.4 development line.
//
// With all fields the group coordinator compares generation and member, and refuses a zombie; with
// the group id alone (generation -1, no member) it compares nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "broker/messages_group.h"
#include "sim/fingerprint.h"

namespace kafkasim::client {

struct ConsumerGroupMetadata {
  std::string group_id{};
  int32_t generation_id = broker::kNoGeneration;
  std::string member_id{};
  std::optional<std::string> group_instance_id{};

  friend bool operator==(const ConsumerGroupMetadata&, const ConsumerGroupMetadata&) = default;
  void AppendTo(sim::CanonicalBytes& out) const {
    out.Add(group_id);
    out.Add(generation_id);
    out.Add(member_id);
    out.Add(group_instance_id);
  }
};

}  // namespace kafkasim::client
