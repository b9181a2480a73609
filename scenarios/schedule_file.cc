#include "scenarios/schedule_file.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/explore_judge.h"
#include "scenarios/mapping_form.h"
#include "scenarios/reference_form.h"
#include "scenarios/source_file.h"
#include "scenarios/utf8.h"
#include "scenarios/yaml_text.h"

namespace kafkasim::scenarios {
namespace {

constexpr std::string_view kScheduleFile = "a schedule";

Form<std::string> BrokenForm() {
  const Form<std::string> text = TextForm();
  return {text.schema, [text](const Node& node, Reader& reader) -> std::optional<std::string> {
            std::optional<std::string> name = text.read(node, reader);
            if (!name || !SentenceOf(*name).empty()) return name;
            reader.Unknown(node.mark, "invariant", *name, "", ViolationNames());
            return std::nullopt;
          }};
}

// "deliver EndTxn from app to broker-0": whether it is possible shows when it is followed.
Form<Name> MoveForm() {
  const Form<std::string> text = TextForm();
  return {text.schema, [text](const Node& node, Reader& reader) -> std::optional<Name> {
            std::optional<std::string> move = text.read(node, reader);
            if (!move) return std::nullopt;
            const std::string word = move->substr(0, move->find(' '));
            if (word.empty()) {
              reader.Expected(node, "a move: deliver EndTxn from shop to broker-0");
              return std::nullopt;
            }
            std::vector<std::string> words;
            for (std::size_t kind = 0; kind < sim::SearchResult::kMoveKinds; ++kind) {
              words.emplace_back(sim::Name(static_cast<sim::MoveKind>(kind)));
              if (word == words.back()) return Name{std::move(*move), node.mark};
            }
            reader.Unknown(node.mark, "move", word, "", words);
            return std::nullopt;
          }};
}

Form<std::uint64_t> SeedForm() {
  const Form<std::string> text = TextForm();
  return {text.schema, [text](const Node& node, Reader& reader) -> std::optional<std::uint64_t> {
            const std::optional<std::string> digits = text.read(node, reader);
            if (!digits) return std::nullopt;
            std::uint64_t seed = 0;
            const char* end = digits->data() + digits->size();
            const auto [stop, error] = std::from_chars(digits->data(), end, seed);
            if (error == std::errc() && stop == end) return seed;
            reader.Expected(node, "a seed, a number from 0 on");
            return std::nullopt;
          }};
}

Form<broker::Bugs> SwitchedOffForm() {
  return Map(OneOrManyForm(BugForm()), [](const std::vector<broker::Bug>& listed) {
    broker::Bugs bugs;
    for (const broker::Bug bug : listed) bugs.Add(bug);
    return bugs;
  });
}

Form<ScheduleFile> ScheduleForm() {
  Field<ScheduleFile> moves = Taking<ScheduleFile>(
      "moves", ListForm(MoveForm()),
      [](const std::vector<Name>& listed, const Node&, Reader&, ScheduleFile& file) {
        for (const Name& move : listed) {
          file.moves.push_back(move.value);
          file.marks.push_back(move.mark);
        }
        return true;
      },
      "Every choice, in order.");
  moves.required = true;
  return Mapping<ScheduleFile>(
      "a schedule",
      {Required("kafkasim", &ScheduleFile::version, TextForm(), "The version that wrote it."),
       Required("scenario", &ScheduleFile::scenario, TextForm(), "Where the scenario came from."),
       Optional("variant", &ScheduleFile::variant, TextForm(), "The variant of its matrix."),
       Optional("seed", &ScheduleFile::seed, SeedForm(), "The seed of the world."),
       Optional("bugs", &ScheduleFile::bugs, SwitchedOffForm(), "Rules that are switched off."),
       Required("faults", &ScheduleFile::faults, FaultCountsForm(), "What may be disturbed."),
       Required("breaks", &ScheduleFile::breaks, BrokenForm(), "The invariant that breaks."),
       Optional("what", &ScheduleFile::what, TextForm(), "What is wrong, with the values."),
       std::move(moves),
       Required("text", &ScheduleFile::text, TextForm(), "The text of the scenario.")});
}

std::string FaultsText(const FaultCounts& faults) {
  std::vector<std::string> counts;
  for (const FaultCountKind& kind : FaultCountKinds()) {
    if (faults.*kind.count > 0)
      counts.push_back(fmt::format("{}: {}", kind.name, faults.*kind.count));
  }
  return fmt::format("{{{}}}", fmt::join(counts, ", "));
}

std::string BugsText(broker::Bugs bugs) {
  std::vector<std::string_view> names;
  for (const broker::BugInfo& info : broker::AllBugs()) {
    if (bugs.Has(info.bug)) names.push_back(info.name);
  }
  return fmt::format("[{}]", fmt::join(names, ", "));
}

}  // namespace

std::string ScenarioTextOf(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::string kept(text);
  std::erase(kept, '\r');
  while (!kept.empty() && kept.back() == '\n') kept.pop_back();
  return kept + '\n';
}

std::string WriteSchedule(const ScheduleFile& file) {
  std::string out;
  const auto add = [&](std::string_view key, const std::string& value) {
    out += fmt::format("{}: {}\n", key, value);
  };
  add("kafkasim", YamlScalar(file.version));
  add("scenario", YamlScalar(file.scenario));
  if (!file.variant.empty()) add("variant", YamlScalar(file.variant));
  if (file.seed.has_value()) add("seed", fmt::format("{}", *file.seed));
  if (!file.bugs.empty()) add("bugs", BugsText(file.bugs));
  add("faults", FaultsText(file.faults));
  add("breaks", YamlScalar(file.breaks));
  add("what", YamlScalar(file.what));
  out += file.moves.empty() ? "moves: []\n" : "moves:\n";
  for (const std::string& move : file.moves) out += fmt::format("- {}\n", YamlScalar(move));
  return out + "text: " + YamlBlock(ScenarioTextOf(file.text));
}

ScheduleResult LoadScheduleText(std::string name, std::string text) {
  ScheduleResult result;
  result.source = std::make_shared<const Source>(std::move(name), std::move(text));
  if (std::optional<Diagnostic> problem = NotReadable(*result.source, kScheduleFile)) {
    result.errors.push_back(std::move(*problem));
    return result;
  }
  YamlResult yaml = ReadYaml(*result.source);
  Reader reader;
  for (Diagnostic& error : yaml.errors) {
    reader.Error(error.mark, std::move(error.message), std::move(error.suggestion));
  }
  static const Form<ScheduleFile> form = ScheduleForm();
  if (yaml.root.has_value()) result.file = form.read(*yaml.root, reader);
  result.errors = reader.TakeErrors();
  if (!result.errors.empty()) result.file.reset();
  return result;
}

ScheduleResult LoadScheduleFile(const std::string& path) {
  SourceFile file = ReadSourceFile(path, kScheduleFile);
  if (!file.error.has_value()) return LoadScheduleText(path, file.source->text());
  ScheduleResult result;
  result.source = std::move(file.source);
  result.errors.push_back(std::move(*file.error));
  return result;
}

}  // namespace kafkasim::scenarios
