// Plays a script: carries out step after step on a stage, and collects what does not hold.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/claim_check.h"
#include "scenarios/findings.h"
#include "scenarios/invariants/invariant_judge.h"
#include "scenarios/mismatch.h"
#include "scenarios/run.h"
#include "scenarios/scenario.h"
#include "scenarios/stage.h"
#include "sim/search/judge.h"
#include "sim/world.h"

namespace kafkasim::scenarios {

class Runner {
 public:
  // Of a call in the foreground that does not return; no timeout of Kafka's is longer by default.
  static constexpr sim::Duration kPatience = sim::Seconds(3600);

  Runner(const Scenario& scenario, Assembly assembly, const RunOptions& options);

  // Plays the whole script. Once.
  RunResult Run();

 private:
  // An action that the script has begun.
  struct Begun {
    const Action* action = nullptr;
    std::size_t step = 0;
    std::size_t number = 0;  // at the stage's call desk
    bool judged = false;
  };
  // What a claim that counts messages looks at.
  struct CountedClaim {
    const CountExpectation* claim = nullptr;
    std::size_t counter = 0;
  };

  void CountFromTheStart();
  void PlayStep(std::size_t index);
  // After each step and at the end.
  void CheckInvariants();
  void CheckInvariantsOfRest();
  void TakeBroken(const sim::Violation& violation);
  void Play(const Say& say);
  void Play(const Wait& wait);
  void Play(const WaitUntil& wait);
  void Play(const Action& action);
  void Play(const Await& await);
  void Play(const FaultStep& fault);
  void Play(const When& when);
  void Play(const Expect& expect);

  // Lets time pass until the action has returned. False if it has not.
  bool WaitFor(const Begun& begun);
  void Judge(Begun& begun, const Outcome& outcome);
  // Puts into the trace that everything a step claims is so.
  void NoteHeld(std::vector<std::string> claims);
  void NoteOutcomeHeld(const Begun& begun);
  bool Holds(const Expectations& claims) const;
  ScriptFacts FactsFor(const Expectations& claims) const;
  const Begun* FindBegun(std::string_view handle) const;
  Begun* FindBegun(std::string_view handle);
  std::string StepText(Mark mark) const;

  void Fail(Mismatch mismatch);
  void Doubt(Mark mark, std::string what);
  // After the last step.
  void Finish();
  void Conclude();

  // The world as the invariants saw it last; stays where it is, as a view refers to its world.
  struct Checked {
    explicit Checked(const sim::World& now) : world(now) {}

    sim::World world;
    std::unique_ptr<sim::View> view{};
  };

  const Scenario& scenario_;
  Stage stage_;
  RunOptions options_;
  RunResult result_;
  std::vector<Begun> begun_;
  std::vector<CountedClaim> counted_;
  InvariantJudge judge_;
  std::unique_ptr<Checked> checked_{};
  std::size_t step_ = 0;  // the one being played
  bool stuck_ = false;    // the script cannot go on
};

}  // namespace kafkasim::scenarios
