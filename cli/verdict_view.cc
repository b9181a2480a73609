#include "cli/verdict_view.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "cli/glyphs.h"
#include "cli/shortened.h"
#include "cli/terminal_text.h"
#include "cli/text_table.h"
#include <fmt/format.h>

#include "scenarios/number_text.h"
#include "scenarios/source.h"

namespace kafkasim::cli {
namespace {

using scenarios::FailedClaim;
using scenarios::RunResult;
using scenarios::Scenario;
using scenarios::Verdict;

constexpr int kFailureIndent = 4;

// zombie.yaml:34:9
std::string Place(const Scenario& scenario, scenarios::Mark mark) {
  const std::string name = scenario.source == nullptr ? "" : scenario.source->name();
  if (mark.line == 0) return name;
  return fmt::format("{}:{}:{}", name, mark.line, mark.column);
}

// The lines of the file around the claim, as an error message shows them.
void AddExcerpt(const Scenario& scenario, scenarios::Mark mark, const Look& look,
                std::vector<Line>& lines) {
  if (scenario.source == nullptr) return;
  const std::string excerpt = scenarios::RenderExcerpt(*scenario.source, mark);
  for (std::size_t begin = 0; begin < excerpt.size();) {
    const std::size_t end = std::min(excerpt.find('\n', begin), excerpt.size());
    Line line(look);
    const std::string text = SafeText(excerpt.substr(begin, end - begin), look.unicode);
    line.PadTo(kFailureIndent - 2);
    line.Add(Abbreviate(text, look.width - line.width(), look.unicode), Role::kFaint);
    lines.push_back(std::move(line));
    begin = end + 1;
  }
}

std::vector<Line> DrawFailure(const Scenario& scenario, const FailedClaim& failure,
                              bool told_before, const Look& look) {
  Line head(look, GlyphsOf(look).bad, Role::kError);
  head.Add(" ").Add(failure.what, Role::kError);
  head.Add(fmt::format("  at {}  ", sim::FormatTime(failure.at)));
  head.Add(Place(scenario, failure.mark), Role::kFaint);
  std::vector<Line> lines = head.Wrap(look.width, 2);
  AddExcerpt(scenario, failure.mark, look, lines);
  TextTable table(look, {{}, {.least = 20}});
  const auto add = [&](std::string_view word, std::string_view text, Role role) {
    if (text.empty()) return;
    table.AddRow({Line(look, word, Role::kFaint), Line(look, Shortened(text), role)});
  };
  add("expected", failure.expected, Role::kPlain);
  add("actual", failure.actual, Role::kStrong);
  add("why", failure.reason, Role::kPlain);
  add("because", failure.because, Role::kPlain);
  AddLines(table.Lines(look.width, kFailureIndent), lines);
  if (!failure.chain.empty() && !told_before) {
    lines.push_back(Line(look).PadTo(kFailureIndent).Add("how it came to this", Role::kFaint));
    AddLines(DrawChain(failure.chain, look, kFailureIndent + 2), lines);
  }
  return lines;
}

// Whether both are about the same answer, to which the same events have led.
bool SameChain(const FailedClaim& a, const FailedClaim& b) {
  return !a.chain.empty() && !b.chain.empty() && a.chain.back().event == b.chain.back().event;
}

// Causes that say the same, such as those of a request that was refused again and again.
struct FoldedCause {
  const scenarios::CauseLine* first = nullptr;
  const scenarios::CauseLine* last = nullptr;
  long long times = 0;
};

std::vector<FoldedCause> FoldChain(const std::vector<scenarios::CauseLine>& chain) {
  constexpr long long kMostTold = 2;
  std::map<std::pair<std::string_view, std::string_view>, FoldedCause> all;
  for (const scenarios::CauseLine& cause : chain) {
    FoldedCause& same = all[{cause.actor, cause.sentence}];
    if (same.first == nullptr) same.first = &cause;
    same.last = &cause;
    ++same.times;
  }
  std::vector<FoldedCause> folded;
  for (const scenarios::CauseLine& cause : chain) {
    const FoldedCause& same = all[{cause.actor, cause.sentence}];
    if (same.times <= kMostTold) {
      folded.push_back({.first = &cause, .last = &cause, .times = 1});
    } else if (same.first == &cause) {
      folded.push_back(same);
    }
  }
  return folded;
}

// What repeats the run, and by what two runs can be compared.
Line RunFacts(const RunResult& result, const Look& look) {
  const std::string dot = fmt::format(" {} ", GlyphsOf(look).dot);
  std::string facts = fmt::format("seed {}", result.seed);
  if (result.is_random) facts += " (another one gives another run)";
  if (!result.variant.empty()) facts += dot + "variant " + result.variant;
  facts += dot + Counted(result.events, "event");
  facts += dot + "trace " + sim::FormatFingerprint(result.trace_digest);
  facts += dot + fmt::format("next draw {:016x}", result.next_draw);
  return Line(look, facts, Role::kFaint);
}

Role RoleOfVerdict(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHolds:
      return Role::kGood;
    case Verdict::kFails:
      return Role::kError;
    case Verdict::kNoVerdict:
      return Role::kDoubt;
  }
  return Role::kPlain;
}

}  // namespace

std::vector<Line> DrawChain(const std::vector<scenarios::CauseLine>& chain, const Look& look,
                            int indent) {
  TextTable table(look, {{.right = true}, {.right = true}, {}, {.least = 24}});
  for (const FoldedCause& folded : FoldChain(chain)) {
    const scenarios::CauseLine& cause = *folded.first;
    table.AddRow({Line(look, fmt::format("#{}", cause.event.value()), Role::kFaint),
                  Line(look, sim::FormatTime(cause.at), Role::kFaint),
                  Line(look, cause.actor, Role::kStrong), Line(look, Shortened(cause.sentence))});
    if (folded.times == 1) continue;
    const std::string more =
        Counted(folded.times - 1, "more time") + ", until " + sim::FormatTime(folded.last->at);
    table.AddRow({Line(look), Line(look), Line(look),
                  Line(look, fmt::format("{} {}", GlyphsOf(look).ellipsis, more), Role::kFaint)});
  }
  return table.Lines(look.width, indent);
}

Line FailureLine(const Scenario& scenario, const FailedClaim& failure, const Look& look) {
  Line line(look, Place(scenario, failure.mark), Role::kFaint);
  line.Add(" ").Add(failure.what, Role::kError);
  line.Add(": expected " + Shortened(failure.expected) + ", is " + Shortened(failure.actual));
  return line;
}

std::string VerdictWords(const RunResult& result) {
  const auto claims = static_cast<long long>(result.claims);
  switch (result.verdict) {
    case Verdict::kHolds:
      return Counted(claims, "claim") + " checked";
    case Verdict::kFails:
      return fmt::format("{} of {} did not hold", scenarios::Grouped(result.failures.size()),
                         Counted(claims, "claim"));
    case Verdict::kNoVerdict:
      if (!result.doubts.empty()) return result.doubts.front().what;
      return claims == 0 ? "nothing was claimed" : Counted(claims, "claim") + " checked";
  }
  return "";
}

void AddVerdictSign(Verdict verdict, Line& line) {
  const Glyphs& glyphs = GlyphsOf(line.look());
  const std::string_view sign = verdict == Verdict::kHolds   ? glyphs.good
                                : verdict == Verdict::kFails ? glyphs.bad
                                                             : glyphs.doubt;
  line.Add(sign, RoleOfVerdict(verdict));
}

Line VerdictLine(const Scenario& scenario, const RunResult& result, const Look& look) {
  Line line(look);
  const Verdict verdict = scenarios::JudgeFile(scenario, result);
  AddVerdictSign(verdict, line);
  std::string_view name = scenarios::VerdictName(verdict);
  if (verdict == Verdict::kNoVerdict) {
    name = "NO VERDICT";
  } else if (!scenario.bugs.empty()) {
    name = result.caught ? "CAUGHT" : "NOT CAUGHT";
  }
  line.Add(" ").Add(name, RoleOfVerdict(verdict));
  line.Add("  ").Add(VerdictWords(result));
  if (result.stopped_early) line.Add("; stopped before the end", Role::kDoubt);
  if (result.caught) {
    line.Add("; just what was to catch the rule that is switched off");
  } else if (!scenario.bugs.empty() && verdict == Verdict::kFails) {
    line.Add(result.failures.empty()
                 ? "; none noticed that a rule is switched off"
                 : "; not just those that were to catch the rule that is switched off");
  }
  return line;
}

std::vector<Line> DrawVerdict(const Scenario& scenario, const RunResult& result, const Look& look) {
  std::vector<Line> lines;
  for (std::size_t i = 0; i < result.failures.size(); ++i) {
    const FailedClaim& failure = result.failures[i];
    const bool told_before = i > 0 && SameChain(failure, result.failures[i - 1]);
    AddLines(DrawFailure(scenario, failure, told_before, look), lines);
    lines.emplace_back(look);
  }
  for (const scenarios::Inconclusive& doubt : result.doubts) {
    Line line(look, GlyphsOf(look).doubt, Role::kDoubt);
    line.Add(" ").Add(doubt.what).Add("  ").Add(Place(scenario, doubt.mark), Role::kFaint);
    AddLines(line.Wrap(look.width, 2), lines);
  }
  for (const scenarios::Remark& remark : result.remarks) {
    Line line(look, "note: " + remark.what);
    line.Add("  ").Add(Place(scenario, remark.mark), Role::kFaint);
    AddLines(line.Wrap(look.width, 2), lines);
  }
  if (!result.doubts.empty() || !result.remarks.empty()) lines.emplace_back(look);
  AddLines(VerdictLine(scenario, result, look).Wrap(look.width, 2), lines);
  AddLines(Line(look, "  ").Append(RunFacts(result, look)).Wrap(look.width, 2), lines);
  return lines;
}

}  // namespace kafkasim::cli
