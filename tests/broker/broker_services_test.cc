// How a broker hosts a service: leadership, effects, crashes between them. And WriteTxnMarkers.
#include <gmock/gmock.h>

#include "broker/events.h"
#include "tests/broker/scripted_service.h"
#include "tests/broker/test_cluster.h"

namespace kafkasim::broker {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::SizeIs;

RecordBatch Value(std::string key) {
  return MakeBatch({{.key = std::move(key), .value = "v", .timestamp_ms = 0}});
}

// __transaction_state has two partitions; broker 0 leads the first, broker 1 the second.
class Services : public ::testing::Test {
 protected:
  void Start(Effects on_end_txn) {
    ClusterSpec spec = TestCluster::Orders(3, 2);
    spec.config.transaction_state_log_replication_factor = 3;
    spec.config.transaction_state_log_num_partitions = 2;
    cluster_.emplace(spec, [on_end_txn] {
      std::vector<std::unique_ptr<Service>> services;
      services.push_back(
          std::make_unique<ScriptedService>(ScriptedService::Script{.on_end_txn = on_end_txn}));
      return services;
    });
    cluster_->Run(sim::Millis(10));
  }
  const std::vector<std::string>& Heard(int32_t broker) const {
    return static_cast<const ScriptedService&>(
               *cluster_->broker(broker).FindService(kTransactionStateTopic))
        .heard();
  }
  static PartitionId State(int32_t index) { return {.topic = TopicId(1), .index = index}; }
  static AppendEffect AppendTo(int32_t index, uint64_t token) {
    return {.partition = State(index),
            .batch = Value("txn"),
            .timeout = sim::Seconds(5),
            .token = token,
            .appended = PointEffect{.kind = &kScripted, .fields = {{"token", int64_t(token)}}}};
  }
  std::optional<TestCluster> cluster_;
};

TEST_F(Services, HearOfTheLeaderships) {
  Start({});
  EXPECT_THAT(Heard(0), ElementsAre("started", "elected 0 epoch 0 end 0"));
  EXPECT_THAT(Heard(2), ElementsAre("started"));
  cluster_->world().Command(
      cluster_->controller_process(),
      MakeMessage(ElectLeadersRequest{.partition = State(0), .leader = BrokerId(1)}),
      &cluster_->trace());
  cluster_->Run(sim::Millis(10));
  EXPECT_THAT(Heard(0), Contains("resigned 0 epoch 0"));
  EXPECT_THAT(Heard(1), Contains("elected 0 epoch 1 end 0"));
}

TEST_F(Services, StartAgainInANewLife) {
  Start({});
  cluster_->Crash(0);
  EXPECT_THAT(Heard(0), IsEmpty());
  cluster_->Restart(0);
  cluster_->Run(sim::Seconds(15));
  EXPECT_THAT(Heard(0), ElementsAre("started")) << "the leadership went to another";
  EXPECT_THAT(Heard(1), Contains("elected 0 epoch 1 end 0"));
}

TEST_F(Services, LearnOfAnAppendWhenItIsReplicated) {
  Start({AppendTo(0, 5)});
  const size_t ended = cluster_->Send(0, MakeMessage(EndTxnRequest{}));
  cluster_->Run(sim::Millis(2));
  EXPECT_TRUE(cluster_->Answered(ended)) << "the next effect does not wait";
  EXPECT_THAT(Heard(0), Not(Contains("appended 5 NONE")));
  cluster_->Run(sim::Millis(1));
  EXPECT_THAT(Heard(0), Contains("appended 5 NONE"));
  const auto points = cluster_->trace().OfKind(kScripted);
  ASSERT_THAT(points, SizeIs(1));
  EXPECT_EQ(points[0].Int("token"), 5);
}

TEST_F(Services, LearnOfAnAppendThatFails) {
  Start({AppendTo(1, 6)});  // led by broker 1
  cluster_->Send(0, MakeMessage(EndTxnRequest{}));
  cluster_->Run(sim::Millis(10));
  EXPECT_THAT(Heard(0), Contains("appended 6 NOT_LEADER_OR_FOLLOWER"));
}

TEST_F(Services, DoNotAppendInALaterEpochThanTheyThink) {
  AppendEffect old = AppendTo(0, 7);
  old.expected_epoch = LeaderEpoch(3);
  Start({old});
  cluster_->Send(0, MakeMessage(EndTxnRequest{}));
  cluster_->Run(sim::Millis(10));
  EXPECT_THAT(Heard(0), Contains("appended 7 NOT_LEADER_OR_FOLLOWER"));
}

TEST_F(Services, LearnOfAnAppendThatIsNotReplicatedInTime) {
  Start({AppendTo(0, 8)});
  cluster_->Cut(sim::ProcessId(0), sim::ProcessId(1));
  cluster_->Cut(sim::ProcessId(0), sim::ProcessId(2));
  cluster_->Send(0, MakeMessage(EndTxnRequest{}));
  cluster_->Run(sim::Millis(4'990));
  EXPECT_THAT(Heard(0), Not(Contains("appended 8 REQUEST_TIMED_OUT")));
  cluster_->Run(sim::Millis(20));
  EXPECT_THAT(Heard(0), Contains("appended 8 REQUEST_TIMED_OUT"));
}

TEST_F(Services, LearnThatLeadershipWasLostWhileAnAppendWaited) {
  Start({AppendTo(0, 9)});
  cluster_->Cut(sim::ProcessId(0), sim::ProcessId(1));
  cluster_->Cut(sim::ProcessId(0), sim::ProcessId(2));
  cluster_->Send(0, MakeMessage(EndTxnRequest{}));
  cluster_->Run(sim::Millis(10));
  cluster_->world().Command(
      cluster_->controller_process(),
      MakeMessage(ElectLeadersRequest{.partition = State(0), .leader = BrokerId(1)}),
      &cluster_->trace());
  cluster_->Run(sim::Millis(10));
  EXPECT_THAT(Heard(0), ElementsAre("started", "elected 0 epoch 0 end 0",
                                    "appended 9 NOT_LEADER_OR_FOLLOWER", "resigned 0 epoch 0"));
}

TEST_F(Services, SendRequestsAndHearAnswersOrSilence) {
  const auto send = [](int32_t to, uint64_t token) {
    return SendEffect{.to = sim::ProcessId(to),
                      .channel = kMarkerChannel,
                      .request = MakeMessage(MetadataRequest{}),
                      .timeout = sim::Seconds(2),
                      .token = token};
  };
  Start({send(1, 1), send(0, 2), send(2, 3),
         TimerEffect{.delay = sim::Millis(100), .kind = 4, .argument = 44}});
  cluster_->Cut(sim::ProcessId(0), sim::ProcessId(2));
  cluster_->Send(0, MakeMessage(EndTxnRequest{}));
  cluster_->Run(sim::Millis(150));
  EXPECT_THAT(Heard(0),
              IsSupersetOf({"answer 1 Metadata", "answer 2 Metadata", "timer 4 44 at 111ms"}));
  EXPECT_THAT(Heard(0), Not(Contains("answer 3 none")));
  cluster_->Run(sim::Seconds(2));
  EXPECT_THAT(Heard(0), Contains("answer 3 none"));
}

TEST_F(Services, HearThatAPeerDied) {
  Start({SendEffect{.to = sim::ProcessId(1),
                    .channel = kMarkerChannel,
                    .request = MakeMessage(MetadataRequest{}),
                    .token = 1}});
  cluster_->Crash(1);
  cluster_->Send(0, MakeMessage(EndTxnRequest{}));
  cluster_->Run(sim::Millis(10));
  EXPECT_THAT(Heard(0), Contains("answer 1 none"));
}

// A crash at a point: the effects before it are done, those after it are not.
TEST_F(Services, ACrashBetweenTwoEffectsStopsThere) {
  Start({AppendTo(0, 1), AppendTo(0, 2)});
  cluster_->trace().StrikeAt(kScripted, sim::ProcessId(0), sim::Reaction::kCrash);
  const size_t ended = cluster_->Send(0, MakeMessage(EndTxnRequest{}));
  cluster_->Run(sim::Millis(10));
  EXPECT_EQ(cluster_->broker(0).FindReplica(State(0))->log().log_end_offset(), Offset(1));
  EXPECT_TRUE(cluster_->sent()[ended].disconnected);
}

TEST(UnservedRequest, IsAnsweredAsUnsupported) {
  TestCluster cluster(TestCluster::Orders(1, 1));
  const size_t ended = cluster.Send(0, MakeMessage(EndTxnRequest{}));
  const size_t odd = cluster.Send(0, MakeMessage(AlterPartitionRequest{}), kMarkerChannel);
  cluster.Run(sim::Millis(10));
  EXPECT_EQ(cluster.Answer<EndTxnResponse>(ended).error, ErrorCode::kUnsupportedVersion);
  EXPECT_TRUE(cluster.sent()[odd].disconnected) << "no place for an error";
}

// ---- WriteTxnMarkers ----

TEST(WriteTxnMarkers, AreAnsweredOnceReplicated) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Millis(10));
  cluster.Produce(0, {.producer_id = kP,
                      .epoch = ProducerEpoch(0),
                      .sequence = Sequence(0),
                      .transactional = true});
  cluster.Run(sim::Millis(10));
  const size_t marker = cluster.WriteMarker(0, kP, ProducerEpoch(0), /*commit=*/true);
  cluster.Run(sim::Millis(3));
  EXPECT_FALSE(cluster.Answered(marker));
  EXPECT_THAT(cluster.trace().OfKind(events::kMarkerAppended), SizeIs(1));
  cluster.Run(sim::Millis(1));
  EXPECT_EQ(cluster.MarkerError(marker), ErrorCode::kNone);
  const auto replicated = cluster.trace().OfKind(events::kMarkerReplicated);
  ASSERT_THAT(replicated, SizeIs(1));
  EXPECT_EQ(replicated[0].Text("type"), "COMMIT");
  EXPECT_EQ(replicated[0].Int("offset"), 1);
  EXPECT_EQ(replicated[0].Int("first_offset"), 0);
}

TEST(WriteTxnMarkers, OfAnEmptyTransactionTakeAnOffsetAndNothingElse) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Millis(10));
  cluster.WriteMarker(0, kP, ProducerEpoch(0), /*commit=*/false);
  cluster.Run(sim::Millis(10));
  EXPECT_EQ(cluster.Log(0).last_stable_offset(), Offset(1));
  EXPECT_EQ(cluster.trace().OfKind(events::kMarkerReplicated)[0].Int("first_offset"), -1);
}

TEST(WriteTxnMarkers, AreRefusedForEachPartitionByItself) {
  TestCluster cluster(TestCluster::Orders(3, 3));
  cluster.Run(sim::Millis(10));
  const size_t good = cluster.WriteMarker(0, kP, ProducerEpoch(5), /*commit=*/true);
  const size_t old = cluster.WriteMarker(0, kP, ProducerEpoch(4), /*commit=*/true);
  const size_t follower = cluster.WriteMarker(1, kP, ProducerEpoch(5), /*commit=*/true);
  WriteTxnMarkersRequest request;
  request.markers.push_back({.producer_id = kP,
                             .producer_epoch = ProducerEpoch(6),
                             .partitions = {{.topic = TopicId(0), .index = 8}},
                             .coordinator_epoch = CoordinatorEpoch(0)});
  const size_t unknown = cluster.Send(0, MakeMessage(std::move(request)), kMarkerChannel);
  cluster.Run(sim::Millis(10));
  EXPECT_EQ(cluster.MarkerError(good), ErrorCode::kNone);
  EXPECT_EQ(cluster.MarkerError(old), ErrorCode::kInvalidProducerEpoch);
  EXPECT_EQ(cluster.MarkerError(follower), ErrorCode::kNotLeaderOrFollower);
  EXPECT_EQ(cluster.MarkerError(unknown), ErrorCode::kUnknownTopicOrPartition);
  EXPECT_THAT(cluster.trace().OfKind(events::kMarkerRefused), SizeIs(2));
  cluster.Crash(2);
  cluster.Run(sim::Seconds(10));
  const size_t below = cluster.WriteMarker(0, kP, ProducerEpoch(7), /*commit=*/true);
  cluster.Run(sim::Millis(10));
  EXPECT_EQ(cluster.MarkerError(below), ErrorCode::kNotEnoughReplicas);
}

TEST(WriteTxnMarkers, TimeOutAfterTheRequestTimeoutAndStayInTheLog) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Millis(10));
  cluster.Cut(sim::ProcessId(0), sim::ProcessId(2));
  const size_t marker = cluster.WriteMarker(0, kP, ProducerEpoch(0), /*commit=*/true);
  cluster.Run(sim::Millis(30'001));
  EXPECT_FALSE(cluster.Answered(marker));
  cluster.Run(sim::Millis(1));
  EXPECT_EQ(cluster.MarkerError(marker), ErrorCode::kRequestTimedOut);
  EXPECT_EQ(cluster.Log(0).log_end_offset(), Offset(1));
}

}  // namespace
}  // namespace kafkasim::broker
