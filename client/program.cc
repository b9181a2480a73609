#include "client/program.h"

namespace kafkasim::client {

bool ErrorHandler::Fits(const ApiError& error) const {
  switch (catches) {
    case Catches::kAny:
      return true;
    case Catches::kClass:
      return error.error_class == error_class;
    case Catches::kCode:
      return error.code == code;
    case Catches::kException:
      return error.ExceptionName() == exception;
  }
  return false;
}

std::optional<BlockId> Program::CallbackFor(RebalanceCallback::Kind kind) const {
  switch (kind) {
    case RebalanceCallback::Kind::kAssigned:
      return on_assigned;
    case RebalanceCallback::Kind::kRevoked:
      return on_revoked;
    case RebalanceCallback::Kind::kLost:
      return on_lost.has_value() ? on_lost : on_revoked;
  }
  return std::nullopt;
}

}  // namespace kafkasim::client
