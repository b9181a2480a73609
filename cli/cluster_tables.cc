#include "cli/cluster_tables.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "cli/glyphs.h"
#include "cli/record_list.h"
#include "cli/text_table.h"
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kafkasim::cli {
namespace {

using scenarios::ActorView;
using scenarios::ProcessRole;
using scenarios::Snapshot;
using scenarios::TransactionView;

constexpr int kLongestState = 15;  // COMPLETE_COMMIT

// "" for a process that runs.
std::string_view LifeNote(sim::Life life) {
  switch (life) {
    case sim::Life::kRunning:
      return "";
    case sim::Life::kPaused:
      return "paused";
    case sim::Life::kCrashed:
      return "crashed";
  }
  return "";
}

std::string NumberOrDash(std::int64_t number, const Look& look) {
  if (number >= 0) return fmt::format("{}", number);
  return std::string(GlyphsOf(look).dot);
}

Line ActorCell(const ActorView& actor, const Look& look) {
  Line cell(look, actor.name, Role::kStrong);
  const std::string_view life = LifeNote(actor.life);
  if (!life.empty()) cell.Add(fmt::format(" ({})", life), Role::kFault);
  return cell;
}

// Where the reader stands, on each partition that it has.
std::vector<std::string> PositionsOf(const ActorView& reader, const Look& look) {
  std::vector<std::string> parts;
  for (const ActorView::Position& position : reader.positions) {
    parts.push_back(reader.positions.size() == 1
                        ? fmt::format("{}", position.offset)
                        : fmt::format("{}@{}", position.partition, position.offset));
  }
  if (parts.empty()) parts.emplace_back(GlyphsOf(look).dot);
  return parts;
}

// The states of the records of a transactional id, equal ones in a row named once; but a decision
// that is written again has not been replicated in time before.
std::string StateChain(const TransactionView& transaction, const Look& look) {
  std::string chain;
  std::string_view last;
  for (const auto& record : transaction.records) {
    if (record.state == last && !record.state.starts_with("PREPARE_")) continue;
    if (!chain.empty()) chain += fmt::format(" {} ", GlyphsOf(look).arrow);
    chain += record.state;
    last = record.state;
  }
  return chain;
}

Role RoleOfState(std::string_view state) {
  if (state == "ONGOING" || state.starts_with("PREPARE_")) return Role::kUndecided;
  return Role::kTransaction;
}

}  // namespace

std::vector<Line> DrawProducers(const Snapshot& snapshot, const Look& look) {
  TextTable table(look, {{.heading = "producer"},
                         {.heading = "transactional id"},
                         {.heading = "producer id", .right = true},
                         {.heading = "epoch", .right = true},
                         {.heading = "state", .least = 12}});
  bool any = false;
  for (const ActorView& actor : snapshot.actors) {
    if (actor.role != ProcessRole::kProducer && !actor.produces) continue;
    any = true;
    const std::string id =
        actor.transactional_id.empty() ? std::string(GlyphsOf(look).dot) : actor.transactional_id;
    const bool failed = actor.state.find("ERROR") != std::string::npos;
    table.AddRow({ActorCell(actor, look), Line(look, id),
                  Line(look, NumberOrDash(actor.producer_id, look)),
                  Line(look, NumberOrDash(actor.epoch, look)),
                  Line(look, actor.state, failed ? Role::kError : Role::kPlain)});
  }
  if (!any) return {};
  return WithTitle("What each producer believes", table, look);
}

std::vector<Line> DrawReaders(const Snapshot& snapshot, const Look& look) {
  std::vector<const ActorView*> readers;
  int name = 6;  // the headings
  int position = 8;
  for (const ActorView& actor : snapshot.actors) {
    if (actor.role != ProcessRole::kConsumer && !actor.consumes) continue;
    readers.push_back(&actor);
    name = std::max(name, ActorCell(actor, look).width());
    for (const std::string& part : PositionsOf(actor, look)) {
      position = std::max(position, Line(look, part).width());
    }
  }
  if (readers.empty()) return {};
  // The positions of a reader of several partitions stand below each other.
  TextTable table(look, {{.heading = "reader"},
                         {.heading = "isolation level"},
                         {.heading = "position", .right = true, .most = position},
                         {.heading = "was given", .least = kLeastList}});
  const int taken = kTableIndent + name + 16 + position + 3 * 2;
  const int room = std::max(look.width - taken, kLeastList);
  for (const ActorView* reader : readers) {
    const auto text = [&](std::size_t i) {
      scenarios::EntryView entry;
      entry.key = reader->delivered[i].key;
      entry.value = reader->delivered[i].value;
      return RecordText(entry, look);
    };
    table.AddRow({ActorCell(*reader, look), Line(look, broker::Name(reader->isolation_level)),
                  Line(look, fmt::format("{}", fmt::join(PositionsOf(*reader, look), " "))),
                  DrawList(reader->delivered.size(), text, room, look)});
  }
  return WithTitle("What each reader was given", table, look);
}

std::vector<Line> DrawTransactions(const Snapshot& snapshot, const Look& look) {
  if (snapshot.transactions.empty()) return {};
  int partition = 0;  // columns of the longest name, which is not to be broken
  for (const TransactionView& transaction : snapshot.transactions) {
    for (const std::string& name : transaction.partitions) {
      partition = std::max(partition, Line(look, name).width());
    }
  }
  TextTable table(look, {{.heading = "transactional id"},
                         {.heading = "state", .least = kLongestState},
                         {.heading = "producer id", .right = true},
                         {.heading = "epoch", .right = true},
                         {.heading = "partitions", .least = std::max(partition, 10)}});
  for (const TransactionView& transaction : snapshot.transactions) {
    Line state(look);
    std::string note = fmt::format("__transaction_state-{}, ", transaction.partition);
    note += transaction.coordinator < 0
                ? std::string("no coordinator")
                : fmt::format("coordinator {} epoch {}", transaction.coordinator,
                              transaction.coordinator_epoch);
    if (transaction.loaded) {
      state.Add(transaction.state, RoleOfState(transaction.state));
      if (!transaction.pending_state.empty()) {
        state.Add(fmt::format(" {} {}", GlyphsOf(look).arrow, transaction.pending_state));
      }
      table.AddRow({Line(look, transaction.transactional_id, Role::kStrong), state,
                    Line(look, NumberOrDash(transaction.producer_id, look)),
                    Line(look, NumberOrDash(transaction.epoch, look)),
                    Line(look, fmt::format("{}", fmt::join(transaction.partitions, " ")))});
    } else {
      table.AddRow({Line(look, transaction.transactional_id, Role::kStrong),
                    Line(look, "not known", Role::kFaint)});
    }
    const std::string chain = StateChain(transaction, look);
    if (!chain.empty()) note += ": " + chain;
    table.AddNote(Line(look, note, Role::kFaint));
  }
  return WithTitle("Transactions", table, look);
}

std::vector<Line> DrawBrokers(const Snapshot& snapshot, const Look& look) {
  std::vector<std::string> troubled;
  for (const scenarios::BrokerView& broker : snapshot.brokers) {
    const std::string_view life = LifeNote(broker.life);
    if (life.empty() && !broker.fenced) continue;
    troubled.push_back(fmt::format("broker {} {}{}", broker.id, life.empty() ? "running" : life,
                                   broker.fenced ? ", fenced by the controller" : ""));
  }
  if (troubled.empty()) return {};
  Line line(look, "Brokers  ", Role::kStrong);
  line.Add(fmt::format("{}", fmt::join(troubled, "; ")), Role::kFault);
  return line.Wrap(look.width, 9);
}

}  // namespace kafkasim::cli
