// The names that a scenario file declares, for checking the places that refer to them.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/cluster.h"
#include "scenarios/mark.h"
#include "scenarios/references.h"

namespace kafkasim::scenarios {

struct Names {
  struct Topic {
    std::string name;
    std::int32_t partitions = 1;
  };
  struct Actor {
    std::string name;
    ActorSpec::Role role = ActorSpec::Role::kProducer;
    std::vector<PartitionName> assign;
    // Of an application: what it is made of. Of a store: whether rows can be told apart.
    bool has_producer = false;
    bool has_consumer = false;
    bool has_program = false;
    bool has_unique = false;
  };
  // What a step calls by `as:`, and what a later step may do with it.
  struct Handle {
    enum class Kind { kAction, kMessages, kLinks, kProcesses };
    std::string name;
    Kind kind = Kind::kAction;
    std::string verb;  // of an action
    Mark mark{};
  };

  std::int32_t brokers = 3;
  std::vector<Topic> topics;  // internal ones included
  std::vector<Actor> actors;
  std::vector<std::string> transactional_ids;
  std::vector<std::string> variant_labels;
  std::vector<Handle> handles;  // of the steps so far

  // False if the section that declares them is broken, so that nothing can be said about a name.
  bool topics_known = true;
  bool actors_known = true;
  bool variants_known = true;

  const Topic* FindTopic(std::string_view name) const;
  const Actor* FindActor(std::string_view name) const;
  const Handle* FindHandle(std::string_view name) const;

  // All names of a kind, for suggestions.
  std::vector<std::string> TopicNames() const;
  std::vector<std::string> PartitionNames() const;  // at most a hundred of each topic
  std::vector<std::string> ActorNames() const;
  std::vector<std::string> ActorNames(ActorSpec::Role role) const;
  std::vector<std::string> ProcessNames() const;  // actors, brokers, crashed or paused ones
  std::vector<std::string> HandleNames(Handle::Kind kind) const;
};

}  // namespace kafkasim::scenarios
