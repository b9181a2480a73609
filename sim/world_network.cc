// The rules of motion of messages: how one is sent, blocked, woken, delivered or lost.
#include <algorithm>
#include <string>
#include <utility>

#include "sim/world.h"
#include "sim/world_run.h"

namespace kafkasim::sim {

void World::SendRequest(ProcessId client, ProcessId server, Channel channel,
                        CorrelationId correlation, PayloadRef payload, EventId cause,
                        Observer* observer) {
  Network& network = network_.Mutable();
  const Connection connection = network.Connect(client, server, channel);
  if (life(server) == Life::kCrashed) {  // refused
    Link refused{.client = client,
                 .server = server,
                 .channel = channel,
                 .generation = connection.generation,
                 .to_server = true,
                 .queue = {}};
    Message message{.kind = MessageKind::kRequest,
                    .correlation = correlation,
                    .payload = std::move(payload),
                    .sent = cause};
    Lose(refused, message, "connection refused", observer);
    const Connection broken = connection;
    ++network.Connect(client, server, channel).generation;
    SendDisconnect(broken, client);
    return;
  }
  const uint32_t slot = network.LinkSlot(connection, /*to_server=*/true);
  Enqueue(
      slot,
      Message{
          .kind = MessageKind::kRequest, .correlation = correlation, .payload = std::move(payload)},
      cause, observer);
}

void World::SendResponse(ProcessId server, const ReplyTo& to, PayloadRef payload, EventId cause,
                         Observer* observer) {
  Network& network = network_.Mutable();
  const Connection connection{
      .client = to.process, .server = server, .channel = to.channel, .generation = to.generation};
  const uint32_t slot = network.LinkSlot(connection, /*to_server=*/false);
  Enqueue(slot,
          Message{.kind = MessageKind::kResponse,
                  .correlation = to.correlation,
                  .payload = std::move(payload)},
          cause, observer);
}

void World::CloseConnection(ProcessId client, ProcessId server, Channel channel) {
  Network& network = network_.Mutable();
  Connection& connection = network.Connect(client, server, channel);
  const uint32_t closed = connection.generation++;
  if (!network.IsCut(client, server)) return;
  // Over a cut link the bytes of a closed connection are never sent again.
  for (Link& link : network.links) {
    if (link.client == client && link.server == server && link.channel == channel &&
        link.generation == closed) {
      std::erase_if(link.queue, [](const Message& message) { return message.rule == 0; });
    }
  }
}

// The client at the other end learns that the connection broke, after all that was sent before.
void World::SendDisconnect(const Connection& broken, ProcessId to) {
  Network& network = network_.Mutable();
  const uint32_t slot = network.LinkSlot(broken, /*to_server=*/to == broken.server);
  Link& link = network.links[slot];
  Time at = now_ + network.Latency(link.from(), link.to(), rng_[RngStream::kNetwork]);
  if (!link.queue.empty()) at = std::max(at, link.queue.back().at);
  link.queue.push_back(Message{.kind = MessageKind::kDisconnect});
  Schedule(slot, link.queue.back(), at);
}

void World::Enqueue(uint32_t link_slot, Message message, EventId cause, Observer* observer) {
  Network& network = network_.Mutable();
  Link& link = network.links[link_slot];
  Duration latency = network.Latency(link.from(), link.to(), rng_[RngStream::kNetwork]);
  message.sent = cause;
  if (observer != nullptr) {
    ReportMessage(events::kSent, link, message, observer);
    message.sent = EventId(next_event_ - 1);
  }
  if (!network.rules.empty() &&
      !ApplyRules(network, link_slot, message, latency, message.sent, observer)) {
    return;
  }
  Link& target = network.links[link_slot];
  Time at = now_ + latency;
  if (!target.queue.empty()) at = std::max(at, target.queue.back().at);
  target.queue.push_back(std::move(message));
  Schedule(link_slot, target.queue.back(), at);
}

// Lets the rules act on a message that is being sent. False if the message is gone.
bool World::ApplyRules(Network& network, uint32_t link_slot, Message& message, Duration& latency,
                       EventId event, Observer* observer) {
  for (MessageRule& rule : network.rules) {
    const bool over = rule.count.has_value() && rule.matched >= rule.skip + *rule.count;
    const Link link = network.links[link_slot];
    if (over || !rule.Matches(link, message)) continue;
    if (++rule.matched <= rule.skip) continue;
    switch (rule.action) {
      case MessageAction::kHold:
        message.rule = rule.id;
        ReportMessage(events::kHeld, link, message, observer);
        break;
      case MessageAction::kDelay:
        latency = latency + rule.delay;
        break;
      case MessageAction::kRepeat: {
        Link& target = network.links[link_slot];
        Message copy = message;
        copy.sent = event;
        target.queue.push_back(std::move(copy));
        Message& first = target.queue.back();
        const Time earliest =
            target.queue.size() > 1 ? target.queue[target.queue.size() - 2].at : now_;
        Schedule(link_slot, first, std::max(now_ + latency, earliest));
        latency = latency + rule.delay;
        break;
      }
      case MessageAction::kDrop: {
        Lose(link, message, "dropped by a fault", observer);
        if (rule.reset) {
          const Connection broken{.client = link.client,
                                  .server = link.server,
                                  .channel = link.channel,
                                  .generation = link.generation};
          ++network.Connect(link.client, link.server, link.channel).generation;
          SendDisconnect(broken, link.client);
        }
        return false;
      }
    }
  }
  return true;
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

void World::WakeLinksOf(ProcessId id) {
  // In the order in which the messages became due, over all links of the process.
  std::vector<std::pair<uint64_t, uint32_t>> order;
  for (uint32_t slot = 0; slot < network_->links.size(); ++slot) {
    const Link& link = network_->links[slot];
    if (link.queue.empty() || (link.to() != id && link.from() != id)) continue;
    if (link.queue.front().due) order.emplace_back(link.queue.front().sequence, slot);
  }
  std::sort(order.begin(), order.end());
  for (const auto& [sequence, slot] : order) Wake(slot);
}

bool World::IsBlocked(const Link& link, const Message& message) const {
  return message.rule != 0 || life(link.to()) == Life::kPaused ||
         network_->IsCut(link.client, link.server);
}

void World::Deliver(uint32_t link_slot, Observer* observer) {
  Network& network = network_.Mutable();
  Link& slot = network.links[link_slot];
  const Message message = std::move(slot.queue.front());
  slot.queue.erase(slot.queue.begin());
  Link link;
  link.client = slot.client;
  link.server = slot.server;
  link.channel = slot.channel;
  link.generation = slot.generation;
  link.to_server = slot.to_server;
  if (!slot.queue.empty() && slot.queue.front().due) Wake(link_slot);

  const ProcessId to = link.to();
  EventId cause = message.sent;
  if (observer != nullptr && message.kind != MessageKind::kDisconnect) {
    const uint32_t current = network.Connect(link.client, link.server, link.channel).generation;
    if (message.kind == MessageKind::kResponse && current != link.generation) {
      Lose(link, message, "its connection was closed", observer);
      return;
    }
    ReportMessage(events::kDelivered, link, message, observer);
    cause = EventId(next_event_ - 1);
  }
  switch (message.kind) {
    case MessageKind::kRequest: {
      const RequestIn request{.reply_to = {.process = link.client,
                                           .channel = link.channel,
                                           .generation = link.generation,
                                           .correlation = message.correlation},
                              .payload = message.payload};
      Run(to, cause, observer,
          [&](Process& process, Context& context) { process.OnRequest(context, request); });
      return;
    }
    case MessageKind::kResponse: {
      const uint32_t current = network.Connect(link.client, link.server, link.channel).generation;
      if (current != link.generation) return;
      const ResponseIn response{.from = link.server,
                                .channel = link.channel,
                                .correlation = message.correlation,
                                .payload = message.payload};
      Run(to, cause, observer,
          [&](Process& process, Context& context) { process.OnResponse(context, response); });
      return;
    }
    case MessageKind::kDisconnect: {
      cause = EmitEvent(events::kDisconnected, to, message.sent,
                        {{"peer", std::string(name(link.from()))}}, observer);
      Run(to, cause, observer, [&](Process& process, Context& context) {
        process.OnDisconnect(context, link.server, link.channel);
      });
      return;
    }
  }
}

void World::Lose(const Link& link, const Message& message, std::string_view why,
                 Observer* observer) {
  if (observer == nullptr || message.payload == nullptr) return;
  EmitEvent(events::kLost, link.from(), message.sent,
            {{"api", std::string(message.payload->api())},
             {"answer", message.kind == MessageKind::kResponse},
             {"to", std::string(name(link.to()))},
             {"why", std::string(why)}},
            observer, message.payload);
}

void World::ReportMessage(const EventKind& kind, const Link& link, const Message& message,
                          Observer* observer) {
  if (observer == nullptr || message.payload == nullptr) return;
  const bool arrival = &kind == &events::kDelivered;
  EmitEvent(kind, arrival ? link.to() : link.from(), message.sent,
            {{"api", std::string(message.payload->api())},
             {"answer", message.kind == MessageKind::kResponse},
             {arrival ? "from" : "to", std::string(name(arrival ? link.from() : link.to()))},
             {"correlation", static_cast<int64_t>(message.correlation.value())}},
            observer, message.payload);
}

}  // namespace kafkasim::sim
