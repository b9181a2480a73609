#include "coordinator/group_log_record.h"

#include <gtest/gtest.h>

#include "tests/coordinator/values.h"

namespace kafkasim::coordinator {
namespace {

using broker::LeaderEpoch;
using broker::Offset;
using broker::PartitionId;
using broker::TopicId;

OffsetCommitRecord CommitRecord(std::string metadata) {
  OffsetCommitRecord record{.group_id = "my group=1", .partition = kFoo1};
  record.value = OffsetAndMetadata{.offset = Offset(5),
                                   .leader_epoch = LeaderEpoch(3),
                                   .metadata = std::move(metadata),
                                   .commit_timestamp_ms = 412};
  return record;
}

GroupMetadataRecord Group() {
  GroupMetadataRecord record{.group_id = "g"};
  record.value = GroupMetadataRecord::Value{};
  GroupMetadataRecord::Value& value = *record.value;
  value = {.protocol_type = "consumer",
           .generation = 7,
           .protocol = "range",
           .leader = "c 1-0-1",
           .state_timestamp_ms = 300};
  value.members.push_back(
      {.member_id = "c 1-0-1",
       .client_id = "c 1",
       .rebalance_timeout_ms = 300'000,
       .session_timeout_ms = 45'000,
       .subscription = {.topics = {TopicId(1), TopicId(2)}, .owned = {kFoo1}, .generation_id = 6},
       .assignment = {kFoo1, {TopicId(2), 0}}});
  value.members.push_back({.member_id = "null",
                           .group_instance_id = "i id=4:x",
                           .client_id = "",
                           .rebalance_timeout_ms = 1,
                           .session_timeout_ms = 2});
  return record;
}

TEST(GroupLogRecord, AnOffsetIsWrittenAsTheHeaderSays) {
  const broker::Record written = Encode(CommitRecord("m"), 413);
  EXPECT_EQ(written.key, "1 partition=1:1 group=my group=1");
  EXPECT_EQ(written.value, "v4 offset=5 leader_epoch=3 timestamp=412 metadata=m");
  EXPECT_EQ(written.timestamp_ms, 413);
}

TEST(GroupLogRecord, OffsetsAreReadAsTheyWereWritten) {
  for (const char* metadata : {"", "a text with = and spaces ", "null"}) {
    const OffsetCommitRecord record = CommitRecord(metadata);
    EXPECT_EQ(std::get<OffsetCommitRecord>(*DecodeGroupRecord(Encode(record, 1))), record);
  }
  const OffsetCommitRecord tombstone{.group_id = "g", .partition = kFoo1};
  EXPECT_EQ(std::get<OffsetCommitRecord>(*DecodeGroupRecord(Encode(tombstone, 1))), tombstone);
}

TEST(GroupLogRecord, GroupsAreReadAsTheyWereWritten) {
  EXPECT_EQ(std::get<GroupMetadataRecord>(*DecodeGroupRecord(Encode(Group(), 1))), Group());
  GroupMetadataRecord empty{.group_id = "g"};
  empty.value = GroupMetadataRecord::Value{.generation = 0};
  EXPECT_EQ(std::get<GroupMetadataRecord>(*DecodeGroupRecord(Encode(empty, 1))), empty);
  const GroupMetadataRecord tombstone{.group_id = "g"};
  EXPECT_EQ(std::get<GroupMetadataRecord>(*DecodeGroupRecord(Encode(tombstone, 1))), tombstone);
}

TEST(GroupLogRecord, SkipsWhatItDoesNotKnow) {
  const broker::Record offset = Encode(CommitRecord("m"), 1);
  const broker::Record group = Encode(Group(), 1);
  const auto with_value = [](broker::Record record, std::string value) {
    record.value = std::move(value);
    return DecodeGroupRecord(record);
  };
  EXPECT_FALSE(DecodeGroupRecord({.key = std::nullopt, .value = "v4"}).has_value());
  EXPECT_FALSE(DecodeGroupRecord({.key = "3 group=g", .value = offset.value}).has_value());
  EXPECT_FALSE(DecodeGroupRecord({.key = "1 partition=x group=g"}).has_value());
  EXPECT_FALSE(with_value(offset, "v9 offset=5").has_value());
  EXPECT_FALSE(with_value(offset, "").has_value());
  EXPECT_FALSE(with_value(group, *group.value + " more").has_value());
  EXPECT_FALSE(with_value(group, group.value->substr(0, 60)).has_value());
  EXPECT_FALSE(
      with_value(group, "v3 type=99:consumer generation=1 protocol=null leader=null").has_value());
}

TEST(GroupLogRecord, AGroupComesBackStableOrEmpty) {
  const ClassicGroup group = GroupOf("g", *Group().value);
  EXPECT_EQ(group.state, GroupState::kStable);
  EXPECT_EQ(group.previous_state, GroupState::kDead);
  EXPECT_EQ(group.generation_id, 7);
  EXPECT_TRUE(group.IsLeader("c 1-0-1"));
  EXPECT_EQ(group.StaticMemberId("i id=4:x"), "null");
  EXPECT_EQ(group.FindMember("c 1-0-1")->assignment.size(), 2u);
  EXPECT_EQ(RecordOf(group), Group());
  GroupMetadataRecord::Value empty{.protocol_type = "consumer", .generation = 8};
  EXPECT_EQ(GroupOf("g", empty).state, GroupState::kEmpty);
}

TEST(GroupLogRecord, IsDescribedWithNames) {
  broker::ClusterImage names;
  for (const char* name : {"__consumer_offsets", "foo", "bar"}) {
    names.topics.push_back({.name = name, .partitions = {{}, {}}});
  }
  EXPECT_EQ(Describe(CommitRecord(""), names), "my group=1 foo-1 → 5");
  EXPECT_EQ(Describe(CommitRecord("m"), names), "my group=1 foo-1 → 5 'm'");
  EXPECT_EQ(Describe(Group(), names),
            "g generation 7, range: c 1-0-1 leads; c 1-0-1 [foo-1 bar-0], null []");
  EXPECT_EQ(Describe(GroupMetadataRecord{.group_id = "g"}, names), "g tombstone");
}

}  // namespace
}  // namespace kafkasim::coordinator
