#include "client/call_events.h"

#include <fmt/format.h>

#include "broker/message.h"
#include "client/events.h"
#include "client/external_message.h"

namespace kafkasim::client {
namespace {

const broker::ClusterImage& NamesOrNone(const broker::ClusterImage* names) {
  static const broker::ClusterImage none;
  return names == nullptr ? none : *names;
}

std::string RecordText(const ProducerRecord& record) {
  const std::string value = record.value.value_or("null");
  return record.key.has_value() ? fmt::format("{}={}", *record.key, value) : value;
}

struct CallDescriber {
  const broker::ClusterImage& names;

  template <typename Plain>
  std::string operator()(const Plain&) const {
    return "";
  }
  std::string operator()(const Send& send) const {
    const broker::TopicImage* topic = names.FindTopic(send.topic);
    std::string text = topic == nullptr ? "to ?" : "to " + topic->name;
    if (send.partition.has_value()) text += fmt::format("-{}", *send.partition);
    if (send.records.size() > 3) return text + fmt::format(": {} records", send.records.size());
    for (size_t i = 0; i < send.records.size(); ++i) {
      text += (i == 0 ? ": " : ", ") + RecordText(send.records[i]);
    }
    return text;
  }
  std::string operator()(const Poll& poll) const {
    std::string text = fmt::format("within {}", sim::FormatDuration(poll.timeout));
    if (poll.max_records.has_value()) text += fmt::format(", at most {}", *poll.max_records);
    return text;
  }
  std::string operator()(const Seek& seek) const {
    return fmt::format("{} to {}", names.NameOf(seek.partition), seek.offset);
  }
  std::string operator()(const SeekToBeginning& seek) const { return List(seek.partitions); }
  std::string operator()(const SeekToEnd& seek) const { return List(seek.partitions); }
  std::string operator()(const Position& position) const {
    return names.NameOf(position.partition);
  }
  std::string operator()(const BeginningOffsets& offsets) const { return List(offsets.partitions); }
  std::string operator()(const EndOffsets& offsets) const { return List(offsets.partitions); }
  std::string operator()(const SendOffsetsToTransaction& send) const {
    std::string text = fmt::format("{} of group {}", List(send.offsets), send.group.group_id);
    if (send.group.generation_id == broker::kNoGeneration) return text + ", group id alone";
    return text + fmt::format(", generation {}", send.group.generation_id);
  }
  std::string operator()(const Subscribe& subscribe) const {
    std::string text;
    for (const broker::TopicId id : subscribe.topics) {
      const broker::TopicImage* topic = names.FindTopic(id);
      text += (text.empty() ? "" : ", ") + (topic == nullptr ? "?" : topic->name);
    }
    return text;
  }
  std::string operator()(const CommitSync& commit) const { return List(commit.offsets); }
  std::string operator()(const CommitAsync& commit) const { return List(commit.offsets); }
  std::string operator()(const Committed& committed) const { return List(committed.partitions); }
  std::string operator()(const ExternalCall& call) const {
    return AsExternal(*call.request).Describe();
  }
  std::string operator()(const OffsetsForTimes& offsets) const {
    return fmt::format("{} at {} ms", List(offsets.partitions), offsets.timestamp_ms);
  }
  std::string operator()(const AdminCall& call) const { return Describe(call, names); }
  std::string operator()(const RawRequest& raw) const {
    const broker::Message& message = broker::AsMessage(*raw.request);
    return fmt::format("{} {}", message.api(), message.Describe(names));
  }

  std::string List(const std::vector<broker::PartitionId>& partitions) const {
    std::string text;
    for (const broker::PartitionId& partition : partitions) {
      text += (text.empty() ? "" : ", ") + names.NameOf(partition);
    }
    return text.empty() ? "all assigned" : text;
  }
  std::string List(const std::vector<broker::OffsetToCommit>& offsets) const {
    std::string text;
    for (const broker::OffsetToCommit& row : offsets) {
      text +=
          fmt::format("{}{}={}", text.empty() ? "" : ", ", names.NameOf(row.partition), row.offset);
    }
    return text.empty() ? "no offsets" : text;
  }
  std::string List(const std::optional<std::vector<broker::OffsetToCommit>>& offsets) const {
    return offsets.has_value() ? List(*offsets) : "all positions";
  }
};

}  // namespace

std::string DescribeArguments(const Operation& operation, const broker::ClusterImage* names) {
  return std::visit(CallDescriber{NamesOrNone(names)}, operation);
}

void EmitCallStarted(sim::Context& context, const Call& call, const broker::ClusterImage* names) {
  context.Emit(events::kCallStarted, {{"call", call.id().value()},
                                      {"operation", std::string(Name(call.operation()))},
                                      {"arguments", DescribeArguments(call.operation(), names)}});
}

void EmitCallFinished(sim::Context& context, const CallResult& result,
                      const broker::ClusterImage* names) {
  const bool failed = !result.error.ok();
  context.Emit(events::kCallFinished,
               {{"call", result.id.value()},
                {"operation", std::string(result.operation)},
                {"result", failed ? "" : result.DescribeValue(NamesOrNone(names))},
                {"error", std::string(result.error.ExceptionName())},
                {"code", std::string(broker::Name(result.error.code))},
                {"class", std::string(Name(result.error.error_class))},
                {"reason", result.error.message}});
}

}  // namespace kafkasim::client
