#include "broker/verification_state.h"

#include <gtest/gtest.h>

#include "tests/broker/test_log.h"

namespace kafkasim::broker {
namespace {

using testing::Commit;
using testing::Idempotent;
using testing::Transactional;

constexpr bool kTv1 = false;
constexpr bool kTv2 = true;

VerificationGuard Verify(VerificationStates& states, int64_t producer, int16_t epoch, bool tv2,
                         int64_t now_ms = 0) {
  return states.MaybeCreate(ProducerId(producer), Sequence(0), ProducerEpoch(epoch), tv2, now_ms)
      .guard;
}

TEST(VerificationStates, EachVerificationHasAGuardOfItsOwn) {
  VerificationStates states;
  const VerificationGuard first = Verify(states, 7, 0, kTv1);
  EXPECT_NE(first, kNoVerificationGuard);
  EXPECT_EQ(Verify(states, 7, 0, kTv1), first);
  EXPECT_NE(Verify(states, 3, 0, kTv1), first);
  states.OnAppended(Transactional(7, 0, 0));
  EXPECT_EQ(states.Find(ProducerId(7)), nullptr);
  EXPECT_NE(Verify(states, 7, 0, kTv1), first);
}

TEST(VerificationStates, ABatchOutsideTransactionsLeavesTheEntry) {
  VerificationStates states;
  Verify(states, 7, 0, kTv1);
  states.OnAppended(Idempotent(7, 0, 0));
  states.OnAppended(Transactional(8, 0, 0));
  EXPECT_NE(states.Find(ProducerId(7)), nullptr);
}

TEST(VerificationStates, AMarkerEndsATv1Verification) {
  VerificationStates states;
  Verify(states, 7, 0, kTv1);
  states.OnAppended(Commit(7, 0));
  EXPECT_EQ(states.Find(ProducerId(7)), nullptr);
}

TEST(VerificationStates, AMarkerOfTheTransactionBeforeLeavesATv2Verification) {
  VerificationStates states;
  Verify(states, 7, 5, kTv2);
  // The transaction of epoch 4 is ended by a marker of epoch 5, the next transaction's epoch.
  states.OnAppended(Commit(7, 5));
  EXPECT_NE(states.Find(ProducerId(7)), nullptr);
  states.OnAppended(Commit(7, 6));
  EXPECT_EQ(states.Find(ProducerId(7)), nullptr);
}

TEST(VerificationStates, StaleVerificationsExpire) {
  VerificationStates states;
  Verify(states, 7, 0, kTv1, 100);
  Verify(states, 8, 0, kTv1, 150);
  states.RemoveExpired(1'100, 1'000);
  EXPECT_EQ(states.Find(ProducerId(7)), nullptr);
  EXPECT_NE(states.Find(ProducerId(8)), nullptr);
}

TEST(VerificationStates, GuardsFromBeforeACrashAreNotGivenAgain) {
  VerificationStates states;
  const VerificationGuard before = Verify(states, 7, 0, kTv1);
  states.Clear();
  EXPECT_NE(Verify(states, 7, 0, kTv1), before);
}

}  // namespace
}  // namespace kafkasim::broker
