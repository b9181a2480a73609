// An exactly-once pipeline and what disturbs it, as a value. Writers put records into the topic
// `input` in transactions, one after the other; services of one group copy each committed record to
// the topic `output`, with the offsets inside the transaction (KIP-98, KIP-447); processes die,
// stop and wake up as zombies, coordinators move, answers are lost.
//
// As a text it is a scenario file that claims what has to come of it: each record of a committed
// transaction has exactly one committed copy, in order, and no other record has one. The value is
// for tests that draw pipelines at random and make those smaller that fail.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <variant>
#include <vector>

#include "broker/bugs.h"

namespace kafkasim::scenarios {

// A transaction of a writer.
struct PipelineTransaction {
  enum class End : std::uint8_t {
    kCommit,
    kAbort,
    kCrash,   // the writer dies inside it, and begins again
    kZombie,  // a twin with its transactional.id registers; the writer's commit has to fail
  };

  std::int32_t writer = 1;           // from 1
  std::vector<std::int32_t> keys{};  // of its records
  End end = End::kCommit;
};

// Something that goes wrong once, and is over after some seconds.
struct PipelineFault {
  enum class Kind : std::uint8_t {
    kCrashService,           // it is started again after 5 seconds
    kPauseService,           // for 20 seconds: out of its group, its transaction has timed out
    kCutService,             // from all brokers, for 20 seconds
    kCrashCoordinator,       // of the service's transactional.id, for 3 seconds
    kCrashLeader,            // of a partition of output, for 3 seconds
    kCrashGroupCoordinator,  // for 3 seconds
    kMoveCoordinator,        // of the service's transactional.id, to broker nth modulo 3
    kLoseAnswer,             // the connection breaks before the answer to `api` comes
  };
  enum class Place : std::uint8_t {
    kNow,
    kBeforeSend,
    kAfterSend,
    kAfterSendOffsets,
    kBeforeCommit,
    kAfterCommit,
    kPrepareAppended,    // PREPARE_COMMIT is in the log of the coordinator
    kPrepareReplicated,  // and replicated: decided
    kMarkerAppended,     // a COMMIT marker is in the log of `output` or of the offsets
  };

  Kind kind = Kind::kCrashService;
  Place place = Place::kNow;
  std::int32_t service = 1;    // from 1
  std::int32_t nth = 1;        // time that the service gets to the place, from now on
  std::string api = "EndTxn";  // of kLoseAnswer
};

using PipelineEvent = std::variant<PipelineTransaction, PipelineFault>;

struct Pipeline {
  std::int64_t transaction_version = 2;
  std::int32_t partitions = 2;  // of each topic
  std::int32_t writers = 1;
  std::int32_t services = 1;
  std::vector<broker::Bug> bugs{};  // rules of Kafka that are switched off
  std::vector<PipelineEvent> events{};

  // "TV2, 2 partitions, 1 writers, 1 services, 3 events"
  friend std::ostream& operator<<(std::ostream& out, const Pipeline& pipeline);
};

// The scenario file. Writers and services that an event names have to exist.
[[nodiscard]] std::string ScenarioText(const Pipeline& pipeline);

}  // namespace kafkasim::scenarios
