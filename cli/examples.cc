#include "cli/examples.h"

#include "scenarios/spelling.h"

namespace kafkasim::cli {
namespace {

std::string_view WithoutFolder(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  return slash == std::string_view::npos ? name : name.substr(slash + 1);
}

bool BeginsWith(const Example& example, std::string_view name) {
  return example.name.starts_with(name) || WithoutFolder(example.name).starts_with(name);
}

}  // namespace

std::vector<std::string_view> ExamplesBeginningWith(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Example& example : Examples()) {
    if (BeginsWith(example, name)) names.push_back(example.name);
  }
  return names;
}

const Example* FindExample(std::string_view name) {
  if (name.ends_with(".yaml")) name.remove_suffix(5);
  const auto fits = [&](std::string_view full) {
    return full == name || (full.starts_with(name) && full.substr(name.size()).starts_with('-'));
  };
  const Example* found = nullptr;
  for (const Example& example : Examples()) {
    if (example.name == name || WithoutFolder(example.name) == name) return &example;
    if (name.empty() || !(fits(example.name) || fits(WithoutFolder(example.name)))) continue;
    if (found != nullptr) return nullptr;
    found = &example;
  }
  return found;
}

std::string ClosestExample(std::string_view name) {
  if (name.ends_with(".yaml")) name.remove_suffix(5);
  std::vector<std::string> names;
  for (const Example& example : Examples()) names.emplace_back(example.name);
  std::string closest = scenarios::ClosestTo(name, names);
  if (!closest.empty()) return closest;
  for (std::string& full : names) full = WithoutFolder(full);
  closest = scenarios::ClosestTo(WithoutFolder(name), names);
  const Example* example = closest.empty() ? nullptr : FindExample(closest);
  return example == nullptr ? "" : std::string(example->name);
}

}  // namespace kafkasim::cli
