// The trace events of calls, the same for every client: one readable line when a call begins and
// one when it returns. Call only if somebody watches.
#pragma once

#include <string>

#include "broker/cluster_image.h"
#include "client/call.h"
#include "client/call_result.h"
#include "sim/context.h"

namespace kafkasim::client {

// "to orders-0: 42=paid", "orders-0 at 17", "within 1s": the arguments on one line, with the names
// of the image, which may be null.
[[nodiscard]] std::string DescribeArguments(const Operation& operation,
                                            const broker::ClusterImage* names);

void EmitCallStarted(sim::Context& context, const Call& call, const broker::ClusterImage* names);
void EmitCallFinished(sim::Context& context, const CallResult& result,
                      const broker::ClusterImage* names);

}  // namespace kafkasim::client
