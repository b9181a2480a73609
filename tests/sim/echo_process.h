// A process for tests of the kernel: answers what it is asked, counts, and writes down what it saw.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/context.h"
#include "sim/process.h"

namespace kafkasim::sim {

struct Text final : Payload {
  Text(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {}

  [[nodiscard]] std::string_view api() const override { return name_; }
  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const override {
    return attribute == "text" && value == text_;
  }
  void AppendTo(CanonicalBytes& out) const override {
    out.Add(name_);
    out.Add(text_);
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string name_;
  std::string text_;
};

inline PayloadRef Say(std::string text) { return std::make_shared<Text>("Say", std::move(text)); }
inline PayloadRef Order(std::string text) {
  return std::make_shared<Text>("Order", std::move(text));
}
inline const std::string& TextOf(const PayloadRef& payload) {
  return static_cast<const Text&>(*payload).text();
}

inline constexpr EventKind kNoted{"noted", "An echo process wrote something down."};
inline constexpr Channel kEchoChannel{0};

// Orders: "timer 5ms x" arms one; anything else is sent to `peer` as a request.
class EchoProcess final : public Process {
 public:
  explicit EchoProcess(ProcessId peer = kNoProcess) : peer_(peer) {}

  [[nodiscard]] std::unique_ptr<Process> Clone() const override {
    return std::make_unique<EchoProcess>(*this);
  }
  void AppendTo(CanonicalBytes& out) const override {
    out.AddAll(notes_);
    out.Add(durable_);
  }
  void OnRequest(Context& context, const RequestIn& request) override {
    Note(context, "asked " + TextOf(request.payload));
    if (context.alive()) ++durable_;
    context.Reply(request.reply_to, Say("re " + TextOf(request.payload)));
  }
  void OnResponse(Context& context, const ResponseIn& response) override {
    Note(context, "heard " + TextOf(response.payload));
  }
  void OnDisconnect(Context& context, ProcessId peer, Channel) override {
    Note(context, "lost " + std::string(context.ProcessName(peer)));
  }
  void OnTimeout(Context& context, ProcessId peer, Channel, CorrelationId) override {
    Note(context, "no answer from " + std::string(context.ProcessName(peer)));
  }
  void OnTimer(Context& context, uint32_t kind, uint64_t argument) override {
    Note(context, "timer " + std::to_string(kind) + " " + std::to_string(argument));
  }
  void OnCommand(Context& context, const PayloadRef& command) override {
    const std::string& text = TextOf(command);
    if (text.starts_with("timer ")) {
      timer_ = context.SetTimer(Millis(std::stoi(text.substr(6))), 1, 7);
    } else if (text == "cancel") {
      context.CancelTimer(timer_);
    } else if (text == "close") {
      context.CloseConnection(peer_, kEchoChannel);
    } else {
      context.SendRequest(peer_, kEchoChannel, Say(text));
    }
  }
  void OnReachability(Context& context, ProcessId peer, Reachability seen) override {
    const char* what = seen == Reachability::kLost   ? "misses "
                       : seen == Reachability::kBack ? "sees "
                                                     : "sees again ";
    Note(context, what + std::string(context.ProcessName(peer)));
  }
  void OnCrash(CrashKind kind) override {
    notes_.clear();
    if (kind == CrashKind::kDisk) durable_ = 0;
  }
  void OnRestart(Context& context) override { Note(context, "back"); }

  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
  [[nodiscard]] int durable() const { return durable_; }

 private:
  void Note(Context& context, std::string text) {
    if (context.tracing()) context.Emit(kNoted, {{"text", text}});
    notes_.push_back(FormatTime(context.now()) + " " + std::move(text));
  }

  ProcessId peer_;
  TimerId timer_;
  std::vector<std::string> notes_;
  int durable_ = 0;
};

// Writes the trace as text, and reacts to the note `strike_at` with `reaction`.
class Recorder final : public Observer {
 public:
  Reaction OnEvent(const TraceEvent& event) override {
    text += std::to_string(event.id.value()) + " " + FormatTime(event.at) + " " +
            std::to_string(event.actor.value()) + " " + std::string(event.kind->name) + " <- " +
            std::to_string(event.cause.value());
    for (const Field& field : event.fields) {
      text += " " + std::string(field.name) + "=";
      if (const auto* value = std::get_if<std::string>(&field.value)) text += *value;
      if (const auto* value = std::get_if<int64_t>(&field.value)) text += std::to_string(*value);
    }
    text += "\n";
    actors.push_back(event.actor);
    return !strike_at.empty() && event.Text("text") == strike_at ? reaction : Reaction::kGoOn;
  }

  std::string text;
  std::vector<ProcessId> actors;
  std::string strike_at;
  Reaction reaction = Reaction::kGoOn;
};

}  // namespace kafkasim::sim
