// The trace: one typed stream of what happened, and the observer who watches it while it happens.
//
// A module declares its kinds of events as constants of EventKind (name and sentence); an event
// carries its kind, the moment, the process, the event that caused it, and named fields. Every view
// (terminal, JSON, explanations) is made from this stream. Kinds double as named protocol points:
// an observer may answer an event with a Reaction, so that a fault hits exactly there.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sim/ids.h"
#include "sim/payload.h"
#include "sim/time.h"

namespace kafkasim::sim {

// A kind of event. Declare as `inline constexpr EventKind`; compared by address of the constant.
struct EventKind {
  std::string_view name{};      // snake_case, unique over all modules
  std::string_view sentence{};  // what has happened when such an event is seen
};

using FieldValue = std::variant<bool, int64_t, std::string, std::vector<std::string>>;

struct Field {
  std::string_view name{};  // a literal; Kafka's own term in snake_case
  FieldValue value;
};

[[nodiscard]] inline Field TextField(std::string_view name, std::string_view value) {
  return {name, std::string(value)};
}
[[nodiscard]] inline Field NumberField(std::string_view name, int64_t value) {
  return {name, value};
}

struct TraceEvent {
  EventId id{};
  Time at{};
  ProcessId actor = kNoProcess;
  const EventKind* kind = nullptr;
  EventId cause = kNoEvent;
  std::vector<Field> fields{};
  PayloadRef payload{};  // of the message that the event is about, if any

  // The field's value, or null when the event has none of that name.
  [[nodiscard]] const FieldValue* Find(std::string_view name) const;
  // The field as a number or text, or the default when absent or of another type.
  [[nodiscard]] int64_t Int(std::string_view name, int64_t otherwise = -1) const;
  [[nodiscard]] std::string_view Text(std::string_view name) const;
  [[nodiscard]] bool Is(const EventKind& wanted) const { return kind == &wanted; }
};

// What is to happen to the process at this very point, before it does anything else.
enum class Reaction : uint8_t {
  kGoOn,
  kCrash,  // what the handler would have done after this point is lost
  kPause,  // what the handler would have sent after this point is sent when the process resumes
};

// Watches a run. Not part of the world: the same world can be stepped with and without one.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual Reaction OnEvent(const TraceEvent& event) = 0;
};

// Kinds of the kernel itself.
namespace events {
inline constexpr EventKind kSent{"sent", "A message was handed to the network."};
inline constexpr EventKind kDelivered{"delivered", "A message reached its process."};
inline constexpr EventKind kLost{"lost",
                                 "A message will never arrive; the field why says the reason."};
inline constexpr EventKind kHeld{"held", "A fault holds a message back in the network."};
inline constexpr EventKind kReleased{"released", "A held message goes on its way."};
inline constexpr EventKind kDisconnected{"disconnected", "A process saw a connection break."};
inline constexpr EventKind kCrashed{"crashed", "A process died; its volatile state is lost."};
inline constexpr EventKind kRestarted{"restarted", "A crashed process started again."};
inline constexpr EventKind kPaused{"paused", "A process stopped running, as in a long GC pause."};
inline constexpr EventKind kResumed{"resumed", "A paused process runs again."};
inline constexpr EventKind kLinkCut{"link_cut", "What one process sends does not reach another."};
inline constexpr EventKind kLinkHealed{"link_healed",
                                       "What one process sends reaches another again."};
}  // namespace events

}  // namespace kafkasim::sim
