// What goes wrong, and what ends it. Each struct is one verb of the language; its header line shows
// how it is written.

#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <variant>
#include <vector>

#include "broker/log_order.h"
#include "scenarios/mark.h"
#include "scenarios/patterns.h"
#include "scenarios/references.h"
#include "sim/process.h"

namespace kafkasim::scenarios {

// `crash: coordinator of pay-1`: volatile state is lost, what is on disk stays.
struct Crash {
  std::vector<ProcessName> processes;
  sim::CrashKind loses = sim::CrashKind::kProcess;
};
// `restart: broker-1`: a crashed process comes back.
struct Restart {
  std::vector<ProcessName> processes;
};
// `pause: old`: no code runs, messages wait; a long garbage collection.
struct Pause {
  std::vector<ProcessName> processes;
};
struct Resume {
  std::vector<ProcessName> processes;
};
// `start: enrichment`: an application begins with its program.
struct Start {
  std::vector<ProcessName> processes;
};
// `stop: enrichment`: it leaves its program after the line under way and closes its clients.
struct Stop {
  std::vector<ProcessName> processes;
};

// `partition: [[broker-0, old], [broker-1, broker-2]]` cuts every link between two groups, or
// `partition: {from: [old], to: [broker-0]}` that direction only. Who is in no group keeps its
// links.
struct Partition {
  std::vector<std::vector<ProcessName>> groups;
  bool one_way = false;  // then there are two groups: from groups[0] to groups[1]
};
// `heal: all`, or `heal: NAME` for the partition with that `as:`.
struct Heal {
  std::optional<Name> handle;  // nullopt = all
};

// Which of the messages that match, counting from the moment the fault is armed.
struct MessageChoice {
  static constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();

  MessagePattern pattern;
  std::int64_t nth = 1;    // the first one hit
  std::int64_t count = 1;  // how many from there on; kAll for `count: all`
};

// `hold: {answer: EndTxn, to: old}`: the message stays in the network until released.
struct Hold {
  MessageChoice message;
};
// `release: NAME` or `release: all`: held messages go on; a hold that has not fired yet is
// disarmed.
struct Release {
  std::optional<Name> handle;  // nullopt = all
};
// `drop: {request: EndTxn}`: the message is lost; the client notices by its timeout only, or at
// once with `reset: true`.
struct Drop {
  MessageChoice message;
  bool reset = false;
};
// `delay: {request: WriteTxnMarkers, by: 3s}`: later by that much than the network would deliver
// it.
struct Delay {
  MessageChoice message;
  std::int64_t by_us = 0;
};
// `repeat: {request: Produce, times: 1, after: 10ms}`: the network delivers more copies.
struct Repeat {
  MessageChoice message;
  std::int64_t times = 1;
  std::int64_t after_us = 0;  // between a copy and the next
};

// `elect: {partition: orders-0, leader: 1}` or `elect: {coordinator_of: pay-1, leader: 2}`.
struct Elect {
  std::variant<PartitionName, Name> what;  // a partition, or a transactional id
  std::optional<std::int32_t> leader;      // default: the first live member of the ISR
  bool unclean = false;
};

// `roll: orders-0`, `clean: orders-0`, `check_retention: orders-0`: a task about the segments of a
// log is done now, by every broker that runs and has a replica. To clean does not ask how much is
// dirty.
struct LogTask {
  broker::LogOrder::Kind kind = broker::LogOrder::Kind::kRoll;
  std::vector<PartitionName> partitions;
};

using Fault = std::variant<Crash, Restart, Pause, Resume, Start, Stop, Partition, Heal, Hold,
                           Release, Drop, Delay, Repeat, Elect, LogTask>;

// A fault as a step, or in the `do:` of a trigger.
struct FaultStep {
  Fault fault;
  std::optional<Name> handle;  // `as:`; of hold, drop, delay, repeat, partition, crash and pause
  std::int64_t after_us = 0;   // `after: 3s`: so much later, while the script goes on
  bool optional = false;       // it is no matter if there is nothing to be hit
  Mark mark{};
};

}  // namespace kafkasim::scenarios
