#include "client/call.h"

namespace kafkasim::client {
namespace {

// In the order of Operation's alternatives.
constexpr std::string_view kCallNames[] = {"init_transactions",
                                           "begin_transaction",
                                           "send",
                                           "flush",
                                           "commit_transaction",
                                           "abort_transaction",
                                           "send_offsets",
                                           "close",
                                           "poll",
                                           "seek",
                                           "seek_to_beginning",
                                           "seek_to_end",
                                           "position",
                                           "beginning_offsets",
                                           "end_offsets",
                                           "subscribe",
                                           "unsubscribe",
                                           "commit_sync",
                                           "commit_async",
                                           "committed",
                                           "seek_to_committed",
                                           "group_metadata",
                                           "enforce_rebalance",
                                           "raw",
                                           "external_call",
                                           "forget_calls",
                                           "offsets_for_times",
                                           "admin"};
static_assert(std::size(kCallNames) == std::variant_size_v<Operation>);

void AddRecord(sim::CanonicalBytes& out, const ProducerRecord& record) {
  out.Add(record.key);
  out.Add(record.value);
  out.Add(record.timestamp_ms);
}

struct CallAppender {
  sim::CanonicalBytes& out;

  template <typename Plain>
  void operator()(const Plain&) const {}
  void operator()(const Send& send) const {
    out.Add(send.topic);
    out.Add(send.partition);
    out.Add(static_cast<uint32_t>(send.records.size()));
    for (const ProducerRecord& record : send.records) AddRecord(out, record);
  }
  void operator()(const SendOffsetsToTransaction& send) const {
    out.AddAll(send.offsets);
    out.Add(send.group);
  }
  void operator()(const Poll& poll) const {
    out.Add(poll.timeout);
    out.Add(poll.max_records);
  }
  void operator()(const Seek& seek) const {
    out.Add(seek.partition);
    out.Add(seek.offset);
  }
  void operator()(const SeekToBeginning& seek) const { out.AddAll(seek.partitions); }
  void operator()(const SeekToEnd& seek) const { out.AddAll(seek.partitions); }
  void operator()(const Position& position) const { out.Add(position.partition); }
  void operator()(const BeginningOffsets& offsets) const { out.AddAll(offsets.partitions); }
  void operator()(const EndOffsets& offsets) const { out.AddAll(offsets.partitions); }
  void operator()(const Subscribe& subscribe) const { out.AddAll(subscribe.topics); }
  void operator()(const CommitSync& commit) const { AddOffsets(commit.offsets); }
  void operator()(const CommitAsync& commit) const { AddOffsets(commit.offsets); }
  void operator()(const Committed& committed) const { out.AddAll(committed.partitions); }
  void operator()(const RawRequest& raw) const {
    out.Add(raw.to);
    out.Add(raw.channel);
    out.Add(raw.timeout);
    raw.request->AppendTo(out);
  }
  void operator()(const ExternalCall& call) const {
    out.Add(call.to);
    out.Add(call.timeout);
    call.request->AppendTo(out);
  }
  void operator()(const OffsetsForTimes& offsets) const {
    out.AddAll(offsets.partitions);
    out.Add(offsets.timestamp_ms);
  }
  void operator()(const AdminCall& call) const { out.Add(call); }
  void operator()(const ForgetCalls& forget) const { out.Add(forget.up_to); }

  void AddOffsets(const std::optional<std::vector<broker::OffsetToCommit>>& offsets) const {
    out.Add(offsets.has_value());
    if (offsets.has_value()) out.AddAll(*offsets);
  }
};

}  // namespace

bool IsGroupCall(const Operation& operation) {
  return std::holds_alternative<Subscribe>(operation) ||
         std::holds_alternative<Unsubscribe>(operation) ||
         std::holds_alternative<CommitSync>(operation) ||
         std::holds_alternative<CommitAsync>(operation) ||
         std::holds_alternative<Committed>(operation) ||
         std::holds_alternative<SeekToCommitted>(operation) ||
         std::holds_alternative<GroupMetadata>(operation) ||
         std::holds_alternative<EnforceRebalance>(operation) ||
         std::holds_alternative<Close>(operation);
}

std::string_view Name(const Operation& operation) {
  const auto* admin = std::get_if<AdminCall>(&operation);
  return admin == nullptr ? kCallNames[operation.index()] : Name(*admin);
}

void Call::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(id_);
  out.Add(static_cast<uint8_t>(operation_.index()));
  std::visit(CallAppender{out}, operation_);
}

}  // namespace kafkasim::client
