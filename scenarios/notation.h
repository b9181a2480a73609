// The short notations of the language: what a single word or line of text stands for. Each parser
// takes the text, its place and the reader; nullopt means that it has reported an error.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "scenarios/mark.h"
#include "scenarios/patterns.h"
#include "scenarios/reader.h"
#include "scenarios/references.h"

namespace kafkasim::scenarios {

// `60s`, `1.5ms`, `10min` in microseconds; units us, ms, s, min, h, d; exact, up to 10,000 days.
std::optional<std::int64_t> ParseDuration(const std::string& text, Mark mark, Reader& reader);

// The same without a reader: nullopt for anything else.
std::optional<std::int64_t> DurationFromText(std::string_view text);

// `150/s` as 150.
std::optional<std::int64_t> ParseRate(const std::string& text, Mark mark, Reader& reader);

// `orders-0`: a declared topic and one of its partitions.
std::optional<PartitionName> ParsePartition(const std::string& text, Mark mark, Reader& reader);

// `orders-0` or `orders`.
std::optional<Destination> ParseDestination(const std::string& text, Mark mark, Reader& reader);

// `old`, `broker-1`, `controller`, `leader of orders-0`, `coordinator of pay-1`, or the `as:` of a
// crash or pause.
std::optional<ProcessName> ParseProcess(const std::string& text, Mark mark, Reader& reader);

// A declared transactional id.
std::optional<std::string> ParseTransactionalId(const std::string& text, Mark mark, Reader& reader);

// `old` or `7`: an actor, or a producer id.
std::optional<ProducerName> ParseProducer(const std::string& text, Mark mark, Reader& reader);

// `old:42=paid @3`, `COMMIT e1 ce0`, `p2:* x9000`; see EntryPattern.
std::optional<EntryPattern> ParseEntry(const std::string& text, Mark mark, Reader& reader);

// `ONGOING orders-0 orders-1 e0`; see TransactionRecordPattern.
std::optional<TransactionRecordPattern> ParseTransactionRecord(const std::string& text, Mark mark,
                                                               Reader& reader);

}  // namespace kafkasim::scenarios
