// The transaction coordinator against a model of one transactional id (transaction_model.h): any
// requests, from whatever epoch, timeouts, markers and failovers.
#include <gtest/gtest.h>
//
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <rapidcheck/state.h>

#include "broker/bugs.h"
#include "tests/coordinator/scripted_host.h"
#include "tests/coordinator/transaction_model.h"

namespace kafkasim::coordinator {
namespace {

using broker::ErrorCode;
using TransactionCommand = rc::state::Command<TransactionModel, ScriptedHost>;

const std::string kModelId = "a";

TransactionState RealState(TransactionModel::State state) {
  switch (state) {
    case TransactionModel::State::kUnknown:
    case TransactionModel::State::kEmpty:
      return TransactionState::kEmpty;
    case TransactionModel::State::kOngoing:
      return TransactionState::kOngoing;
    case TransactionModel::State::kPrepareCommit:
      return TransactionState::kPrepareCommit;
    case TransactionModel::State::kPrepareAbort:
      return TransactionState::kPrepareAbort;
    case TransactionModel::State::kCompleteCommit:
      return TransactionState::kCompleteCommit;
    case TransactionModel::State::kCompleteAbort:
      return TransactionState::kCompleteAbort;
  }
  return TransactionState::kDead;
}

void SameTransaction(const TransactionModel& model, const ScriptedHost& host) {
  const auto view = host.Find(kModelId);
  RC_ASSERT(view.has_value() == (model.state != TransactionModel::State::kUnknown));
  if (!view.has_value()) return;
  RC_ASSERT(view->value.state == RealState(model.state));
  RC_ASSERT(view->value.producer_id.value() == model.producer_id);
  RC_ASSERT(view->value.producer_epoch.value() == model.epoch);
  RC_ASSERT(view->value.last_producer_epoch.value() == model.last_epoch);
  RC_ASSERT(view->pending.has_value() == model.markers_are_due());
  std::set<int32_t> partitions;
  for (const broker::PartitionId& partition : view->value.partitions) {
    partitions.insert(partition.index);
  }
  RC_ASSERT(partitions == model.partitions);
}

// The producer id and epoch that a request comes with: the current ones, most often.
struct RequestSender {
  int64_t id = 0;
  int64_t epoch = 0;

  static RequestSender Any(const TransactionModel& model) {
    const int64_t drift = *rc::gen::weightedElement<int64_t>({{6, 0}, {3, -1}, {1, 1}});
    RequestSender sender{.id = model.producer_id,
                         .epoch = std::max<int64_t>(0, model.epoch + drift)};
    switch (*rc::gen::weightedElement<int>({{8, 0}, {1, 1}, {1, 2}})) {
      case 1:
        return model.previous_id == -1
                   ? sender
                   : RequestSender{model.previous_id, TransactionModel::kLastUsable};
      case 2:
        return {.id = 500, .epoch = sender.epoch};
      default:
        return sender;
    }
  }
  [[nodiscard]] int16_t real_epoch() const { return static_cast<int16_t>(epoch); }
  friend std::ostream& operator<<(std::ostream& out, const RequestSender& sender) {
    return out << " from (" << sender.id << ", " << sender.epoch << ")";
  }
};

class InitCommand : public TransactionCommand {
 public:
  void apply(TransactionModel& model) const override { (void)model.Init(); }
  void run(const TransactionModel& model, ScriptedHost& host) const override {
    TransactionModel next = model;
    const TransactionModel::Answer expected = next.Init();
    const auto answer = *host.Init(kModelId);
    RC_ASSERT((TransactionModel::Answer{answer.error, answer.producer_id.value(),
                                        answer.producer_epoch.value()}) == expected);
    SameTransaction(next, host);
  }
  void show(std::ostream& out) const override { out << "InitProducerId"; }
};

class InitAgainCommand : public TransactionCommand {
 public:
  explicit InitAgainCommand(const TransactionModel& model) : sender_(RequestSender::Any(model)) {}
  void checkPreconditions(const TransactionModel&) const override { RC_PRE(sender_.id >= 0); }
  void apply(TransactionModel& model) const override {
    (void)model.InitAgain(sender_.id, sender_.epoch);
  }
  void run(const TransactionModel& model, ScriptedHost& host) const override {
    TransactionModel next = model;
    const TransactionModel::Answer expected = next.InitAgain(sender_.id, sender_.epoch);
    const auto answer = *host.Init(kModelId, sender_.id, sender_.real_epoch());
    RC_ASSERT((TransactionModel::Answer{answer.error, answer.producer_id.value(),
                                        answer.producer_epoch.value()}) == expected);
    SameTransaction(next, host);
  }
  void show(std::ostream& out) const override { out << "InitProducerId" << sender_; }

 private:
  RequestSender sender_;
};

class AddCommand : public TransactionCommand {
 public:
  explicit AddCommand(const TransactionModel& model)
      : sender_(RequestSender::Any(model)), partition_(*rc::gen::inRange(0, 3)) {}
  void apply(TransactionModel& model) const override {
    (void)model.Add(sender_.id, sender_.epoch, {partition_});
  }
  void run(const TransactionModel& model, ScriptedHost& host) const override {
    TransactionModel next = model;
    const ErrorCode expected = next.Add(sender_.id, sender_.epoch, {partition_});
    const auto version = static_cast<int16_t>(model.version == 2 ? 5 : 3);
    RC_ASSERT(host.Add(kModelId, sender_.id, sender_.real_epoch(), host.OrdersList({partition_}),
                       version) == expected);
    SameTransaction(next, host);
  }
  void show(std::ostream& out) const override {
    out << "AddPartitionsToTxn orders-" << partition_ << sender_;
  }

 private:
  RequestSender sender_;
  int32_t partition_;
};

class VerifyCommand : public TransactionCommand {
 public:
  explicit VerifyCommand(const TransactionModel& model)
      : sender_(RequestSender::Any(model)), partition_(*rc::gen::inRange(0, 3)) {}
  void run(const TransactionModel& model, ScriptedHost& host) const override {
    const auto answer =
        host.Verify(kModelId, sender_.id, sender_.real_epoch(), host.OrdersList({partition_}));
    RC_ASSERT(answer == model.Verify(sender_.id, sender_.epoch, partition_));
    SameTransaction(model, host);
  }
  void show(std::ostream& out) const override { out << "verify orders-" << partition_ << sender_; }

 private:
  RequestSender sender_;
  int32_t partition_;
};

class EndCommand : public TransactionCommand {
 public:
  explicit EndCommand(const TransactionModel& model)
      : sender_(RequestSender::Any(model)), commit_(*rc::gen::arbitrary<bool>()) {}
  void apply(TransactionModel& model) const override {
    (void)model.End(sender_.id, sender_.epoch, commit_);
  }
  void run(const TransactionModel& model, ScriptedHost& host) const override {
    TransactionModel next = model;
    const TransactionModel::Answer expected = next.End(sender_.id, sender_.epoch, commit_);
    const auto version = static_cast<int16_t>(model.version == 2 ? 5 : 4);
    const auto answer = *host.End(kModelId, sender_.id, sender_.real_epoch(), commit_, version);
    RC_ASSERT((TransactionModel::Answer{answer.error, answer.producer_id.value(),
                                        answer.producer_epoch.value()}) == expected);
    SameTransaction(next, host);
  }
  void show(std::ostream& out) const override {
    out << "EndTxn " << (commit_ ? "commit" : "abort") << sender_;
  }

 private:
  RequestSender sender_;
  bool commit_;
};

class MarkersCommand : public TransactionCommand {
 public:
  void apply(TransactionModel& model) const override { model.MarkersAreWritten(); }
  void run(const TransactionModel& model, ScriptedHost& host) const override {
    while (!host.marker_requests().empty()) host.AnswerMarkers(0);
    SameTransaction(nextState(model), host);
  }
  void show(std::ostream& out) const override { out << "markers are written"; }
};

class WaitCommand : public TransactionCommand {
 public:
  WaitCommand() : ms_(1'000 * *rc::gen::inRange<int64_t>(1, 90)) {}
  void apply(TransactionModel& model) const override { model.Wait(ms_); }
  void run(const TransactionModel& model, ScriptedHost& host) const override {
    host.AdvanceTo(host.now() + sim::Millis(ms_));
    SameTransaction(nextState(model), host);
  }
  void show(std::ostream& out) const override { out << "wait " << ms_ << "ms"; }

 private:
  int64_t ms_;
};

class FailoverCommand : public TransactionCommand {
 public:
  void apply(TransactionModel& model) const override { model.Failover(); }
  void run(const TransactionModel& model, ScriptedHost& host) const override {
    const auto view = host.Find(kModelId);
    const int32_t epoch = view.has_value() ? view->coordinator_epoch.value() : 1'000;
    host.Elect(0, epoch + 1);
    SameTransaction(nextState(model), host);
  }
  void checkPreconditions(const TransactionModel& model) const override {
    RC_PRE(model.state != TransactionModel::State::kUnknown);
  }
  void show(std::ostream& out) const override { out << "failover"; }
};

// An id that is new, or one that has been used until epoch 32764.
void HoldTransactionsAgainstTheModel(int64_t version, std::optional<broker::Bug> rule = {}) {
  ScriptedHost host = ScriptedHost::ForVersion(version);
  if (rule.has_value()) host.broker_config.bugs.Add(*rule);
  host.markers = ScriptedHost::Markers::kHold;
  TransactionModel model{.version = version};
  if (*rc::gen::arbitrary<bool>()) {
    model.state = TransactionModel::State::kEmpty;
    model.producer_id = model.previous_id = 3;
    model.epoch = 32764;
    host.Store(kModelId, {.producer_id = broker::ProducerId(3),
                          .prev_producer_id = broker::ProducerId(3),
                          .producer_epoch = broker::ProducerEpoch(32764),
                          .timeout_ms = 60'000});
    host.Elect(0, 1);
  }
  rc::state::check(
      model, host,
      rc::state::gen::execOneOfWithArgs<InitCommand, InitAgainCommand, AddCommand, AddCommand,
                                        VerifyCommand, EndCommand, EndCommand, MarkersCommand,
                                        MarkersCommand, WaitCommand, FailoverCommand>());
}

RC_GTEST_PROP(TransactionModel, TheCoordinatorAnswersAsTheModelInTV1, ()) {
  HoldTransactionsAgainstTheModel(1);
}
RC_GTEST_PROP(TransactionModel, TheCoordinatorAnswersAsTheModelInTV2, ()) {
  HoldTransactionsAgainstTheModel(2);
}

TEST(TransactionModel, NoticesEachRuleOfTheCoordinatorThatIsSwitchedOff) {
  for (const broker::Bug rule :
       {broker::Bug::kInitKeepsEpoch, broker::Bug::kTimeoutKeepsEpoch,
        broker::Bug::kCoordinatorIgnoresEpochs, broker::Bug::kMarkersForgottenAtFailover,
        broker::Bug::kTransactionsInMemoryOnly}) {
    const rc::detail::TestResult result =
        rc::detail::checkTestable([&] { HoldTransactionsAgainstTheModel(1, rule); },
                                  rc::detail::TestMetadata(), rc::detail::TestParams{.seed = 1});
    EXPECT_TRUE(result.is<rc::detail::FailureResult>())
        << broker::AllBugs()[static_cast<size_t>(rule)].name;
  }
}

}  // namespace
}  // namespace kafkasim::coordinator
