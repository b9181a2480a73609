#include "scenarios/breaks_form.h"

#include <optional>
#include <string>
#include <utility>

#include "scenarios/action_form.h"
#include "scenarios/explore_judge.h"
#include "scenarios/mapping_form.h"

namespace kafkasim::scenarios {
namespace {

Form<Name> InvariantForm() {
  const std::vector<std::string> names = ViolationNames();
  Schema schema;
  schema.choices = names;
  return Defined("invariant", NotationForm<Name>("an invariant", std::move(schema),
                                                 [names](const std::string& text, Mark mark,
                                                         Reader& reader) -> std::optional<Name> {
                                                   if (!SentenceOf(text).empty())
                                                     return Name{text, mark};
                                                   reader.Unknown(mark, "invariant", text, "",
                                                                  names);
                                                   return std::nullopt;
                                                 }));
}

Form<std::vector<Break>> InAllVariants() {
  return Map(OneOrManyForm(InvariantForm()), [](const std::vector<Name>& names) {
    std::vector<Break> breaks;
    for (const Name& name : names) breaks.push_back({.invariant = name, .only = {}});
    return breaks;
  });
}

Form<std::vector<Break>> ByVariant() {
  const Form<Name> label = VariantLabelForm();
  const Form<std::vector<Name>> names = OneOrManyForm(InvariantForm());
  const Form<std::vector<std::vector<Break>>> table = TableForm<std::vector<Break>>(
      "variants", "", names.schema,
      [label, names](const Node& key, const Node& value,
                     Reader& reader) -> std::optional<std::vector<Break>> {
        const std::optional<Name> variant = label.read(key, reader);
        const std::optional<std::vector<Name>> listed = names.read(value, reader);
        if (!variant || !listed) return std::nullopt;
        std::vector<Break> breaks;
        for (const Name& name : *listed) breaks.push_back({.invariant = name, .only = {*variant}});
        return breaks;
      });
  return Map(table, [](const std::vector<std::vector<Break>>& rows) {
    std::vector<Break> all;
    for (const std::vector<Break>& row : rows) all.insert(all.end(), row.begin(), row.end());
    return all;
  });
}

}  // namespace

Form<std::vector<Break>> BreaksForm() {
  Notations<std::vector<Break>> notations{"invariants, or {variant: invariants}"};
  notations.scalar = InAllVariants();
  notations.list = InAllVariants();
  notations.mapping = ByVariant();
  return ByKind(std::move(notations));
}

}  // namespace kafkasim::scenarios
