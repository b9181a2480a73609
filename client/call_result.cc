#include "client/call_result.h"

#include <algorithm>

#include <fmt/format.h>

#include "broker/message.h"
#include "sim/check.h"

namespace kafkasim::client {
namespace {

struct ResultDescriber {
  const broker::ClusterImage& names;

  std::string operator()(const std::monostate&) const { return ""; }
  std::string operator()(const ProducerIdentity& identity) const {
    return fmt::format("producer_id={} epoch={}", identity.producer_id, identity.epoch);
  }
  std::string operator()(const SentRecords& sent) const {
    const RecordMetadata* first = nullptr;
    for (const RecordMetadata& record : sent.records) {
      if (record.offset == broker::kNoOffset) continue;
      first = &record;
      break;
    }
    if (sent.records.size() != 1) {
      return fmt::format(
          "{} of {} records acknowledged{}", sent.acknowledged, sent.records.size(),
          first == nullptr
              ? ""
              : fmt::format(", from {}@{}", names.NameOf(first->partition), first->offset));
    }
    return first == nullptr ? ""
                            : fmt::format("{}@{}", names.NameOf(first->partition), first->offset);
  }
  std::string operator()(const ConsumedRecords& consumed) const {
    std::string text = fmt::format("{} record{}", consumed.records->size(),
                                   consumed.records->size() == 1 ? "" : "s");
    constexpr size_t kShown = 8;
    size_t shown = 0;
    for (const ConsumedRecord& record : *consumed.records) {
      if (++shown > kShown) return text + " ...";
      text += fmt::format("{} {}@{}", shown == 1 ? ":" : ",", names.NameOf(record.partition),
                          record.offset);
    }
    return text;
  }
  std::string operator()(const PartitionOffsets& offsets) const {
    std::string text;
    for (const PartitionOffsets::Row& row : offsets.rows) {
      text +=
          fmt::format("{}{}={}", text.empty() ? "" : " ", names.NameOf(row.partition), row.offset);
    }
    return text;
  }
  std::string operator()(const CommittedOffsets& committed) const {
    std::string text;
    for (const broker::OffsetToCommit& row : committed.rows) {
      const std::string offset =
          row.offset == broker::kNoOffset ? "none" : fmt::format("{}", row.offset);
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", names.NameOf(row.partition), offset);
    }
    return text;
  }
  std::string operator()(const ConsumerGroupMetadata& group) const {
    std::string text = fmt::format("group={} generation={} member={}", group.group_id,
                                   group.generation_id, group.member_id);
    if (group.group_instance_id.has_value()) text += " instance=" + *group.group_instance_id;
    return text;
  }
  std::string operator()(const ExternalReply& reply) const { return reply.text; }
  std::string operator()(const HandedInOffsets&) const { return ""; }
  std::string operator()(const RawResponse& response) const {
    return response.payload == nullptr ? "" : broker::AsMessage(*response.payload).Describe(names);
  }
  std::string operator()(const AdminResult& result) const { return Describe(result, names); }
};

struct CallResultAppender {
  sim::CanonicalBytes& out;

  void operator()(const std::monostate&) const {}
  void operator()(const ProducerIdentity& identity) const {
    out.Add(identity.producer_id);
    out.Add(identity.epoch);
  }
  void operator()(const SentRecords& sent) const {
    out.Add(static_cast<uint32_t>(sent.records.size()));
    for (const RecordMetadata& record : sent.records) {
      out.Add(record.partition);
      out.Add(record.offset);
      out.Add(record.timestamp_ms);
      out.Add(record.done);
    }
    out.Add(sent.acknowledged);
    out.Add(sent.failed);
  }
  void operator()(const ConsumedRecords& consumed) const { out.AddAll(*consumed.records); }
  void operator()(const PartitionOffsets& offsets) const {
    out.Add(static_cast<uint32_t>(offsets.rows.size()));
    for (const PartitionOffsets::Row& row : offsets.rows) {
      out.Add(row.partition);
      out.Add(row.offset);
    }
  }
  void operator()(const CommittedOffsets& committed) const { out.AddAll(committed.rows); }
  void operator()(const HandedInOffsets& offsets) const { out.AddAll(offsets.rows); }
  void operator()(const ConsumerGroupMetadata& group) const { out.Add(group); }
  void operator()(const ExternalReply& reply) const { out.Add(reply.text); }
  void operator()(const RawResponse& response) const {
    out.Add(response.payload != nullptr);
    if (response.payload != nullptr) out.Add(response.payload->fingerprint());
  }
  void operator()(const AdminResult& result) const { out.Add(result); }
};

bool Before(const CallResult& result, CallId id) { return result.id < id; }

}  // namespace

void ConsumedRecord::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(partition);
  out.Add(offset);
  out.Add(key);
  out.Add(value);
  out.Add(timestamp_ms);
  out.Add(producer_id);
  out.Add(producer_epoch);
  out.Add(transactional);
}

std::string CallResult::DescribeValue(const broker::ClusterImage& names) const {
  return std::visit(ResultDescriber{names}, value);
}

void CallResult::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(id);
  out.Add(operation);
  out.Add(state);
  out.Add(error);
  out.Add(static_cast<uint8_t>(value.index()));
  std::visit(CallResultAppender{out}, value);
}

const CallResult* CallLog::Find(CallId id) const {
  const auto at = std::lower_bound(results_.begin(), results_.end(), id, Before);
  return at != results_.end() && at->id == id ? &*at : nullptr;
}

CallResult& CallLog::Add(CallId id, std::string_view operation) {
  const auto at = std::lower_bound(results_.begin(), results_.end(), id, Before);
  KAFKASIM_CHECK(at == results_.end() || at->id != id, "the id of a call is used once");
  CallResult result;
  result.id = id;
  result.operation = operation;
  return *results_.insert(at, std::move(result));
}

CallResult& CallLog::Mutable(CallId id) {
  const auto at = std::lower_bound(results_.begin(), results_.end(), id, Before);
  KAFKASIM_CHECK(at != results_.end() && at->id == id, "a call that is finished was given");
  return *at;
}

void CallLog::LoseOpenCalls() {
  for (CallResult& result : results_) {
    if (!result.done()) result.state = CallState::kLost;
  }
}

void CallLog::Forget(CallId up_to) {
  std::erase_if(results_, [up_to](const CallResult& result) {
    return result.id <= up_to &&
           (result.state == CallState::kDone || result.state == CallState::kLost);
  });
}

void CallLog::AppendTo(sim::CanonicalBytes& out) const { out.AddAll(results_); }

}  // namespace kafkasim::client
