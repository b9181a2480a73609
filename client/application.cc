// The process around the clients of an application. The program: application_program.cc.
#include "client/application.h"

#include <type_traits>
#include <utility>
#include <variant>

#include "sim/check.h"

namespace kafkasim::client {
namespace {

template <typename T, typename... Types>
constexpr bool kIsOneOf = (std::is_same_v<T, Types> || ...);

bool IsForProducer(const Operation& operation) {
  return std::visit(
      [](const auto& what) {
        return kIsOneOf<std::decay_t<decltype(what)>, InitTransactions, BeginTransaction, Send,
                        Flush, CommitTransaction, AbortTransaction, SendOffsetsToTransaction>;
      },
      operation);
}

}  // namespace

Application::Application(Options options)
    : consumer_(Share(std::move(options.consumer))),
      producer_(Share(std::move(options.producer))),
      program_(std::move(options.program)),
      names_(std::move(options.names)),
      run_(program_) {
  KAFKASIM_CHECK(consumer_.has_value() || producer_.has_value() || program_ != nullptr,
                 "an application has a client or a program");
  if (program_ != nullptr) crashes_done_.resize(static_cast<size_t>(program_->line_count));
}

std::unique_ptr<sim::Process> Application::Clone() const {
  return std::make_unique<Application>(*this);
}

const CallResult* Application::FindCall(CallId id) const {
  // A close is given to both clients under one id: it is done when both are.
  const CallResult* found = external_.calls().Find(id);
  if (consumer_.has_value() && found == nullptr) found = consumer()->FindCall(id);
  if (found != nullptr && (!found->done() || !found->ok())) return found;
  const CallResult* other = producer_.has_value() ? producer()->FindCall(id) : nullptr;
  return other == nullptr ? found : other;
}

void Application::OnRequest(sim::Context&, const sim::RequestIn&) {
  KAFKASIM_CHECK(false, "nobody sends requests to an application");
}

void Application::OnResponse(sim::Context& context, const sim::ResponseIn& response) {
  const sim::Part part = sim::PartOf(response.channel);
  sim::ResponseIn own = response;
  own.channel = sim::WithoutPart(response.channel);
  {
    const sim::PartScope scope(context, part);
    if (part == kConsumerPart) consumer_->Mutable().OnResponse(context, own);
    if (part == kProducerPart) producer_->Mutable().OnResponse(context, own);
    if (part == kExternalPart) external_.OnResponse(context, own);
  }
  Run(context);
}

void Application::OnDisconnect(sim::Context& context, sim::ProcessId peer, sim::Channel channel) {
  const sim::Part part = sim::PartOf(channel);
  {
    const sim::PartScope scope(context, part);
    const sim::Channel own = sim::WithoutPart(channel);
    if (part == kConsumerPart) consumer_->Mutable().OnDisconnect(context, peer, own);
    if (part == kProducerPart) producer_->Mutable().OnDisconnect(context, peer, own);
    if (part == kExternalPart) external_.OnDisconnect(context, peer);
  }
  Run(context);
}

void Application::OnTimer(sim::Context& context, uint32_t kind, uint64_t argument) {
  const sim::Part part = sim::PartOfTimer(kind);
  const uint32_t own = sim::TimerKindWithoutPart(kind);
  if (part == sim::kWholeProcess) {
    if (static_cast<Timer>(own) == Timer::kWork) EndLineWell(context);
  } else {
    const sim::PartScope scope(context, part);
    if (part == kConsumerPart) consumer_->Mutable().OnTimer(context, own, argument);
    if (part == kProducerPart) producer_->Mutable().OnTimer(context, own, argument);
    if (part == kExternalPart) external_.OnTimer(context);
  }
  Run(context);
}

void Application::OnCommand(sim::Context& context, const sim::PayloadRef& command) {
  if (command->api() != ProgramOrder::kApi) {
    GiveToClients(context, command);
  } else if (static_cast<const ProgramOrder&>(*command).kind() == ProgramOrder::Kind::kStart) {
    if (state_ != State::kRunning && state_ != State::kClosing) StartProgram(context);
  } else {
    OrderStop(context);
  }
  Run(context);
}

void Application::GiveToClients(sim::Context& context, const sim::PayloadRef& command) {
  const Operation& operation = static_cast<const Call&>(*command).operation();
  const bool both =
      std::holds_alternative<Close>(operation) || std::holds_alternative<ForgetCalls>(operation);
  if (consumer_.has_value() && (both || !IsForProducer(operation))) {
    const sim::PartScope scope(context, kConsumerPart);
    consumer_->Mutable().OnCommand(context, command);
  }
  if (producer_.has_value() && (both || IsForProducer(operation))) {
    const sim::PartScope scope(context, kProducerPart);
    producer_->Mutable().OnCommand(context, command);
  }
}

CallId Application::Give(sim::Context& context, Operation operation) {
  const CallId id = next_call_;
  ++next_call_;
  if (const auto* call = std::get_if<ExternalCall>(&operation)) {
    const sim::PartScope scope(context, kExternalPart);
    external_.Begin(context, id, *call);
  } else {
    GiveToClients(context, MakeCall(id, std::move(operation)));
  }
  return id;
}

// Clients that were closed know nothing any more; neither do those of a process that has crashed.
void Application::MakeNewClients() {
  if (consumer_.has_value()) consumer_->Mutable().OnCrash(sim::CrashKind::kProcess);
  if (producer_.has_value()) producer_->Mutable().OnCrash(sim::CrashKind::kProcess);
  external_.OnCrash();
}

void Application::OnCrash(sim::CrashKind) {
  MakeNewClients();
  state_ = uncaught_.ok() ? State::kIdle : State::kFailed;
  run_ = ProgramRun(program_);
  stop_ordered_ = false;
  closing_.reset();
  instant_ = {};
  lines_at_instant_ = 0;
}

void Application::OnRestart(sim::Context& context) {
  if (!was_started_) return;
  StartProgram(context);
  Run(context);
}

bool Application::ProducerBlocks() const {
  return producer_.has_value() && producer()->is_blocked();
}

bool Application::InTransaction() const {
  if (!producer_.has_value() || !producer()->config().transactional()) return false;
  const TransactionState state = producer()->transaction_state();
  return state == TransactionState::kInTransaction || state == TransactionState::kAbortableError;
}

std::optional<std::vector<sim::Peer>> Application::WaitsFor() const {
  std::vector<sim::Peer> peers;
  if (consumer_.has_value()) consumer()->AppendAwaited(kConsumerPart, peers);
  if (producer_.has_value()) producer()->AppendAwaited(kProducerPart, peers);
  if (external_.awaited() != sim::kNoProcess) {
    peers.push_back({.process = external_.awaited(),
                     .channel = sim::ChannelOf(kExternalPart, kExternalChannel)});
  }
  return peers;
}

const Line* Application::line() const {
  return state_ == State::kRunning && run_.begun() ? &run_.line() : nullptr;
}

void Application::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(consumer_);
  out.Add(producer_);
  out.Add(external_);
  out.Add(state_);
  out.Add(run_);
  out.Add(stop_ordered_);
  out.Add(restarts_);
  out.Add(closing_);
  out.Add(closed_);
  out.Add(instant_);
  out.Add(lines_at_instant_);
  out.Add(next_call_);
  out.Add(was_started_);
  out.Add(uncaught_);
  out.Add(static_cast<uint32_t>(crashes_done_.size()));
  for (const bool done : crashes_done_) out.Add(done);
}

}  // namespace kafkasim::client
