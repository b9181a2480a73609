// A Java consumer with partitions given by assign(), as one process: KafkaConsumer with its
// Fetcher, Kafka 4.4 development line. It finds its positions by auto.offset.reset, fetches, and
// filters aborted transactions and control records itself.
//
// Simplified on purpose: it fetches only while a poll is open (Java fetches ahead between polls),
// so that a world with an idle consumer is quiet. What a fetch brought and a poll did not deliver
// stays buffered, as in Java.
#pragma once

#include <optional>
#include <vector>

#include "broker/ids.h"
#include "client/call_result.h"
#include "client/client_options.h"
#include "client/client_process.h"
#include "client/consumer_config.h"

namespace kafkasim::client {

class Consumer final : public ClientProcess {
 public:
  Consumer(ClientOptions options, ConsumerConfig config,
           std::vector<broker::PartitionId> assignment);

  [[nodiscard]] const CallLog& calls() const override;
  [[nodiscard]] const ConsumerConfig& config() const;
  [[nodiscard]] const std::vector<broker::PartitionId>& assignment() const;
  // The offset of the next record to deliver; nullopt while it is not known.
  [[nodiscard]] std::optional<broker::Offset> position(const broker::PartitionId& partition) const;
  // How far the position is behind the last known LSO (read_committed) or high watermark.
  [[nodiscard]] std::optional<int64_t> lag(const broker::PartitionId& partition) const;

  [[nodiscard]] std::unique_ptr<sim::Process> Clone() const override;
  void AppendTo(sim::CanonicalBytes& out) const override;
  void OnRequest(sim::Context& context, const sim::RequestIn& request) override;
  void OnResponse(sim::Context& context, const sim::ResponseIn& response) override;
  void OnDisconnect(sim::Context& context, sim::ProcessId peer, sim::Channel channel) override;
  void OnTimer(sim::Context& context, uint32_t kind, uint64_t argument) override;
  // A Call: Poll, Seek, SeekToBeginning, SeekToEnd, Position, BeginningOffsets, EndOffsets or
  // Close.
  void OnCommand(sim::Context& context, const sim::PayloadRef& command) override;
  void OnCrash(sim::CrashKind kind) override;
  void OnRestart(sim::Context& context) override;
};

}  // namespace kafkasim::client
