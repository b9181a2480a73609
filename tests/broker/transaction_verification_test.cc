// What leaders ask coordinators: the queue, and the stage before an append.
#include "broker/transaction_verification.h"

#include <gmock/gmock.h>

#include "broker/events.h"
#include "tests/broker/scripted_service.h"
#include "tests/broker/test_cluster.h"

namespace kafkasim::broker {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr BrokerId kCoordinator{1};
const PartitionId kPartition{.topic = TopicId(0), .index = 0};

VerificationRequest Request(uint32_t ticket, int16_t epoch, std::string id = "txn") {
  return {.ticket = ticket,
          .transactional_id = std::move(id),
          .producer_id = ProducerId(7),
          .producer_epoch = ProducerEpoch(epoch),
          .operation = TransactionOperation::kGenericErrorSupported,
          .partitions = {kPartition}};
}

TEST(TransactionVerification, HasOneRequestInFlightPerCoordinator) {
  TransactionVerification verification;
  EXPECT_THAT(verification.Enqueue(kCoordinator, Request(1, 0)), IsEmpty());
  const auto first = verification.TakeRequest(kCoordinator);
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(first->version, 5);
  EXPECT_TRUE(first->transactions[0].verify_only);
  EXPECT_THAT(verification.Enqueue(kCoordinator, Request(2, 0)), IsEmpty())
      << "what is in flight is not displaced";
  EXPECT_THAT(verification.Enqueue(kCoordinator, Request(3, 0, "other")), IsEmpty());
  EXPECT_FALSE(verification.TakeRequest(kCoordinator).has_value());
  EXPECT_THAT(verification.OnDisconnect(kCoordinator), SizeIs(1));
  EXPECT_THAT(verification.TakeRequest(kCoordinator)->transactions, SizeIs(2));
}

TEST(TransactionVerification, ANewerRequestOfTheSameIdDisplacesTheQueuedOne) {
  TransactionVerification verification;
  EXPECT_THAT(verification.Enqueue(kCoordinator, Request(1, 0)), IsEmpty());
  const auto displaced = verification.Enqueue(kCoordinator, Request(2, 0));
  ASSERT_THAT(displaced, SizeIs(1));
  EXPECT_EQ(displaced[0].ticket, 1u);
  EXPECT_EQ(displaced[0].errors[0].error, ErrorCode::kNetworkException);
  const auto fenced = verification.Enqueue(kCoordinator, Request(3, 1));
  EXPECT_EQ(fenced[0].ticket, 2u);
  EXPECT_EQ(fenced[0].errors[0].error, ErrorCode::kInvalidProducerEpoch);
  const auto refused = verification.Enqueue(kCoordinator, Request(4, 0));
  EXPECT_EQ(refused[0].ticket, 4u) << "the older epoch is refused itself";
  EXPECT_EQ(refused[0].errors[0].error, ErrorCode::kInvalidProducerEpoch);
  EXPECT_THAT(verification.TakeRequest(kCoordinator)->transactions, SizeIs(1));
}

TEST(TransactionVerification, TellsClientsWhatTheyUnderstand) {
  const auto heard = [](ErrorCode error, TransactionOperation operation) {
    TransactionVerification verification;
    VerificationRequest request = Request(1, 0);
    request.operation = operation;
    EXPECT_THAT(verification.Enqueue(kCoordinator, request), IsEmpty());
    EXPECT_TRUE(verification.TakeRequest(kCoordinator).has_value());
    AddPartitionsToTxnResponse response;
    response.transactions.push_back(
        {.transactional_id = "txn", .partitions = {{.partition = kPartition, .error = error}}});
    return verification.OnResponse(kCoordinator, response)[0].errors[0].error;
  };
  EXPECT_EQ(heard(ErrorCode::kProducerFenced, TransactionOperation::kAddPartition),
            ErrorCode::kInvalidProducerEpoch);
  EXPECT_EQ(heard(ErrorCode::kTransactionAbortable, TransactionOperation::kDefaultError),
            ErrorCode::kInvalidTxnState);
  EXPECT_EQ(heard(ErrorCode::kTransactionAbortable, TransactionOperation::kGenericErrorSupported),
            ErrorCode::kTransactionAbortable);
  EXPECT_EQ(heard(ErrorCode::kInvalidProducerIdMapping, TransactionOperation::kDefaultError),
            ErrorCode::kInvalidProducerIdMapping);
}

// ---- Over the network: orders-0 on broker 0, the coordinator of "txn" on broker 1 ----

class Verification : public ::testing::Test {
 protected:
  void Start(ScriptedService::Script script, bool verification_enable = true) {
    ClusterSpec spec = TestCluster::Orders(3, 2);
    spec.config.transaction_partition_verification_enable = verification_enable;
    spec.config.transaction_state_log_replication_factor = 3;
    spec.topics.push_back({.name = std::string(kTransactionStateTopic),
                           .leaders = {{.partition = 6, .broker = BrokerId(1)}}});
    cluster_.emplace(spec, [script] {
      std::vector<std::unique_ptr<Service>> services;
      services.push_back(std::make_unique<ScriptedService>(script));
      return services;
    });
    cluster_->Run(sim::Millis(10));
  }
  size_t Produce(int16_t version, int32_t sequence = 0, int16_t epoch = 0) {
    ProduceRequest request{.version = version, .transactional_id = "txn"};
    request.partitions.push_back({.partition = cluster_->Id("orders-0"),
                                  .batch = TestBatch{.producer_id = ProducerId(7),
                                                     .epoch = ProducerEpoch(epoch),
                                                     .sequence = Sequence(sequence),
                                                     .transactional = true}
                                               .Make()});
    return cluster_->Send(0, MakeMessage(std::move(request)));
  }
  ErrorCode ProduceOnce(int16_t version) {
    const size_t produced = Produce(version);
    cluster_->Run(sim::Millis(300));
    return cluster_->Produced(produced).error;
  }
  const ScriptedService& Coordinator() const {
    return static_cast<const ScriptedService&>(
        *cluster_->broker(1).FindService(kTransactionStateTopic));
  }
  std::optional<TestCluster> cluster_;
};

TEST_F(Verification, AsksOncePerTransactionAndPartition) {
  Start({});
  const size_t first = Produce(11);
  cluster_->Run(sim::Millis(2));
  EXPECT_EQ(cluster_->Log(0).log_end_offset(), Offset(0)) << "the answer is on its way";
  cluster_->Run(sim::Millis(10));
  EXPECT_EQ(cluster_->Produced(first).error, ErrorCode::kNone);
  const size_t second = Produce(11, 1);
  cluster_->Run(sim::Millis(10));
  EXPECT_EQ(cluster_->Produced(second).error, ErrorCode::kNone);
  ASSERT_THAT(Coordinator().asked(), SizeIs(1));
  EXPECT_TRUE(Coordinator().asked()[0].transactions[0].verify_only);
  const auto asked = cluster_->trace().OfKind(events::kVerificationAsked);
  ASSERT_THAT(asked, SizeIs(1));
  EXPECT_EQ(asked[0].Text("mode"), "verify");
  EXPECT_EQ(cluster_->trace().OfKind(events::kVerificationAnswered)[0].Text("error"), "NONE");
  EXPECT_EQ(cluster_->trace().OfKind(events::kTransactionOpened)[0].Int("first_offset"), 0);
}

TEST_F(Verification, AddsForClientsOfTransactionVersion2EvenIfVerificationIsOff) {
  Start({}, /*verification_enable=*/false);
  EXPECT_EQ(ProduceOnce(12), ErrorCode::kNone);
  ASSERT_THAT(Coordinator().asked(), SizeIs(1));
  EXPECT_FALSE(Coordinator().asked()[0].transactions[0].verify_only);
}

TEST_F(Verification, OfOlderClientsCanBeSwitchedOff) {
  Start({}, /*verification_enable=*/false);
  EXPECT_EQ(ProduceOnce(11), ErrorCode::kNone);
  EXPECT_THAT(Coordinator().asked(), IsEmpty());
}

struct Conversion {
  ErrorCode coordinator;
  ErrorCode v10;
  ErrorCode v11;
  ErrorCode v12;
};

class VerificationErrors : public Verification, public ::testing::WithParamInterface<Conversion> {};

TEST_P(VerificationErrors, AreConvertedForTheProducer) {
  const Conversion& conversion = GetParam();
  Start({.verification = {conversion.coordinator}});
  EXPECT_EQ(ProduceOnce(10), conversion.v10);
  EXPECT_EQ(ProduceOnce(11), conversion.v11);
  EXPECT_EQ(ProduceOnce(12), conversion.v12);
  EXPECT_EQ(cluster_->Log(0).log_end_offset(), Offset(0)) << "nothing is appended";
}

// clang-format off
INSTANTIATE_TEST_SUITE_P(Table, VerificationErrors, ::testing::Values(
    Conversion{ErrorCode::kProducerFenced, ErrorCode::kInvalidProducerEpoch, ErrorCode::kInvalidProducerEpoch, ErrorCode::kInvalidProducerEpoch},
    Conversion{ErrorCode::kInvalidProducerIdMapping, ErrorCode::kInvalidProducerIdMapping, ErrorCode::kInvalidProducerIdMapping, ErrorCode::kInvalidProducerIdMapping},
    Conversion{ErrorCode::kTransactionAbortable, ErrorCode::kInvalidTxnState, ErrorCode::kTransactionAbortable, ErrorCode::kTransactionAbortable},
    Conversion{ErrorCode::kConcurrentTransactions, ErrorCode::kNotEnoughReplicas, ErrorCode::kNotEnoughReplicas, ErrorCode::kConcurrentTransactions},
    Conversion{ErrorCode::kNotCoordinator, ErrorCode::kNotEnoughReplicas, ErrorCode::kNotEnoughReplicas, ErrorCode::kNotEnoughReplicas},
    Conversion{ErrorCode::kCoordinatorNotAvailable, ErrorCode::kNotEnoughReplicas, ErrorCode::kNotEnoughReplicas, ErrorCode::kNotEnoughReplicas},
    Conversion{ErrorCode::kCoordinatorLoadInProgress, ErrorCode::kNotEnoughReplicas, ErrorCode::kNotEnoughReplicas, ErrorCode::kNotEnoughReplicas},
    Conversion{ErrorCode::kOperationNotAttempted, ErrorCode::kOperationNotAttempted, ErrorCode::kOperationNotAttempted, ErrorCode::kOperationNotAttempted}));
// clang-format on

TEST_F(Verification, AnErrorOfTheWholeRequestCountsForAllPartitions) {
  Start({.verification_as_a_whole = ErrorCode::kNotCoordinator});
  EXPECT_EQ(ProduceOnce(12), ErrorCode::kNotEnoughReplicas);
}

TEST_F(Verification, AnAddIsRepeatedWhileTheTransactionBeforeEnds) {
  Start({.verification = {ErrorCode::kConcurrentTransactions, ErrorCode::kConcurrentTransactions,
                          ErrorCode::kNone}});
  const sim::Time sent = cluster_->now();
  const size_t produced = Produce(12);
  cluster_->Run(sim::Millis(300));
  EXPECT_EQ(cluster_->Produced(produced).error, ErrorCode::kNone);
  EXPECT_THAT(Coordinator().asked(), SizeIs(3));
  // Three questions of 2 ms, two pauses of 20, and 4 ms for a produce request.
  EXPECT_EQ(cluster_->sent()[produced].answered_at, sent + sim::Millis(50));
}

TEST_F(Verification, AnAddIsRepeatedForAHundredMilliseconds) {
  Start({.verification = {ErrorCode::kConcurrentTransactions}});
  const sim::Time sent = cluster_->now();
  const size_t produced = Produce(12);
  cluster_->Run(sim::Millis(300));
  EXPECT_EQ(cluster_->Produced(produced).error, ErrorCode::kConcurrentTransactions);
  // Questions at 1, 23, 45, 67, 89, 111 ms; the answer at 113 ms is the last.
  EXPECT_THAT(Coordinator().asked(), SizeIs(6));
  EXPECT_EQ(cluster_->sent()[produced].answered_at, sent + sim::Millis(114));
}

TEST(VerificationStage, WithoutCoordinatorTheProducerTriesAgain) {
  ClusterSpec spec = TestCluster::Orders(3, 1);
  spec.config.transaction_partition_verification_enable = true;
  spec.config.transaction_state_log_replication_factor = 1;  // partition 6 is on broker 0 alone
  spec.topics[0].assignment = {{BrokerId(1), BrokerId(2)}};
  TestCluster cluster(spec);
  cluster.Crash(0);
  cluster.Run(sim::Seconds(10));
  const size_t produced = cluster.Produce(1, {.producer_id = ProducerId(7),
                                              .epoch = ProducerEpoch(0),
                                              .sequence = Sequence(0),
                                              .transactional = true});
  cluster.Run(sim::Millis(10));
  EXPECT_EQ(cluster.Produced(produced).error, ErrorCode::kNotEnoughReplicas);
  EXPECT_THAT(cluster.Produced(produced).error_message, HasSubstr("COORDINATOR_NOT_AVAILABLE"));
}

TEST_F(Verification, ACoordinatorThatDiesMeansTryAgain) {
  Start({.silent = true});
  const size_t produced = Produce(11);
  cluster_->Run(sim::Millis(10));
  EXPECT_FALSE(cluster_->Answered(produced));
  cluster_->Crash(1);
  cluster_->Run(sim::Millis(10));
  EXPECT_EQ(cluster_->Produced(produced).error, ErrorCode::kNotEnoughReplicas);
}

TEST_F(Verification, ACoordinatorThatDoesNotAnswerIsGivenUpAfterTheRequestTimeout) {
  Start({.silent = true});
  const size_t produced = Produce(11);
  cluster_->Run(sim::Millis(29'990));
  EXPECT_FALSE(cluster_->Answered(produced));
  cluster_->Run(sim::Millis(20));
  EXPECT_EQ(cluster_->Produced(produced).error, ErrorCode::kNotEnoughReplicas);
}

TEST_F(Verification, ARepeatedBatchDisplacesTheOneThatWaits) {
  Start({.silent = true});
  Produce(11);                       // in flight, never answered
  const size_t waits = Produce(11);  // queued
  const size_t again = Produce(11);  // displaces it
  cluster_->Run(sim::Millis(10));
  EXPECT_EQ(cluster_->Produced(waits).error, ErrorCode::kNotEnoughReplicas);
  EXPECT_FALSE(cluster_->Answered(again));
}

// The guard closes the race: coordinator says yes, the abort marker lands, the batch comes late.
TEST_F(Verification, AMarkerThatOvertakesTheVerifiedBatchKeepsItOut) {
  Start({});
  sim::MessageRule hold{.api = "AddPartitionsToTxn", .answer = true};
  const uint32_t rule = cluster_->world().AddRule(hold);
  const size_t produced = Produce(11);
  cluster_->Run(sim::Millis(10));
  cluster_->WriteMarker(0, ProducerId(7), ProducerEpoch(0), /*commit=*/false);
  cluster_->Run(sim::Millis(10));
  cluster_->world().EndRule(rule, &cluster_->trace());
  cluster_->Run(sim::Millis(10));
  EXPECT_EQ(cluster_->Produced(produced).error, ErrorCode::kInvalidTxnState);
  EXPECT_EQ(cluster_->Log(0).log_end_offset(), Offset(1)) << "the marker only";
}

TEST_F(Verification, AnOldEpochIsRefusedWithoutAQuestion) {
  Start({});
  Produce(11, 0, 1);
  cluster_->Run(sim::Millis(10));
  const size_t old = Produce(11, 0, 0);
  cluster_->Run(sim::Millis(10));
  EXPECT_EQ(cluster_->Produced(old).error, ErrorCode::kInvalidProducerEpoch);
  EXPECT_THAT(Coordinator().asked(), SizeIs(1));
}

}  // namespace
}  // namespace kafkasim::broker
