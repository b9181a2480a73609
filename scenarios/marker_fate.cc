#include "scenarios/marker_fate.h"

#include <algorithm>
#include <variant>

#include <fmt/format.h>

#include "broker/events.h"
#include "broker/message.h"
#include "broker/messages_transaction.h"
#include "sim/trace.h"

namespace kafkasim::scenarios {
namespace {

using broker::WriteTxnMarkersRequest;

// Whether the event is a WriteTxnMarkers leaving for the leader with this marker.
bool AsksFor(const sim::TraceEvent& event, const broker::PartitionId& partition,
             std::int64_t producer_id) {
  if (!event.Is(sim::events::kSent) || event.Text("api") != "WriteTxnMarkers") return false;
  const auto& message = broker::AsMessage(*event.payload);
  if (message.is_response()) return false;
  const auto& request = broker::BodyOf<WriteTxnMarkersRequest>(*event.payload);
  return std::any_of(request.markers.begin(), request.markers.end(), [&](const auto& marker) {
    return marker.producer_id.value() == producer_id &&
           std::find(marker.partitions.begin(), marker.partitions.end(), partition) !=
               marker.partitions.end();
  });
}

// The event of this kind about this producer's marker on the partition.
bool IsAbout(const sim::TraceEvent& event, const PartitionView& view, std::int64_t producer_id) {
  return event.Text("partition") == view.name && event.Int("producer_id") == producer_id;
}

// A message that was sent, and where it is now.
struct Dispatch {
  MarkerFate fate{};
  bool stuck = false;  // it will not arrive by itself
};

Dispatch Follow(const Moment& moment, const sim::TraceEvent& sent) {
  const std::string to(sent.Text("to"));
  const std::string on_its_way = "is still on its way to " + to;
  Dispatch found{.fate = {.text = on_its_way, .event = sent.id}};
  for (const sim::TraceEvent& event : moment.history.trace()) {
    if (event.cause != sent.id) continue;
    if (event.Is(sim::events::kHeld)) {
      found = {{"to " + to + " is held in the network by a fault", event.id}, true};
    } else if (event.Is(sim::events::kReleased)) {
      found = {{on_its_way, event.id}, false};
    } else if (event.Is(sim::events::kLost)) {
      found = {{fmt::format("to {} was lost: {}", to, event.Text("why")), event.id}, true};
    } else if (event.Is(sim::events::kDelivered)) {
      found = {{fmt::format("has reached {}, which has not written it", to), event.id}, false};
    }
  }
  const auto receiver = moment.names.FindProcess(to);
  if (found.stuck || !receiver.has_value()) return found;
  if (moment.world.life(*receiver) == sim::Life::kPaused) {
    found = {{found.fate.text + ", which is paused", found.fate.event}, true};
  } else if (moment.world.network().IsCut(sent.actor, *receiver)) {
    found = {{fmt::format("cannot get through to {}: the link is cut", to), found.fate.event},
             true};
  }
  return found;
}

}  // namespace

std::optional<MarkerFate> FateOfMarker(const Moment& moment, const PartitionView& view,
                                       std::int64_t producer_id) {
  const std::vector<sim::TraceEvent>& trace = moment.history.trace();
  // While it is on its way once more, the refusal before says more.
  std::optional<MarkerFate> under_way;
  for (auto event = trace.rbegin(); event != trace.rend(); ++event) {
    if (event->Is(broker::events::kMarkerAppended) && IsAbout(*event, view, producer_id)) {
      return under_way;
    }
    if (event->Is(broker::events::kMarkerRefused) && IsAbout(*event, view, producer_id)) {
      return MarkerFate{
          .text = fmt::format("was refused by {}: {} ({})", moment.names.NameOf(event->actor),
                              event->Text("error"), event->Text("reason")),
          .event = event->id};
    }
    if (under_way.has_value() || !AsksFor(*event, view.id, producer_id)) continue;
    const Dispatch dispatch = Follow(moment, *event);
    under_way = dispatch.fate;
    if (dispatch.stuck) break;
  }
  return under_way;
}

}  // namespace kafkasim::scenarios
