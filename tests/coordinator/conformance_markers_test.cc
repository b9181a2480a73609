// Conformance cases 59 and 60: what becomes of markers (5.2, 5.3).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/events.h"
#include "tests/coordinator/scripted_host.h"
#include "tests/coordinator/values.h"

namespace kafkasim::coordinator {
namespace {

using broker::BrokerId;
using broker::ErrorCode;
using sim::Millis;
using sim::Time;
using ::testing::ElementsAre;
using enum TransactionState;

// A host with transaction "t" (producer 7) decided over these partitions, its markers held.
ScriptedHost Decided(std::vector<int32_t> partitions) {
  ScriptedHost host = ScriptedHost::ForVersion(2);
  EXPECT_EQ(host.Init("t")->error, ErrorCode::kNone);
  EXPECT_EQ(host.Add("t", 7, 0, host.OrdersList(std::move(partitions)), 4), ErrorCode::kNone);
  host.markers = ScriptedHost::Markers::kHold;
  EXPECT_EQ(host.End("t", 7, 0, true, 5)->error, ErrorCode::kNone);
  return host;
}

TEST(Conformance, Case59ADisconnectSendsTheMarkersAgain) {
  ScriptedHost host = Decided({0});
  host.DisconnectMarkers(0);
  EXPECT_TRUE(host.marker_requests().empty()) << "the connection is backing off";
  host.AdvanceTo(Time{} + Millis(50));
  ASSERT_EQ(host.marker_requests().size(), 1u);
  EXPECT_EQ(host.marker_requests()[0].broker, BrokerId(1));
  host.AnswerMarkers(0);
  EXPECT_EQ(host.StateOf("t"), kCompleteCommit);
  EXPECT_THAT(host.TextsOf(events::kMarkerRetried, "error"), ElementsAre("NETWORK_EXCEPTION"));
}

TEST(Conformance, Case59ADisconnectGoesToTheNewLeaderAtOnce) {
  ScriptedHost host = Decided({0});
  host.cluster.topics[2].partitions[0].leader = BrokerId(3);
  host.DisconnectMarkers(0);
  ASSERT_EQ(host.marker_requests().size(), 1u);
  EXPECT_EQ(host.marker_requests()[0].broker, BrokerId(3));
}

TEST(Conformance, Case59DuringTheBackoffANewLeaderIsFoundByMetadata) {
  ScriptedHost host = Decided({0});
  host.DisconnectMarkers(0);
  host.cluster.topics[2].partitions[0].leader = BrokerId(2);
  host.MetadataChanged();
  ASSERT_EQ(host.marker_requests().size(), 1u);
  EXPECT_EQ(host.marker_requests()[0].broker, BrokerId(2));
}

TEST(Conformance, Case59AFencedProducerOrCoordinatorEndsTheAttempts) {
  for (const ErrorCode error :
       {ErrorCode::kInvalidProducerEpoch, ErrorCode::kTransactionCoordinatorFenced}) {
    ScriptedHost host = Decided({0, 1});
    host.AnswerMarkers(0, error);
    host.AnswerMarkers(0);
    EXPECT_TRUE(host.marker_requests().empty());
    EXPECT_EQ(host.StateOf("t"), kPrepareCommit);
    EXPECT_EQ(host.Find("t")->pending, kCompleteCommit);
    EXPECT_EQ(host.Init("t")->error, ErrorCode::kConcurrentTransactions) << "for everybody";
    EXPECT_EQ(host.TextsOf(events::kMarkersGivenUp, "reason").size(), 1u);
    host.markers = ScriptedHost::Markers::kAcknowledge;
    host.Elect(0, 1);
    EXPECT_EQ(host.StateOf("t"), kCompleteCommit) << "until the partition is loaded again";
  }
}

TEST(Conformance, Case59AfterGivingUpTheOtherPartitionsOfTheMarkerAreNotTriedAgain) {
  ScriptedHost host = ScriptedHost::ForVersion(2);
  host.cluster.topics[2].partitions[1].leader = BrokerId(1);
  ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone);
  ASSERT_EQ(host.Add("t", 7, 0, host.OrdersList({0, 1}), 4), ErrorCode::kNone);
  host.markers = ScriptedHost::Markers::kHold;
  ASSERT_EQ(host.End("t", 7, 0, true, 5)->error, ErrorCode::kNone);
  host.AnswerMarkers(0, std::map<int32_t, ErrorCode>{{0, ErrorCode::kInvalidProducerEpoch},
                                                     {1, ErrorCode::kNotEnoughReplicas}});
  EXPECT_TRUE(host.marker_requests().empty());
  EXPECT_EQ(host.StateOf("t"), kPrepareCommit);
}

TEST(Conformance, Case59WhatCannotBeWrittenYetIsSentAgainToThatPartitionOnly) {
  for (const ErrorCode error :
       {ErrorCode::kUnknownTopicOrPartition, ErrorCode::kNotLeaderOrFollower,
        ErrorCode::kNotEnoughReplicas, ErrorCode::kNotEnoughReplicasAfterAppend,
        ErrorCode::kRequestTimedOut, ErrorCode::kKafkaStorageError}) {
    ScriptedHost host = ScriptedHost::ForVersion(2);
    host.cluster.topics[2].partitions[1].leader = BrokerId(1);
    EXPECT_EQ(host.Init("t")->error, ErrorCode::kNone);
    EXPECT_EQ(host.Add("t", 7, 0, host.OrdersList({0, 1}), 4), ErrorCode::kNone);
    host.markers = ScriptedHost::Markers::kHold;
    EXPECT_EQ(host.End("t", 7, 0, true, 5)->error, ErrorCode::kNone);
    ASSERT_EQ(host.marker_requests().at(0).request.markers.at(0).partitions,
              host.OrdersList({0, 1}));
    for (int i = 0; i < 3; ++i) {
      host.AnswerMarkers(0, std::map<int32_t, ErrorCode>{{1, error}});
      ASSERT_EQ(host.marker_requests().size(), 1u) << error;
      EXPECT_EQ(host.marker_requests()[0].request.markers.at(0).partitions, host.OrdersList({1}));
    }
    host.AnswerMarkers(0);
    EXPECT_EQ(host.StateOf("t"), kCompleteCommit);
  }
}

TEST(Conformance, Case59OldFormatsCountAsDone) {
  for (const ErrorCode error :
       {ErrorCode::kUnsupportedForMessageFormat, ErrorCode::kUnsupportedVersion}) {
    ScriptedHost host = Decided({0});
    host.AnswerMarkers(0, error);
    EXPECT_EQ(host.StateOf("t"), kCompleteCommit);
  }
}

TEST(Conformance, Case59APartitionOfADeletedTopicNeedsNoMarker) {
  ScriptedHost host = Decided({0, 1});
  host.cluster.topics[2].deleted = true;
  host.AnswerMarkers(0);
  host.AnswerMarkers(0, ErrorCode::kUnknownTopicOrPartition);
  EXPECT_EQ(host.StateOf("t"), kCompleteCommit);
  EXPECT_THAT(host.TextsOf(events::kMarkerDropped, "transactional_id"), ElementsAre("t"));
}

TEST(Markers, APartitionWithoutALeaderWaitsForOne) {
  ScriptedHost host = ScriptedHost::ForVersion(2);
  ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone);
  ASSERT_EQ(host.Add("t", 7, 0, host.OrdersList({0, 1}), 4), ErrorCode::kNone);
  host.cluster.topics[2].partitions[1].leader = broker::kNoBroker;
  ASSERT_EQ(host.End("t", 7, 0, true, 5)->error, ErrorCode::kNone);
  EXPECT_EQ(host.StateOf("t"), kPrepareCommit);
  EXPECT_EQ(host.coordinator.markers().parked().size(), 1u);
  host.MetadataChanged();
  EXPECT_EQ(host.StateOf("t"), kPrepareCommit);
  host.cluster.topics[2].partitions[1].leader = BrokerId(3);
  host.MetadataChanged();
  EXPECT_EQ(host.StateOf("t"), kCompleteCommit);
}

TEST(Markers, OneRequestABrokerIsUnderWayAndTheNextOneTakesAllThatGathered) {
  ScriptedHost host = ScriptedHost::ForVersion(2);
  host.markers = ScriptedHost::Markers::kHold;
  int64_t producer_id = 7;
  for (const std::string id : {"a", "b", "c"}) {
    ASSERT_EQ(host.Init(id)->error, ErrorCode::kNone);
    ASSERT_EQ(host.Add(id, producer_id, 0, host.OrdersList({0}), 4), ErrorCode::kNone);
    ASSERT_EQ(host.End(id, producer_id, 0, true, 5)->error, ErrorCode::kNone);
    ++producer_id;
  }
  ASSERT_EQ(host.marker_requests().size(), 1u);
  EXPECT_EQ(host.marker_requests()[0].request.markers.size(), 1u);
  host.AnswerMarkers(0);
  ASSERT_EQ(host.marker_requests().size(), 1u);
  EXPECT_EQ(host.marker_requests()[0].request.markers.size(), 2u);
  host.AnswerMarkers(0);
  for (const std::string id : {"a", "b", "c"}) EXPECT_EQ(host.StateOf(id), kCompleteCommit);
  EXPECT_TRUE(host.coordinator.markers().empty());
}

TEST(Markers, CarryTheVersionOfTheTransaction) {
  ScriptedHost host = ScriptedHost::ForVersion(2);
  host.markers = ScriptedHost::Markers::kHold;
  ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone);
  ASSERT_EQ(host.Add("t", 7, 0, host.OrdersList({0})), ErrorCode::kNone);
  ASSERT_EQ(host.End("t", 7, 0, true, 4)->error, ErrorCode::kNone);
  EXPECT_EQ(host.marker_requests().at(0).request.markers.at(0).transaction_version, 0);
  EXPECT_EQ(host.marker_requests().at(0).request.markers.at(0).producer_epoch,
            broker::ProducerEpoch(0));
}

TEST(Markers, AreCountedDown) {
  ScriptedHost host = Decided({0, 1, 2});
  host.ForgetPoints();
  while (!host.marker_requests().empty()) host.AnswerMarkers(0);
  std::vector<int64_t> remaining;
  for (const broker::PointEffect& point : host.points()) {
    if (point.kind != &events::kMarkerAcknowledged) continue;
    remaining.push_back(std::get<int64_t>(point.fields.back().value));
  }
  EXPECT_THAT(remaining, ElementsAre(2, 1, 0));
  EXPECT_THAT(host.TextsOf(events::kMarkerAcknowledged, "marked_partition"),
              ElementsAre("orders-0", "orders-1", "orders-2"));
}

TEST(Conformance, Case60AnAnswerToAnEarlierCoordinatorCompletesNothing) {
  ScriptedHost host = Decided({0});
  host.Elect(0, 1);  // loads PREPARE_COMMIT and queues the marker anew
  ASSERT_EQ(host.marker_requests().size(), 1u) << "the old request is still under way";
  host.AnswerMarkers(0);
  EXPECT_EQ(host.StateOf("t"), kPrepareCommit) << "the old answer counts for nothing";
  EXPECT_EQ(host.Find("t")->value.partitions, host.OrdersList({0}));
  ASSERT_EQ(host.marker_requests().size(), 1u);
  EXPECT_EQ(host.marker_requests()[0].request.markers.at(0).coordinator_epoch,
            broker::CoordinatorEpoch(1));
  host.AnswerMarkers(0);
  EXPECT_EQ(host.StateOf("t"), kCompleteCommit) << "and the new completion is not lost";
}

TEST(Conformance, Case60ADisconnectOfAnEarlierCoordinatorSendsNothingTwice) {
  ScriptedHost host = Decided({0});
  host.Elect(0, 1);
  host.DisconnectMarkers(0);
  host.AdvanceTo(Time{} + Millis(50));
  ASSERT_EQ(host.marker_requests().size(), 1u);
  EXPECT_EQ(host.marker_requests()[0].request.markers.size(), 1u);
  host.AnswerMarkers(0);
  EXPECT_EQ(host.StateOf("t"), kCompleteCommit);
}

TEST(Conformance, Case60AnElectionDropsTheMarkersThatStillWaited) {
  ScriptedHost host = ScriptedHost::ForVersion(2);
  host.markers = ScriptedHost::Markers::kHold;
  for (const auto& [id, producer_id] : {std::pair{"first", 7}, {"second", 8}}) {
    ASSERT_EQ(host.Init(id)->error, ErrorCode::kNone);
    ASSERT_EQ(host.Add(id, producer_id, 0, host.OrdersList({0}), 4), ErrorCode::kNone);
    ASSERT_EQ(host.End(id, producer_id, 0, true, 5)->error, ErrorCode::kNone);
  }
  ASSERT_EQ(host.coordinator.markers().waiting_for(BrokerId(1)), 1u) << "behind the first one";
  host.Elect(0, 1);
  host.AnswerMarkers(0);
  ASSERT_EQ(host.marker_requests().size(), 1u);
  ASSERT_EQ(host.marker_requests()[0].request.markers.size(), 2u);
  for (const auto& marker : host.marker_requests()[0].request.markers) {
    EXPECT_EQ(marker.coordinator_epoch, broker::CoordinatorEpoch(1));
  }
}

TEST(Resignation, DropsQueuedMarkersAndIgnoresAnswers) {
  ScriptedHost host = Decided({0, 1});
  host.Resign(0, 1);
  EXPECT_TRUE(ViewPartitions(host.coordinator).empty());
  host.AnswerMarkers(0);
  host.AnswerMarkers(0);
  EXPECT_TRUE(host.marker_requests().empty());
  EXPECT_TRUE(host.coordinator.markers().empty());
  EXPECT_EQ(host.LogOf("t"), "EMPTY 7/0, ONGOING 7/0, PREPARE_COMMIT 7/1");
}

TEST(Crash, LosesEverythingButTheLog) {
  ScriptedHost host = Decided({0, 1});
  host.Crash();
  EXPECT_TRUE(ViewPartitions(host.coordinator).empty());
  EXPECT_EQ(host.End("t", 7, 0, true, 5)->error, ErrorCode::kNotCoordinator);
  host.markers = ScriptedHost::Markers::kAcknowledge;
  host.Elect(0, 1);
  EXPECT_EQ(host.StateOf("t"), kCompleteCommit);
}

}  // namespace
}  // namespace kafkasim::coordinator
