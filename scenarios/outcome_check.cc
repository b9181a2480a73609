#include "scenarios/outcome_check.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "broker/error_code.h"
#include "scenarios/admin_call.h"
#include "scenarios/entry_view.h"
#include "scenarios/pattern_match.h"
#include "scenarios/raw_message.h"

namespace kafkasim::scenarios {
namespace {

using Mismatches = std::vector<Mismatch>;

// "ProducerFencedException (PRODUCER_FENCED)".
std::string ErrorText(const client::ApiError& error) {
  if (error.ok()) return "succeeds";
  std::string text(error.ExceptionName());
  if (error.code != broker::ErrorCode::kNone) {
    text += fmt::format(" ({})", broker::Name(error.code));
  }
  return text;
}

std::string FailureText(const Failure& failure) {
  const std::string name = FailureName(failure);
  return name.empty() ? "fails" : "fails: " + name;
}

// What a call failed with. A raw request that was answered has the error of its answer.
client::ApiError ErrorOf(const CallSummary& summary) {
  const auto* response = std::get_if<client::RawResponse>(&summary.value);
  if (!summary.error.ok() || response == nullptr || response->payload == nullptr) {
    return summary.error;
  }
  const broker::ErrorCode code = ReadRawAnswer(*response->payload).error;
  if (code == broker::ErrorCode::kNone) return summary.error;
  return client::ErrorFromCode(code, client::ErrorClass::kFatal, "");
}

void CheckNumber(const std::optional<NumberPattern>& pattern, std::string what, std::int64_t actual,
                 Mismatches& found) {
  if (!pattern.has_value() || pattern->Matches(actual)) return;
  found.push_back({.mark = pattern->mark,
                   .what = std::move(what),
                   .expected = PatternText(*pattern),
                   .actual = fmt::format("{}", actual)});
}

// Checks fields of an answer; `prefix` goes before their names.
void CheckFields(const std::vector<RawField>& claims, const std::vector<AnswerField>& fields,
                 const std::string& prefix, Mismatches& found) {
  for (const RawField& claim : claims) {
    const auto field = std::find_if(fields.begin(), fields.end(),
                                    [&](const AnswerField& f) { return f.name == claim.name; });
    const std::string actual = field == fields.end() ? "no such field" : field->value;
    const std::string expected = RawValueText(claim.value);
    if (actual == expected) continue;
    found.push_back(
        {.mark = claim.mark, .what = prefix + claim.name, .expected = expected, .actual = actual});
  }
}

// Checks the value of a call against what is claimed of it.
struct CheckValue {
  const client::CallValue& value;
  const Moment& moment;
  Mark mark;

  // The value as a T; reports if it is of another type, which only a call without a value has.
  template <typename T>
  const T* Get(Mismatches& found) const {
    const T* typed = std::get_if<T>(&value);
    if (typed == nullptr) {
      found.push_back({.mark = mark, .expected = "a result", .actual = "none"});
    }
    return typed;
  }

  Mismatches operator()(const ProducerIdentity& claim) const {
    Mismatches found;
    if (const auto* identity = Get<client::ProducerIdentity>(found)) {
      CheckNumber(claim.producer_id, "producer_id", identity->producer_id.value(), found);
      CheckNumber(claim.epoch, "epoch", identity->epoch.value(), found);
    }
    return found;
  }

  Mismatches operator()(const SendResult& claim) const {
    Mismatches found;
    const auto* sent = Get<client::SentRecords>(found);
    if (sent == nullptr) return found;
    CheckNumber(claim.count, "count", sent->acknowledged, found);
    if (sent->records.empty()) return found;
    CheckNumber(claim.offset, "offset", sent->records.front().offset.value(), found);
    if (!claim.partition.has_value()) return found;
    for (const client::RecordMetadata& record : sent->records) {
      if (moment.names.FindPartition(*claim.partition) == record.partition) continue;
      found.push_back(
          {.mark = claim.partition->mark,
           .what = "partition",
           .expected = fmt::format("{}-{}", claim.partition->topic, claim.partition->partition),
           .actual = moment.names.NameOf(record.partition)});
      break;
    }
    return found;
  }

  Mismatches operator()(const PollResult& claim) const {
    Mismatches found;
    const auto* polled = Get<client::ConsumedRecords>(found);
    if (polled == nullptr) return found;
    std::vector<EntryView> entries;
    std::vector<std::string> offsets;
    for (const client::ConsumedRecord& record : *polled->records) {
      entries.push_back(ViewDelivered({.partition = record.partition,
                                       .offset = record.offset,
                                       .key = record.key,
                                       .value = record.value,
                                       .producer_id = record.producer_id,
                                       .epoch = record.producer_epoch,
                                       .transactional = record.transactional},
                                      moment.history));
      offsets.push_back(fmt::format("{}", record.offset));
    }
    CheckNumber(claim.count, "count", static_cast<std::int64_t>(entries.size()), found);
    if (claim.records.has_value()) CheckRecords(*claim.records, entries, found);
    if (claim.offsets.has_value()) CheckOffsets(*claim.offsets, offsets, found);
    return found;
  }

  void CheckRecords(const std::vector<EntryPattern>& records, const std::vector<EntryView>& entries,
                    Mismatches& found) const {
    std::optional<ListMismatch> mismatch = CompareEntries(records, entries);
    if (!mismatch.has_value()) return;
    found.push_back({.mark = mark,
                     .what = "records",
                     .expected = std::move(mismatch->expected),
                     .actual = std::move(mismatch->actual),
                     .reason = std::move(mismatch->difference)});
  }

  void CheckOffsets(const std::vector<std::int64_t>& claim, const std::vector<std::string>& offsets,
                    Mismatches& found) const {
    std::vector<std::string> wanted;
    for (const std::int64_t offset : claim) wanted.push_back(fmt::format("{}", offset));
    if (wanted == offsets) return;
    found.push_back({.mark = mark,
                     .what = "offsets",
                     .expected = ListText(wanted),
                     .actual = ListText(offsets)});
  }

  // Offsets by partition, of a call that gives them in either form.
  client::PartitionOffsets Offsets(Mismatches& found) const {
    const auto* committed = std::get_if<client::CommittedOffsets>(&value);
    if (committed == nullptr) {
      const auto* offsets = Get<client::PartitionOffsets>(found);
      return offsets == nullptr ? client::PartitionOffsets{} : *offsets;
    }
    client::PartitionOffsets offsets;
    for (const broker::OffsetToCommit& row : committed->rows) {
      offsets.rows.push_back({row.partition, row.offset});
    }
    return offsets;
  }

  Mismatches operator()(const GroupResult& claim) const {
    Mismatches found;
    const auto* group = Get<client::ConsumerGroupMetadata>(found);
    if (group == nullptr) return found;
    const auto check = [&](const std::optional<std::string>& expected, const char* what,
                           const std::string& actual) {
      if (!expected.has_value() || *expected == actual) return;
      found.push_back({.mark = mark, .what = what, .expected = *expected, .actual = actual});
    };
    check(claim.group, "group", group->group_id);
    CheckNumber(claim.generation, "generation", group->generation_id, found);
    check(claim.member_id, "member_id", group->member_id);
    check(claim.group_instance_id, "group_instance_id", group->group_instance_id.value_or("none"));
    return found;
  }

  Mismatches operator()(const OffsetsResult& claim) const {
    Mismatches found;
    const client::PartitionOffsets given = Offsets(found);
    if (!found.empty()) return found;
    const client::PartitionOffsets* offsets = &given;
    for (const OffsetsResult::Row& row : claim.rows) {
      const auto matches = [&](const client::PartitionOffsets::Row& actual) {
        return !row.partition.has_value() ||
               moment.names.FindPartition(*row.partition) == actual.partition;
      };
      const auto actual = std::find_if(offsets->rows.begin(), offsets->rows.end(), matches);
      if (actual == offsets->rows.end()) {
        found.push_back({.mark = row.offset.mark,
                         .expected = PatternText(row.offset),
                         .actual = "nothing about this partition"});
      } else {
        CheckNumber(row.offset, moment.names.NameOf(actual->partition), actual->offset.value(),
                    found);
      }
    }
    return found;
  }

  Mismatches operator()(const RawResult& claim) const {
    Mismatches found;
    const auto* response = Get<client::RawResponse>(found);
    if (response == nullptr || response->payload == nullptr) return found;
    const RawAnswer answer = ReadRawAnswer(*response->payload);
    if (claim.error.has_value() && *claim.error != broker::Name(answer.error)) {
      found.push_back({.mark = mark,
                       .what = "error",
                       .expected = *claim.error,
                       .actual = std::string(broker::Name(answer.error))});
    }
    CheckFields(claim.fields, answer.fields, "", found);
    return found;
  }

  Mismatches operator()(const AdminRows& claim) const {
    Mismatches found;
    const auto* result = Get<client::AdminResult>(found);
    if (result == nullptr) return found;
    const std::vector<AnswerRow> rows = ReadAdminResult(*result, moment.names);
    if (rows.size() != claim.rows.size()) {
      found.push_back({.mark = mark,
                       .what = "rows",
                       .expected = fmt::format("{}", claim.rows.size()),
                       .actual = fmt::format("{}", rows.size()),
                       .reason = client::Describe(*result, *moment.names.topics)});
      return found;
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::string prefix = rows.size() == 1 ? "" : fmt::format("row {}: ", i + 1);
      CheckFields(claim.rows[i].fields, rows[i], prefix, found);
    }
    return found;
  }
};

// How much a `returns:` claims.
struct CountParts {
  template <typename... T>
  static std::size_t Set(const std::optional<T>&... claims) {
    return (std::size_t{0} + ... + (claims.has_value() ? 1u : 0u));
  }

  std::size_t operator()(const ProducerIdentity& claim) const {
    return Set(claim.producer_id, claim.epoch);
  }
  std::size_t operator()(const SendResult& claim) const {
    return Set(claim.offset, claim.count, claim.partition);
  }
  std::size_t operator()(const PollResult& claim) const {
    return Set(claim.records, claim.offsets, claim.count);
  }
  std::size_t operator()(const OffsetsResult& claim) const { return claim.rows.size(); }
  std::size_t operator()(const GroupResult& claim) const {
    return Set(claim.group, claim.generation, claim.member_id, claim.group_instance_id);
  }
  std::size_t operator()(const RawResult& claim) const {
    return Set(claim.error) + claim.fields.size();
  }
  std::size_t operator()(const AdminRows& claim) const {
    std::size_t count = 0;
    for (const AdminRow& row : claim.rows) count += row.fields.size();
    return count;
  }
};

// Whether `returns:` says with which error a request is answered.
bool NamesError(const Outcome& outcome) {
  if (!outcome.returns.has_value()) return false;
  const auto* raw = std::get_if<RawResult>(&outcome.returns->what);
  return raw != nullptr && raw->error.has_value();
}

}  // namespace

std::string FailureName(const Failure& failure) {
  if (!failure.error.has_value()) return failure.exception.value_or("");
  if (!failure.exception.has_value()) return *failure.error;
  return fmt::format("{} ({})", *failure.exception, *failure.error);
}

std::vector<Mismatch> CheckFailure(const Failure& failure, const client::ApiError& error) {
  const bool code_fits = !failure.error.has_value() || *failure.error == broker::Name(error.code);
  const bool exception_fits =
      !failure.exception.has_value() || *failure.exception == error.ExceptionName();
  if (!error.ok() && code_fits && exception_fits) return {};
  return {{.mark = failure.mark,
           .expected = FailureText(failure),
           .actual = ErrorText(error),
           .reason = error.message}};
}

std::size_t CountClaims(const Outcome& outcome) {
  if (outcome.fails.has_value()) return 1;
  if (!outcome.returns.has_value()) return 0;
  return std::max<std::size_t>(1, std::visit(CountParts{}, outcome.returns->what));
}

std::vector<Mismatch> CheckOutcome(const Outcome& outcome, const CallSummary& summary,
                                   const Moment& moment, const CheckedAction& action) {
  if (!summary.done) {
    return {{.mark = action.where,
             .expected = outcome.fails.has_value() ? FailureText(*outcome.fails) : "returns",
             .actual = "the call was lost, its process crashed"}};
  }
  if (outcome.fails.has_value()) return CheckFailure(*outcome.fails, ErrorOf(summary));
  const bool looks_inside = action.answer_must_be_none && !NamesError(outcome);
  const client::ApiError error = looks_inside ? ErrorOf(summary) : summary.error;
  if (!error.ok()) {
    return {{.mark = action.where,
             .expected = "succeeds",
             .actual = ErrorText(error),
             .reason = error.message}};
  }
  if (!outcome.returns.has_value()) return {};
  return std::visit(CheckValue{summary.value, moment, outcome.returns->mark},
                    outcome.returns->what);
}

}  // namespace kafkasim::scenarios
