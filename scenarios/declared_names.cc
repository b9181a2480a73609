// DeclareNames(): a look over the whole tree before it is read, so that no error depends on the
// order of the sections and one broken section does not make every name of it unknown.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "scenarios/scenario_form.h"
#include "scenarios/setup_form.h"

namespace kafkasim::scenarios {
namespace {

// The number at `path`, if there is one from 1 to `most`; otherwise `usual`.
std::int32_t NumberAt(const Node& root, std::initializer_list<std::string_view> path,
                      std::int32_t most, std::int32_t usual) {
  const Node* node = &root;
  for (std::string_view key : path) {
    node = node->Find(key);
    if (node == nullptr) return usual;
  }
  const auto number = node->AsInteger();
  return number && *number >= 1 && *number <= most ? static_cast<std::int32_t>(*number) : usual;
}

void DeclareTopics(const Node& root, Names& names) {
  constexpr std::int32_t kMost = 10'000;
  const std::int32_t usual = NumberAt(root, {"cluster", "config", "num.partitions"}, kMost, 1);
  if (const Node* topics = root.Find("topics")) {
    for (const NodeEntry& topic : topics->entries) {
      if (topic.key.text.starts_with("__")) continue;
      std::int32_t partitions = NumberAt(topic.value, {"partitions"}, kMost, usual);
      const Node* assignment = topic.value.Find("assignment");
      if (assignment != nullptr && topic.value.Find("partitions") == nullptr) {
        partitions = static_cast<std::int32_t>(std::max<std::size_t>(1, assignment->items.size()));
      }
      names.topics.push_back({topic.key.text, partitions});
    }
  }
  names.topics.push_back(
      {"__transaction_state",
       NumberAt(root, {"cluster", "config", "transaction.state.log.num.partitions"}, kMost, 50)});
  names.topics.push_back(
      {"__consumer_offsets",
       NumberAt(root, {"cluster", "config", "offsets.topic.num.partitions"}, kMost, 50)});
}

void DeclareActors(const Node& root, Names& names) {
  const Node* actors = root.Find("actors");
  if (actors == nullptr) return;
  for (const NodeEntry& actor : actors->entries) {
    Names::Actor declared;
    declared.name = actor.key.text;
    for (const auto& [word, meaning] :
         {std::pair("consumer", ActorSpec::Role::kConsumer),
          std::pair("admin", ActorSpec::Role::kAdmin),
          std::pair("application", ActorSpec::Role::kApplication),
          std::pair("store", ActorSpec::Role::kStore), std::pair("api", ActorSpec::Role::kApi)}) {
      if (actor.value.text == word || actor.value.Find(word) != nullptr) declared.role = meaning;
    }
    if (const Node* application = actor.value.Find("application")) {
      declared.has_producer = application->Find("producer") != nullptr;
      declared.has_consumer = application->Find("consumer") != nullptr;
      declared.has_program = application->Find("program") != nullptr;
    }
    const Node* store = actor.value.Find("store");
    declared.has_unique = store != nullptr && store->Find("unique") != nullptr;
    names.actors.push_back(std::move(declared));
  }
}

// Producers give themselves ids, in `actors` and in a matrix; raw requests may make up others.
void DeclareTransactionalIds(const Node& node, Names& names) {
  const bool raw = node.Find("api") != nullptr;
  for (const NodeEntry& entry : node.entries) {
    const bool id = entry.key.text == "transactional.id" ||
                    (raw && (entry.key.text == "transactional_id" || entry.key.text == "key"));
    if (id && entry.value.is_scalar()) names.transactional_ids.push_back(entry.value.text);
    if (entry.key.text.ends_with(".transactional.id")) {
      for (const Node& value : entry.value.items) names.transactional_ids.push_back(value.text);
    }
    DeclareTransactionalIds(entry.value, names);
  }
  for (const Node& item : node.items) DeclareTransactionalIds(item, names);
}

// Ids that the cluster knows before the run begins.
void DeclareKnownIds(const Node& root, Names& names) {
  const Node* cluster = root.Find("cluster");
  const Node* ids = cluster == nullptr ? nullptr : cluster->Find("transactional_ids");
  if (ids == nullptr) return;
  for (const NodeEntry& id : ids->entries) names.transactional_ids.push_back(id.key.text);
}

// Whether the section is there and of the right shape, or surely not there at all.
bool SectionIsClear(const Node& root, std::string_view key) {
  if (const Node* section = root.Find(key)) return section->is_mapping();
  const std::vector<std::string> known = ScenarioKeys();
  return std::all_of(root.entries.begin(), root.entries.end(), [&](const NodeEntry& entry) {
    return std::find(known.begin(), known.end(), entry.key.text) != known.end();
  });
}

}  // namespace

void DeclareNames(const Node& root, Reader& reader) {
  Names& names = reader.names;
  names.brokers = NumberAt(root, {"cluster", "brokers"}, 100, 3);
  DeclareTopics(root, names);
  DeclareActors(root, names);
  DeclareTransactionalIds(root, names);
  DeclareKnownIds(root, names);
  std::sort(names.transactional_ids.begin(), names.transactional_ids.end());
  names.transactional_ids.erase(
      std::unique(names.transactional_ids.begin(), names.transactional_ids.end()),
      names.transactional_ids.end());
  names.topics_known = SectionIsClear(root, "topics");
  names.actors_known = SectionIsClear(root, "actors");
}

}  // namespace kafkasim::scenarios
