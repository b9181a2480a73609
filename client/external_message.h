// What applications say to the world outside Kafka, and its answers: a call of a service, a row for
// a table of a database. Payloads of the simulated network like Kafka's messages, so that they can
// be lost, held, repeated and counted, but none of Kafka's guarantees covers them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sim/fingerprint.h"
#include "sim/ids.h"
#include "sim/payload.h"

namespace kafkasim::client {

// Applications reach the outside on connections of their own.
inline constexpr sim::Channel kExternalChannel{0};

enum class ExternalVerb : uint8_t {
  kCall,    // of a service
  kInsert,  // a row; refused if it violates a unique constraint
  kUpsert,  // a row, in place of the one with the same unique columns
};
// "call", "insert", "upsert": the verbs of the scenario language.
[[nodiscard]] std::string_view Name(ExternalVerb verb);

// Columns and their values, in the order of the statement.
using Row = std::vector<std::pair<std::string, std::string>>;

// "order_id=42, amount=15.00".
[[nodiscard]] std::string RowText(const Row& row);

struct ExternalRequest {
  ExternalVerb verb = ExternalVerb::kCall;
  std::string text{};                            // kCall: what is asked
  std::optional<std::string> idempotency_key{};  // kCall
  Row row{};                                     // kInsert, kUpsert
};

struct ExternalAnswer {
  enum class Outcome : uint8_t {
    kDone,
    kRefused,  // by a unique constraint; nothing was changed
    kFailed,   // the service says that it could not; nothing was done
  };

  ExternalVerb verb = ExternalVerb::kCall;
  Outcome outcome = Outcome::kDone;
  std::string text{};  // kDone: the service's answer; otherwise why
};

class ExternalMessage final : public sim::Payload {
 public:
  using Body = std::variant<ExternalRequest, ExternalAnswer>;

  explicit ExternalMessage(Body body) : body_(std::move(body)) {}

  [[nodiscard]] const Body& body() const { return body_; }
  [[nodiscard]] ExternalVerb verb() const;
  [[nodiscard]] std::string Describe() const;

  [[nodiscard]] std::string_view api() const override { return Name(verb()); }
  [[nodiscard]] bool Concerns(std::string_view, std::string_view) const override { return false; }
  void AppendTo(sim::CanonicalBytes& out) const override;

 private:
  Body body_;
};

// Whether a payload of the network is one of these, and not one of Kafka's messages.
[[nodiscard]] bool IsExternal(const sim::Payload& payload);
// `payload` must be one.
[[nodiscard]] inline const ExternalMessage& AsExternal(const sim::Payload& payload) {
  return static_cast<const ExternalMessage&>(payload);
}
[[nodiscard]] sim::PayloadRef MakeExternal(ExternalMessage::Body body);

}  // namespace kafkasim::client
