// A small world for tests of the search: clients that add to a counter on a server by reading and
// writing it, which loses an addition when two of them are at it at once; and an atomic way.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "echo_process.h"
#include "sim/context.h"
#include "sim/process.h"
#include "sim/world.h"

namespace kafkasim::sim {

// Answers "read" with its number; "write N" sets it; "add" adds one to it.
class CounterServer final : public Process {
 public:
  [[nodiscard]] std::unique_ptr<Process> Clone() const override {
    return std::make_unique<CounterServer>(*this);
  }
  void AppendTo(CanonicalBytes& out) const override { out.Add(value_); }
  void OnRequest(Context& context, const RequestIn& request) override {
    const std::string& text = TextOf(request.payload);
    if (text == "add") ++value_;
    if (text.starts_with("write ")) value_ = std::stoi(text.substr(6));
    context.Reply(request.reply_to, Say(std::to_string(value_)));
  }
  void OnResponse(Context&, const ResponseIn&) override {}
  void OnDisconnect(Context&, ProcessId, Channel) override {}
  void OnTimer(Context&, uint32_t, uint64_t) override {}
  void OnCommand(Context&, const PayloadRef&) override {}
  void OnCrash(CrashKind) override {}
  void OnRestart(Context&) override {}

  [[nodiscard]] int value() const { return value_; }

 private:
  int value_ = 0;  // survives a crash
};

// Adds one, at its start, either by "add" or by "read" and "write". With a timeout it asks again
// when there is no answer in time, on a new connection.
class CounterClient final : public Process {
 public:
  struct Options {
    bool atomic = true;
    Duration timeout{};  // 0: waits for ever
    bool draws = false;  // a random number with each answer
  };
  CounterClient(ProcessId server, Options options) : server_(server), options_(options) {}

  [[nodiscard]] std::unique_ptr<Process> Clone() const override {
    return std::make_unique<CounterClient>(*this);
  }
  void AppendTo(CanonicalBytes& out) const override {
    out.Add(asks_);
    out.Add(done_);
  }
  void OnStart(Context& context) override { Ask(context, options_.atomic ? "add" : "read"); }
  void OnRequest(Context&, const RequestIn&) override {}
  void OnResponse(Context& context, const ResponseIn& response) override {
    context.CancelTimer(timer_);
    if (options_.draws) (void)context.rng(RngStream::kClients).Next();
    if (asks_ == "read") {
      Ask(context, "write " + std::to_string(std::stoi(TextOf(response.payload)) + 1));
    } else {
      done_ = true;
    }
  }
  void OnDisconnect(Context&, ProcessId, Channel) override {}
  void OnTimer(Context& context, uint32_t, uint64_t) override {
    context.CloseConnection(server_, kEchoChannel);
    Ask(context, asks_);
  }
  void OnCommand(Context& context, const PayloadRef& order) override {
    done_ = false;
    Ask(context, TextOf(order));
  }
  void OnCrash(CrashKind) override {}
  void OnRestart(Context&) override {}
  [[nodiscard]] std::optional<std::vector<Peer>> WaitsFor() const override {
    if (options_.timeout.us > 0) return std::nullopt;
    return done_ ? std::vector<Peer>{} : std::vector<Peer>{{server_, kEchoChannel}};
  }

  [[nodiscard]] bool done() const { return done_; }

 private:
  void Ask(Context& context, std::string text) {
    asks_ = std::move(text);
    context.SendRequest(server_, kEchoChannel, Say(asks_));
    if (options_.timeout.us > 0) timer_ = context.SetTimer(options_.timeout, 0);
  }

  ProcessId server_;
  Options options_;
  std::string asks_;
  bool done_ = false;
  TimerId timer_;
};

// The server is process 0, the clients follow.
inline World CounterWorld(int clients, CounterClient::Options options) {
  World world({.seed = 1, .least_latency = Micros(0), .most_latency = Micros(0)});
  const ProcessId server = world.AddProcess("server", std::make_unique<CounterServer>());
  for (int i = 0; i < clients; ++i) {
    world.AddProcess("client-" + std::to_string(i),
                     std::make_unique<CounterClient>(server, options));
  }
  world.Start(nullptr);
  return world;
}

inline int CounterOf(const World& world) {
  return static_cast<const CounterServer&>(world.process(ProcessId(0))).value();
}

inline int DoneIn(const World& world) {
  int done = 0;
  for (size_t i = 1; i < world.process_count(); ++i) {
    const Process& client = world.process(ProcessId(static_cast<int32_t>(i)));
    if (static_cast<const CounterClient&>(client).done()) ++done;
  }
  return done;
}

}  // namespace kafkasim::sim
