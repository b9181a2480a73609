#include "client/external_message.h"

#include <algorithm>
#include <array>
#include <memory>

#include <fmt/format.h>

namespace kafkasim::client {
namespace {

// In the order of ExternalVerb.
constexpr std::array<std::string_view, 3> kVerbNames{"call", "insert", "upsert"};

std::string Text(const ExternalRequest& request) {
  if (request.verb != ExternalVerb::kCall) return RowText(request.row);
  if (!request.idempotency_key.has_value()) return request.text;
  return fmt::format("{}, idempotency key {}", request.text, *request.idempotency_key);
}

std::string Text(const ExternalAnswer& answer) {
  switch (answer.outcome) {
    case ExternalAnswer::Outcome::kDone:
      return answer.text.empty() ? "done" : answer.text;
    case ExternalAnswer::Outcome::kRefused:
      return "refused: " + answer.text;
    case ExternalAnswer::Outcome::kFailed:
      return "failed: " + answer.text;
  }
  return "?";
}

struct ExternalAppender {
  sim::CanonicalBytes& out;

  void operator()(const ExternalRequest& request) const {
    out.Add(request.verb);
    out.Add(request.text);
    out.Add(request.idempotency_key);
    out.Add(static_cast<uint32_t>(request.row.size()));
    for (const auto& [column, value] : request.row) {
      out.Add(column);
      out.Add(value);
    }
  }
  void operator()(const ExternalAnswer& answer) const {
    out.Add(answer.verb);
    out.Add(answer.outcome);
    out.Add(answer.text);
  }
};

}  // namespace

std::string_view Name(ExternalVerb verb) { return kVerbNames[static_cast<size_t>(verb)]; }

std::string RowText(const Row& row) {
  std::string text;
  for (const auto& [column, value] : row) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", column, value);
  }
  return text;
}

ExternalVerb ExternalMessage::verb() const {
  return std::visit([](const auto& body) { return body.verb; }, body_);
}

std::string ExternalMessage::Describe() const {
  return std::visit([](const auto& body) { return Text(body); }, body_);
}

void ExternalMessage::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(static_cast<uint8_t>(body_.index()));
  std::visit(ExternalAppender{out}, body_);
}

bool IsExternal(const sim::Payload& payload) {
  return std::find(kVerbNames.begin(), kVerbNames.end(), payload.api()) != kVerbNames.end();
}

sim::PayloadRef MakeExternal(ExternalMessage::Body body) {
  return std::make_shared<const ExternalMessage>(std::move(body));
}

}  // namespace kafkasim::client
