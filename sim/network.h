// The network between processes: messages in flight, on connections that are FIFO as TCP is.
//
// A connection joins a client and a server process on one channel; each direction is a queue. What
// cannot go on (held by a fault, behind a held message, over a cut link, to a paused process) stays
// in its queue and is marked due; it moves again when the obstacle is gone. A connection that
// breaks gets a new generation: answers of the old one are lost, requests already under way still
// arrive, which is how a delayed request can overtake its own retry on a new connection.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/fingerprint.h"
#include "sim/ids.h"
#include "sim/payload.h"
#include "sim/rng.h"
#include "sim/time.h"

namespace kafkasim::sim {

enum class MessageKind : uint8_t { kRequest, kResponse, kDisconnect, kTimeout };

struct Message {
  uint64_t sequence = 0;  // of its entry in the event queue
  Time at{};              // when it is due
  MessageKind kind = MessageKind::kRequest;
  CorrelationId correlation{};
  PayloadRef payload{};     // null for kDisconnect and kTimeout
  EventId sent = kNoEvent;  // for the trace only
  uint32_t rule = 0;        // the rule that holds it; 0 = not held
  bool due = false;         // its time has come but something blocks it
};

// One direction of one connection.
struct Link {
  ProcessId client = kNoProcess;
  ProcessId server = kNoProcess;
  Channel channel{};
  uint32_t generation = 0;
  bool to_server = true;
  uint32_t lane = 0;             // 0; what a rule makes travels beside, on the lane of its id
  std::vector<Message> queue{};  // in sending order; the front is delivered first

  [[nodiscard]] ProcessId from() const { return to_server ? client : server; }
  [[nodiscard]] ProcessId to() const { return to_server ? server : client; }
  // The same direction of the same connection, without the messages.
  [[nodiscard]] Link Route() const;
  void TakeRoute(const Link& other);
  [[nodiscard]] bool SameRoute(const Link& other) const;
  void AppendTo(CanonicalBytes& out) const;
};

// What a fault does to the messages that it matches, at the moment they are sent.
enum class MessageAction : uint8_t { kHold, kDrop, kDelay, kRepeat };

// Chooses messages and says what happens to them. Empty criteria match everything.
struct MessageRule {
  uint32_t id = 0;  // given by the world
  MessageAction action = MessageAction::kHold;
  std::string api{};             // e.g. "EndTxn"
  std::optional<bool> answer{};  // only answers, or only requests
  ProcessId from = kNoProcess;
  ProcessId to = kNoProcess;
  std::vector<std::pair<std::string, std::string>> attributes{};  // all must match, see Payload
  uint32_t skip = 0;                                              // this many matches pass unharmed
  std::optional<uint32_t> count = 1;  // then this many are hit; nullopt = all that follow
  Duration delay{};     // kDelay: added to the latency; kRepeat: from one copy to the next
  uint32_t copies = 1;  // kRepeat: how many more times the message arrives
  bool reset = false;   // kDrop: the connection breaks as well, so that the client knows at once

  uint32_t matched = 0;  // how many messages matched so far

  [[nodiscard]] bool Matches(const Link& link, const Message& message) const;
  void AppendTo(CanonicalBytes& out) const;
};

// Latency bounds between two processes; kNoProcess stands for any.
struct LinkLatency {
  ProcessId from = kNoProcess;
  ProcessId to = kNoProcess;
  Duration least{};
  Duration most{};
};

// How long clients wait on a channel for an answer.
struct ChannelTimeout {
  Channel channel{};
  Duration timeout{};
};

// The connection that a client has to a server: which generation is the current one.
struct Connection {
  ProcessId client = kNoProcess;
  ProcessId server = kNoProcess;
  Channel channel{};
  uint32_t generation = 0;

  [[nodiscard]] bool Joins(ProcessId process) const {
    return client == process || server == process;
  }
  // One of its directions.
  [[nodiscard]] Link Direction(bool to_server) const;
};

// The state of the network. The rules of motion are the world's (world.h).
struct Network {
  std::vector<LinkLatency> latencies{};  // the last one that fits wins
  std::vector<ChannelTimeout> timeouts{};
  std::vector<Connection> connections{};
  std::vector<Link> links{};  // a slot with an empty queue is free
  std::vector<MessageRule> rules{};
  std::vector<std::pair<ProcessId, ProcessId>> cuts{};  // (from, to): one direction each; sorted

  // The current connection, opened if there was none. The reference is valid until the next call.
  Connection& Connect(ProcessId client, ProcessId server, Channel channel);
  // The slot of the link with this route, a free one if it is not in use. An empty link counts as
  // free, so that the slot is valid only until the next call unless something is put into it.
  uint32_t SlotOf(const Link& route);
  // Whether nothing can get from one to the other.
  [[nodiscard]] bool IsCut(ProcessId from, ProcessId to) const;
  // A latency within the bounds for this pair; `rng` is drawn only if the bounds differ.
  [[nodiscard]] Duration Latency(ProcessId from, ProcessId to, Rng& rng) const;

  void AppendTo(CanonicalBytes& out) const;
};

}  // namespace kafkasim::sim
