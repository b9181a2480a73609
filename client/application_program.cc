// How an application is carried through its program: which line comes next, what its failure does.
#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "client/application.h"
#include "client/events.h"
#include "sim/check.h"

namespace kafkasim::client {
namespace {

// A program that does so much without letting time pass runs in a circle.
constexpr int64_t kMostLinesAtAnInstant = 20'000;

ApiError Circle() {
  return ClientError(Exception::kIllegalState, ErrorClass::kMisuse,
                     "the program runs in a circle in which no time passes");
}

std::string CodeOf(const ApiError& error) { return std::string(broker::Name(error.code)); }

}  // namespace

void Application::StartProgram(sim::Context& context) {
  if (program_ == nullptr) return;
  if (state_ == State::kThrough) MakeNewClients();
  if (context.tracing()) context.Emit(events::kProgramStarted, {{"again", was_started_}});
  state_ = State::kRunning;
  was_started_ = true;
  uncaught_ = {};
  stop_ordered_ = false;
  restarts_ = false;
  run_.Start();
}

void Application::OrderStop(sim::Context&) {
  was_started_ = false;  // whoever deploys it does not start it again after a crash
  if (state_ == State::kRunning) stop_ordered_ = true;
}

void Application::Run(sim::Context& context) {
  while (context.alive()) {
    if (context.reaction() == sim::Reaction::kPause) {
      // It goes on when the process resumes.
      context.SetTimer({}, static_cast<uint32_t>(Timer::kGoOn));
      return;
    }
    if (Move(context) == Progress::kWaits) return;
  }
}

Application::Progress Application::Move(sim::Context& context) {
  if (state_ != State::kRunning && state_ != State::kClosing) return Progress::kWaits;
  const bool is_called = consumer_.has_value() && consumer()->pending_callback().has_value();
  if (is_called && !run_.in_callback()) return MoveCallback(context, ProgramRun::Next::kLine);
  if (state_ == State::kClosing && !run_.in_callback()) return MoveClosing(context);
  switch (run_.Advance(InTransaction())) {
    case ProgramRun::Next::kLine:
      return MoveLine(context);
    case ProgramRun::Next::kEndOfCallback:
      return MoveCallback(context, ProgramRun::Next::kEndOfCallback);
    case ProgramRun::Next::kEndOfProgram:
      BeginClosing(/*restart=*/false);
      return Progress::kMoved;
    case ProgramRun::Next::kCircle:
      Die(context, Circle());
      return Progress::kWaits;
  }
  return Progress::kWaits;
}

// The consumer calls the listener, or the listener's method returns.
Application::Progress Application::MoveCallback(sim::Context& context, ProgramRun::Next next) {
  if (next != ProgramRun::Next::kEndOfCallback) {
    const RebalanceCallback callback = *consumer()->pending_callback();
    const std::optional<BlockId> block = program_->CallbackFor(callback.kind);
    if (block.has_value()) {
      if (context.tracing()) {
        std::vector<std::string> partitions;
        for (const broker::PartitionId& partition : callback.partitions) {
          partitions.push_back(names_ == nullptr ? broker::ConcernOf(partition)
                                                 : names_->NameOf(partition));
        }
        context.Emit(events::kCallbackRun, {{"callback", std::string(Name(callback.kind))},
                                            {"partitions", std::move(partitions)}});
      }
      run_.EnterCallback(*block);
      return Progress::kMoved;
    }
  } else {
    run_.LeaveCallback();
  }
  const sim::PartScope scope(context, kConsumerPart);
  consumer_->Mutable().CompleteCallback(context);
  return Progress::kMoved;
}

Application::Progress Application::MoveLine(sim::Context& context) {
  if (!run_.begun()) {
    if (stop_ordered_ && !run_.in_callback()) {
      BeginClosing(/*restart=*/false);
      return Progress::kMoved;
    }
    if (std::exchange(instant_, context.now()) != context.now()) lines_at_instant_ = 0;
    if (++lines_at_instant_ > kMostLinesAtAnInstant) {
      Die(context, Circle());
      return Progress::kWaits;
    }
    run_.Begin();
    EmitLine(context, events::kLineBegun, run_.line());
    return Progress::kMoved;
  }
  if (!run_.under_way()) {
    BeginLine(context);
    return Progress::kMoved;
  }
  const std::optional<CallId> awaited = run_.awaited();
  if (!awaited.has_value()) return Progress::kWaits;  // for its timer
  const CallResult* result = FindCall(*awaited);
  KAFKASIM_CHECK(result != nullptr, "the result of a call is there until the program has taken it");
  if (result->done()) {
    TakeResult(context, CallResult(*result));
    return Progress::kMoved;
  }
  if (!std::holds_alternative<SendLine>(run_.line().what) || ProducerBlocks()) {
    return Progress::kWaits;
  }
  EndLineWell(context);
  return Progress::kMoved;
}

void Application::BeginLine(sim::Context& context) {
  run_.SetUnderWay();
  const Line& line = run_.line();
  if (std::visit([&](const auto& what) { return Do(context, what); }, line.what)) {
    EndLineWell(context);
  }
}

void Application::EndLineWell(sim::Context& context) {
  const Line& line = run_.line();
  EmitLine(context, events::kLineDone, line);
  run_.Done();
}

void Application::EmitLine(sim::Context& context, const sim::EventKind& kind, const Line& line) {
  if (!context.tracing()) return;
  context.Emit(kind, {{"line", int64_t{line.number}},
                      {"text", line.text},
                      {"verb", line.verb},
                      {"count", run_.number() + 1}});
}

void Application::TakeResult(sim::Context& context, const CallResult& result) {
  const Line& line = run_.line();
  ApiError error = result.error;
  const auto* external = std::get_if<ExternalLine>(&line.what);
  if (external != nullptr && external->skip_duplicates &&
      error.exception == Exception::kDuplicateKey) {
    error = {};
  }
  // What became of a record that was sent is told to nobody.
  if (std::holds_alternative<SendLine>(line.what) && error.IsApiException()) error = {};
  if (!error.ok()) {
    Throw(context, error);
    return;
  }
  if (const auto* polled = std::get_if<ConsumedRecords>(&result.value)) {
    run_.set_records(polled->records);
    const auto* call = std::get_if<CallLine>(&line.what);
    const auto* poll = call == nullptr ? nullptr : std::get_if<Poll>(&call->operation);
    const bool waited =
        poll != nullptr && result.finished - result.started >= poll->timeout && HasReadAll();
    if (polled->records->empty() && waited && context.tracing()) {
      context.Emit(events::kProgramIdle, {});
    }
  } else if (const auto* reply = std::get_if<ExternalReply>(&result.value)) {
    run_.set_answer(reply->text);
  }
  EndLineWell(context);
}

// Whether the consumer has partitions and knows that it is at the end of each.
bool Application::HasReadAll() const {
  const std::vector<broker::PartitionId> assignment = consumer()->assignment();
  return !assignment.empty() &&
         std::all_of(assignment.begin(), assignment.end(),
                     [&](const broker::PartitionId& partition) {
                       return consumer()->lag(partition) == std::optional<int64_t>(0);
                     });
}

void Application::Throw(sim::Context& context, const ApiError& error) {
  if (run_.in_callback()) {
    run_.LeaveCallback();
    const sim::PartScope scope(context, kConsumerPart);
    consumer_->Mutable().CompleteCallback(context, error);  // which the poll will throw
    return;
  }
  const Line& line = run_.line();
  const ErrorHandler* handler = run_.Throw(error);
  if (handler == nullptr) {
    Die(context, error);
    return;
  }
  if (!context.tracing()) return;
  context.Emit(events::kErrorCaught, {{"line", int64_t{line.number}},
                                      {"text", line.text},
                                      {"error", std::string(error.ExceptionName())},
                                      {"code", CodeOf(error)},
                                      {"reason", error.message},
                                      {"handler", handler->text}});
}

void Application::Die(sim::Context& context, const ApiError& error) {
  uncaught_ = error;
  if (context.tracing()) {
    const Line* at = line();
    context.Emit(events::kProgramCrashed, {{"line", int64_t{at == nullptr ? 0 : at->number}},
                                           {"text", at == nullptr ? "" : at->text},
                                           {"error", std::string(error.ExceptionName())},
                                           {"code", CodeOf(error)},
                                           {"reason", error.message}});
  }
  context.Die();
}

void Application::BeginClosing(bool restart) {
  state_ = State::kClosing;
  restarts_ = restart;
  closing_.reset();
  closed_ = 0;
}

// One client after the other, the consumer first: its listener may still want the producer.
Application::Progress Application::MoveClosing(sim::Context& context) {
  if (closing_.has_value()) {
    const CallResult* result = FindCall(*closing_);
    if (result != nullptr && !result->done()) return Progress::kWaits;
    closing_.reset();
    ++closed_;
  }
  const CallId id = next_call_;
  if (closed_ == 0 && consumer_.has_value()) {
    ++next_call_;
    closing_ = id;
    const sim::PartScope scope(context, kConsumerPart);
    consumer_->Mutable().OnCommand(context, MakeCall(id, Close{}));
    return Progress::kMoved;
  }
  if (closed_ <= 1 && producer_.has_value()) {
    closed_ = 1;
    ++next_call_;
    closing_ = id;
    const sim::PartScope scope(context, kProducerPart);
    producer_->Mutable().OnCommand(context, MakeCall(id, Close{}));
    return Progress::kMoved;
  }
  if (context.tracing()) {
    const char* how = restarts_ ? "restarts" : stop_ordered_ ? "stopped" : "through";
    context.Emit(events::kProgramEnded, {{"how", std::string(how)}});
  }
  state_ = State::kThrough;
  if (restarts_ && context.alive()) StartProgram(context);
  return Progress::kMoved;
}

}  // namespace kafkasim::client
