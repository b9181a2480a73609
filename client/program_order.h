// Orders to an application about its program, from outside the simulated network: whoever deploys
// it.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "sim/fingerprint.h"
#include "sim/payload.h"

namespace kafkasim::client {

class ProgramOrder final : public sim::Payload {
 public:
  enum class Kind : uint8_t {
    kStart,  // begin with the program, if it is not running
    kStop,   // SIGTERM: leave it after the line that is under way, and close the clients
  };
  static constexpr std::string_view kApi = "program";

  explicit ProgramOrder(Kind kind) : kind_(kind) {}

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] std::string_view api() const override { return kApi; }
  [[nodiscard]] bool Concerns(std::string_view, std::string_view) const override { return false; }
  void AppendTo(sim::CanonicalBytes& out) const override { out.Add(kind_); }

 private:
  Kind kind_;
};

[[nodiscard]] inline sim::PayloadRef MakeProgramOrder(ProgramOrder::Kind kind) {
  return std::make_shared<const ProgramOrder>(kind);
}

}  // namespace kafkasim::client
