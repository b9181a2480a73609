#include "scenarios/pipeline.h"

#include <cstddef>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "client/partitioner.h"

namespace kafkasim::scenarios {
namespace {

constexpr std::string_view kPipelineCluster = R"(cluster:
  brokers: 3
  config:
    transaction.version: {version}
    transaction.state.log.num.partitions: 3
    offsets.topic.num.partitions: 1
    group.initial.rebalance.delay.ms: 0
topics:
  input: {{partitions: {partitions}, replicas: 3, config: {{min.insync.replicas: 2}}}}
  output: {{partitions: {partitions}, replicas: 3, config: {{min.insync.replicas: 2}}}}
actors:
)";

// Whatever is thrown at it, a service aborts and goes back to the committed offsets, or starts
// again.
constexpr std::string_view kPipelineService = R"(  service_{id}:
    application:
      consumer:
        group.id: services
        subscribe: input
        isolation.level: read_committed
        auto.offset.reset: earliest
        enable.auto.commit: false
        session.timeout.ms: 6s
        heartbeat.interval.ms: 2s
      producer: {{transactional.id: service-{id}, transaction.timeout.ms: 10s}}
      restart: {{after: 5s}}
      program:
      - init_transactions
      - loop:
        - poll
        - if_records:
          - begin_transaction
          - for_each: record
            do: [send: {{to: output, key: "{{key}}", value: "{{value}}"}}]
          - send_offsets
          - commit_transaction
      on_error:
        abortable: [abort_transaction, seek_to_committed, continue]
        any: restart
)";

// The verb of a service's program at which a fault strikes; "" for another place.
std::string_view VerbAt(PipelineFault::Place place) {
  using enum PipelineFault::Place;
  switch (place) {
    case kBeforeSend:
      return "before: send";
    case kAfterSend:
      return "after: send";
    case kAfterSendOffsets:
      return "after: send_offsets";
    case kBeforeCommit:
      return "before: commit_transaction";
    case kAfterCommit:
      return "after: commit_transaction";
    case kNow:
    case kPrepareAppended:
    case kPrepareReplicated:
    case kMarkerAppended:
      return "";
  }
  return "";
}

std::string PipelineTrigger(const PipelineFault& fault) {
  const std::string id =
      fmt::format("transactional_id: service-{}, nth: {}", fault.service, fault.nth);
  using enum PipelineFault::Place;
  switch (fault.place) {
    case kPrepareAppended:
      return "transaction_record: PREPARE_COMMIT, point: appended, " + id;
    case kPrepareReplicated:
      return "transaction_record: PREPARE_COMMIT, point: replicated, " + id;
    case kMarkerAppended:
      return "marker: COMMIT, point: appended, " + id;
    default:
      return fmt::format("program: service_{}, {}, nth: {}", fault.service, VerbAt(fault.place),
                         fault.nth);
  }
}

// Writes the file from its top to its end, and keeps the book of what has to come out.
class PipelineText {
 public:
  explicit PipelineText(const Pipeline& pipeline) : pipeline_(pipeline) {}

  std::string Write() {
    Head();
    for (const PipelineEvent& event : pipeline_.events) {
      std::visit([this](const auto& what) { Take(what); }, event);
    }
    Tail();
    return std::move(text_);
  }

 private:
  template <typename... Args>
  void Line(fmt::format_string<Args...> format, Args&&... args) {
    text_ += fmt::format(format, std::forward<Args>(args)...) + "\n";
  }

  void Head() {
    Line("title: Each committed input has exactly one committed copy");
    std::vector<std::string_view> bugs;
    for (const broker::BugInfo& info : broker::AllBugs()) {
      for (const broker::Bug bug : pipeline_.bugs) {
        if (bug == info.bug) bugs.push_back(info.name);
      }
    }
    if (!bugs.empty()) Line("bugs: [{}]", fmt::join(bugs, ", "));
    text_ += fmt::format(kPipelineCluster, fmt::arg("version", pipeline_.transaction_version),
                         fmt::arg("partitions", pipeline_.partitions));
    for (std::int32_t i = 1; i <= pipeline_.writers; ++i) {
      Line("  writer_{0}: {{producer: {{transactional.id: writer-{0}}}}}", i);
      Line("  twin_{0}: {{producer: {{transactional.id: writer-{0}}}}}", i);
    }
    for (std::int32_t i = 1; i <= pipeline_.services; ++i) {
      text_ += fmt::format(kPipelineService, fmt::arg("id", i));
    }
    Line("steps:");
    for (std::int32_t i = 1; i <= pipeline_.services; ++i) Line("  - start: service_{}", i);
    for (std::int32_t i = 1; i <= pipeline_.writers; ++i) {
      Line("  - writer_{}: init_transactions", i);
    }
  }

  void Take(const PipelineTransaction& transaction) {
    const std::string writer = fmt::format("writer_{}", transaction.writer);
    Line("  - {}: begin_transaction", writer);
    for (const std::int32_t key : transaction.keys) {
      const std::string record = fmt::format("k{}=r{}", key, ++records_);
      Line("  - {}: {{send: {{to: input, key: k{}, value: r{}}}}}", writer, key, records_);
      if (transaction.end != PipelineTransaction::End::kCommit) continue;
      const std::string name = fmt::format("k{}", key);
      committed_[client::PartitionForRecordKey(name, pipeline_.partitions)].push_back(record);
    }
    using enum PipelineTransaction::End;
    switch (transaction.end) {
      case kCommit:
        return Line("  - {}: commit_transaction", writer);
      case kAbort:
        return Line("  - {}: abort_transaction", writer);
      case kZombie:
        Line("  - twin_{}: init_transactions", transaction.writer);
        // Without a record nothing has begun, and a commit has nobody to ask.
        if (!transaction.keys.empty()) {
          Line("  - {}: commit_transaction\n    fails: PRODUCER_FENCED", writer);
        }
        // Both are old now, whoever registers next.
        Kill(fmt::format("twin_{}", transaction.writer));
        return Restart(writer);
      case kCrash:
        return Restart(writer);
    }
  }

  void Kill(const std::string& writer) {
    Line("  - crash: {}", writer);
    Line("  - restart: {}", writer);
  }
  void Restart(const std::string& writer) {
    Kill(writer);
    Line("  - {}: init_transactions", writer);
  }

  void Take(const PipelineFault& fault) {
    ++faults_;
    const std::vector<std::string> what = WhatHappens(fault);
    if (fault.place == PipelineFault::Place::kNow) {
      for (const std::string& each : what) Line("  - {{{}, optional: true}}", each);
      return;
    }
    Line("  - when: {{{}}}", PipelineTrigger(fault));
    Line("    do:");
    for (const std::string& each : what) Line("    - {{{}, optional: true}}", each);
    Line("    optional: true");
  }

  // The fault and what ends it.
  [[nodiscard]] std::vector<std::string> WhatHappens(const PipelineFault& fault) const {
    const std::string service = fmt::format("service_{}", fault.service);
    const std::string coordinator = fmt::format("coordinator of service-{}", fault.service);
    using enum PipelineFault::Kind;
    switch (fault.kind) {
      case kCrashService:
        return {"crash: " + service};
      case kPauseService:
        return {"pause: " + service, fmt::format("resume: {}, after: 20s", service)};
      case kCutService:
        return {fmt::format("partition: [[{}], [broker-0, broker-1, broker-2]], as: cut_{}",
                            service, faults_),
                fmt::format("heal: cut_{}, after: 20s", faults_)};
      case kCrashCoordinator:
        return CrashBroker(coordinator);
      case kCrashLeader:
        return CrashBroker(
            fmt::format("leader of output-{}", fault.service % pipeline_.partitions));
      case kCrashGroupCoordinator:
        return CrashBroker("leader of __consumer_offsets-0");
      case kMoveCoordinator:
        return {fmt::format("elect: {{coordinator_of: service-{}, leader: {}}}", fault.service,
                            fault.nth % 3)};
      case kLoseAnswer:
        return {fmt::format("drop: {{answer: {}, to: {}, reset: true}}", fault.api, service)};
    }
    return {};
  }
  [[nodiscard]] std::vector<std::string> CrashBroker(const std::string& broker) const {
    return {fmt::format("crash: {}, as: down_{}", broker, faults_),
            fmt::format("restart: down_{}, after: 3s", faults_)};
  }

  void Tail() {
    Claim();
    Line("    within: 300s");
    Line("  - wait: 40s");
    Claim();
    Line("    because: nothing comes twice");
  }

  void Claim() {
    Line("  - expect:");
    for (std::int32_t i = 0; i < pipeline_.partitions; ++i) {
      Line("      output-{}: {{read_committed: [{}]}}", i, fmt::join(committed_[i], ", "));
    }
  }

  const Pipeline& pipeline_;
  std::string text_;
  std::size_t records_ = 0;
  std::size_t faults_ = 0;
  std::map<std::int32_t, std::vector<std::string>> committed_;  // by partition
};

}  // namespace

std::ostream& operator<<(std::ostream& out, const Pipeline& pipeline) {
  return out << "TV" << pipeline.transaction_version << ", " << pipeline.partitions
             << " partitions, " << pipeline.writers << " writers, " << pipeline.services
             << " services, " << pipeline.events.size() << " events";
}

std::string ScenarioText(const Pipeline& pipeline) { return PipelineText(pipeline).Write(); }

}  // namespace kafkasim::scenarios
