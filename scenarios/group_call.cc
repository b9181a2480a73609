#include "scenarios/group_call.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "client/consumer.h"

namespace kafkasim::scenarios {
namespace {

std::vector<broker::OffsetToCommit> Rows(const std::vector<OffsetRow>& offsets,
                                         const Moment& moment) {
  std::vector<broker::OffsetToCommit> rows;
  for (const OffsetRow& row : offsets) {
    const auto partition = moment.names.FindPartition(row.partition);
    if (!partition.has_value()) continue;
    rows.push_back({.partition = *partition, .offset = broker::Offset(row.offset)});
  }
  return rows;
}

}  // namespace

std::optional<client::Operation> GroupCallOf(const Subscribe& subscribe, const Moment& moment) {
  client::Subscribe call;
  for (const Name& topic : subscribe.topics) {
    const auto id = moment.names.topics->FindTopicId(topic.value);
    if (id.has_value()) call.topics.push_back(*id);
  }
  return call;
}

std::optional<client::Operation> GroupCallOf(const CommitSync& commit, const Moment& moment) {
  client::CommitSync call;
  if (commit.offsets.has_value()) call.offsets = Rows(*commit.offsets, moment);
  return call;
}

std::optional<client::Operation> GroupCallOf(const CommitAsync& commit, const Moment& moment) {
  client::CommitAsync call;
  if (commit.offsets.has_value()) call.offsets = Rows(*commit.offsets, moment);
  return call;
}

std::optional<client::Operation> GroupCallOf(const Committed& committed, const Moment& moment) {
  client::Committed call;
  for (const PartitionName& name : committed.partitions) {
    const auto partition = moment.names.FindPartition(name);
    if (partition.has_value()) call.partitions.push_back(*partition);
  }
  return call;
}

std::optional<client::Operation> GroupCallOf(const SendOffsets& send, const Moment& moment) {
  if (!send.of.has_value()) {
    return client::SendOffsetsToTransaction{
        .offsets = Rows(send.offsets, moment),
        .group = {.group_id = send.group.value_or(""),
                  .generation_id =
                      static_cast<std::int32_t>(send.generation.value_or(broker::kNoGeneration)),
                  .member_id = send.member_id.value_or(""),
                  .group_instance_id = send.group_instance_id}};
  }
  const auto process = moment.names.FindProcess(send.of->value);
  if (!process.has_value()) return std::nullopt;
  const auto& consumer = static_cast<const client::Consumer&>(moment.world.process(*process));
  return client::SendOffsetsToTransaction{.offsets = consumer.positions(),
                                          .group = consumer.group_metadata()};
}

}  // namespace kafkasim::scenarios
