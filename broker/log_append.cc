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

std::ostream& operator<<(std::ostream& out, const CompletedTxn& txn) {
  return out << (txn.aborted ? "aborted" : "committed") << " producer " << txn.producer_id
             << " offsets " << txn.first_offset << ".." << txn.last_offset;
}

}  // namespace kafkasim::broker
