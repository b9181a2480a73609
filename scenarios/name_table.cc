#include "scenarios/name_table.h"

namespace kafkasim::scenarios {

const ProcessEntry* NameTable::Find(sim::ProcessId process) const {
  const auto index = static_cast<std::size_t>(process.value());
  return process.value() < 0 || index >= processes.size() ? nullptr : &processes[index];
}

std::string_view NameTable::NameOf(sim::ProcessId process) const {
  const ProcessEntry* entry = Find(process);
  return entry == nullptr ? std::string_view() : std::string_view(entry->name);
}

std::optional<sim::ProcessId> NameTable::FindProcess(std::string_view name) const {
  for (std::size_t i = 0; i < processes.size(); ++i) {
    if (processes[i].name == name) return sim::ProcessId(static_cast<std::int32_t>(i));
  }
  return std::nullopt;
}

std::string NameTable::NameOf(const broker::PartitionId& partition) const {
  return topics->NameOf(partition);
}

std::optional<broker::PartitionId> NameTable::FindPartition(const PartitionName& name) const {
  const std::optional<broker::TopicId> topic = topics->FindTopicId(name.topic);
  if (!topic.has_value()) return std::nullopt;
  const broker::PartitionId id{.topic = *topic, .index = name.partition};
  if (topics->FindPartition(id) == nullptr) return std::nullopt;
  return id;
}

std::optional<broker::PartitionId> NameTable::FindPartition(std::string_view name) const {
  return topics->Parse(name);
}

std::vector<broker::PartitionId> NameTable::DeclaredPartitions() const {
  std::vector<broker::PartitionId> partitions;
  for (std::size_t t = 0; t < topics->topics.size(); ++t) {
    const broker::TopicImage& topic = topics->topics[t];
    if (topic.name.substr(0, 2) == "__") continue;
    for (std::size_t p = 0; p < topic.partitions.size(); ++p) {
      partitions.push_back({.topic = broker::TopicId(static_cast<std::int32_t>(t)),
                            .index = static_cast<std::int32_t>(p)});
    }
  }
  return partitions;
}

}  // namespace kafkasim::scenarios
