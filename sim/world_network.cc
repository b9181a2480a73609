// The rules of motion of messages: how one is sent, blocked, woken, delivered or lost.
#include <algorithm>
#include <string>
#include <utility>

#include "sim/world.h"
#include "sim/world_run.h"

namespace kafkasim::sim {

Reaction World::SendRequest(ProcessId client, ProcessId server, Channel channel,
                            CorrelationId correlation, PayloadRef payload, EventId cause,
                            Observer* observer) {
  Connection& connection = network_.Mutable().Connect(client, server, channel);
  const Route route = connection.Direction(/*to_server=*/true);
  Message message{
      .kind = MessageKind::kRequest, .correlation = correlation, .payload = std::move(payload)};
  if (life(server) != Life::kCrashed) {
    return Enqueue(route, std::move(message), cause, observer);
  }
  const Connection refused = connection;
  ++connection.generation;
  message.sent = cause;
  Lose(route, message, "connection refused", observer);
  SendDisconnect(refused);
  return Reaction::kGoOn;
}

Reaction World::SendResponse(ProcessId server, const ReplyTo& to, PayloadRef payload, EventId cause,
                             Observer* observer) {
  const Connection connection{
      .client = to.process, .server = server, .channel = to.channel, .generation = to.generation};
  return Enqueue(connection.Direction(/*to_server=*/false),
                 Message{.kind = MessageKind::kResponse,
                         .correlation = to.correlation,
                         .payload = std::move(payload)},
                 cause, observer);
}

void World::CloseConnection(ProcessId client, ProcessId server, Channel channel) {
  Network& network = network_.Mutable();
  const uint32_t closed = network.Connect(client, server, channel).generation++;
  // Over a cut link the bytes of a closed connection are never sent again.
  for (Link& link : network.links) {
    const Route& route = link.route;
    if (route.client == client && route.server == server && route.channel == channel &&
        route.generation == closed && network.IsCut(route.from(), route.to())) {
      RemoveIf(link.queue, [](const Message& message) { return message.rule == 0; });
    }
  }
}

void World::BreakConnection(ProcessId server, const ReplyTo& to) {
  Connection& connection = network_.Mutable().Connect(to.process, server, to.channel);
  if (connection.generation != to.generation) return;
  const Connection broken = connection;
  ++connection.generation;
  SendDisconnect(broken);
}

// The client learns that the connection broke, after all that was sent to it before.
void World::SendDisconnect(const Connection& broken) {
  const Route route = broken.Direction(/*to_server=*/false);
  Network& network = network_.Mutable();
  const uint32_t slot = network.SlotOf(route);
  Time at = now_ + network.Latency(route.from(), route.to(), rng_[RngStream::kNetwork]);
  MessageQueue& queue = network.links[slot].queue;
  if (!queue.empty()) at = std::max(at, queue.back().at);
  queue.push_back(Message{.kind = MessageKind::kDisconnect});
  Schedule(slot, queue.back(), at);
}

Reaction World::Enqueue(const Route& route, Message message, EventId cause, Observer* observer) {
  message.sent = cause;
  const Emission sent = ReportMessage(events::kSent, route, message, observer);
  if (observer != nullptr) message.sent = sent.event;
  Duration latency = network_->Latency(route.from(), route.to(), rng_[RngStream::kNetwork]);
  if (!network_->rules.empty() && !ApplyRules(route, message, latency, observer)) {
    return sent.reaction;
  }
  Network& network = network_.Mutable();
  const uint32_t slot = network.SlotOf(route);
  MessageQueue& queue = network.links[slot].queue;
  Time at = now_ + latency;
  if (!queue.empty()) at = std::max(at, queue.back().at);
  queue.push_back(std::move(message));
  Schedule(slot, queue.back(), at);
  return sent.reaction;
}

// Lets the rules act on a message that is being sent. False if the message is gone.
bool World::ApplyRules(const Route& route, Message& message, Duration& latency,
                       Observer* observer) {
  for (size_t i = 0; i < network_->rules.size(); ++i) {
    const MessageRule& seen = network_->rules[i];
    const bool over = seen.count.has_value() && seen.matched >= seen.skip + *seen.count;
    if (over || !seen.Matches(route, message)) continue;
    const uint32_t matched = ++network_.Mutable().rules[i].matched;
    const MessageRule rule = network_->rules[i];
    if (matched <= rule.skip) continue;
    switch (rule.action) {
      case MessageAction::kHold:
        message.rule = rule.id;
        ScheduleTimeout(rule, route, message);
        ReportMessage(events::kHeld, route, message, observer);
        break;
      case MessageAction::kDelay:
        latency = latency + rule.delay;
        ScheduleTimeout(rule, route, message);
        break;
      case MessageAction::kRepeat:
        SendCopies(rule, route, message, latency);
        break;
      case MessageAction::kDrop:
        Lose(route, message, "dropped by a fault", observer);
        if (rule.reset) {
          Break(route);
        } else {
          ScheduleTimeout(rule, route, message);
        }
        return false;
    }
  }
  return true;
}

// The connection of this route breaks, and its client sees it.
void World::Break(const Route& route) {
  Connection& connection = network_.Mutable().Connect(route.client, route.server, route.channel);
  const Connection broken = connection;
  ++connection.generation;
  SendDisconnect(broken);
}

// Copies travel beside the connection, so that a late one does not hold up what is sent after it.
void World::SendCopies(const MessageRule& rule, const Route& route, const Message& message,
                       Duration latency) {
  Route beside = route;
  beside.lane = rule.id;
  Network& network = network_.Mutable();
  Time at = now_ + latency;
  for (uint32_t i = 0; i < rule.copies; ++i) {
    at = at + rule.delay;
    const uint32_t slot = network.SlotOf(beside);
    network.links[slot].queue.push_back(message);
    Schedule(slot, network.links[slot].queue.back(), at);
  }
}

// The client's request times out, counted from this message on, if there is no answer by then.
void World::ScheduleTimeout(const MessageRule& rule, const Route& route, const Message& message) {
  for (const ChannelTimeout& timeout : network_->timeouts) {
    const bool in_time = rule.action == MessageAction::kDelay && rule.delay < timeout.timeout;
    if (timeout.channel != route.channel || in_time) continue;
    Route beside = route;
    beside.to_server = false;
    beside.lane = rule.id;
    Network& network = network_.Mutable();
    const uint32_t slot = network.SlotOf(beside);
    network.links[slot].queue.push_back(
        Message{.kind = MessageKind::kTimeout, .correlation = message.correlation});
    Schedule(slot, network.links[slot].queue.back(), now_ + timeout.timeout);
  }
}

void World::Schedule(uint32_t link_slot, Message& message, Time at) {
  message.at = at;
  message.due = false;
  message.sequence = next_sequence_++;
  queue_.Push(
      QueueEntry{.at = at, .sequence = message.sequence, .slot = link_slot, .is_timer = false});
}

void World::Wake(uint32_t link_slot) {
  Network& network = network_.Mutable();
  for (Message& message : network.links[link_slot].queue) {
    if (message.rule != 0) break;  // those behind a held one stay
    if (message.due) Schedule(link_slot, message, now_);
  }
}

void World::WakeLinksTo(ProcessId id) {
  // In the order in which the messages became due, over all links of the process.
  std::vector<std::pair<uint64_t, uint32_t>> order;
  for (uint32_t slot = 0; slot < network_->links.size(); ++slot) {
    const Link& link = network_->links[slot];
    if (link.queue.empty() || link.to() != id) continue;
    if (link.queue.front().due) order.emplace_back(link.queue.front().sequence, slot);
  }
  std::sort(order.begin(), order.end());
  for (const auto& [sequence, slot] : order) Wake(slot);
}

bool World::IsBlocked(const Link& link, const Message& message) const {
  return message.rule != 0 || life(link.to()) == Life::kPaused ||
         network_->IsCut(link.from(), link.to());
}

void World::Deliver(uint32_t link_slot, Observer* observer) {
  Link& slot = network_.Mutable().links[link_slot];
  const Message message = std::move(slot.queue.front());
  slot.queue.erase(slot.queue.begin());
  const Route route = slot.route;
  if (!slot.queue.empty() && slot.queue.front().due) Wake(link_slot);

  switch (message.kind) {
    case MessageKind::kRequest:
      DeliverRequest(route, message, observer);
      return;
    case MessageKind::kResponse:
      DeliverResponse(route, message, observer);
      return;
    case MessageKind::kTimeout:
      DeliverTimeout(route, message, observer);
      return;
    case MessageKind::kDisconnect: {
      const EventId event = EmitEvent(events::kDisconnected, route.to(), message.sent,
                                      {{"peer", std::string(name(route.from()))}}, observer)
                                .event;
      Run(route.to(), event, observer, [&](Process& process, Context& context) {
        process.OnDisconnect(context, route.server, route.channel);
      });
      return;
    }
  }
}

void World::DeliverRequest(const Route& route, const Message& message, Observer* observer) {
  const Emission arrival = ReportMessage(events::kDelivered, route, message, observer);
  if (arrival.reaction != Reaction::kGoOn) {
    StrikeBeforeHandling(route, message, arrival, observer);
    return;
  }
  const RequestIn request{.reply_to = {.process = route.client,
                                       .channel = route.channel,
                                       .generation = route.generation,
                                       .correlation = message.correlation},
                          .payload = message.payload};
  Run(route.to(), arrival.event, observer,
      [&](Process& process, Context& context) { process.OnRequest(context, request); });
}

void World::DeliverResponse(const Route& route, const Message& message, Observer* observer) {
  const Connection& current = network_.Mutable().Connect(route.client, route.server, route.channel);
  if (current.generation != route.generation) {
    Lose(route, message, "its connection was closed", observer);
    return;
  }
  const Emission arrival = ReportMessage(events::kDelivered, route, message, observer);
  if (arrival.reaction != Reaction::kGoOn) {
    StrikeBeforeHandling(route, message, arrival, observer);
    return;
  }
  const ResponseIn response{.from = route.server,
                            .channel = route.channel,
                            .correlation = message.correlation,
                            .payload = message.payload};
  Run(route.to(), arrival.event, observer,
      [&](Process& process, Context& context) { process.OnResponse(context, response); });
}

void World::DeliverTimeout(const Route& route, const Message& message, Observer* observer) {
  const Connection& current = network_.Mutable().Connect(route.client, route.server, route.channel);
  if (current.generation != route.generation) return;
  Run(route.client, message.sent, observer, [&](Process& process, Context& context) {
    process.OnTimeout(context, route.server, route.channel, message.correlation);
  });
}

// A fault hits the receiver when a message has arrived and before it is looked at: it dies with the
// message, or finds it first in line when it runs again.
void World::StrikeBeforeHandling(const Route& route, Message message, const Emission& arrival,
                                 Observer* observer) {
  if (arrival.reaction == Reaction::kCrash) {
    Crash(route.to(), CrashKind::kProcess, observer, arrival.event);
    Lose(route, message, "the receiver crashed", observer);
    return;
  }
  Pause(route.to(), observer, arrival.event);
  message.due = true;
  MessageQueue& queue = network_.Mutable().links[network_.Mutable().SlotOf(route)].queue;
  queue.insert(queue.begin(), std::move(message));
}

std::optional<uint32_t> World::FindFront(const Route& route) const {
  for (uint32_t slot = 0; slot < network_->links.size(); ++slot) {
    const Link& link = network_->links[slot];
    if (link.queue.empty() || link.route != route) continue;
    if (link.queue.front().payload == nullptr) return std::nullopt;
    return slot;
  }
  return std::nullopt;
}

void World::Lose(const Route& route, const Message& message, std::string_view why,
                 Observer* observer) {
  if (observer == nullptr || message.payload == nullptr) return;
  EmitEvent(events::kLost, route.from(), message.sent,
            {{"api", std::string(message.payload->api())},
             {"answer", message.kind == MessageKind::kResponse},
             {"to", std::string(name(route.to()))},
             {"why", std::string(why)}},
            observer, message.payload);
}

World::Emission World::EmitMessage(const EventKind& kind, const Route& route,
                                   const Message& message, Observer* observer) {
  if (message.payload == nullptr) return {};
  const bool arrival = &kind == &events::kDelivered;
  return EmitEvent(
      kind, arrival ? route.to() : route.from(), message.sent,
      {{"api", std::string(message.payload->api())},
       {"answer", message.kind == MessageKind::kResponse},
       {arrival ? "from" : "to", std::string(name(arrival ? route.from() : route.to()))},
       {"correlation", static_cast<int64_t>(message.correlation.value())}},
      observer, message.payload);
}

}  // namespace kafkasim::sim
