#include "broker/messages_topics.h"

#include <algorithm>

#include <fmt/format.h>

#include "broker/message_text.h"

namespace kafkasim::broker {
namespace {

template <typename Range>
bool ConcernsPartition(std::string_view attribute, std::string_view value, const Range& range) {
  return attribute == "partition" &&
         std::any_of(range.begin(), range.end(),
                     [&](const auto& element) { return IsPartition(value, element.partition); });
}

std::string Describe(const std::vector<TopicResult>& results) {
  std::string text;
  for (const TopicResult& result : results) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} {}", result.name, Name(result.error));
    if (!result.error_message.empty()) text += fmt::format(" ({})", result.error_message);
  }
  return text;
}

void Append(sim::CanonicalBytes& out, const std::vector<TopicResult>& results) {
  out.Add(static_cast<uint32_t>(results.size()));
  for (const TopicResult& result : results) {
    out.Add(result.name);
    out.Add(result.error);
    out.Add(result.error_message);
  }
}

}  // namespace

bool CreateTopicsRequest::Concerns(std::string_view, std::string_view) const { return false; }
std::string CreateTopicsRequest::Describe(const ClusterImage&) const {
  std::string text;
  for (const Topic& topic : topics) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} partitions={} replicas={}", topic.name, topic.num_partitions,
                        topic.replication_factor);
  }
  return text;
}
void CreateTopicsRequest::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(static_cast<uint32_t>(topics.size()));
  for (const Topic& topic : topics) {
    out.Add(topic.name);
    out.Add(topic.num_partitions);
    out.Add(topic.replication_factor);
    out.Add(static_cast<uint32_t>(topic.configs.size()));
    for (const auto& [key, value] : topic.configs) {
      out.Add(key);
      out.Add(value);
    }
  }
}

bool CreateTopicsResponse::Concerns(std::string_view, std::string_view) const { return false; }
std::string CreateTopicsResponse::Describe(const ClusterImage&) const {
  return broker::Describe(topics);
}
void CreateTopicsResponse::AppendTo(sim::CanonicalBytes& out) const { Append(out, topics); }

bool DeleteTopicsRequest::Concerns(std::string_view, std::string_view) const { return false; }
std::string DeleteTopicsRequest::Describe(const ClusterImage&) const {
  return fmt::format("{}", fmt::join(topics, ", "));
}
void DeleteTopicsRequest::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(static_cast<uint32_t>(topics.size()));
  for (const std::string& topic : topics) out.Add(topic);
}

bool DeleteTopicsResponse::Concerns(std::string_view, std::string_view) const { return false; }
std::string DeleteTopicsResponse::Describe(const ClusterImage&) const {
  return broker::Describe(topics);
}
void DeleteTopicsResponse::AppendTo(sim::CanonicalBytes& out) const { Append(out, topics); }

bool DeleteRecordsRequest::Concerns(std::string_view attribute, std::string_view value) const {
  return ConcernsPartition(attribute, value, partitions);
}
std::string DeleteRecordsRequest::Describe(const ClusterImage& names) const {
  std::string text;
  for (const PartitionOffset& element : partitions) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} before {}", names.NameOf(element.partition), element.offset);
  }
  return text;
}
void DeleteRecordsRequest::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(timeout_ms);
  out.Add(static_cast<uint32_t>(partitions.size()));
  for (const PartitionOffset& element : partitions) {
    out.Add(element.partition);
    out.Add(element.offset);
  }
}

bool DeleteRecordsResponse::Concerns(std::string_view attribute, std::string_view value) const {
  return ConcernsPartition(attribute, value, partitions);
}
std::string DeleteRecordsResponse::Describe(const ClusterImage& names) const {
  std::string text;
  for (const PartitionResult& result : partitions) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} {} low_watermark={}", names.NameOf(result.partition),
                        Name(result.error), result.low_watermark);
  }
  return text;
}
void DeleteRecordsResponse::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(static_cast<uint32_t>(partitions.size()));
  for (const PartitionResult& result : partitions) {
    out.Add(result.partition);
    out.Add(result.error);
    out.Add(result.low_watermark);
  }
}

}  // namespace kafkasim::broker
