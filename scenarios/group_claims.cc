#include "scenarios/group_claims.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "coordinator/group_state.h"
#include "scenarios/group_snapshot.h"
#include "scenarios/mapping_form.h"
#include "scenarios/pattern_match.h"
#include "scenarios/reference_form.h"
#include "scenarios/step_form.h"

namespace kafkasim::scenarios {
namespace {

using G = GroupExpectation;

Form<std::string> GroupStateForm() {
  std::vector<std::pair<std::string, std::string>> choices;
  for (const coordinator::GroupState state : coordinator::kAllGroupStates) {
    choices.emplace_back(std::string(UpperName(state)), std::string(UpperName(state)));
  }
  return ChoiceForm<std::string>("state of a group", std::move(choices));
}

// `{orders-0: 7, orders-1: none}`
Form<std::vector<G::PartitionOffset>> OffsetsForm(const std::string& what) {
  const Form<PartitionName> partition = PartitionForm();
  const Form<NumberPattern> number = NumberForm();
  Schema none;
  none.choices = {"none"};
  const SchemaRef schema = AnyOf({number.schema, std::make_shared<const Schema>(std::move(none))});
  return TableForm<G::PartitionOffset>(
      what, kPartitionPattern, schema,
      [partition, number](const Node& key, const Node& value,
                          Reader& reader) -> std::optional<G::PartitionOffset> {
        std::optional<PartitionName> name = partition.read(key, reader);
        if (value.text == "none") {
          if (!name) return std::nullopt;
          return G::PartitionOffset{std::move(*name), std::nullopt, value.mark};
        }
        const std::optional<NumberPattern> offset = number.read(value, reader);
        if (!name || !offset) return std::nullopt;
        return G::PartitionOffset{std::move(*name), *offset, value.mark};
      });
}

// `{orders-0: {high_watermark: 9, last_stable_offset: 5, records: 4}}`
Form<std::vector<G::PartitionLag>> LagsForm() {
  using L = G::PartitionLag;
  const Form<PartitionName> partition = PartitionForm();
  const Form<L> lag = Mapping<L>(
      "a lag", {Optional("high_watermark", &L::to_high_watermark, NumberForm(),
                         "From the committed offset to the high watermark."),
                Optional("last_stable_offset", &L::to_last_stable_offset, NumberForm(),
                         "To the last stable offset."),
                Optional("records", &L::records, NumberForm(),
                         "How many records a reader of read_committed is still to be given.")});
  return TableForm<L>(
      "lags", kPartitionPattern, lag.schema,
      [partition, lag](const Node& key, const Node& value, Reader& reader) -> std::optional<L> {
        std::optional<PartitionName> name = partition.read(key, reader);
        std::optional<L> read = lag.read(value, reader);
        if (!name || !read) return std::nullopt;
        read->partition = std::move(*name);
        read->mark = key.mark;
        return read;
      });
}

// `{enrichment: [orders-0], other: []}`
Form<std::vector<G::Assignment>> AssignmentForm() {
  const Form<std::vector<PartitionName>> partitions = ListForm(PartitionForm());
  return TableForm<G::Assignment>(
      "an assignment", ".", partitions.schema,
      [partitions](const Node& key, const Node& value,
                   Reader& reader) -> std::optional<G::Assignment> {
        std::optional<std::vector<PartitionName>> read = partitions.read(value, reader);
        if (!read) return std::nullopt;
        return G::Assignment{Name{key.text, key.mark}, std::move(*read)};
      });
}

Form<G> GroupForm() {
  const Form<G> mapping = Mapping<G>(
      "expectations of a group",
      {Optional("state", &G::state, WithMark(GroupStateForm()), "Its state at the coordinator."),
       Optional("generation", &G::generation, NumberForm(), "Its generation."),
       Optional("members", &G::members, NumberForm(), "How many members it has."),
       Optional("coordinator", &G::coordinator, NumberForm(), "The broker that coordinates it."),
       Optional("assignment", &G::assignment, WithMark(AssignmentForm()),
                "Who has which partitions, by actor: all members and nothing else."),
       Optional("committed", &G::committed, OffsetsForm("committed offsets"),
                "Committed offsets by partition; none for none."),
       Optional("pending", &G::pending, OffsetsForm("pending offsets"),
                "Offsets in open transactions by partition; none for none."),
       Optional("lag", &G::lag, LagsForm(), "How far the group is behind, by partition.")});
  Schema absent;
  absent.choices = {"absent"};
  Notations<G> notations{"expectations of a group, or absent"};
  notations.scalar =
      NotationForm<G>("absent", std::move(absent),
                      [](const std::string& text, Mark mark, Reader& reader) -> std::optional<G> {
                        if (text != "absent") {
                          reader.Error(mark, "expected absent or a mapping, found " + Quote(text));
                          return std::nullopt;
                        }
                        G claim;
                        claim.absent = true;
                        return claim;
                      });
  notations.mapping = mapping;
  return ByKind(std::move(notations));
}

std::string NameOf(const PartitionName& name) {
  return fmt::format("{}-{}", name.topic, name.partition);
}

std::string ListOf(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  return ListText(names);
}

// Of the rows about this partition, the last one; several are several transactions.
template <typename Row>
std::optional<std::int64_t> OffsetOf(const std::vector<Row>& rows, const std::string& partition) {
  std::optional<std::int64_t> offset;
  for (const Row& row : rows) {
    if (row.partition == partition) offset = row.offset;
  }
  return offset;
}

template <typename Row>
void CheckOffsets(const std::vector<G::PartitionOffset>& claims, const std::vector<Row>& rows,
                  const std::string& what, MismatchList& found) {
  for (const G::PartitionOffset& claim : claims) {
    const std::string name = NameOf(claim.partition);
    const std::optional<std::int64_t> actual = OffsetOf(rows, name);
    const std::string subject = what + " " + name;
    if (claim.offset.has_value() && actual.has_value()) {
      found.CheckNumber(claim.offset, subject, *actual);
    } else if (claim.offset.has_value() != actual.has_value()) {
      found.Add(claim.mark, subject, claim.offset.has_value() ? PatternText(*claim.offset) : "none",
                actual.has_value() ? fmt::format("{}", *actual) : "none");
    }
  }
}

void CheckAssignment(const Marked<std::vector<G::Assignment>>& claim, const GroupSnapshot& group,
                     MismatchList& found) {
  std::vector<std::string> wanted;
  for (const G::Assignment& row : claim.value) {
    std::vector<std::string> names;
    for (const PartitionName& name : row.partitions) names.push_back(NameOf(name));
    wanted.push_back(row.actor.value + " " + ListOf(std::move(names)));
  }
  std::vector<std::string> actual;
  for (const GroupSnapshot::Member& member : group.members) {
    actual.push_back(member.client + " " + ListOf(member.partitions));
  }
  std::sort(wanted.begin(), wanted.end());
  std::sort(actual.begin(), actual.end());
  if (wanted != actual) found.Add(claim.mark, "assignment", ListText(wanted), ListText(actual));
}

void CheckLags(const std::vector<G::PartitionLag>& claims, const GroupSnapshot& group,
               MismatchList& found) {
  for (const G::PartitionLag& claim : claims) {
    const std::string name = NameOf(claim.partition);
    const auto row =
        std::find_if(group.committed.begin(), group.committed.end(),
                     [&](const auto& committed) { return committed.partition == name; });
    if (row == group.committed.end() || !row->lag.has_value()) {
      found.Add(claim.mark, "lag of " + name, "known",
                row == group.committed.end() ? "nothing is committed" : "there is no leader");
      continue;
    }
    found.CheckNumber(claim.to_high_watermark, name + " lag to the high watermark",
                      row->lag->to_high_watermark);
    found.CheckNumber(claim.to_last_stable_offset, name + " lag to the last stable offset",
                      row->lag->to_last_stable_offset);
    found.CheckNumber(claim.records, name + " lag in records", row->lag->records);
  }
}

}  // namespace

Form<std::vector<GroupExpectation>> GroupsForm() {
  const Form<G> form = GroupForm();
  return TableForm<G>(
      "groups", ".", form.schema,
      [form](const Node& key, const Node& value, Reader& reader) -> std::optional<G> {
        std::optional<G> claim = form.read(value, reader);
        if (!claim) return std::nullopt;
        claim->group_id = Name{key.text, key.mark};
        claim->mark = key.mark;
        return claim;
      });
}

std::size_t CountClaims(const GroupExpectation& claim) {
  std::size_t count =
      (claim.absent ? 1u : 0u) + (claim.state.has_value() ? 1u : 0u) +
      (claim.generation.has_value() ? 1u : 0u) + (claim.members.has_value() ? 1u : 0u) +
      (claim.coordinator.has_value() ? 1u : 0u) + (claim.assignment.has_value() ? 1u : 0u) +
      claim.committed.size() + claim.pending.size();
  for (const G::PartitionLag& lag : claim.lag) {
    count += (lag.to_high_watermark.has_value() ? 1u : 0u) +
             (lag.to_last_stable_offset.has_value() ? 1u : 0u) +
             (lag.records.has_value() ? 1u : 0u);
  }
  return count;
}

std::vector<Mismatch> CheckGroup(const GroupExpectation& claim, const Moment& moment) {
  const std::optional<GroupSnapshot> group = ViewGroup(moment, claim.group_id.value);
  MismatchList found("group " + claim.group_id.value);
  if (claim.absent || !group.has_value()) {
    if (claim.absent == group.has_value()) {
      found.Add(claim.mark, "", claim.absent ? "absent" : "known",
                group.has_value() ? group->state : "absent");
    }
    return found.Take();
  }
  found.CheckText(claim.state, "state", group->state);
  found.CheckNumber(claim.generation, "generation", group->generation);
  found.CheckNumber(claim.members, "members", static_cast<std::int64_t>(group->members.size()));
  found.CheckNumber(claim.coordinator, "coordinator", group->coordinator);
  if (claim.assignment.has_value()) CheckAssignment(*claim.assignment, *group, found);
  CheckOffsets(claim.committed, group->committed, "committed", found);
  CheckOffsets(claim.pending, group->pending, "pending", found);
  CheckLags(claim.lag, *group, found);
  return found.Take();
}

std::string ClaimText(const GroupExpectation& claim) {
  std::string text;
  const auto add = [&](std::string part) {
    text += text.empty() ? "" : "; ";
    text += std::move(part);
  };
  const auto number = [&](std::string_view what, const std::optional<NumberPattern>& pattern) {
    if (pattern.has_value()) add(fmt::format("{} {}", what, PatternText(*pattern)));
  };
  if (claim.absent) add("absent");
  if (claim.state.has_value()) add(claim.state->value);
  number("generation", claim.generation);
  number("members", claim.members);
  number("coordinator", claim.coordinator);
  if (claim.assignment.has_value()) {
    for (const G::Assignment& row : claim.assignment->value) {
      std::vector<std::string> names;
      for (const PartitionName& name : row.partitions) names.push_back(NameOf(name));
      add(fmt::format("{} has {}", row.actor.value, ListOf(std::move(names))));
    }
  }
  const auto offsets = [&](std::string_view what, const std::vector<G::PartitionOffset>& rows) {
    for (const G::PartitionOffset& row : rows) {
      add(fmt::format("{} {}={}", what, NameOf(row.partition),
                      row.offset.has_value() ? PatternText(*row.offset) : "none"));
    }
  };
  offsets("committed", claim.committed);
  offsets("pending", claim.pending);
  for (const G::PartitionLag& lag : claim.lag) {
    const std::string name = NameOf(lag.partition);
    number(name + " lag to the HW", lag.to_high_watermark);
    number(name + " lag to the LSO", lag.to_last_stable_offset);
    number(name + " lag in records", lag.records);
  }
  return fmt::format("group {}: {}", claim.group_id.value, text);
}

}  // namespace kafkasim::scenarios
