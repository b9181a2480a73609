// Kafka's messages as payloads of the simulated network: one struct a request and a response, named
// by the API key. The structs themselves are in messages_*.h; each has
//   kApi        its API key
//   kResponse   whether it is the answer
//   AppendTo    for fingerprints
//   Describe    its fields on one line, for people, with the names of the given image
//   Concerns    whether it is about a "partition" (value as ConcernOf gives it), a
//               "transactional_id", a "producer_id", ...
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "broker/cluster_image.h"
#include "sim/check.h"
#include "sim/payload.h"

namespace kafkasim::broker {

// API keys with Kafka's numbers. UpdateMetadata stands for the metadata log that KRaft brokers
// read.
enum class ApiKey : int16_t {
  kProduce = 0,
  kFetch = 1,
  kListOffsets = 2,
  kMetadata = 3,
  kUpdateMetadata = 6,
  kOffsetCommit = 8,
  kOffsetFetch = 9,
  kFindCoordinator = 10,
  kJoinGroup = 11,
  kHeartbeat = 12,
  kLeaveGroup = 13,
  kSyncGroup = 14,
  kApiVersions = 18,
  kCreateTopics = 19,
  kDeleteTopics = 20,
  kDeleteRecords = 21,
  kInitProducerId = 22,
  kOffsetForLeaderEpoch = 23,
  kAddPartitionsToTxn = 24,
  kAddOffsetsToTxn = 25,
  kEndTxn = 26,
  kWriteTxnMarkers = 27,
  kTxnOffsetCommit = 28,
  kElectLeaders = 43,
  kAlterPartition = 56,
  kDescribeProducers = 61,
  kBrokerRegistration = 62,
  kDescribeTransactions = 65,
  kListTransactions = 66,
  kAllocateProducerIds = 67,
};

// "EndTxn".
[[nodiscard]] std::string_view Name(ApiKey key);

// The base of all messages: enough to route one.
class Message : public sim::Payload {
 public:
  [[nodiscard]] ApiKey key() const { return key_; }
  [[nodiscard]] bool is_response() const { return is_response_; }
  [[nodiscard]] std::string_view api() const final { return Name(key_); }
  [[nodiscard]] virtual std::string Describe(const ClusterImage& names) const = 0;

 protected:
  Message(ApiKey key, bool is_response) : key_(key), is_response_(is_response) {}

 private:
  ApiKey key_;
  bool is_response_;
};

template <typename Body>
class MessageOf final : public Message {
 public:
  explicit MessageOf(const Body& body) : Message(Body::kApi, Body::kResponse), body_(body) {}
  explicit MessageOf(Body&& body) : Message(Body::kApi, Body::kResponse), body_(std::move(body)) {}

  [[nodiscard]] const Body& body() const { return body_; }
  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const override {
    return body_.Concerns(attribute, value);
  }
  [[nodiscard]] std::string Describe(const ClusterImage& names) const override {
    return body_.Describe(names);
  }
  void AppendTo(sim::CanonicalBytes& out) const override {
    out.Add(Body::kApi);
    out.Add(Body::kResponse);
    body_.AppendTo(out);
  }

 private:
  Body body_;
};

template <typename Body>
[[nodiscard]] sim::PayloadRef MakeMessage(Body&& body) {
  return std::make_shared<const MessageOf<std::remove_cvref_t<Body>>>(std::forward<Body>(body));
}

// How a partition is written as the value of a fault's "partition" attribute: "3:0" for partition 0
// of topic 3, since names can change their meaning when a topic is created again.
[[nodiscard]] std::string ConcernOf(const PartitionId& partition);

// Every payload between brokers, controller and clients is a Message.
[[nodiscard]] inline const Message& AsMessage(const sim::Payload& payload) {
  return static_cast<const Message&>(payload);
}

// The body of a message of known type; asking for another type is a bug.
template <typename Body>
[[nodiscard]] const Body& BodyOf(const sim::Payload& payload) {
  const Message& message = AsMessage(payload);
  KAFKASIM_CHECK(message.key() == Body::kApi && message.is_response() == Body::kResponse,
                 "a message is read as what it is");
  return static_cast<const MessageOf<Body>&>(message).body();
}

}  // namespace kafkasim::broker
