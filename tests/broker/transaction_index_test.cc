#include "broker/transaction_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kafkasim::broker {
namespace {

using ::testing::ElementsAre;

constexpr AbortedTxn kFirst{ProducerId(1), Offset(0), Offset(10), Offset(11)};
constexpr AbortedTxn kSecond{ProducerId(2), Offset(5), Offset(20), Offset(15)};

TEST(TransactionIndex, ATransactionWhoseMarkerIsTheFetchOffsetIsStillListed) {
  TransactionIndex index;
  index.Append(kFirst);
  std::vector<AbortedTxn> found;
  index.CollectAbortedTxns(Offset(10), Offset(100), found);
  EXPECT_THAT(found, ElementsAre(kFirst));
  found.clear();
  index.CollectAbortedTxns(Offset(11), Offset(100), found);
  EXPECT_TRUE(found.empty());
}

TEST(TransactionIndex, TruncationDropsMarkersFromTheOffsetOn) {
  TransactionIndex index;
  index.Append(kFirst);
  index.Append(kSecond);
  index.TruncateTo(Offset(21));
  EXPECT_EQ(index.entries().size(), 2u);
  index.TruncateTo(Offset(20));
  EXPECT_THAT(index.entries(), ElementsAre(kFirst));
  index.TruncateTo(Offset(0));
  EXPECT_TRUE(index.empty());
}

TEST(TransactionIndexDeathTest, MarkersComeInOrder) {
  TransactionIndex index;
  index.Append(kSecond);
  EXPECT_EXIT(index.Append(kFirst), ::testing::ExitedWithCode(4), "rising marker offsets");
}

}  // namespace
}  // namespace kafkasim::broker
