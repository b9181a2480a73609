// Text with places: client/text_template.h.
#include "client/text_template.h"

#include <gtest/gtest.h>

namespace kafkasim::client {
namespace {

const ConsumedRecord kRecord{.partition = {broker::TopicId(0), 3},
                             .offset = broker::Offset(17),
                             .key = "42",
                             .value = "paid"};

std::string Fill(std::string_view text, TextTemplate::Filling filling = {.record = &kRecord}) {
  const TextTemplate parsed = TextTemplate::Parse(text);
  EXPECT_EQ(parsed.bad_place(), "") << text;
  return parsed.Fill(filling);
}

TEST(TextTemplate, ThePlacesOfARecordAreFilled) {
  EXPECT_EQ(Fill("{value}+customer"), "paid+customer");
  EXPECT_EQ(Fill("{key}:{value}@{partition}/{offset}"), "42:paid@3/17");
  EXPECT_EQ(Fill("{topic}", {.record = &kRecord, .topic = "orders"}), "orders");
}

TEST(TextTemplate, AnswerAndNumberNeedNoRecord) {
  EXPECT_EQ(Fill("order {n}: {answer}", {.answer = "ok", .number = 4}), "order 4: ok");
  EXPECT_FALSE(TextTemplate::Parse("{n} {answer} text").NeedsRecord());
  EXPECT_TRUE(TextTemplate::Parse("a {offset}").NeedsRecord());
}

TEST(TextTemplate, BracesAroundAnythingButAWordAreText) {
  EXPECT_EQ(Fill(R"({"id": "{key}"} {} { {1})"), R"({"id": "42"} {} { {1})");
  EXPECT_EQ(Fill("{"), "{");
  EXPECT_EQ(Fill("no place"), "no place");
}

TEST(TextTemplate, AnUnknownPlaceIsNamed) {
  EXPECT_EQ(TextTemplate::Parse("{key} {seller} {buyer}").bad_place(), "seller");
}

TEST(TextTemplate, ANullKeyIsEmpty) {
  const ConsumedRecord record{.value = "v"};
  EXPECT_EQ(Fill("{key}={value}", {.record = &record}), "=v");
}

}  // namespace
}  // namespace kafkasim::client
