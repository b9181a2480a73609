#include "scenarios/export_schedule.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "broker/bugs.h"
#include "scenarios/counterexample.h"
#include "scenarios/invariants/invariant.h"
#include "scenarios/loader.h"
#include "scenarios/run.h"
#include "scenarios/schedule_script.h"
#include "scenarios/smaller_scenarios.h"
#include "scenarios/source.h"
#include "scenarios/yaml_text.h"
#include "scenarios/yaml_tree.h"

namespace kafkasim::scenarios {
namespace {

Node* FindEntry(Node& node, std::string_view key) {
  for (NodeEntry& entry : node.entries) {
    if (entry.key.text == key) return &entry.value;
  }
  return nullptr;
}

void Erase(Node& node, std::string_view key) {
  std::erase_if(node.entries, [&](const NodeEntry& entry) { return entry.key.text == key; });
}

// Puts the entry in the place of the one of its name, or in front of the last one.
void Put(Node& node, NodeEntry entry) {
  if (Node* value = FindEntry(node, entry.key.text)) {
    *value = std::move(entry.value);
    return;
  }
  const auto last = node.entries.empty() ? node.entries.end() : node.entries.end() - 1;
  node.entries.insert(last, std::move(entry));
}

// Leaves the one variant. False if the matrix is one of settings, whose variants have no lines of
// their own.
bool ChooseVariant(Node& scenario, const std::string& variant) {
  Node* matrix = FindEntry(scenario, "matrix");
  if (matrix == nullptr) return true;
  std::erase_if(matrix->items, [&](const Node& item) {
    const Node* name = item.is_mapping() ? item.Find("name") : &item;
    return name == nullptr || name->text != variant;
  });
  return matrix->items.size() == 1;
}

Node BugsNode(broker::Bugs bugs) {
  std::vector<Node> names;
  for (const broker::BugInfo& info : broker::AllBugs()) {
    if (bugs.Has(info.bug)) names.push_back(ScalarNode(std::string(info.name)));
  }
  return SequenceNode(std::move(names));
}

// A run does what the schedule did only if nothing but the script delays or restarts anything.
void LeaveToTheScript(Node& scenario) {
  if (FindEntry(scenario, "cluster") == nullptr) {
    Put(scenario, EntryOf("cluster", MappingNode({})));
  }
  Node& cluster = *FindEntry(scenario, "cluster");
  Erase(cluster, "network");
  cluster.entries.push_back(
      EntryOf("network", MappingNode({EntryOf("latency", ScalarNode("0ms"))})));
  for (NodeEntry& actor : FindEntry(scenario, "actors")->entries) {
    if (Node* application = FindEntry(actor.value, "application")) Erase(*application, "restart");
  }
}

class Exporter {
 public:
  Exporter(const ScheduleFile& file, const Exploration& exploration)
      : file_(file), reading_(ReadMoves(exploration, file.moves)) {}

  ExportedSchedule Do() {
    if (FindInvariant(file_.breaks) == nullptr) {
      return {.why =
                  "what a file claims in `explore:` is no invariant, so that `breaks:` cannot "
                  "name it"};
    }
    const YamlResult yaml = ReadYaml(Source(file_.scenario, file_.text));
    scenario_ = *yaml.root;
    if (!ChooseVariant(scenario_, file_.variant)) {
      return {.why = "a variant of a matrix of settings cannot be told apart"};
    }
    DressUp();
    std::optional<std::string> text = TryWith(HeldBySchedule(reading_));
    if (!text.has_value()) text = WithFewestHolds();
    if (!text.has_value()) return {.why = WhyNot()};
    return {.text = "# A counterexample of `kafkasim`, written by `kafkasim export`.\n" + *text};
  }

 private:
  void DressUp() {
    for (const char* key : {"explore", "shows", "breaks", "bugs"}) Erase(scenario_, key);
    LeaveToTheScript(scenario_);
    if (!file_.bugs.empty()) Put(scenario_, EntryOf("bugs", BugsNode(file_.bugs)));
    Put(scenario_, EntryOf("breaks", ScalarNode(file_.breaks)));
    if (file_.seed.has_value()) {
      Put(*FindEntry(scenario_, "cluster"),
          EntryOf("seed", ScalarNode(fmt::format("{}", *file_.seed))));
    }
  }

  // The scenario that holds back these messages, if it breaks the invariant.
  std::optional<std::string> TryWith(const std::set<std::size_t>& held) {
    std::optional<std::string> text = TryWith(held, ScriptEnd::kLastArrival);
    return text.has_value() ? text : TryWith(held, ScriptEnd::kLastTime);
  }

  std::optional<std::string> TryWith(const std::set<std::size_t>& held, ScriptEnd end) {
    Node scenario = scenario_;
    Put(scenario, EntryOf("steps", ScriptOf(reading_, held, ProgramNames(scenario_), end)));
    std::string text = YamlText(scenario);
    const LoadResult loaded = LoadScenarioText("exported.yaml", text);
    if (!loaded.scenario.has_value()) return std::nullopt;
    const RunResult result = Run(ForVariant(*loaded.scenario, 0));
    if (result.verdict != Verdict::kHolds) return std::nullopt;
    return text;
  }

  // Begins with all messages that do not arrive in the order in which they were sent.
  std::optional<std::string> WithFewestHolds() {
    std::set<std::size_t> held = HeldBack(reading_);
    std::optional<std::string> best = TryWith(held);
    if (!best.has_value()) return std::nullopt;
    const std::set<std::size_t> all = held;
    for (const std::size_t message : all) {
      held.erase(message);
      if (std::optional<std::string> text = TryWith(held)) {
        best = std::move(text);
      } else {
        held.insert(message);
      }
    }
    return best;
  }

  [[nodiscard]] std::string WhyNot() const {
    const auto any = [&](bool ScriptMove::*member) {
      return std::any_of(reading_.moves.begin(), reading_.moves.end(),
                         [&](const ScriptMove& move) { return move.*member; });
    };
    if (any(&ScriptMove::chooses_timer)) {
      return "no step says which of two timers that are due at the same time fires first";
    }
    if (any(&ScriptMove::overtakes_unknown)) {
      return "something overtakes a message that was on its way before the script begins, or the "
             "news of a broken connection; no step holds those back";
    }
    return "a run of its script does not break the invariant";
  }

  const ScheduleFile& file_;
  ScriptReading reading_;
  Node scenario_{};
};

}  // namespace

ExportedSchedule ExportScenario(const ScheduleFile& file) {
  const PreparedSchedule prepared = Prepare(file);
  return Exporter(file, *prepared.exploration).Do();
}

}  // namespace kafkasim::scenarios
