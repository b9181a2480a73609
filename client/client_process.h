// What all client processes have in common for those who give them calls: the results.
//
//   world.Command(id, MakeCall(CallId(1), InitTransactions{}), observer);
//   ... step the world ...
//   const CallResult* result = AsClient(world.process(id)).FindCall(CallId(1));
#pragma once

#include "client/call_result.h"
#include "sim/process.h"

namespace kafkasim::client {

class ClientProcess : public sim::Process {
 public:
  // Null if it never got such a call, or has forgotten it.
  [[nodiscard]] virtual const CallResult* FindCall(CallId id) const = 0;
};

// `process` must be a Producer, a Consumer, an Application or an Admin.
[[nodiscard]] inline const ClientProcess& AsClient(const sim::Process& process) {
  return static_cast<const ClientProcess&>(process);
}

}  // namespace kafkasim::client
