#include "coordinator/group_shard.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "broker/cluster_image.h"
#include "broker/partition_log.h"
#include "sim/check.h"

namespace kafkasim::coordinator {

namespace {

using broker::Offset;
using broker::ProducerId;

bool IsBefore(const sim::Cow<GroupShard>& shard, int32_t index) { return shard->index < index; }

}  // namespace

const ClassicGroup* GroupShard::Find(const std::string& group_id) const {
  const auto at = groups.find(group_id);
  return at == groups.end() ? nullptr : &*at->second;
}

ClassicGroup* GroupShard::FindMutable(const std::string& group_id) {
  const auto at = groups.find(group_id);
  return at == groups.end() ? nullptr : &at->second.Mutable();
}

ClassicGroup& GroupShard::Create(const std::string& group_id, int64_t now_ms) {
  const auto [at, created] = groups.try_emplace(
      group_id,
      sim::Cow<ClassicGroup>(ClassicGroup{.group_id = group_id, .state_timestamp_ms = now_ms}));
  KAFKASIM_CHECK(created, "only an unknown group is new");
  return at->second.Mutable();
}

std::string GroupShard::NextMemberId(std::string_view prefix) {
  return fmt::format("{}-{}-{}", prefix, epoch, ++member_ids);
}

void GroupShard::Replay(const broker::Record& record, Offset offset, ProducerId producer_id,
                        Offset high_watermark) {
  std::optional<GroupLogRecord> read = DecodeGroupRecord(record);
  if (!read.has_value()) return;
  if (const auto* group = std::get_if<GroupMetadataRecord>(&*read)) {
    if (group->value.has_value()) {
      groups.insert_or_assign(group->group_id,
                              sim::Cow<ClassicGroup>(GroupOf(group->group_id, *group->value)));
    } else {
      groups.erase(group->group_id);
    }
    return;
  }
  auto& commit = std::get<OffsetCommitRecord>(*read);
  if (!commit.value.has_value()) {
    offsets.Remove(commit.group_id, commit.partition, offset, high_watermark);
    return;
  }
  if (Find(commit.group_id) == nullptr) Create(commit.group_id, record.timestamp_ms);
  commit.value->record_offset = offset;
  if (producer_id == broker::kNoProducerId) {
    offsets.Commit(commit.group_id, commit.partition, *std::move(commit.value), high_watermark);
  } else {
    offsets.AddPending(producer_id, commit.group_id, commit.partition, *std::move(commit.value));
  }
}

void GroupShard::Replay(const broker::PartitionLog& log) {
  log.ForEachBatch(log.log_start_offset(), [&](const broker::RecordBatchRef& batch) {
    if (batch->is_control()) {
      if (!batch->marker.has_value()) return;  // a cleaner has emptied it
      const bool committed = batch->marker->type == broker::ControlType::kCommit;
      (void)offsets.EndTransaction(batch->producer_id, committed, batch->base_offset,
                                   log.high_watermark());
      return;
    }
    const ProducerId producer_id =
        batch->transactional ? batch->producer_id : broker::kNoProducerId;
    for (const broker::Record& record : *batch->records) {
      Replay(record, batch->base_offset + record.offset_delta, producer_id, log.high_watermark());
    }
  });
}

void GroupShard::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(index);
  out.Add(epoch);
  out.Add(loading);
  out.Add(static_cast<uint32_t>(groups.size()));
  for (const auto& [group_id, group] : groups) out.Add(group);
  out.Add(offsets);
  out.Add(member_ids);
  out.Add(expiry);
  out.Add(wake);
}

void GroupShards::SetTopic(broker::TopicId topic, int32_t partition_count) {
  KAFKASIM_CHECK(partition_count_ == 0 || partition_count_ == partition_count,
                 "the number of partitions of __consumer_offsets never changes");
  topic_ = topic;
  partition_count_ = partition_count;
}

GroupShards::Located GroupShards::Locate(std::string_view group_id) const {
  if (partition_count_ == 0) return {};
  const int32_t index =
      broker::PartitionForHash(broker::JavaStringHash(group_id), partition_count_);
  return {StandingOf(index), index};
}

GroupShards::Standing GroupShards::StandingOf(int32_t index) const {
  const GroupShard* shard = Find(index);
  if (shard == nullptr) return Standing::kElsewhere;
  return shard->loading ? Standing::kLoading : Standing::kHere;
}

const GroupShard* GroupShards::Find(int32_t index) const {
  const auto at = std::lower_bound(all_.begin(), all_.end(), index, IsBefore);
  return at != all_.end() && (*at)->index == index ? &**at : nullptr;
}

GroupShard& GroupShards::Mutable(int32_t index) {
  const auto at = std::lower_bound(all_.begin(), all_.end(), index, IsBefore);
  KAFKASIM_CHECK(at != all_.end() && (*at)->index == index,
                 "only a partition that is coordinated here changes");
  return at->Mutable();
}

void GroupShards::StartLoading(int32_t index, broker::LeaderEpoch epoch) {
  Remove(index);
  const auto at = std::lower_bound(all_.begin(), all_.end(), index, IsBefore);
  all_.insert(at, sim::Cow<GroupShard>(GroupShard{.index = index, .epoch = epoch}));
}

void GroupShards::Remove(int32_t index) {
  std::erase_if(all_, [&](const sim::Cow<GroupShard>& shard) { return shard->index == index; });
}

void GroupShards::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(topic_);
  out.Add(partition_count_);
  out.AddAll(all_);
}

}  // namespace kafkasim::coordinator
