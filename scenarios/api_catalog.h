// The APIs that a raw request can call, with the fields that a file may write and the fields of the
// answer that it may expect: Kafka's own in snake_case, one transaction, marker or partition each.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kafkasim::scenarios {

struct ApiField {
  enum class Type {
    kBoolean,
    kInteger,
    kIntegers,
    kText,
    kTexts,
    kTopic,
    kPartition,
    kPartitions,
    kTransactionalId,
    kTransactionState,
    kIsolation
  };

  std::string name;
  Type type = Type::kInteger;
  std::string description;
  bool required = false;
};

struct Api {
  std::string name;  // EndTxn
  std::string description;
  std::int64_t newest_version = 0;  // the highest that means something to the simulator
  std::vector<ApiField> request;
  std::vector<ApiField> response;  // beside `error`, which every answer has
};

const std::vector<Api>& RawApis();

// The API of that name, or nullptr.
const Api* FindRawApi(std::string_view name);

}  // namespace kafkasim::scenarios
