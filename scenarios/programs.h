// A program of an application as it stands in the file, and what runs it. What needs no names is
// the client's own (client/program.h); the assembly puts the numbers for the names.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "client/program.h"
#include "scenarios/config.h"
#include "scenarios/mark.h"
#include "scenarios/references.h"

namespace kafkasim::scenarios {

// `send: {to: enriched_orders, key: "{key}", value: "{value}+customer"}`
struct ProgramSend {
  Destination to;
  std::optional<client::TextTemplate> key;
  client::TextTemplate value;
};

// `call: {api: payments, with: "{key}"}`, `insert: {into: billing_db, row: {...}}`
struct ProgramExternal {
  Name actor;
  client::ExternalVerb verb = client::ExternalVerb::kCall;
  client::TextTemplate with;
  std::optional<client::TextTemplate> idempotency_key;
  std::vector<std::pair<std::string, client::TextTemplate>> row;
  bool skip_duplicates = false;
  std::int64_t timeout_us = 10'000'000;
};

struct ProgramLine;

// `loop: [...]`, `times: 3` with `do: [...]`, `for_each: record`, `if_records: [...]`
struct ProgramBlock {
  client::Block::Kind kind = client::Block::Kind::kLoop;
  std::int64_t times = 1;
  client::Block::Condition condition = client::Block::Condition::kRecords;
  std::vector<ProgramLine> lines;
};

struct ProgramLine {
  std::variant<client::CallLine, ProgramSend, client::SendOffsetsLine, client::CommitLine,
               ProgramExternal, client::WorkLine, client::CrashLine, ProgramBlock, client::EndLine>
      what;
  std::string verb;
  Mark mark{};
};

// One `catch`: `PRODUCER_FENCED: stop`, `abortable: [abort_transaction, seek_to_committed]`.
struct ProgramHandler {
  client::ErrorHandler catches;  // its block is given by the assembly
  std::vector<ProgramLine> lines;
  Mark mark{};
};

struct ProgramSpec {
  std::vector<ProgramLine> lines;
  std::optional<std::vector<ProgramLine>> on_assigned;
  std::optional<std::vector<ProgramLine>> on_revoked;
  std::optional<std::vector<ProgramLine>> on_lost;
  std::vector<ProgramHandler> on_error;
};

// `application: {consumer: {...}, producer: {...}, program: [...]}`
struct ApplicationSpec {
  struct ConsumerPart {
    Config config;
    std::vector<PartitionName> assign;  // these, or
    std::vector<Name> subscribe;        // those
  };
  struct ProducerPart {
    Config config;
  };

  std::optional<ConsumerPart> consumer;
  std::optional<ProducerPart> producer;
  std::optional<ProgramSpec> program;
  std::optional<std::int64_t> restart_after_us;  // a crashed one is started again so much later
};

// `store: {unique: order_id}`: a database outside Kafka.
struct StoreSpec {
  std::vector<std::string> unique;
  std::int64_t latency_us = 0;
};

// `api: {idempotency_keys: true}`: a service outside Kafka.
struct ApiSpec {
  bool idempotency_keys = false;
  std::string answer = "ok";
  std::vector<std::int64_t> fails;
  std::int64_t latency_us = 0;
};

}  // namespace kafkasim::scenarios
