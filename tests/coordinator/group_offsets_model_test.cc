// The offsets of a group against a model of them (group_offsets_model.h): commits outside and
// inside transactions, markers, expiry and failover; fetched with and without require_stable.
#include <gtest/gtest.h>
//
#include <cstdint>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <rapidcheck/state.h>

#include "broker/bugs.h"
#include "tests/coordinator/group_consumer.h"
#include "tests/coordinator/group_offsets_model.h"

namespace kafkasim::coordinator {
namespace {

using OffsetsCommand = rc::state::Command<GroupOffsetsModel, GroupHost>;

std::string PartitionText(int32_t partition) { return fmt::format("foo-{}", partition); }

void SameOffset(const GroupOffsetsModel& model, GroupHost& host, int32_t partition, bool stable) {
  broker::OffsetFetchRequest request{.group_id = "g", .require_stable = stable};
  request.partitions = broker::PartitionList{host.Id(PartitionText(partition))};
  const auto answer = host.Ask<broker::OffsetFetchResponse>(request);
  RC_ASSERT(answer.has_value());
  const auto& found = answer->partitions.at(0);
  const bool refused = stable && !model.IsStable(partition);
  RC_ASSERT(found.error ==
            (refused ? broker::ErrorCode::kUnstableOffsetCommit : broker::ErrorCode::kNone));
  RC_ASSERT(found.offset.value() == (refused ? -1 : model.Committed(partition)));
}

void SameOffsets(const GroupOffsetsModel& model, GroupHost& host) {
  for (int32_t partition = 0; partition < 3; ++partition) {
    SameOffset(model, host, partition, /*stable=*/true);
    SameOffset(model, host, partition, /*stable=*/false);
  }
}

class CommitOffsetCommand : public OffsetsCommand {
 public:
  CommitOffsetCommand()
      : partition_(*rc::gen::inRange(0, 3)), offset_(*rc::gen::inRange<int64_t>(0, 100)) {}
  void apply(GroupOffsetsModel& model) const override { model.Commit(partition_, offset_); }
  void run(const GroupOffsetsModel& model, GroupHost& host) const override {
    GroupConsumer simple(host, "c");
    RC_ASSERT(simple.Commit(PartitionText(partition_), offset_) == broker::ErrorCode::kNone);
    SameOffsets(nextState(model), host);
  }
  void show(std::ostream& out) const override {
    out << "commit " << PartitionText(partition_) << "=" << offset_;
  }

 private:
  int32_t partition_;
  int64_t offset_;
};

class CommitInTransactionCommand : public OffsetsCommand {
 public:
  explicit CommitInTransactionCommand(const GroupOffsetsModel& model)
      : producer_(*rc::gen::inRange<int64_t>(10, 12)),
        partition_(*rc::gen::inRange(0, 3)),
        offset_(*rc::gen::inRange<int64_t>(0, 100)) {
    const int64_t late = *rc::gen::weightedElement<int64_t>({{6, 0}, {1, 1}});
    epoch_ = std::max<int64_t>(0, model.EpochOf(producer_) - late);
  }
  void checkPreconditions(const GroupOffsetsModel& model) const override {
    RC_PRE(epoch_ <= model.EpochOf(producer_));
  }
  void apply(GroupOffsetsModel& model) const override {
    (void)model.CommitInTransaction(producer_, epoch_, partition_, offset_);
  }
  void run(const GroupOffsetsModel& model, GroupHost& host) const override {
    GroupOffsetsModel next = model;
    const auto expected = next.CommitInTransaction(producer_, epoch_, partition_, offset_);
    const auto answer = host.Ask<broker::TxnOffsetCommitResponse>(broker::TxnOffsetCommitRequest{
        .version = 5,
        .transactional_id = fmt::format("t{}", producer_),
        .group_id = "g",
        .producer_id = broker::ProducerId(producer_),
        .producer_epoch = broker::ProducerEpoch(static_cast<int16_t>(epoch_)),
        .offsets = {
            {.partition = host.Id(PartitionText(partition_)), .offset = broker::Offset(offset_)}}});
    RC_ASSERT(answer.has_value());
    RC_ASSERT(answer->partitions.at(0).error == expected);
    SameOffsets(next, host);
  }
  void show(std::ostream& out) const override {
    out << "producer " << producer_ << " epoch " << epoch_ << " commits "
        << PartitionText(partition_) << "=" << offset_;
  }

 private:
  int64_t producer_;
  int32_t partition_;
  int64_t offset_;
  int64_t epoch_ = 0;
};

class MarkOffsetsCommand : public OffsetsCommand {
 public:
  explicit MarkOffsetsCommand(const GroupOffsetsModel& model)
      : producer_(*rc::gen::inRange<int64_t>(10, 12)), commit_(*rc::gen::arbitrary<bool>()) {
    const int64_t step = *rc::gen::weightedElement<int64_t>({{6, 1}, {1, 0}});
    epoch_ = model.EpochOf(producer_) + step;
  }
  void apply(GroupOffsetsModel& model) const override {
    (void)model.Mark(producer_, epoch_, commit_);
  }
  void run(const GroupOffsetsModel& model, GroupHost& host) const override {
    GroupOffsetsModel next = model;
    const auto expected = next.Mark(producer_, epoch_, commit_);
    RC_ASSERT(host.Mark(producer_, static_cast<int16_t>(epoch_), commit_) == expected);
    SameOffsets(next, host);
  }
  void show(std::ostream& out) const override {
    out << (commit_ ? "COMMIT" : "ABORT") << " of producer " << producer_ << " epoch " << epoch_;
  }

 private:
  int64_t producer_;
  int64_t epoch_ = 0;
  bool commit_;
};

class WaitForExpiryCommand : public OffsetsCommand {
 public:
  WaitForExpiryCommand()
      : ms_(*rc::gen::element<int64_t>(1'000, 3'600'000, 86'400'000, 4LL * 86'400'000)) {}
  void apply(GroupOffsetsModel& model) const override { model.Wait(ms_); }
  void run(const GroupOffsetsModel& model, GroupHost& host) const override {
    host.Advance(sim::Millis(ms_));
    SameOffsets(nextState(model), host);
  }
  void show(std::ostream& out) const override { out << "wait " << ms_ << "ms"; }

 private:
  int64_t ms_;
};

class GroupFailoverCommand : public OffsetsCommand {
 public:
  void apply(GroupOffsetsModel& model) const override { model.Failover(); }
  void run(const GroupOffsetsModel& model, GroupHost& host) const override {
    const int32_t epoch = ViewGroupPartitions(host.coordinator).at(0).leader_epoch.value();
    host.Elect(0, epoch + 1);
    SameOffsets(nextState(model), host);
  }
  void show(std::ostream& out) const override { out << "failover"; }
};

void HoldOffsetsAgainstTheModel(std::optional<broker::Bug> rule = {}) {
  GroupHost host;
  if (rule.has_value()) host.broker_config.bugs.Add(*rule);
  rc::state::check(
      GroupOffsetsModel(), host,
      rc::state::gen::execOneOfWithArgs<CommitOffsetCommand, CommitInTransactionCommand,
                                        CommitInTransactionCommand, MarkOffsetsCommand,
                                        WaitForExpiryCommand, GroupFailoverCommand>());
}

RC_GTEST_PROP(GroupOffsetsModel, TheCoordinatorAnswersAsTheModel, ()) {
  HoldOffsetsAgainstTheModel();
}

TEST(GroupOffsetsModel, NoticesThatPendingOffsetsAreVisible) {
  const rc::detail::TestResult result = rc::detail::checkTestable(
      [] { HoldOffsetsAgainstTheModel(broker::Bug::kPendingOffsetsVisible); },
      rc::detail::TestMetadata(), rc::detail::TestParams{.seed = 1});
  EXPECT_TRUE(result.is<rc::detail::FailureResult>());
}

}  // namespace
}  // namespace kafkasim::coordinator
