// Forms: how a value of the language is written. One declaration both reads the YAML node, with all
// errors reported, and describes it as JSON Schema, so that the two cannot drift apart. Here are
// the scalars and the ways to build forms from forms; mapping_form.h has the mappings.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "scenarios/mark.h"
#include "scenarios/reader.h"
#include "scenarios/schema.h"
#include "scenarios/shared_function.h"
#include "scenarios/yaml_tree.h"

namespace kafkasim::scenarios {

// How a T is written. `read` gives nullopt exactly if it has reported an error.
template <typename T>
struct Form {
  SchemaRef schema;
  SharedFunction<std::optional<T>(const Node&, Reader&)> read;
};

// --- Scalars -----------------------------------------------------------------------------------

// Any text; a bare number or truth value is taken as it is written.
Form<std::string> TextForm();

// A word of letters, digits, `_` and `-` that begins with a letter or `_`: a name the author gives.
Form<std::string> WordForm(std::string description);

Form<bool> BooleanForm();

// A whole number within bounds; `what` names it in errors: "an offset".
Form<std::int64_t> IntegerForm(std::int64_t minimum, std::int64_t maximum, std::string what);
Form<std::int64_t> OffsetForm();
Form<std::int64_t> CountForm();  // 1 or more

// `60s`, `1.5ms`, `10min`; in microseconds.
Form<std::int64_t> DurationForm();

// One of some words, with what each stands for. `what` is singular, for errors: "point".
template <typename T>
Form<T> ChoiceForm(std::string what, std::vector<std::pair<std::string, T>> choices) {
  Schema schema;
  for (const auto& choice : choices) schema.choices.push_back(choice.first);
  return Form<T>{std::make_shared<const Schema>(std::move(schema)),
                 [what, choices](const Node& node, Reader& reader) -> std::optional<T> {
                   std::vector<std::string> words;
                   for (const auto& [word, value] : choices) {
                     if (node.is_scalar() && node.text == word) return value;
                     words.push_back(word);
                   }
                   if (!node.is_scalar() || node.is_null()) {
                     reader.Expected(node, "one of " + Listing(words));
                   } else {
                     reader.Unknown(node.mark, what, node.text, "", words);
                   }
                   return std::nullopt;
                 }};
}

// --- Building forms from forms -------------------------------------------------------------------

// The same notation for another type.
template <typename T, typename Function>
auto Map(Form<T> form, Function function) {
  using U = std::decay_t<std::invoke_result_t<Function, T>>;
  return Form<U>{form.schema, [form, function](const Node& node, Reader& reader) {
                   std::optional<T> value = form.read(node, reader);
                   return value ? std::optional<U>(function(std::move(*value))) : std::nullopt;
                 }};
}

// The value together with its place.
template <typename T>
Form<Marked<T>> WithMark(Form<T> form) {
  return Form<Marked<T>>{form.schema,
                         [form](const Node& node, Reader& reader) -> std::optional<Marked<T>> {
                           std::optional<T> value = form.read(node, reader);
                           if (!value) return std::nullopt;
                           return Marked<T>{std::move(*value), node.mark};
                         }};
}

// What a scalar is, read from its text: `parse(text, mark, reader)` gives an optional<T>.
template <typename T, typename Parse>
Form<T> NotationForm(std::string what, Schema schema, Parse parse) {
  if (schema.types.empty()) schema.types = {"string"};
  return Form<T>{std::make_shared<const Schema>(std::move(schema)),
                 [what, parse](const Node& node, Reader& reader) -> std::optional<T> {
                   if (!node.is_scalar() || node.is_null()) {
                     reader.Expected(node, what);
                     return std::nullopt;
                   }
                   return parse(node.text, node.mark, reader);
                 }};
}

template <typename T>
Form<std::vector<T>> ListForm(Form<T> item) {
  Schema schema;
  schema.types = {"array"};
  schema.items = item.schema;
  return Form<std::vector<T>>{
      std::make_shared<const Schema>(std::move(schema)),
      [item](const Node& node, Reader& reader) -> std::optional<std::vector<T>> {
        if (!node.is_sequence()) {
          reader.Expected(node, "a list");
          return std::nullopt;
        }
        std::vector<T> values;
        for (const Node& child : node.items) {
          if (std::optional<T> value = item.read(child, reader))
            values.push_back(std::move(*value));
        }
        if (values.size() != node.items.size()) return std::nullopt;
        return values;
      }};
}

// A list that is not empty.
template <typename T>
Form<std::vector<T>> FilledListForm(Form<T> item) {
  const Form<std::vector<T>> list = ListForm(item);
  Schema schema = *list.schema;
  schema.min_items = 1;
  return Form<std::vector<T>>{
      std::make_shared<const Schema>(std::move(schema)),
      [list](const Node& node, Reader& reader) -> std::optional<std::vector<T>> {
        if (!node.is_sequence() || !node.items.empty()) return list.read(node, reader);
        reader.Error(node.mark, "an empty list says nothing; at least one has to be there");
        return std::nullopt;
      }};
}

// `x` for `[x]`; the list is not empty.
template <typename T>
Form<std::vector<T>> OneOrManyForm(Form<T> item) {
  const Form<std::vector<T>> list = FilledListForm(item);
  return Form<std::vector<T>>{
      AnyOf({item.schema, list.schema}),
      [item, list](const Node& node, Reader& reader) -> std::optional<std::vector<T>> {
        if (node.is_sequence()) return list.read(node, reader);
        std::optional<T> value = item.read(node, reader);
        if (!value) return std::nullopt;
        std::vector<T> values;
        values.push_back(std::move(*value));
        return values;
      }};
}

// A different notation for each kind of node: `short_form` for a scalar, `list` for a sequence,
// `full` for a mapping. A form without a reader means that this kind is not accepted.
template <typename T>
struct Notations {
  std::string what;  // "a log entry"
  Form<T> scalar{};
  Form<T> list{};
  Form<T> mapping{};
};

template <typename T>
Form<T> ByKind(Notations<T> notations) {
  std::vector<SchemaRef> alternatives;
  for (const Form<T>* form : {&notations.scalar, &notations.list, &notations.mapping}) {
    if (form->read) alternatives.push_back(form->schema);
  }
  return Form<T>{alternatives.size() == 1 ? alternatives[0] : AnyOf(alternatives),
                 [notations](const Node& node, Reader& reader) -> std::optional<T> {
                   const Form<T>& form = node.is_mapping()    ? notations.mapping
                                         : node.is_sequence() ? notations.list
                                                              : notations.scalar;
                   if (!form.read || node.is_null()) {
                     reader.Expected(node, notations.what);
                     return std::nullopt;
                   }
                   return form.read(node, reader);
                 }};
}

// `form` under a name in the schema.
template <typename T>
Form<T> Defined(std::string name, Form<T> form) {
  form.schema = Named(std::move(name), form.schema);
  return form;
}

}  // namespace kafkasim::scenarios
