#include "broker/messages_cluster.h"

#include <fmt/format.h>

#include "broker/message_text.h"

namespace kafkasim::broker {
namespace {

bool IsBroker(std::string_view attribute, std::string_view value, BrokerId broker) {
  return attribute == "broker" && value == fmt::format("{}", broker);
}

bool Is(std::string_view attribute, std::string_view value, const PartitionId& partition) {
  return attribute == "partition" && IsPartition(value, partition);
}

// "[0,1,2]"
template <typename Range, typename Projection>
std::string BrokerNames(const Range& range, Projection broker_of) {
  std::string text = "[";
  for (const auto& element : range) {
    text += fmt::format("{}{}", text.size() > 1 ? "," : "", broker_of(element));
  }
  return text + "]";
}

}  // namespace

bool ApiVersionsRequest::Concerns(std::string_view, std::string_view) const { return false; }
std::string ApiVersionsRequest::Describe(const ClusterImage&) const { return ""; }
void ApiVersionsRequest::AppendTo(sim::CanonicalBytes&) const {}

bool ApiVersionsResponse::Concerns(std::string_view, std::string_view) const { return false; }
std::string ApiVersionsResponse::Describe(const ClusterImage&) const {
  return fmt::format("transaction.version={}", transaction_version);
}
void ApiVersionsResponse::AppendTo(sim::CanonicalBytes& out) const { out.Add(transaction_version); }

bool MetadataRequest::Concerns(std::string_view, std::string_view) const { return false; }
std::string MetadataRequest::Describe(const ClusterImage&) const { return "all topics"; }
void MetadataRequest::AppendTo(sim::CanonicalBytes&) const {}

bool MetadataResponse::Concerns(std::string_view, std::string_view) const { return false; }
std::string MetadataResponse::Describe(const ClusterImage&) const {
  return fmt::format("image {}", image->version);
}
void MetadataResponse::AppendTo(sim::CanonicalBytes& out) const { out.Add(*image); }

bool UpdateMetadataRequest::Concerns(std::string_view, std::string_view) const { return false; }
std::string UpdateMetadataRequest::Describe(const ClusterImage&) const {
  return fmt::format("image {}", image->version);
}
void UpdateMetadataRequest::AppendTo(sim::CanonicalBytes& out) const { out.Add(*image); }

bool BrokerRegistrationRequest::Concerns(std::string_view attribute, std::string_view value) const {
  return IsBroker(attribute, value, broker);
}
std::string BrokerRegistrationRequest::Describe(const ClusterImage&) const {
  return fmt::format("broker={} incarnation={}", broker, incarnation);
}
void BrokerRegistrationRequest::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(broker);
  out.Add(incarnation);
}

bool AlterPartitionRequest::Concerns(std::string_view attribute, std::string_view value) const {
  return Is(attribute, value, partition) || IsBroker(attribute, value, broker);
}
std::string AlterPartitionRequest::Describe(const ClusterImage& names) const {
  return fmt::format("{} leader={} leader_epoch={} partition_epoch={} isr={}",
                     names.NameOf(partition), broker, leader_epoch, partition_epoch,
                     BrokerNames(new_isr, [](const IsrMember& member) { return member.broker; }));
}
void AlterPartitionRequest::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(broker);
  out.Add(partition);
  out.Add(leader_epoch);
  out.Add(partition_epoch);
  out.Add(static_cast<uint32_t>(new_isr.size()));
  for (const IsrMember& member : new_isr) {
    out.Add(member.broker);
    out.Add(member.broker_epoch);
  }
}

bool AlterPartitionResponse::Concerns(std::string_view attribute, std::string_view value) const {
  return Is(attribute, value, partition);
}
std::string AlterPartitionResponse::Describe(const ClusterImage& names) const {
  return fmt::format("{} {} leader={} leader_epoch={} partition_epoch={} isr={}",
                     names.NameOf(partition), Name(error), state.leader, state.leader_epoch,
                     state.partition_epoch,
                     BrokerNames(state.isr, [](BrokerId member) { return member; }));
}
void AlterPartitionResponse::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(partition);
  out.Add(error);
  out.Add(state);
}

bool AllocateProducerIdsRequest::Concerns(std::string_view attribute,
                                          std::string_view value) const {
  return IsBroker(attribute, value, broker);
}
std::string AllocateProducerIdsRequest::Describe(const ClusterImage&) const {
  return fmt::format("broker={}", broker);
}
void AllocateProducerIdsRequest::AppendTo(sim::CanonicalBytes& out) const { out.Add(broker); }

bool AllocateProducerIdsResponse::Concerns(std::string_view, std::string_view) const {
  return false;
}
std::string AllocateProducerIdsResponse::Describe(const ClusterImage&) const {
  if (error != ErrorCode::kNone) return std::string(Name(error));
  return fmt::format("NONE producer_ids={}..{}", first, first + (count - 1));
}
void AllocateProducerIdsResponse::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(error);
  out.Add(first);
  out.Add(count);
}

bool ElectLeadersRequest::Concerns(std::string_view attribute, std::string_view value) const {
  return Is(attribute, value, partition);
}
std::string ElectLeadersRequest::Describe(const ClusterImage& names) const {
  return fmt::format("{} {} leader={}", names.NameOf(partition), unclean ? "unclean" : "clean",
                     leader);
}
void ElectLeadersRequest::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(partition);
  out.Add(leader);
  out.Add(unclean);
}

bool ElectLeadersResponse::Concerns(std::string_view, std::string_view) const { return false; }

std::string ElectLeadersResponse::Describe(const ClusterImage&) const {
  return std::string(Name(error));
}

void ElectLeadersResponse::AppendTo(sim::CanonicalBytes& out) const { out.Add(error); }

}  // namespace kafkasim::broker
