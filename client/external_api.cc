#include "client/external_api.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "client/events.h"
#include "sim/check.h"
#include "sim/context.h"

namespace kafkasim::client {
namespace {

std::string Fill(const std::string& answer, const std::string& asked) {
  constexpr std::string_view kPlace = "{with}";
  const size_t at = answer.find(kPlace);
  if (at == std::string::npos) return answer;
  return answer.substr(0, at) + asked + answer.substr(at + kPlace.size());
}

}  // namespace

ExternalAnswer ExternalApi::Answer(const ExternalRequest& asked, bool& has_effect) {
  has_effect = false;
  if (std::find(options_.fails.begin(), options_.fails.end(), calls_) != options_.fails.end()) {
    return {.outcome = ExternalAnswer::Outcome::kFailed,
            .text = fmt::format("call number {} fails", calls_)};
  }
  const bool keyed = options_.idempotency_keys && asked.idempotency_key.has_value();
  if (keyed) {
    const auto known = answered_.find(*asked.idempotency_key);
    if (known != answered_.end()) return {.text = known->second};
  }
  has_effect = true;
  effects_.push_back(asked.text);
  std::string text = Fill(options_.answer, asked.text);
  if (keyed) answered_.emplace(*asked.idempotency_key, text);
  return {.text = std::move(text)};
}

void ExternalApi::OnRequest(sim::Context& context, const sim::RequestIn& request) {
  const auto& asked = std::get<ExternalRequest>(AsExternal(*request.payload).body());
  KAFKASIM_CHECK(asked.verb == ExternalVerb::kCall, "a service is called");
  ++calls_;
  bool has_effect = false;
  ExternalAnswer answer = Answer(asked, has_effect);
  if (context.tracing()) {
    context.Emit(events::kServiceCalled,
                 {{"with", asked.text},
                  {"idempotency_key", asked.idempotency_key.value_or("")},
                  {"number", calls_},
                  {"effect", has_effect},
                  {"failed", answer.outcome == ExternalAnswer::Outcome::kFailed}});
  }
  answers_.Give(context, request.reply_to, MakeExternal(std::move(answer)), options_.latency);
}

void ExternalApi::OnTimer(sim::Context& context, uint32_t, uint64_t argument) {
  answers_.OnTimer(context, argument);
}

void ExternalApi::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(calls_);
  out.AddAll(effects_);
  out.Add(static_cast<uint32_t>(answered_.size()));
  for (const auto& [key, answer] : answered_) {
    out.Add(key);
    out.Add(answer);
  }
  out.Add(answers_);
}

}  // namespace kafkasim::client
