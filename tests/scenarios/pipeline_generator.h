// Random pipelines for RapidCheck. What it draws shrinks: fewer events, fewer records, fewer
// services, faults at simpler places.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "scenarios/pipeline.h"

namespace kafkasim::scenarios {

// RapidCheck shrinks towards the first of the values.
inline rc::Gen<PipelineTransaction> AnyPipelineTransaction(std::int32_t writers) {
  return rc::gen::exec([writers] {
    using End = PipelineTransaction::End;
    PipelineTransaction transaction;
    transaction.writer = *rc::gen::inRange(1, writers + 1);
    const int records = *rc::gen::inRange(1, 4);
    for (int i = 0; i < records; ++i) transaction.keys.push_back(*rc::gen::inRange(1, 5));
    transaction.end = *rc::gen::element(End::kCommit, End::kCommit, End::kCommit, End::kAbort,
                                        End::kCrash, End::kZombie);
    return transaction;
  });
}

inline rc::Gen<PipelineFault> AnyPipelineFault(std::int32_t services) {
  return rc::gen::exec([services] {
    using Kind = PipelineFault::Kind;
    using Place = PipelineFault::Place;
    PipelineFault fault;
    fault.kind =
        *rc::gen::element(Kind::kCrashService, Kind::kPauseService, Kind::kCutService,
                          Kind::kCrashCoordinator, Kind::kCrashLeader, Kind::kCrashGroupCoordinator,
                          Kind::kMoveCoordinator, Kind::kLoseAnswer);
    fault.place = *rc::gen::element(Place::kNow, Place::kBeforeSend, Place::kAfterSend,
                                    Place::kAfterSendOffsets, Place::kBeforeCommit,
                                    Place::kAfterCommit, Place::kPrepareAppended,
                                    Place::kPrepareReplicated, Place::kMarkerAppended);
    fault.service = *rc::gen::inRange(1, services + 1);
    fault.nth = *rc::gen::inRange(1, 4);
    fault.api = *rc::gen::element<std::string>("EndTxn", "TxnOffsetCommit", "Produce",
                                               "AddPartitionsToTxn", "InitProducerId");
    return fault;
  });
}

inline rc::Gen<Pipeline> AnyPipeline(std::int64_t transaction_version,
                                     std::vector<broker::Bug> bugs = {}) {
  return rc::gen::exec([transaction_version, bugs = std::move(bugs)] {
    Pipeline pipeline{.transaction_version = transaction_version, .bugs = bugs};
    pipeline.partitions = *rc::gen::inRange(1, 3);
    pipeline.writers = *rc::gen::inRange(1, 3);
    pipeline.services = *rc::gen::inRange(1, 3);
    pipeline.events = *rc::gen::resize(
        8, rc::gen::container<std::vector<PipelineEvent>>(rc::gen::oneOf(
               rc::gen::cast<PipelineEvent>(AnyPipelineTransaction(pipeline.writers)),
               rc::gen::cast<PipelineEvent>(AnyPipelineFault(pipeline.services)))));
    return pipeline;
  });
}

}  // namespace kafkasim::scenarios
