#include "coordinator/record_text.h"

#include <array>
#include <utility>

namespace kafkasim::coordinator {

namespace {

void AppendName(std::string& out, std::string_view name) {
  out += ' ';
  out += name;
  out += '=';
}

}  // namespace

void AppendNumber(std::string& out, int64_t number) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  out.append(digits.data(), end.ptr);
}

void AppendField(std::string& out, std::string_view name, int64_t number) {
  AppendName(out, name);
  AppendNumber(out, number);
}

void AppendField(std::string& out, std::string_view name, const std::optional<std::string>& text) {
  AppendName(out, name);
  if (!text.has_value()) {
    out += "null";
    return;
  }
  AppendNumber(out, static_cast<int64_t>(text->size()));
  out += ':';
  out += *text;
}

void AppendField(std::string& out, std::string_view name, const broker::PartitionList& partitions) {
  AppendName(out, name);
  char separator = '[';
  for (const broker::PartitionId& partition : partitions) {
    out += std::exchange(separator, ',');
    AppendNumber(out, partition.topic.value());
    out += ':';
    AppendNumber(out, partition.index);
  }
  if (separator == '[') out += '[';
  out += ']';
}

bool RecordReader::Skip(std::string_view wanted) {
  if (!ok_ || !rest_.starts_with(wanted)) return false;
  rest_.remove_prefix(wanted.size());
  return true;
}

std::string_view RecordReader::Rest() { return std::exchange(rest_, {}); }

std::string_view RecordReader::Word() {
  const std::string_view word = rest_.substr(0, rest_.find(' '));
  rest_.remove_prefix(word.size());
  return word;
}

void RecordReader::ExpectName(std::string_view name) {
  Expect(" ");
  Expect(name);
  Expect("=");
}

std::optional<std::string> RecordReader::Text(std::string_view name) {
  ExpectName(name);
  if (Skip("null")) return std::nullopt;
  const auto size = Number<uint32_t>();
  Expect(":");
  ok_ = ok_ && size <= rest_.size();
  if (!ok_) return std::nullopt;
  const std::string_view text = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return std::string(text);
}

broker::PartitionId RecordReader::Partition() {
  broker::PartitionId partition;
  partition.topic = broker::TopicId(Number<int32_t>());
  Expect(":");
  partition.index = Number<int32_t>();
  return partition;
}

broker::PartitionList RecordReader::Partitions(std::string_view name) {
  broker::PartitionList partitions;
  ExpectName(name);
  if (Skip("[]")) return partitions;
  Expect("[");
  do {
    partitions.push_back(Partition());
  } while (Skip(","));
  Expect("]");
  return partitions;
}

}  // namespace kafkasim::coordinator
