#include "scenarios/notation.h"

#include <string>

#include <gtest/gtest.h>

#include "scenarios/source.h"

namespace kafkasim::scenarios {
namespace {

constexpr Mark kHere{1, 1};

class Notation : public ::testing::Test {
 protected:
  Notation() {
    reader_.names.topics = {{"orders", 2}, {"my-topic-0", 1}};
    reader_.names.actors = {{"old", ActorSpec::Role::kProducer, {}}};
    reader_.names.transactional_ids = {"pay-1"};
    reader_.names.handles = {{"victim", Names::Handle::Kind::kProcesses, "", kHere}};
  }

  // The messages of all errors so far, each with its suggestion.
  std::string Errors() {
    std::string text;
    for (const Diagnostic& error : reader_.TakeErrors()) {
      text += error.message + (error.suggestion.empty() ? "" : " -> " + error.suggestion) + "\n";
    }
    return text;
  }

  EntryPattern Entry(const std::string& text) {
    const auto entry = ParseEntry(text, kHere, reader_);
    EXPECT_TRUE(entry.has_value()) << text << ": " << Errors();
    return entry.value_or(EntryPattern{});
  }

  Reader reader_;
};

TEST_F(Notation, DurationsAreExactMicroseconds) {
  EXPECT_EQ(DurationFromText("60s"), 60'000'000);
  EXPECT_EQ(DurationFromText("1.5ms"), 1'500);
  EXPECT_EQ(DurationFromText("0.000001s"), 1);
  EXPECT_EQ(DurationFromText("10min"), 600'000'000);
  EXPECT_EQ(DurationFromText("2h"), 7'200'000'000);
  EXPECT_EQ(DurationFromText("7d"), 604'800'000'000);
  EXPECT_EQ(DurationFromText("0s"), 0);
}

TEST_F(Notation, DurationsNeedAUnitAndAWholeNumberOfMicroseconds) {
  for (const char* text : {"60", "s", "", "-1s", "1.s", ".5s", "1.5us", "0.0000001s", "1 s", "1s ",
                           "9999999999d", "99999999999999999999s", "1e3s", "5m"}) {
    EXPECT_EQ(DurationFromText(text), std::nullopt) << text;
  }
}

TEST_F(Notation, SuggestsTheDurationThatWasMeant) {
  for (const char* text : {"60 sec", "60", "60 Seconds", "5m", "100 millis", "x"}) {
    EXPECT_EQ(ParseDuration(text, kHere, reader_), std::nullopt);
  }
  EXPECT_EQ(Errors(),
            "expected a duration such as 60s, 1.5ms or 10min, found '60 sec' -> 60s\n"
            "expected a duration such as 60s, 1.5ms or 10min, found '60' -> 60s\n"
            "expected a duration such as 60s, 1.5ms or 10min, found '60 Seconds' -> 60s\n"
            "expected a duration such as 60s, 1.5ms or 10min, found '5m' -> 5min\n"
            "expected a duration such as 60s, 1.5ms or 10min, found '100 millis' -> 100ms\n"
            "expected a duration such as 60s, 1.5ms or 10min, found 'x'\n");
}

TEST_F(Notation, RatesAreRecordsASecond) {
  EXPECT_EQ(ParseRate("150/s", kHere, reader_), 150);
  EXPECT_EQ(ParseRate("150 per second", kHere, reader_), std::nullopt);
  EXPECT_EQ(ParseRate("0/s", kHere, reader_), std::nullopt);
  EXPECT_EQ(Errors(),
            "expected a rate from 1/s to 1000000/s, found '150 per second' -> 150/s\n"
            "expected a rate from 1/s to 1000000/s, found '0/s'\n");
}

TEST_F(Notation, APartitionIsADeclaredTopicAndItsNumber) {
  const auto partition = ParsePartition("orders-1", kHere, reader_);
  ASSERT_TRUE(partition.has_value());
  EXPECT_EQ(*partition, (PartitionName{"orders", 1}));
  EXPECT_EQ(ParsePartition("my-topic-0-0", kHere, reader_)->topic, "my-topic-0");
  EXPECT_EQ(ParsePartition("my-topic-0", kHere, reader_), std::nullopt);
  EXPECT_EQ(ParsePartition("orders", kHere, reader_), std::nullopt);
  EXPECT_EQ(ParsePartition("orders-2", kHere, reader_), std::nullopt);
  EXPECT_EQ(ParsePartition("ordres-0", kHere, reader_), std::nullopt);
  EXPECT_EQ(ParsePartition("orders--1", kHere, reader_), std::nullopt);
  EXPECT_EQ(Errors(),
            "expected a partition such as orders-0, found 'my-topic-0' -> my-topic-0-0\n"
            "expected a partition such as orders-0, found 'orders' -> orders-0\n"
            "'orders' has no partition 2; its last is 'orders-1'\n"
            "unknown topic 'ordres' -> orders\n"
            "unknown topic 'orders-' -> orders\n");
}

TEST_F(Notation, ADestinationMayLeaveThePartitionOpen) {
  EXPECT_EQ(ParseDestination("orders", kHere, reader_)->partition, std::nullopt);
  EXPECT_EQ(ParseDestination("orders-1", kHere, reader_)->partition, 1);
  EXPECT_EQ(ParseDestination("my-topic-0", kHere, reader_)->partition, std::nullopt);
  EXPECT_FALSE(ParseDestination("order", kHere, reader_).has_value());
}

TEST_F(Notation, ProcessesAreActorsBrokersAndRoles) {
  using Kind = ProcessName::Kind;
  EXPECT_EQ(ParseProcess("old", kHere, reader_)->kind, Kind::kActor);
  EXPECT_EQ(ParseProcess("broker-2", kHere, reader_)->broker, 2);
  EXPECT_EQ(ParseProcess("controller", kHere, reader_)->kind, Kind::kController);
  EXPECT_EQ(ParseProcess("leader of orders-1", kHere, reader_)->partition.partition, 1);
  EXPECT_EQ(ParseProcess("coordinator of pay-1", kHere, reader_)->name, "pay-1");
  EXPECT_EQ(ParseProcess("victim", kHere, reader_)->kind, Kind::kHandle);
  EXPECT_EQ(ParseProcess("broker-3", kHere, reader_), std::nullopt);
  EXPECT_EQ(ParseProcess("coordinator of pay-2", kHere, reader_), std::nullopt);
  EXPECT_EQ(Errors(),
            "there is no 'broker-3'; the last one is 'broker-2'\n"
            "unknown transactional id 'pay-2' -> pay-1\n");
}

TEST_F(Notation, ARecordHasAWriterAKeyAndAValue) {
  const EntryPattern full = Entry("old:42=paid @3 e1 s5 x2");
  EXPECT_EQ(full.kind, EntryPattern::Kind::kRecord);
  EXPECT_EQ(full.producer->actor, "old");
  EXPECT_EQ(full.key, "42");
  EXPECT_EQ(full.value, "paid");
  EXPECT_EQ(full.offset, 3);
  EXPECT_EQ(full.epoch, 1);
  EXPECT_EQ(full.sequence, 5);
  EXPECT_EQ(full.times, 2);
  EXPECT_EQ(full.text, "old:42=paid @3 e1 s5 x2");
}

TEST_F(Notation, WhatARecordDoesNotSayIsOpen) {
  const EntryPattern bare = Entry("a");
  EXPECT_EQ(bare.value, "a");
  EXPECT_EQ(bare.key, std::nullopt);
  EXPECT_FALSE(bare.producer.has_value());
  EXPECT_EQ(bare.times, 1);
  EXPECT_EQ(Entry("7:*").producer->id, 7);
}

TEST_F(Notation, MarkersHaveACoordinatorEpoch) {
  const EntryPattern commit = Entry("old:COMMIT e1 ce3 @5");
  EXPECT_EQ(commit.kind, EntryPattern::Kind::kCommit);
  EXPECT_EQ(commit.producer->actor, "old");
  EXPECT_EQ(commit.epoch, 1);
  EXPECT_EQ(commit.coordinator_epoch, 3);
  EXPECT_EQ(commit.value, std::nullopt);
  EXPECT_EQ(Entry("ABORT").kind, EntryPattern::Kind::kAbort);
}

TEST_F(Notation, EntriesSayWhatIsWrongWithThem) {
  for (const char* text : {"two words", "odl:a", "a x0", "COMMIT s1", "a ce1", "", "k="}) {
    EXPECT_FALSE(ParseEntry(text, kHere, reader_).has_value()) << text;
  }
  EXPECT_EQ(Errors(),
            "after a record come @OFFSET, eEPOCH, sSEQUENCE or xTIMES, found 'words'; a value with "
            "blanks "
            "is written {value: ...}\n"
            "unknown actor 'odl' -> old\n"
            "after a record come @OFFSET, eEPOCH, sSEQUENCE or xTIMES, found 'x0'; a value with "
            "blanks is "
            "written {value: ...}\n"
            "after a marker come @OFFSET, eEPOCH, ceCOORDINATOR_EPOCH or xTIMES, found 's1'\n"
            "after a record come @OFFSET, eEPOCH, sSEQUENCE or xTIMES, found 'ce1'; a value with "
            "blanks is "
            "written {value: ...}\n"
            "expected a record such as old:42=paid, or COMMIT or ABORT, found ''\n"
            "expected a record such as old:42=paid, or COMMIT or ABORT, found 'k='\n");
}

TEST_F(Notation, TransactionRecordsTakeEitherSpellingOfAState) {
  for (const char* text :
       {"ONGOING orders-0 orders-1 e3 pid7", "Ongoing [orders-0, orders-1] pid7 e3"}) {
    const auto record = ParseTransactionRecord(text, kHere, reader_);
    ASSERT_TRUE(record.has_value()) << Errors();
    EXPECT_EQ(record->state, "ONGOING");
    EXPECT_EQ(record->partitions->size(), 2u);
    EXPECT_EQ(record->epoch, 3);
    EXPECT_EQ(record->producer_id, 7);
  }
  EXPECT_EQ(ParseTransactionRecord("TOMBSTONE", kHere, reader_)->state, "TOMBSTONE");
  EXPECT_EQ(ParseTransactionRecord("EMPTY", kHere, reader_)->partitions, std::nullopt);
  EXPECT_FALSE(ParseTransactionRecord("PREPARED_COMMIT", kHere, reader_).has_value());
  EXPECT_EQ(Errors(), "unknown transaction state 'PREPARED_COMMIT' -> PREPARE_COMMIT\n");
}

}  // namespace
}  // namespace kafkasim::scenarios
