// A simulated process: a broker, the controller, a client. It is a value like everything in the
// world (Clone copies it whole) and acts only inside its handlers, through the Context it is given.
//
// Life: running; paused (messages and timers wait, as in a long GC pause); crashed (nothing reaches
// it, its volatile state is gone, its timers are cancelled).
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/fingerprint.h"
#include "sim/ids.h"
#include "sim/payload.h"
#include "sim/time.h"

namespace kafkasim::sim {

class Context;

enum class Life : uint8_t { kRunning, kPaused, kCrashed };

// What a crash takes away.
enum class CrashKind : uint8_t {
  kProcess,  // memory; what was written to the page cache survives
  kMachine,  // memory and everything not flushed to disk
  kDisk,     // everything
};

// Where an answer goes: the connection on which the request came, and the request's id. A value
// that a server may keep while a request waits.
struct ReplyTo {
  ProcessId process = kNoProcess;
  Channel channel{};
  uint32_t generation = 0;  // of the connection; an answer on a closed connection is lost
  CorrelationId correlation{};

  friend constexpr bool operator==(const ReplyTo&, const ReplyTo&) = default;
  void AppendTo(CanonicalBytes& out) const {
    out.Add(process);
    out.Add(channel);
    out.Add(generation);
    out.Add(correlation);
  }
};

// The other end of a connection of a client.
struct Peer {
  ProcessId process = kNoProcess;
  Channel channel{};

  friend constexpr auto operator<=>(const Peer&, const Peer&) = default;
};

// A request that reached its server.
struct RequestIn {
  ReplyTo reply_to{};
  PayloadRef payload{};
};

// An answer that reached the process that asked.
struct ResponseIn {
  ProcessId from = kNoProcess;
  Channel channel{};
  CorrelationId correlation{};
  PayloadRef payload{};
};

// What a watcher learns of a process: whether it could answer a heartbeat.
enum class Reachability : uint8_t {
  kLost,
  kBack,    // in the life in which it was lost
  kReborn,  // after a restart
};

class Process {
 public:
  virtual ~Process() = default;
  [[nodiscard]] virtual std::unique_ptr<Process> Clone() const = 0;
  virtual void AppendTo(CanonicalBytes& out) const = 0;

  // Called once at time zero, in the order of creation.
  virtual void OnStart(Context&) {}
  virtual void OnRequest(Context& context, const RequestIn& request) = 0;
  virtual void OnResponse(Context& context, const ResponseIn& response) = 0;
  // The connection to `peer` on `channel` broke (the peer crashed or refused): no request that was
  // open on it will be answered.
  virtual void OnDisconnect(Context& context, ProcessId peer, Channel channel) = 0;
  // No answer to a request on a channel with a timeout (World::SetTimeout) came in time.
  virtual void OnTimeout(Context&, ProcessId /*peer*/, Channel, CorrelationId) {}
  // `kind` and `argument` are as given to Context::SetTimer.
  virtual void OnTimer(Context& context, uint32_t kind, uint64_t argument) = 0;
  // An order from outside the simulated network (a scenario step); payload types are the process's.
  virtual void OnCommand(Context& context, const PayloadRef& command) = 0;
  // The connections on which it has asked and not been answered, if no message but those answers
  // can reach it before it has acted again: a search need not try some orders then. nullopt: others
  // may send to it, which is always right.
  [[nodiscard]] virtual std::optional<std::vector<Peer>> WaitsFor() const { return std::nullopt; }
  // Only for a process that watches others (World::WatchReachability).
  virtual void OnReachability(Context&, ProcessId /*peer*/, Reachability) {}

  // Just before OnCrash: for what a process does at fixed times without being simulated each time.
  virtual void BeforeCrash(Time /*now*/) {}
  // Drops the state that this kind of crash takes. No context: a dying process does nothing more.
  virtual void OnCrash(CrashKind kind) = 0;
  // Runs again after a crash, from its durable state.
  virtual void OnRestart(Context& context) = 0;

 protected:
  Process() = default;
  Process(const Process&) = default;
  Process& operator=(const Process&) = default;
};

}  // namespace kafkasim::sim
