// Who and what the numbers of a run stand for: processes, roles and partitions by the names that
// the scenario gave them. Made by the assembly; the topics follow those that are created and
// deleted. Who holds which producer id is learned on the way and stands in history.h.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "broker/cluster_image.h"
#include "broker/ids.h"
#include "scenarios/references.h"
#include "sim/ids.h"
#include "sim/time.h"

namespace kafkasim::scenarios {

enum class ProcessRole {
  kBroker,
  kController,
  kProducer,
  kConsumer,
  kAdmin,
  kApplication,  // a consumer, a producer and a program in one process
  kStore,        // a database outside Kafka
  kApi,          // a service outside Kafka
};

struct ProcessEntry {
  std::string name{};  // broker-1, controller, old
  ProcessRole role = ProcessRole::kBroker;
  std::string transactional_id{};                // of a transactional producer, else empty
  std::optional<sim::Duration> restart_after{};  // of an application that is restarted by itself

  bool is_actor() const { return role != ProcessRole::kBroker && role != ProcessRole::kController; }
};

struct NameTable {
  std::vector<ProcessEntry> processes{};  // index = process id; brokers come first
  broker::ClusterImageRef topics{};       // names and numbers of topics, those deleted too

  // Null for kNoProcess, which stands for the script itself.
  const ProcessEntry* Find(sim::ProcessId process) const;
  std::string_view NameOf(sim::ProcessId process) const;  // "" for kNoProcess
  std::optional<sim::ProcessId> FindProcess(std::string_view name) const;

  std::string NameOf(const broker::PartitionId& partition) const;  // "orders-0"
  std::optional<broker::PartitionId> FindPartition(const PartitionName& name) const;
  std::optional<broker::PartitionId> FindPartition(std::string_view name) const;
  // All partitions of the topics that the scenario declares, in the order of the file; of internal
  // topics none.
  std::vector<broker::PartitionId> DeclaredPartitions() const;
};

}  // namespace kafkasim::scenarios
