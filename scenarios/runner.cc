#include "scenarios/runner.h"

#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "scenarios/claim_text.h"
#include "scenarios/explain.h"
#include "scenarios/invariants/invariant.h"
#include "scenarios/outcome_check.h"
#include "scenarios/run_events.h"
#include "scenarios/step_text.h"
#include "sim/search/space.h"

namespace kafkasim::scenarios {

Runner::Runner(const Scenario& scenario, Assembly assembly, const RunOptions& options)
    : scenario_(scenario),
      stage_(std::move(assembly), options),
      options_(options),
      judge_(stage_.moment().names) {}

RunResult Runner::Run() {
  CountFromTheStart();
  stage_.Start();
  for (std::size_t i = 0; i < scenario_.steps.size() && !stuck_ && !stage_.over(); ++i) {
    PlayStep(i);
  }
  Finish();
  Conclude();
  return std::move(result_);
}

// Claims about numbers of messages count from the start of the run, wherever they stand.
void Runner::CountFromTheStart() {
  for (const Step& step : scenario_.steps) {
    const auto* expect = std::get_if<Expect>(&step.what);
    if (expect == nullptr) continue;
    for (const CountExpectation& claim : expect->claims.counts) {
      counted_.push_back({.claim = &claim, .counter = stage_.CountMessages(claim.messages)});
    }
  }
}

void Runner::PlayStep(std::size_t index) {
  step_ = index;
  const Step& step = scenario_.steps[index];
  const std::size_t failures = result_.failures.size();
  StepRecord record{.step = index, .mark = step.mark, .began = stage_.now()};
  record.first_event = stage_.NoteStep({{"step", static_cast<std::int64_t>(index + 1)},
                                        {"line", static_cast<std::int64_t>(step.mark.line)},
                                        {"text", StepText(step.mark)}});
  std::visit([this](const auto& what) { Play(what); }, step.what);
  CheckInvariants();
  record.ended = stage_.now();
  record.last_event = sim::EventId(stage_.digest().events());
  record.failures = result_.failures.size() - failures;
  result_.steps.push_back(record);
}

void Runner::CheckInvariants() {
  auto now = std::make_unique<Checked>(stage_.moment().world);
  now->view = judge_.Look(now->world, checked_ == nullptr ? nullptr : checked_->view.get());
  std::vector<sim::Violation> violations;
  if (checked_ != nullptr) judge_.CheckStep(*checked_->view, *now->view, violations);
  judge_.CheckState(*now->view, violations);
  checked_ = std::move(now);
  for (const sim::Violation& violation : violations) TakeBroken(violation);
}

void Runner::CheckInvariantsOfRest() {
  const sim::World& end = stage_.moment().world;
  if (!sim::IsAtRest(end)) return;
  std::vector<sim::Violation> violations;
  judge_.CheckEnd(*judge_.Look(end, nullptr), violations);
  for (const sim::Violation& violation : violations) TakeBroken(violation);
}

void Runner::TakeBroken(const sim::Violation& violation) {
  const bool known =
      std::any_of(result_.broken.begin(), result_.broken.end(),
                  [&](const BrokenInvariant& broken) { return broken.name == violation.name; });
  if (known) return;
  const bool declared = std::any_of(
      scenario_.breaks.begin(), scenario_.breaks.end(),
      [&](const Break& expected) { return expected.invariant.value == violation.name; });
  result_.broken.push_back({.name = violation.name,
                            .what = violation.what,
                            .step = step_,
                            .at = stage_.now(),
                            .declared = declared});
  ++result_.claims;
  if (declared) {
    stage_.Note(events::kInvariantBroken,
                {{"invariant", violation.name}, {"what", violation.what}});
    return;
  }
  Fail({.mark = scenario_.steps[step_].mark,
        .what = "invariant " + violation.name,
        .expected = std::string(FindInvariant(violation.name)->sentence),
        .actual = violation.what});
}

void Runner::Play(const Say& say) { stage_.Note(events::kSaid, {{"text", say.text}}); }

void Runner::Play(const Wait& wait) { stage_.RunTo(stage_.now() + sim::Micros(wait.duration_us)); }

void Runner::Play(const WaitUntil& wait) {
  const Mark mark = scenario_.steps[step_].mark;
  if (const auto* time = std::get_if<std::int64_t>(&wait.what)) {
    const sim::Time moment{*time};
    if (moment < stage_.now()) {
      Doubt(mark, fmt::format("it was {} already", sim::FormatTime(stage_.now())));
    }
    stage_.RunTo(moment);
    return;
  }
  const Trigger& trigger = std::get<Trigger>(wait.what);
  const std::size_t watch = stage_.Watch(trigger);
  const sim::Time limit = stage_.now() + sim::Micros(wait.within_us);
  while (!stage_.HasFired(watch) && stage_.Step(limit)) {
  }
  if (stage_.over()) return;
  ++result_.claims;
  if (stage_.HasFired(watch)) {
    NoteHeld({"came: " + TriggerText(trigger)});
    return;
  }
  stage_.RunTo(limit);
  Fail({.mark = mark,
        .what = TriggerText(trigger),
        .expected = "within " + sim::FormatDuration(sim::Micros(wait.within_us)),
        .actual = "it did not come"});
}

void Runner::Play(const Action& action) {
  const auto actor = stage_.moment().names.FindProcess(action.actor.value);
  std::optional<std::vector<PlannedCall>> plan = PlanCalls(action.operation, stage_.moment());
  if (!actor.has_value() || !plan.has_value()) {
    Doubt(action.actor.mark, "there was nobody to send this to");
    stuck_ = true;
    return;
  }
  begun_.push_back(
      {.action = &action, .step = step_, .number = stage_.Begin(*actor, std::move(*plan))});
  if (!action.background && WaitFor(begun_.back())) Judge(begun_.back(), action.outcome);
}

void Runner::Play(const Await& await) {
  Begun* begun = FindBegun(await.handle.value);
  if (begun == nullptr || !WaitFor(*begun)) return;
  Judge(*begun, CountClaims(await.outcome) > 0 ? await.outcome : begun->action->outcome);
}

void Runner::Play(const FaultStep& fault) { stage_.Order(fault, step_); }

void Runner::Play(const When& when) { stage_.Arm(when, step_); }

void Runner::Play(const Expect& expect) {
  const sim::Time limit = stage_.now() + sim::Micros(expect.within_us.value_or(0));
  bool holds = Holds(expect.claims);
  stage_.TakeNews();
  while (!holds && expect.within_us.has_value() && stage_.Step(limit)) {
    if (stage_.TakeNews() || !expect.claims.counts.empty()) holds = Holds(expect.claims);
  }
  if (!holds && stage_.over()) return;
  result_.claims += CountClaims(expect.claims);
  if (holds) {
    NoteHeld(ClaimTexts(expect.claims));
    return;
  }
  if (expect.within_us.has_value()) stage_.RunTo(limit);
  const ScriptFacts facts = FactsFor(expect.claims);
  for (Mismatch& mismatch : CheckClaims(expect.claims, stage_.moment(), facts, /*reasons=*/true)) {
    Fail(std::move(mismatch));
  }
}

bool Runner::WaitFor(const Begun& begun) {
  CallDesk& calls = stage_.calls();
  const sim::Time limit = std::max(stage_.now(), calls.LastDue(begun.number)) + kPatience;
  while (!calls.IsDone(begun.number) && !calls.IsLost(begun.number)) {
    if (stage_.Step(limit)) continue;
    if (stage_.over()) return false;
    Doubt(begun.action->actor.mark,
          fmt::format("{} of {} did not return within {}", begun.action->verb,
                      begun.action->actor.value, sim::FormatDuration(kPatience)));
    stuck_ = true;
    return false;
  }
  return true;
}

void Runner::Judge(Begun& begun, const Outcome& outcome) {
  begun.judged = true;
  const CallDesk& calls = stage_.calls();
  const CallSummary summary = calls.SummaryOf(begun.number);
  std::vector<Mismatch> found = CheckOutcome(
      outcome, summary, stage_.moment(),
      {.where = begun.action->actor.mark, .answer_must_be_none = begun.action->verb != "raw"});
  const std::size_t claims = CountClaims(outcome);
  // That it succeeds is a claim only where it does not.
  result_.claims += found.empty() ? claims : std::max<std::size_t>(claims, 1);
  if (found.empty()) {
    if (claims > 0) NoteOutcomeHeld(begun);
    return;
  }
  std::vector<CauseLine> chain;
  for (const client::CallId call : calls.CallsOf(begun.number)) {
    chain = ChainTo(stage_.moment(), stage_.ReturnOf(call));
    if (!chain.empty()) break;
  }
  for (Mismatch& mismatch : found) {
    std::string subject = fmt::format("{} {}", begun.action->actor.value, begun.action->verb);
    mismatch.what = mismatch.what.empty() ? subject : subject + " " + mismatch.what;
    if (mismatch.chain.empty()) mismatch.chain = chain;
    Fail(std::move(mismatch));
  }
}

void Runner::NoteHeld(std::vector<std::string> claims) {
  const Step& step = scenario_.steps[step_];
  stage_.Note(
      events::kExpectationHeld,
      {{"text", StepText(step.mark)}, {"claims", std::move(claims)}, {"because", step.because}});
}

void Runner::NoteOutcomeHeld(const Begun& begun) {
  const std::vector<client::CallId>& calls = stage_.calls().CallsOf(begun.number);
  if (calls.empty()) return;
  stage_.Note(events::kOutcomeHeld, {{"because", scenario_.steps[step_].because}},
              stage_.ReturnOf(calls.back()));
}

bool Runner::Holds(const Expectations& claims) const {
  return CheckClaims(claims, stage_.moment(), FactsFor(claims), /*reasons=*/false).empty();
}

ScriptFacts Runner::FactsFor(const Expectations& claims) const {
  ScriptFacts facts;
  for (const CountExpectation& claim : claims.counts) {
    for (const CountedClaim& counted : counted_) {
      if (counted.claim == &claim) facts.counts.push_back(stage_.Counted(counted.counter));
    }
  }
  for (const Name& handle : claims.pending) {
    const Begun* begun = FindBegun(handle.value);
    facts.pending.push_back(begun != nullptr && !stage_.calls().HasReturned(begun->number));
  }
  return facts;
}

const Runner::Begun* Runner::FindBegun(std::string_view handle) const {
  const auto found = std::find_if(begun_.rbegin(), begun_.rend(), [&](const Begun& begun) {
    return begun.action->handle.has_value() && begun.action->handle->value == handle;
  });
  return found == begun_.rend() ? nullptr : &*found;
}

Runner::Begun* Runner::FindBegun(std::string_view handle) {
  return const_cast<Begun*>(std::as_const(*this).FindBegun(handle));
}

std::string Runner::StepText(Mark mark) const {
  return scenario_.source == nullptr ? "" : scenarios::StepText(*scenario_.source, mark);
}

void Runner::Fail(Mismatch mismatch) {
  stage_.Note(events::kExpectationFailed, {{"what", mismatch.what},
                                           {"expected", mismatch.expected},
                                           {"actual", mismatch.actual},
                                           {"reason", mismatch.reason}});
  result_.failures.push_back({.mark = mismatch.mark,
                              .step = step_,
                              .at = stage_.now(),
                              .what = std::move(mismatch.what),
                              .expected = std::move(mismatch.expected),
                              .actual = std::move(mismatch.actual),
                              .reason = std::move(mismatch.reason),
                              .because = scenario_.steps[step_].because,
                              .chain = std::move(mismatch.chain)});
}

void Runner::Doubt(Mark mark, std::string what) {
  result_.doubts.push_back({.mark = mark, .step = step_, .what = std::move(what)});
}

// What ran in the background is judged now, unless a step has done so; where something is claimed
// of it, the run waits for it.
void Runner::Finish() {
  for (Begun& begun : begun_) {
    if (begun.judged || stage_.over() || stuck_) continue;
    const bool claimed = CountClaims(begun.action->outcome) > 0;
    step_ = begun.step;
    if (claimed ? WaitFor(begun) : stage_.calls().IsDone(begun.number)) {
      Judge(begun, begun.action->outcome);
    }
  }
  if (options_.until.has_value() && !stage_.over()) stage_.RunTo(*options_.until);
  if (scenario_.steps.empty()) return;
  CheckInvariants();
  CheckInvariantsOfRest();
  if (stage_.over() || stuck_) return;
  for (const Break& expected : scenario_.breaks) {
    const bool broken = std::any_of(
        result_.broken.begin(), result_.broken.end(),
        [&](const BrokenInvariant& seen) { return seen.name == expected.invariant.value; });
    if (broken) continue;
    ++result_.claims;
    Fail({.mark = expected.invariant.mark,
          .what = "breaks " + expected.invariant.value,
          .expected = "to be broken somewhere",
          .actual = "it held throughout"});
  }
}

void Runner::Conclude() {
  result_.stopped_early = stage_.end() == Stage::End::kUntil;
  if (stage_.end() == Stage::End::kTooManyEvents) {
    Doubt({}, fmt::format("the run took more than {} events", options_.max_events));
  }
  if (!result_.stopped_early) {
    for (Inconclusive& unfired : stage_.Unfired()) {
      stage_.Note(events::kNeverFired, {{"text", unfired.what}});
      result_.doubts.push_back(std::move(unfired));
    }
    result_.remarks = stage_.StillHeld();
    if (result_.claims == 0 && result_.failures.empty()) Doubt({}, "nothing was claimed");
  }
  if (!result_.failures.empty()) {
    result_.verdict = Verdict::kFails;
  } else if (result_.doubts.empty() && !result_.stopped_early) {
    result_.verdict = Verdict::kHolds;
  }
  stage_.Note(events::kVerdict, {{"verdict", std::string(VerdictName(result_.verdict))},
                                 {"claims", static_cast<std::int64_t>(result_.claims)},
                                 {"failures", static_cast<std::int64_t>(result_.failures.size())}});
  result_.events = stage_.digest().events();
  result_.trace_digest = stage_.digest().value();
  result_.world_fingerprint = stage_.moment().world.fingerprint();
  result_.next_draw = stage_.moment().world.NextDraw();
  result_.end = stage_.TakeMoment();
}

}  // namespace kafkasim::scenarios
