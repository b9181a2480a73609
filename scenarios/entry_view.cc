#include "scenarios/entry_view.h"

#include <cstddef>

#include <fmt/format.h>

#include "scenarios/number_text.h"

namespace kafkasim::scenarios {
namespace {

// Lists up to this long are shown whole.
constexpr std::size_t kWholeList = 12;

std::string_view MarkerText(EntryKind kind) {
  return kind == EntryKind::kCommit ? "COMMIT" : "ABORT";
}

}  // namespace

std::string EntryText(const EntryView& entry, bool with_actor) {
  if (!entry.is_record()) return std::string(MarkerText(entry.kind));
  std::string text;
  if (with_actor && !entry.actor.empty()) text += entry.actor + ":";
  if (entry.key.has_value()) text += *entry.key + "=";
  return text + entry.value.value_or("null");
}

std::string ListText(const std::vector<std::string>& texts) {
  std::string list = "[";
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) list += ", ";
    if (texts.size() > kWholeList && i == kWholeList / 2) {
      const std::size_t skipped = texts.size() - kWholeList;
      list += fmt::format("… {} more …, ", Grouped(skipped));
      i += skipped;
    }
    list += texts[i];
  }
  return list + "]";
}

std::string EntriesText(const std::vector<EntryView>& entries, bool with_actor) {
  std::vector<std::string> texts;
  texts.reserve(entries.size());
  for (const EntryView& entry : entries) texts.push_back(EntryText(entry, with_actor));
  return ListText(texts);
}

EntryView ViewDelivered(const DeliveredRecord& record, const History& history) {
  EntryView entry;
  entry.offset = record.offset.value();
  entry.key = record.key;
  entry.value = record.value;
  entry.producer_id = record.producer_id.value();
  entry.epoch = record.epoch.value();
  entry.transactional = record.transactional;
  entry.actor = record.producer_id == broker::kNoProducerId
                    ? history.WriterOf(record.partition, record.offset)
                    : history.OwnerOf(record.producer_id, record.epoch);
  if (record.transactional) entry.transactional_id = history.TransactionalIdOf(record.producer_id);
  return entry;
}

}  // namespace kafkasim::scenarios
