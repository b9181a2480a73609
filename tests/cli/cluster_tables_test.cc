#include "cli/cluster_tables.h"

#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/plain_look.h"

namespace kafkasim::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

scenarios::ActorView Reader(std::string name, broker::IsolationLevel level, int records) {
  scenarios::ActorView reader;
  reader.name = std::move(name);
  reader.role = scenarios::ProcessRole::kConsumer;
  reader.isolation_level = level;
  reader.positions = {{.partition = "orders-0", .offset = records}};
  for (int i = 0; i < records; ++i) {
    reader.delivered.push_back({.offset = broker::Offset(i), .value = "r" + std::to_string(i)});
  }
  return reader;
}

TEST(Readers, ShowWhatEachWasGivenInOrder) {
  scenarios::Snapshot snapshot;
  snapshot.actors = {Reader("billing", broker::IsolationLevel::kReadCommitted, 0),
                     Reader("audit", broker::IsolationLevel::kReadUncommitted, 3)};
  EXPECT_EQ(Print(DrawReaders(snapshot, kLook)),
            "What each reader was given\n"
            " reader   isolation level   position  was given\n"
            " billing  read_committed           0  nothing\n"
            " audit    read_uncommitted         3  r0 r1 r2\n");
}

TEST(Readers, OfALongListSayHowManyRecordsAreLeftOut) {
  scenarios::Snapshot snapshot;
  snapshot.actors = {Reader("audit", broker::IsolationLevel::kReadUncommitted, 9000)};
  EXPECT_EQ(Print(DrawReaders(snapshot, kLook)),
            "What each reader was given\n"
            " reader  isolation level   position  was given\n"
            " audit   read_uncommitted      9000  r0 r1 r2 r3 r4 r5 r6 … 8,992 more … r8999\n");
}

TEST(Readers, OfSeveralPartitionsKeepTheColumns) {
  scenarios::Snapshot snapshot;
  scenarios::ActorView both;
  both.name = "both";
  both.role = scenarios::ProcessRole::kConsumer;
  both.positions = {{"enriched_orders-0", 3}, {"enriched_orders-1", 12}};
  scenarios::ActorView never = both;
  never.name = "never";
  never.positions = {};
  snapshot.actors = {both, never};
  Look narrow = kLook;
  narrow.width = 72;
  EXPECT_EQ(Print(DrawReaders(snapshot, narrow)),
            "What each reader was given\n"
            " reader  isolation level               position  was given\n"
            " both    read_uncommitted   enriched_orders-0@3  nothing\n"
            "                           enriched_orders-1@12\n"
            " never   read_uncommitted                     ·  nothing\n");
}

TEST(Transactions, BreakNoNameOfAPartition) {
  scenarios::Snapshot snapshot;
  scenarios::TransactionView transaction;
  transaction.transactional_id = "enrichment-service-1";
  transaction.loaded = true;
  transaction.state = "PREPARE_COMMIT";
  transaction.pending_state = "COMPLETE_COMMIT";
  transaction.partitions = {"enriched_orders-0", "enriched_orders-1"};
  snapshot.transactions = {transaction};
  for (const Line& line : DrawTransactions(snapshot, kLook)) EXPECT_LE(line.width(), 80);
  EXPECT_THAT(Print(DrawTransactions(snapshot, kLook)), HasSubstr("enriched_orders-0\n"));
}

TEST(Producers, ShowWhoTheyThinkTheyAre) {
  scenarios::Snapshot snapshot;
  scenarios::ActorView old;
  old.name = "old";
  old.life = sim::Life::kPaused;
  old.transactional_id = "pay-1";
  old.state = "IN_TRANSACTION";
  old.producer_id = 7;
  old.epoch = 0;
  scenarios::ActorView plain;
  plain.name = "plain";
  snapshot.actors = {old, plain};
  EXPECT_EQ(Print(DrawProducers(snapshot, kLook)),
            "What each producer believes\n"
            " producer      transactional id  producer id  epoch  state\n"
            " old (paused)  pay-1                       7      0  IN_TRANSACTION\n"
            " plain         ·                           ·      ·\n");
}

TEST(Transactions, ShowTheStatesTheirRecordsWentThrough) {
  scenarios::Snapshot snapshot;
  scenarios::TransactionView transaction;
  transaction.transactional_id = "pay-1";
  transaction.partition = 21;
  transaction.coordinator = 0;
  transaction.coordinator_epoch = 0;
  transaction.loaded = true;
  transaction.state = "COMPLETE_COMMIT";
  transaction.producer_id = 7;
  transaction.epoch = 0;
  for (const char* state : {"EMPTY", "ONGOING", "ONGOING", "PREPARE_COMMIT", "COMPLETE_COMMIT"}) {
    transaction.records.push_back({.state = state});
  }
  snapshot.transactions = {transaction};
  EXPECT_EQ(Print(DrawTransactions(snapshot, kLook)),
            "Transactions\n"
            " transactional id  state            producer id  epoch  partitions\n"
            " pay-1             COMPLETE_COMMIT            7      0\n"
            "                   __transaction_state-21, coordinator 0 epoch 0: EMPTY →\n"
            "                   ONGOING → PREPARE_COMMIT → COMPLETE_COMMIT\n");
}

TEST(Brokers, AreMentionedOnlyIfOneIsInTrouble) {
  scenarios::Snapshot snapshot;
  snapshot.brokers = {{.id = 0}, {.id = 1}};
  EXPECT_THAT(DrawBrokers(snapshot, kLook), IsEmpty());
  snapshot.brokers[1] = {.id = 1, .life = sim::Life::kCrashed, .fenced = true};
  EXPECT_EQ(Print(DrawBrokers(snapshot, kLook)),
            "Brokers  broker 1 crashed, fenced by the controller\n");
}

}  // namespace
}  // namespace kafkasim::cli
