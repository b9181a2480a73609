#include "scenarios/outside_claims.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "scenarios/decimal.h"
#include "scenarios/operation_form.h"
#include "scenarios/outcome_check.h"
#include "scenarios/pattern_match.h"
#include "scenarios/reference_form.h"
#include "scenarios/vocabulary.h"

namespace kafkasim::scenarios {
namespace {

Form<ActorExpectation::RowPattern> RowPatternForm() {
  using Cell = std::pair<std::string, std::string>;
  const Form<std::string> text = TextForm();
  return TableForm<Cell>(
      "a row", kNamePattern, text.schema,
      [text](const Node& key, const Node& value, Reader& reader) -> std::optional<Cell> {
        const std::optional<std::string> read = text.read(value, reader);
        return read ? std::optional(Cell{key.text, *read}) : std::nullopt;
      });
}

Form<std::vector<ActorExpectation::ColumnSum>> SumsForm() {
  Schema schema;
  schema.types = {"number", "string"};
  const Form<std::int64_t> amount = NotationForm<std::int64_t>(
      "an amount such as 15.00", std::move(schema),
      [](const std::string& text, Mark mark, Reader& reader) {
        const std::optional<std::int64_t> read = ParseMillionths(text);
        if (!read)
          reader.Error(mark, "expected an amount such as 15.00, of at most twelve digits, found " +
                                 Quote(text));
        return read;
      });
  return TableForm<ActorExpectation::ColumnSum>(
      "sums", kNamePattern, amount.schema,
      [amount](const Node& key, const Node& value,
               Reader& reader) -> std::optional<ActorExpectation::ColumnSum> {
        const std::optional<std::int64_t> read = amount.read(value, reader);
        if (!read) return std::nullopt;
        return ActorExpectation::ColumnSum{key.text, *read, value.text, key.mark};
      });
}

Form<std::string> ProgramStateForm() {
  std::vector<std::pair<std::string, std::string>> choices;
  for (const std::string& word : ProgramStates()) choices.emplace_back(word, word);
  return ChoiceForm<std::string>("state of a program", std::move(choices));
}

std::string_view CellOf(const client::Row& row, std::string_view column) {
  const auto cell =
      std::find_if(row.begin(), row.end(), [&](const auto& c) { return c.first == column; });
  return cell == row.end() ? std::string_view() : cell->second;
}

bool RowFits(const ActorExpectation::RowPattern& pattern, const client::Row& row) {
  return std::all_of(pattern.begin(), pattern.end(),
                     [&](const auto& cell) { return CellOf(row, cell.first) == cell.second; });
}

std::string RowsText(const std::vector<client::Row>& rows) {
  std::vector<std::string> texts;
  for (const client::Row& row : rows) texts.push_back("{" + client::RowText(row) + "}");
  return ListText(texts);
}

void CheckRows(const ActorExpectation& claim, const ActorView& view, MismatchList& found) {
  if (!claim.rows.has_value()) return;
  const std::vector<ActorExpectation::RowPattern>& wanted = claim.rows->value;
  if (!std::equal(wanted.begin(), wanted.end(), view.rows.begin(), view.rows.end(), RowFits)) {
    found.Add(claim.rows->mark, "rows", RowsText(wanted), RowsText(view.rows));
  }
}

void CheckSum(const ActorExpectation::ColumnSum& sum, const ActorView& view, MismatchList& found) {
  const std::string what = "sum of " + sum.column;
  std::int64_t total = 0;
  for (const client::Row& row : view.rows) {
    const std::string_view cell = CellOf(row, sum.column);
    const std::optional<std::int64_t> amount =
        cell.empty() ? std::optional<std::int64_t>(0) : ParseMillionths(cell);
    if (!amount.has_value()) {
      return found.Add(sum.mark, what, sum.text,
                       fmt::format("none: {} is no amount of at most twelve digits", Quote(cell)));
    }
    if (__builtin_add_overflow(total, *amount, &total)) {
      return found.Add(sum.mark, what, sum.text, "more than twelve digits");
    }
  }
  if (total != sum.millionths) found.Add(sum.mark, what, sum.text, MillionthsText(total));
}

}  // namespace

std::vector<Field<ActorExpectation>> OutsideFields() {
  return {Optional("program", &ActorExpectation::program, WithMark(ProgramStateForm()),
                   "Where an application is: idle, running, closing, through or crashed."),
          Optional("error", &ActorExpectation::error, FailureForm(),
                   "The exception that an application died of."),
          Optional("rows", &ActorExpectation::rows, WithMark(ListForm(RowPatternForm())),
                   "All rows of a store, in the order of their first insert."),
          Optional("sum", &ActorExpectation::sums, SumsForm(),
                   "Over all rows of a store: {amount: 30.00}."),
          Optional("refused", &ActorExpectation::refused, NumberForm(),
                   "How many inserts a store's unique constraint has refused."),
          Optional("calls", &ActorExpectation::calls, NumberForm(),
                   "How many calls have reached an API."),
          Optional("effects", &ActorExpectation::effects, NumberForm(),
                   "How many of them had an effect.")};
}

bool CheckOutsideClaims(const ActorExpectation& claim, const Names::Actor& actor, Reader& reader) {
  const bool of_store = claim.rows.has_value() || !claim.sums.empty() || claim.refused.has_value();
  const bool of_api = claim.calls.has_value() || claim.effects.has_value();
  const bool of_program = claim.program.has_value() || claim.error.has_value();
  const char* problem = nullptr;
  if (of_store && actor.role != ActorSpec::Role::kStore) {
    problem = " is no store: it has no rows";
  } else if (of_api && actor.role != ActorSpec::Role::kApi) {
    problem = " is no API: it is not called";
  } else if (of_program && !actor.has_program) {
    problem = " has no program";
  }
  if (problem != nullptr) reader.Error(claim.mark, Quote(actor.name) + problem);
  return problem == nullptr;
}

std::size_t CountOutsideClaims(const ActorExpectation& claim) {
  const auto one = [](bool there) { return std::size_t{there ? 1u : 0u}; };
  return one(claim.program.has_value()) + one(claim.error.has_value()) +
         one(claim.rows.has_value()) + claim.sums.size() + one(claim.refused.has_value()) +
         one(claim.calls.has_value()) + one(claim.effects.has_value());
}

void CheckOutside(const ActorExpectation& claim, const ActorView& view, MismatchList& found) {
  found.CheckText(claim.program, "program", view.program.has_value() ? view.program->state : "");
  if (claim.error.has_value()) {
    const client::ApiError error =
        view.program.has_value() ? view.program->uncaught : client::ApiError{};
    for (Mismatch& mismatch : CheckFailure(*claim.error, error)) {
      found.Add(mismatch.mark, "error", std::move(mismatch.expected),
                error.ok() ? "has not died of an exception" : std::move(mismatch.actual),
                std::move(mismatch.reason));
    }
  }
  CheckRows(claim, view, found);
  for (const ActorExpectation::ColumnSum& sum : claim.sums) CheckSum(sum, view, found);
  found.CheckNumber(claim.refused, "refused", view.refused);
  found.CheckNumber(claim.calls, "calls", view.calls);
  found.CheckNumber(claim.effects, "effects", static_cast<std::int64_t>(view.effects.size()));
}

std::vector<std::string> OutsideTexts(const ActorExpectation& claim) {
  std::vector<std::string> texts;
  const auto number = [&](const char* name, const std::optional<NumberPattern>& pattern) {
    if (pattern.has_value()) texts.push_back(fmt::format("{} {}", name, PatternText(*pattern)));
  };
  if (claim.program.has_value()) texts.push_back("program " + claim.program->value);
  if (claim.error.has_value()) texts.push_back("died of " + FailureName(*claim.error));
  if (claim.rows.has_value()) texts.push_back("rows " + RowsText(claim.rows->value));
  for (const ActorExpectation::ColumnSum& sum : claim.sums) {
    texts.push_back(fmt::format("sum of {} {}", sum.column, sum.text));
  }
  number("refused", claim.refused);
  number("calls", claim.calls);
  number("effects", claim.effects);
  return texts;
}

}  // namespace kafkasim::scenarios
