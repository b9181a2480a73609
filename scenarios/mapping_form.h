// Forms of mappings. A grammar file reads like a list of what may be written:
//
//   Form<Seek> SeekForm() {
//     return Mapping<Seek>("seek", {
//         Required("partition", &Seek::partition, PartitionForm(), "The partition to move in."),
//         Required("offset", &Seek::offset, OffsetForm(), "The next offset to read."),
//     });
//   }

#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "scenarios/form.h"
#include "scenarios/reader.h"
#include "scenarios/schema.h"
#include "scenarios/shared_function.h"
#include "scenarios/spelling.h"
#include "scenarios/yaml_tree.h"

namespace kafkasim::scenarios {

// A key of a mapping that makes an X. `read` is false if it has reported an error.
template <typename X>
struct Field {
  std::string key;
  std::string description;
  bool required = false;
  SchemaRef schema;
  SharedFunction<bool(const Node&, Reader&, X&)> read;
};

// A field whose value goes into `member`, which may be an optional of the form's type.
template <typename X, typename M, typename T>
Field<X> Optional(std::string key, M X::*member, Form<T> form, std::string description) {
  return Field<X>{std::move(key), std::move(description), false, form.schema,
                  [form, member](const Node& node, Reader& reader, X& out) {
                    std::optional<T> value = form.read(node, reader);
                    if (!value) return false;
                    if constexpr (std::is_arithmetic_v<M>) {
                      out.*member = static_cast<M>(*value);
                    } else {
                      out.*member = std::move(*value);
                    }
                    return true;
                  }};
}

template <typename X, typename M, typename T>
Field<X> Required(std::string key, M X::*member, Form<T> form, std::string description) {
  Field<X> field = Optional(std::move(key), member, std::move(form), std::move(description));
  field.required = true;
  return field;
}

// A field that is handled by `take(value, node, reader, out)`, for what is more than one member.
template <typename X, typename T, typename Take>
Field<X> Taking(std::string key, Form<T> form, Take take, std::string description) {
  return Field<X>{std::move(key), std::move(description), false, form.schema,
                  [form, take](const Node& node, Reader& reader, X& out) {
                    std::optional<T> value = form.read(node, reader);
                    if (!value) return false;
                    return take(std::move(*value), node, reader, out);
                  }};
}

// Fields of a part of an X: `part` is a member pointer, or gives a reference to the part.
template <typename X, typename Part, typename M>
std::vector<Field<X>> Within(Part part, std::vector<Field<M>> fields) {
  std::vector<Field<X>> outer;
  for (Field<M>& field : fields) {
    outer.push_back(
        Field<X>{field.key, field.description, field.required, field.schema,
                 [read = std::move(field.read), part](const Node& node, Reader& reader, X& out) {
                   return read(node, reader, std::invoke(part, out));
                 }});
  }
  return outer;
}

template <typename X>
std::vector<Field<X>> Together(std::vector<Field<X>> first, std::vector<Field<X>> second) {
  for (Field<X>& field : second) first.push_back(std::move(field));
  return first;
}

// Keys that the author invents, or that are too many to list.
template <typename X>
struct OtherKeys {
  std::string pattern;  // regular expression, for the schema; empty: not part of the language
  std::string description;
  SchemaRef schema;
  // Whether this key is one of them; if not, it is an unknown key.
  std::function<bool(const std::string& key, const Reader&)> accepts;
  std::function<bool(const Node& key, const Node& value, Reader&, X&)> read;
  // Likely keys of this kind, for suggestions.
  std::function<std::vector<std::string>(const Reader&)> examples;
};

template <typename X>
struct MappingForm {
  std::string what;  // for errors: "unknown key 'x' in `what`"
  std::vector<Field<X>> fields{};
  std::optional<OtherKeys<X>> others{};
  std::function<bool(const Node&, Reader&, X&)> check{};  // of the whole, once all fields are read

  std::optional<X> Read(const Node& node, Reader& reader) const {
    if (!node.is_mapping()) {
      reader.Expected(node, "a mapping for " + what);
      return std::nullopt;
    }
    X out{};
    if constexpr (requires { out.mark = node.mark; }) out.mark = node.mark;
    bool good = ReadFields(node, reader, out);
    good &= ReadOthers(node, reader, out);
    if (good && check) good = check(node, reader, out);
    return good ? std::optional<X>(std::move(out)) : std::nullopt;
  }

  // Fields are read in the order of their declaration, so that one may use names that an earlier
  // one has declared.
  bool ReadFields(const Node& node, Reader& reader, X& out) const {
    bool good = true;
    for (const Field<X>& field : fields) {
      if (const Node* value = node.Find(field.key)) {
        good &= field.read(*value, reader, out);
      } else if (field.required && Misspelt(field.key, node, reader)) {
        good = false;  // which is reported with the other keys
      } else if (field.required) {
        reader.Error(node.mark, what + " needs the key '" + field.key + "'");
        good = false;
      }
    }
    return good;
  }

  // Whether an unknown key of the node stands for this one.
  bool Misspelt(const std::string& key, const Node& node, const Reader& reader) const {
    return std::any_of(node.entries.begin(), node.entries.end(), [&](const NodeEntry& entry) {
      return !IsKnown(entry.key.text, reader) && ClosestTo(entry.key.text, Keys(reader)) == key;
    });
  }

  bool IsField(const std::string& key) const {
    return std::any_of(fields.begin(), fields.end(),
                       [&](const Field<X>& field) { return field.key == key; });
  }
  bool IsKnown(const std::string& key, const Reader& reader) const {
    return IsField(key) || (others && others->accepts(key, reader));
  }

  bool ReadOthers(const Node& node, Reader& reader, X& out) const {
    bool good = true;
    for (const NodeEntry& entry : node.entries) {
      const std::string& key = entry.key.text;
      if (IsField(key)) continue;
      if (IsKnown(key, reader)) {
        good &= others->read(entry.key, entry.value, reader, out);
      } else {
        reader.Unknown(entry.key.mark, "key", key, what, Keys(reader));
        good = false;
      }
    }
    return good;
  }

  std::vector<std::string> Keys(const Reader& reader) const {
    std::vector<std::string> keys;
    for (const Field<X>& field : fields) keys.push_back(field.key);
    if (others && others->examples) {
      for (std::string& key : others->examples(reader)) keys.push_back(std::move(key));
    }
    return keys;
  }

  SchemaRef MakeSchema() const {
    Schema schema;
    schema.types = {"object"};
    for (const Field<X>& field : fields) {
      schema.properties.push_back({field.key, field.schema, field.description, field.required});
    }
    if (others && !others->pattern.empty())
      schema.key_patterns.push_back({others->pattern, others->schema, others->description});
    return std::make_shared<const Schema>(std::move(schema));
  }
};

template <typename X>
Form<X> Mapping(MappingForm<X> mapping) {
  const SchemaRef schema = mapping.MakeSchema();
  const auto shared = std::make_shared<const MappingForm<X>>(std::move(mapping));
  return Form<X>{schema,
                 [shared](const Node& node, Reader& reader) { return shared->Read(node, reader); }};
}

template <typename X>
Form<X> Mapping(std::string what, std::vector<Field<X>> fields) {
  return Mapping(MappingForm<X>{std::move(what), std::move(fields)});
}

// Several forms told apart by the one key that each has to have.
template <typename T>
struct Alternative {
  std::string key;
  Form<T> form;
};

// The alternative whose key the mapping has; `otherwise`, if given, reads a mapping with none of
// them. `what` names the thing in errors: "a step".
template <typename T>
Form<T> ByKey(std::string what, std::vector<Alternative<T>> alternatives, Form<T> otherwise = {}) {
  std::vector<SchemaRef> schemas;
  for (const Alternative<T>& alternative : alternatives) schemas.push_back(alternative.form.schema);
  if (otherwise.schema) schemas.push_back(otherwise.schema);
  return Form<T>{
      AnyOf(schemas),
      [what, alternatives, otherwise](const Node& node, Reader& reader) -> std::optional<T> {
        const Alternative<T>* chosen = nullptr;
        std::vector<std::string> keys;
        for (const Alternative<T>& alternative : alternatives) {
          keys.push_back(alternative.key);
          if (node.Find(alternative.key) == nullptr) continue;
          if (chosen != nullptr) {
            reader.Error(node.mark, what + " is one thing only: this has both " +
                                        Quote(chosen->key) + " and " + Quote(alternative.key));
            return std::nullopt;
          }
          chosen = &alternative;
        }
        if (chosen != nullptr) return chosen->form.read(node, reader);
        if (node.is_mapping() && otherwise.read) return otherwise.read(node, reader);
        if (node.is_mapping() && !node.entries.empty()) {
          const Node& key = node.entries[0].key;
          reader.Unknown(key.mark, "key", key.text, what, keys);
        } else {
          reader.Expected(node, "a mapping for " + what);
        }
        return std::nullopt;
      }};
}

// A mapping from names that the author chooses to values: one T for each entry, made by
// `read(key, value, reader)`.
template <typename T, typename Read>
Form<std::vector<T>> TableForm(std::string what, std::string key_pattern, SchemaRef value_schema,
                               Read read) {
  Schema schema;
  schema.types = {"object"};
  schema.key_patterns.push_back({std::move(key_pattern), std::move(value_schema), ""});
  return Form<std::vector<T>>{
      std::make_shared<const Schema>(std::move(schema)),
      [what, read](const Node& node, Reader& reader) -> std::optional<std::vector<T>> {
        if (!node.is_mapping()) {
          reader.Expected(node, "a mapping for " + what);
          return std::nullopt;
        }
        std::vector<T> values;
        for (const NodeEntry& entry : node.entries) {
          std::optional<T> value = read(entry.key, entry.value, reader);
          if (value) values.push_back(std::move(*value));
        }
        if (values.size() != node.entries.size()) return std::nullopt;
        return values;
      }};
}

}  // namespace kafkasim::scenarios
