#include "scenarios/notation.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <limits>
#include <system_error>
#include <utility>
#include <vector>

namespace kafkasim::scenarios {
namespace {

constexpr std::int64_t kLongestDuration = 10'000LL * 86'400 * 1'000'000;

struct Unit {
  std::string_view name;
  std::int64_t us;
};

constexpr std::array<Unit, 6> kUnits{{{"us", 1},
                                      {"ms", 1'000},
                                      {"s", 1'000'000},
                                      {"min", 60'000'000},
                                      {"h", 3'600'000'000},
                                      {"d", 86'400'000'000}}};

// What people write for a unit, for suggestions.
constexpr std::array<std::pair<std::string_view, std::string_view>, 27> kOtherUnits{{
    {"", "s"},
    {"day", "d"},
    {"days", "d"},
    {"hour", "h"},
    {"hours", "h"},
    {"hr", "h"},
    {"hrs", "h"},
    {"m", "min"},
    {"micros", "us"},
    {"microsecond", "us"},
    {"microseconds", "us"},
    {"mins", "min"},
    {"minute", "min"},
    {"minutes", "min"},
    {"millis", "ms"},
    {"millisecond", "ms"},
    {"milliseconds", "ms"},
    {"msec", "ms"},
    {"msecs", "ms"},
    {"sec", "s"},
    {"second", "s"},
    {"seconds", "s"},
    {"secs", "s"},
    {"usec", "us"},
    {"usecs", "us"},
    {"\xC2\xB5s", "us"},
    {"\xCE\xBCs", "us"},
}};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// The duration that was probably meant, as it should be written; "" if there is no telling.
std::string LikelyDuration(std::string_view text) {
  std::string word;
  for (char c : text) {
    if (c == ' ' || c == '_' || c == ',') continue;
    word += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  const auto end =
      std::find_if(word.begin(), word.end(), [](char c) { return !IsDigit(c) && c != '.'; });
  const std::string number(word.begin(), end);
  std::string unit(end, word.end());
  for (const auto& [other, ours] : kOtherUnits) {
    if (unit == other) unit = ours;
  }
  std::string likely = number + unit;
  return DurationFromText(likely) ? likely : "";
}

// A run of digits as a number; nullopt for anything else, or if it is above the type's range.
template <typename T>
std::optional<T> Digits(std::string_view text) {
  T value{};
  if (text.empty() || !std::all_of(text.begin(), text.end(), IsDigit)) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  return value;
}

// `orders-0` taken apart, whether or not there is such a topic.
std::optional<std::pair<std::string, std::int32_t>> SplitPartition(std::string_view text) {
  const std::size_t dash = text.rfind('-');
  if (dash == std::string_view::npos || dash == 0) return std::nullopt;
  const auto index = Digits<std::int32_t>(text.substr(dash + 1));
  if (!index) return std::nullopt;
  return std::pair(std::string(text.substr(0, dash)), *index);
}

bool CheckPartition(const std::string& topic, std::int32_t index, Mark mark, Reader& reader) {
  if (!reader.names.topics_known) return true;
  const Names::Topic* known = reader.names.FindTopic(topic);
  if (known == nullptr) {
    reader.Unknown(mark, "topic", topic, "", reader.names.TopicNames());
    return false;
  }
  if (index < known->partitions) return true;
  const std::string last = topic + '-' + std::to_string(known->partitions - 1);
  reader.Error(mark, Quote(topic) + " has no partition " + std::to_string(index) +
                         "; its last is " + Quote(last));
  return false;
}

// Whether the text is written as a duration, but of more than there may be.
bool IsTooLong(std::string_view text) {
  const auto digits = static_cast<std::size_t>(
      std::find_if(text.begin(), text.end(), [](char c) { return !IsDigit(c); }) - text.begin());
  return digits > 0 && DurationFromText("1" + std::string(text.substr(digits))).has_value();
}

}  // namespace

std::optional<std::int64_t> DurationFromText(std::string_view text) {
  const auto point_or_unit =
      std::find_if(text.begin(), text.end(), [](char c) { return !IsDigit(c); }) - text.begin();
  const auto whole = Digits<std::int64_t>(text.substr(0, static_cast<std::size_t>(point_or_unit)));
  if (!whole) return std::nullopt;
  std::string_view rest = text.substr(static_cast<std::size_t>(point_or_unit));
  std::string_view fraction;
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    const auto digits = std::find_if(rest.begin(), rest.end(), [](char c) { return !IsDigit(c); });
    fraction = rest.substr(0, static_cast<std::size_t>(digits - rest.begin()));
    if (fraction.empty()) return std::nullopt;
    rest.remove_prefix(fraction.size());
  }
  for (const Unit& unit : kUnits) {
    if (rest != unit.name) continue;
    if (*whole > kLongestDuration / unit.us) return std::nullopt;
    std::int64_t us = *whole * unit.us;
    std::int64_t place = unit.us;
    for (char digit : fraction) {
      if (place % 10 != 0 && digit != '0') return std::nullopt;  // finer than a microsecond
      place /= 10;
      us += (digit - '0') * place;
    }
    return us;
  }
  return std::nullopt;
}

std::optional<std::int64_t> ParseDuration(const std::string& text, Mark mark, Reader& reader) {
  if (const auto us = DurationFromText(text)) return us;
  if (IsTooLong(text)) {
    reader.Error(mark, "a duration is at most 10000d, found " + Quote(text));
    return std::nullopt;
  }
  reader.Error(mark, "expected a duration such as 60s, 1.5ms or 10min, found " + Quote(text),
               LikelyDuration(text));
  return std::nullopt;
}

std::optional<std::int64_t> ParseRate(const std::string& text, Mark mark, Reader& reader) {
  const std::size_t slash = text.find('/');
  const auto rate = Digits<std::int64_t>(std::string_view(text).substr(0, slash));
  if (rate && *rate >= 1 && *rate <= 1'000'000 && slash != std::string::npos &&
      text.substr(slash) == "/s") {
    return rate;
  }
  const auto digits = std::find_if(text.begin(), text.end(), [](char c) { return !IsDigit(c); });
  const std::string number(text.begin(), digits);
  reader.Error(mark, "expected a rate from 1/s to 1000000/s, found " + Quote(text),
               number.empty() || number.size() > 6 || number == "0" ? "" : number + "/s");
  return std::nullopt;
}

std::optional<PartitionName> ParsePartition(const std::string& text, Mark mark, Reader& reader) {
  const auto split = SplitPartition(text);
  if (!split || (reader.names.topics_known && reader.names.FindTopic(text) != nullptr)) {
    const Names::Topic* topic = reader.names.FindTopic(text);
    const std::string first = topic != nullptr ? text + "-0" : "";
    reader.Error(mark, "expected a partition such as orders-0, found " + Quote(text), first);
    return std::nullopt;
  }
  if (!CheckPartition(split->first, split->second, mark, reader)) return std::nullopt;
  return PartitionName{split->first, split->second, mark};
}

std::optional<Destination> ParseDestination(const std::string& text, Mark mark, Reader& reader) {
  const auto split = SplitPartition(text);
  if (!split || reader.names.FindTopic(text) != nullptr) {
    if (reader.names.topics_known && reader.names.FindTopic(text) == nullptr) {
      reader.Unknown(mark, "topic", text, "", reader.names.TopicNames());
      return std::nullopt;
    }
    return Destination{text, std::nullopt, mark};
  }
  if (!CheckPartition(split->first, split->second, mark, reader)) return std::nullopt;
  return Destination{split->first, split->second, mark};
}

std::optional<std::string> ParseTransactionalId(const std::string& text, Mark mark,
                                                Reader& reader) {
  const std::vector<std::string>& known = reader.names.transactional_ids;
  if (!reader.names.actors_known || std::find(known.begin(), known.end(), text) != known.end()) {
    return text;
  }
  reader.Unknown(mark, "transactional id", text, "", known);
  return std::nullopt;
}

std::optional<ProducerName> ParseProducer(const std::string& text, Mark mark, Reader& reader) {
  ProducerName producer;
  producer.mark = mark;
  producer.id = Digits<std::int64_t>(text);
  if (producer.id) return producer;
  if (reader.names.actors_known && reader.names.FindActor(text) == nullptr) {
    reader.Unknown(mark, "actor", text, "", reader.names.ActorNames());
    return std::nullopt;
  }
  producer.actor = text;
  return producer;
}

std::optional<ProcessName> ParseProcess(const std::string& text, Mark mark, Reader& reader) {
  constexpr std::string_view kLeader = "leader of ";
  constexpr std::string_view kCoordinator = "coordinator of ";
  constexpr std::string_view kBroker = "broker-";
  ProcessName process;
  process.mark = mark;
  if (text.starts_with(kLeader)) {
    const auto partition = ParsePartition(text.substr(kLeader.size()), mark, reader);
    if (!partition) return std::nullopt;
    process.kind = ProcessName::Kind::kLeaderOf;
    process.partition = *partition;
    return process;
  }
  if (text.starts_with(kCoordinator)) {
    const auto id = ParseTransactionalId(text.substr(kCoordinator.size()), mark, reader);
    if (!id) return std::nullopt;
    process.kind = ProcessName::Kind::kCoordinatorOf;
    process.name = *id;
    return process;
  }
  const auto broker = text.starts_with(kBroker)
                          ? Digits<std::int32_t>(std::string_view(text).substr(kBroker.size()))
                          : std::nullopt;
  if (broker && *broker >= reader.names.brokers) {
    reader.Error(mark, "there is no " + Quote(text) + "; the last one is 'broker-" +
                           std::to_string(reader.names.brokers - 1) + "'");
    return std::nullopt;
  }
  if (broker) {
    process.kind = ProcessName::Kind::kBroker;
    process.broker = *broker;
    return process;
  }
  const Names::Handle* handle = reader.names.FindHandle(text);
  process.name = text;
  if (text == "controller") {
    process.kind = ProcessName::Kind::kController;
  } else if (handle != nullptr && handle->kind == Names::Handle::Kind::kProcesses) {
    process.kind = ProcessName::Kind::kHandle;
  } else if (reader.names.actors_known && reader.names.FindActor(text) == nullptr) {
    reader.Unknown(mark, "process", text, "", reader.names.ProcessNames());
    return std::nullopt;
  }
  return process;
}

}  // namespace kafkasim::scenarios
