#include "scenarios/smaller_scenarios.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "scenarios/yaml_text.h"

namespace kafkasim::scenarios {
namespace {

// A way from the root to a node: the numbers of entries and items.
using NodePath = std::vector<std::size_t>;

Node& NodeAt(Node& root, const NodePath& path) {
  Node* node = &root;
  for (const std::size_t number : path) {
    node = node->is_mapping() ? &node->entries[number].value : &node->items[number];
  }
  return *node;
}

Node* FindChild(Node& node, std::string_view key) {
  for (NodeEntry& entry : node.entries) {
    if (entry.key.text == key) return &entry.value;
  }
  return nullptr;
}

// Calls visit(node, its key or "", path) for each node below `root`, outer ones first.
void VisitNodes(const Node& node, std::string_view key, NodePath& path,
                const std::function<void(const Node&, std::string_view, const NodePath&)>& visit) {
  visit(node, key, path);
  const std::size_t count = node.is_mapping() ? node.entries.size() : node.items.size();
  for (std::size_t i = 0; i < count; ++i) {
    path.push_back(i);
    if (node.is_mapping()) {
      VisitNodes(node.entries[i].value, node.entries[i].key.text, path, visit);
    } else {
      VisitNodes(node.items[i], "", path, visit);
    }
    path.pop_back();
  }
}

class Smaller {
 public:
  explicit Smaller(const Node& scenario) : scenario_(scenario) {}

  std::vector<Node> Take() {
    OneBroker();
    DropEntriesOf("actors");
    DropEntriesOf("topics");
    ForEachNode([this](const Node& node, std::string_view key, const NodePath& path) {
      if (key == "times" || key == "partitions" || key == "count") FewerOf(node, path);
    });
    ForEachNode([this](const Node& node, std::string_view key, const NodePath& path) {
      if (IsLines(key)) DropItems(node, path);
      if (key == "application") DropOptional(node, path);
    });
    return std::move(found_);
  }

 private:
  static bool IsLines(std::string_view key) {
    return key == "program" || key == "do" || key == "loop" || key.starts_with("if_") ||
           key.starts_with("unless_");
  }

  void ForEachNode(
      const std::function<void(const Node&, std::string_view, const NodePath&)>& visit) {
    NodePath path;
    VisitNodes(scenario_, "", path, visit);
  }

  void DropEntriesOf(std::string_view section) {
    const Node* node = scenario_.Find(section);
    if (node == nullptr || node->entries.size() < 2) return;
    for (std::size_t i = 0; i < node->entries.size(); ++i) {
      Node changed = scenario_;
      std::vector<NodeEntry>& entries = FindChild(changed, section)->entries;
      const std::string name = entries[i].key.text;
      entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(i));
      SpareVictim(name, changed);
      found_.push_back(WithoutScript(std::move(changed)));
    }
  }

  // Who is gone can neither crash nor pause.
  static void SpareVictim(const std::string& name, Node& scenario) {
    Node* explore = FindChild(scenario, "explore");
    if (explore == nullptr) return;
    for (const char* key : {"crash", "pause"}) {
      Node* victims = FindChild(*explore, key);
      if (victims == nullptr || !victims->is_sequence()) continue;
      std::erase_if(victims->items, [&](const Node& victim) { return victim.text == name; });
    }
  }

  void FewerOf(const Node& node, const NodePath& path) {
    const std::optional<std::int64_t> number = node.AsInteger();
    if (!number.has_value()) return;
    for (const std::int64_t fewer : {std::int64_t{1}, *number / 2, *number - 1}) {
      if (fewer < 1 || fewer >= *number) continue;
      Node changed = scenario_;
      NodeAt(changed, path).text = std::to_string(fewer);
      found_.push_back(std::move(changed));
    }
  }

  void DropItems(const Node& node, const NodePath& path) {
    if (!node.is_sequence() || node.items.size() < 2) return;
    for (std::size_t i = node.items.size(); i-- > 0;) {
      Node changed = scenario_;
      std::vector<Node>& items = NodeAt(changed, path).items;
      items.erase(items.begin() + static_cast<std::ptrdiff_t>(i));
      found_.push_back(std::move(changed));
    }
  }

  // What an application can do without.
  void DropOptional(const Node& node, const NodePath& path) {
    for (const char* key : {"on_error", "restart", "on_assigned", "on_revoked", "on_lost"}) {
      if (node.Find(key) == nullptr) continue;
      Node changed = scenario_;
      std::erase_if(NodeAt(changed, path).entries,
                    [&](const NodeEntry& entry) { return entry.key.text == key; });
      found_.push_back(std::move(changed));
    }
  }

  // A cluster of one broker, with nothing to replicate to.
  void OneBroker() {
    Node changed = scenario_;
    Node* cluster = FindChild(changed, "cluster");
    Node* brokers = cluster == nullptr ? nullptr : FindChild(*cluster, "brokers");
    if (brokers == nullptr || brokers->text == "1") return;
    for (std::int64_t broker = 1; broker < brokers->AsInteger().value_or(1); ++broker) {
      SpareVictim("broker-" + std::to_string(broker), changed);
    }
    brokers->text = "1";
    Node* config = FindChild(*cluster, "config");
    if (config == nullptr) {
      cluster->entries.push_back(EntryOf("config", MappingNode({})));
      config = &cluster->entries.back().value;
    }
    for (const char* key : {"transaction.state.log.replication.factor",
                            "transaction.state.log.min.isr", "offsets.topic.replication.factor"}) {
      Node* value = FindChild(*config, key);
      if (value == nullptr) {
        config->entries.push_back(EntryOf(key, ScalarNode("1")));
      } else {
        *value = ScalarNode("1");
      }
    }
    if (Node* topics = FindChild(changed, "topics")) {
      for (NodeEntry& topic : topics->entries) OneReplica(topic.value);
    }
    found_.push_back(std::move(changed));
  }

  static void OneReplica(Node& topic) {
    std::erase_if(topic.entries, [](const NodeEntry& entry) {
      return entry.key.text == "leaders" || entry.key.text == "assignment";
    });
    if (Node* replicas = FindChild(topic, "replicas")) replicas->text = "1";
    if (Node* config = FindChild(topic, "config")) {
      std::erase_if(config->entries,
                    [](const NodeEntry& entry) { return entry.key.text == "min.insync.replicas"; });
    }
  }

  const Node& scenario_;
  std::vector<Node> found_;
};

}  // namespace

std::vector<std::string> ProgramNames(const Node& scenario) {
  std::vector<std::string> names;
  const Node* actors = scenario.Find("actors");
  if (actors == nullptr) return names;
  for (const NodeEntry& actor : actors->entries) {
    const Node* application = actor.value.Find("application");
    if (application != nullptr && application->Find("program") != nullptr) {
      names.push_back(actor.key.text);
    }
  }
  return names;
}

Node WithoutScript(Node scenario) {
  std::vector<Node> steps;
  for (const std::string& name : ProgramNames(scenario)) {
    steps.push_back(MappingNode({EntryOf("start", ScalarNode(name))}));
  }
  if (Node* script = FindChild(scenario, "steps")) *script = SequenceNode(std::move(steps));
  std::erase_if(scenario.entries, [](const NodeEntry& entry) {
    return entry.key.text == "breaks" || entry.key.text == "shows";
  });
  return scenario;
}

Node WithFaultCounts(Node scenario, const FaultCounts& counts) {
  Node* explore = FindChild(scenario, "explore");
  if (explore == nullptr) return scenario;
  const auto erase = [&](std::string_view key) {
    std::erase_if(explore->entries, [&](const NodeEntry& entry) { return entry.key.text == key; });
  };
  for (const FaultCountKind& kind : FaultCountKinds()) {
    const std::int64_t count = counts.*kind.count;
    Node* written = FindChild(*explore, kind.name);
    if (count == 0) {
      erase(kind.name);
    } else if (written != nullptr) {
      written->text = std::to_string(count);
    } else {
      explore->entries.insert(explore->entries.begin(),
                              EntryOf(std::string(kind.name), ScalarNode(std::to_string(count))));
    }
  }
  if (counts.crashes == 0) erase("crash");
  if (counts.pauses == 0) erase("pause");
  if (counts.elections == 0) erase("elect");
  return scenario;
}

std::vector<Node> SmallerScenarios(const Node& scenario) { return Smaller(scenario).Take(); }

}  // namespace kafkasim::scenarios
