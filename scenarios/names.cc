#include "scenarios/names.h"

#include <algorithm>

namespace kafkasim::scenarios {
namespace {

template <typename T>
const T* FindByName(const std::vector<T>& things, std::string_view name) {
  const auto found =
      std::find_if(things.begin(), things.end(), [&](const T& t) { return t.name == name; });
  return found == things.end() ? nullptr : &*found;
}

template <typename T>
std::vector<std::string> AllNames(const std::vector<T>& things) {
  std::vector<std::string> names;
  for (const T& thing : things) names.push_back(thing.name);
  return names;
}

}  // namespace

const Names::Topic* Names::FindTopic(std::string_view name) const {
  return FindByName(topics, name);
}
const Names::Actor* Names::FindActor(std::string_view name) const {
  return FindByName(actors, name);
}
const Names::Handle* Names::FindHandle(std::string_view name) const {
  return FindByName(handles, name);
}

std::vector<std::string> Names::TopicNames() const { return AllNames(topics); }
std::vector<std::string> Names::ActorNames() const { return AllNames(actors); }

std::vector<std::string> Names::ActorNames(ActorSpec::Role role) const {
  std::vector<std::string> names;
  for (const Actor& actor : actors) {
    if (actor.role == role) names.push_back(actor.name);
  }
  return names;
}

std::vector<std::string> Names::PartitionNames() const {
  std::vector<std::string> names;
  for (const Topic& topic : topics) {
    for (std::int32_t i = 0; i < std::min(topic.partitions, 100); ++i) {
      names.push_back(topic.name + '-' + std::to_string(i));
    }
  }
  return names;
}

std::vector<std::string> Names::ProcessNames() const {
  std::vector<std::string> names = ActorNames();
  for (std::int32_t i = 0; i < std::min(brokers, 100); ++i) {
    names.push_back("broker-" + std::to_string(i));
  }
  for (const std::string& name : HandleNames(Handle::Kind::kProcesses)) names.push_back(name);
  return names;
}

std::vector<std::string> Names::HandleNames(Handle::Kind kind) const {
  std::vector<std::string> names;
  for (const Handle& handle : handles) {
    if (handle.kind == kind) names.push_back(handle.name);
  }
  return names;
}

}  // namespace kafkasim::scenarios
