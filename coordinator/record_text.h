// How records of the coordinators' logs are written and read as text: fields "name=value" in a
// fixed order, where Kafka has bytes (CoordinatorRecordSerde). Numbers are decimal; a text that may
// hold anything stands behind its length, "5:range", or is "null"; partitions are topic:index with
// the topic's number, where Kafka writes its name, in brackets: "[0:1,2:0]".
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "broker/ids.h"
#include "broker/messages_transaction.h"

namespace kafkasim::coordinator {

void AppendNumber(std::string& out, int64_t number);
// " name=12"
void AppendField(std::string& out, std::string_view name, int64_t number);
// " name=5:range", " name=null"
void AppendField(std::string& out, std::string_view name, const std::optional<std::string>& text);
// " name=[0:1,2:0]"
void AppendField(std::string& out, std::string_view name, const broker::PartitionList& partitions);

// Reads a line from left to right; once something did not fit, everything after it fails too.
class RecordReader {
 public:
  explicit RecordReader(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

  bool Skip(std::string_view wanted);
  void Expect(std::string_view wanted) { ok_ = Skip(wanted); }
  // What is left.
  [[nodiscard]] std::string_view Rest();
  // Up to the next space.
  [[nodiscard]] std::string_view Word();

  template <std::integral T>
  T Number() {
    T number = 0;
    if (!ok_) return number;
    const auto result = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    ok_ = result.ec == std::errc();
    rest_.remove_prefix(static_cast<size_t>(result.ptr - rest_.data()));
    return number;
  }
  template <std::integral T>
  T Field(std::string_view name) {
    ExpectName(name);
    return Number<T>();
  }
  [[nodiscard]] std::optional<std::string> Text(std::string_view name);
  [[nodiscard]] broker::PartitionId Partition();
  [[nodiscard]] broker::PartitionList Partitions(std::string_view name);

 private:
  void ExpectName(std::string_view name);

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace kafkasim::coordinator
