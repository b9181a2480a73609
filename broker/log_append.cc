#include "broker/log_append.h"

namespace kafkasim::broker {

std::string_view Name(AppendOrigin origin) {
  switch (origin) {
    case AppendOrigin::kClient:
      return "CLIENT";
    case AppendOrigin::kCoordinator:
      return "COORDINATOR";
    case AppendOrigin::kReplication:
      return "REPLICATION";
  }
  return "UNKNOWN";
}

}  // namespace kafkasim::broker
