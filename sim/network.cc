#include "sim/network.h"

#include <algorithm>
#include <tuple>

namespace kafkasim::sim {

void Route::AppendTo(CanonicalBytes& out) const {
  out.Add(client);
  out.Add(server);
  out.Add(channel);
  out.Add(generation);
  out.Add(to_server);
  out.Add(lane);
}

void Link::AppendTo(CanonicalBytes& out) const {
  out.Add(route);
  out.Add(static_cast<uint32_t>(queue.size()));
  for (const Message& message : queue) {
    out.Add(message.at);
    out.Add(message.kind);
    out.Add(message.correlation);
    if (message.payload == nullptr) {
      out.Add(false);
    } else if (out.exact()) {
      message.payload->AppendTo(out);
    } else {
      out.Add(message.payload->fingerprint());
    }
    out.Add(message.rule);
    out.Add(message.due);
  }
}

Route Connection::Direction(bool to_server) const {
  return {.client = client,
          .server = server,
          .channel = channel,
          .generation = generation,
          .to_server = to_server,
          .lane = 0};
}

bool MessageRule::Matches(const Route& route, const Message& message) const {
  if (message.payload == nullptr) return false;
  if (answer.has_value() && *answer != (message.kind == MessageKind::kResponse)) return false;
  if (from != kNoProcess && from != route.from()) return false;
  if (to != kNoProcess && to != route.to()) return false;
  if (!api.empty() && api != message.payload->api()) return false;
  return std::all_of(attributes.begin(), attributes.end(), [&](const auto& wanted) {
    return message.payload->Concerns(wanted.first, wanted.second);
  });
}

void MessageRule::AppendTo(CanonicalBytes& out) const {
  out.Add(id);
  out.Add(action);
  out.Add(api);
  out.Add(answer);
  out.Add(from);
  out.Add(to);
  out.Add(static_cast<uint32_t>(attributes.size()));
  for (const auto& [attribute, value] : attributes) {
    out.Add(attribute);
    out.Add(value);
  }
  out.Add(skip);
  out.Add(count);
  out.Add(delay);
  out.Add(copies);
  out.Add(reset);
  out.Add(matched);
}

Connection& Network::Connect(ProcessId client, ProcessId server, Channel channel) {
  for (Connection& connection : connections) {
    if (connection.client == client && connection.server == server &&
        connection.channel == channel) {
      return connection;
    }
  }
  return connections.emplace_back(
      Connection{.client = client, .server = server, .channel = channel, .generation = 0});
}

uint32_t Network::SlotOf(const Route& route) {
  size_t free = links.size();
  for (size_t i = 0; i < links.size(); ++i) {
    if (links[i].queue.empty()) {
      if (free == links.size()) free = i;
    } else if (links[i].route == route) {
      return static_cast<uint32_t>(i);
    }
  }
  if (free == links.size()) {
    links.push_back({.route = route});
  } else {
    links[free].route = route;
  }
  return static_cast<uint32_t>(free);
}

bool Network::IsCut(ProcessId from, ProcessId to) const {
  return !cuts.empty() && std::binary_search(cuts.begin(), cuts.end(), std::pair(from, to));
}

Duration Network::Latency(ProcessId from, ProcessId to, Rng& rng) const {
  for (auto rule = latencies.rbegin(); rule != latencies.rend(); ++rule) {
    const bool fits = (rule->from == kNoProcess || rule->from == from) &&
                      (rule->to == kNoProcess || rule->to == to);
    if (!fits) continue;
    if (rule->least == rule->most) return rule->least;
    return Micros(rng.Between(rule->least.us, rule->most.us));
  }
  return Millis(1);
}

void Network::AppendTo(CanonicalBytes& out) const {
  absl::InlinedVector<const Link*, 8> busy;
  for (const Link& link : links) {
    if (!link.queue.empty()) busy.push_back(&link);
  }
  std::sort(busy.begin(), busy.end(),
            [](const Link* a, const Link* b) { return a->route < b->route; });
  out.Add(static_cast<uint32_t>(busy.size()));
  for (const Link* link : busy) out.Add(*link);

  absl::InlinedVector<Connection, 8> renewed;
  for (const Connection& connection : connections) {
    if (connection.generation != 0) renewed.push_back(connection);
  }
  std::sort(renewed.begin(), renewed.end(), [](const Connection& a, const Connection& b) {
    return std::tuple(a.client, a.server, a.channel) < std::tuple(b.client, b.server, b.channel);
  });
  out.Add(static_cast<uint32_t>(renewed.size()));
  for (const Connection& connection : renewed) {
    out.Add(connection.client);
    out.Add(connection.server);
    out.Add(connection.channel);
    out.Add(connection.generation);
  }
  out.AddAll(rules);
  out.Add(static_cast<uint32_t>(cuts.size()));
  for (const auto& [a, b] : cuts) {
    out.Add(a);
    out.Add(b);
  }
}

}  // namespace kafkasim::sim
