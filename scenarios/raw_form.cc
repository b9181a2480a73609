#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/api_catalog.h"
#include "scenarios/api_field_form.h"
#include "scenarios/mapping_form.h"
#include "scenarios/operation_form.h"
#include "scenarios/reference_form.h"
#include "scenarios/step_form.h"
#include "scenarios/vocabulary.h"

namespace kafkasim::scenarios {
namespace {

using Type = ApiField::Type;

template <typename T>
Form<RawField::Value> AsValue(Form<T> form) {
  return Map(std::move(form), [](T value) { return RawField::Value(std::move(value)); });
}

// `x` for `[x]`.
template <typename T>
Form<std::vector<T>> ListIn(FieldUse use, Form<T> item) {
  if (use == FieldUse::kRequest) return OneOrManyForm(std::move(item));
  Notations<std::vector<T>> notations{"a list"};
  notations.scalar = Map(item, [](T only) {
    std::vector<T> list;
    list.push_back(std::move(only));
    return list;
  });
  notations.list = ListForm(item);
  return ByKind(std::move(notations));
}

}  // namespace

Form<RawField::Value> FieldValueForm(Type type, FieldUse use) {
  constexpr std::int64_t kMaximum = std::numeric_limits<std::int64_t>::max();
  switch (type) {
    case Type::kBoolean:
      return AsValue(BooleanForm());
    case Type::kInteger:
      return AsValue(IntegerForm(-kMaximum, kMaximum, "a number"));
    case Type::kIntegers:
      return AsValue(ListIn(use, IntegerForm(-kMaximum, kMaximum, "a number")));
    case Type::kTransactionState:
      return AsValue(TransactionStateForm());
    case Type::kText:
      return AsValue(TextForm());
    case Type::kTransactionalId:
      return AsValue(TransactionalIdForm());
    case Type::kTopic:
      return AsValue(TopicForm());
    case Type::kIsolation:
      return AsValue(ChoiceForm<std::string>(
          "isolation level",
          {{"read_uncommitted", "read_uncommitted"}, {"read_committed", "read_committed"}}));
    case Type::kTexts:
      return AsValue(ListIn(use, TextForm()));
    case Type::kPartition:
      return AsValue(Map(PartitionForm(), [](PartitionName partition) {
        return std::vector<PartitionName>{std::move(partition)};
      }));
    case Type::kPartitions:
      return AsValue(ListIn(use, PartitionForm()));
  }
  return {};
}

namespace {

Form<RawRequest> RequestForm(const Api& api) {
  MappingForm<RawRequest> mapping{"a raw " + api.name, {}};
  mapping.fields = Together<RawRequest>(
      {Required("api", &RawRequest::api, ChoiceForm<std::string>("API", {{api.name, api.name}}),
                api.description),
       Required("to", &RawRequest::to, ProcessForm(),
                "The broker it is sent to: broker-1, leader of orders-0, coordinator of ID."),
       Optional("version", &RawRequest::version,
                IntegerForm(0, api.newest_version, "a version of " + api.name),
                "The version of the request. Default: the newest.")},
      ApiFields(api.request, &RawRequest::fields, FieldUse::kRequest));
  mapping.check = [](const Node& node, Reader& reader, RawRequest& request) {
    if (request.to.kind != ProcessName::Kind::kActor) return true;
    reader.Error(node.Find("to")->mark, "a request is sent to a broker, not to an actor");
    return false;
  };
  return Mapping(std::move(mapping));
}

std::vector<std::string> RawApiNames() {
  std::vector<std::string> names;
  for (const Api& api : RawApis()) names.push_back(api.name);
  return names;
}

std::vector<Field<RawResult>> ResultFields(const std::vector<ApiField>& fields) {
  std::vector<std::pair<std::string, std::string>> errors{{"NONE", "NONE"}};
  for (const std::string& name : ErrorNames()) errors.emplace_back(name, name);
  return Together<RawResult>({Optional("error", &RawResult::error,
                                       ChoiceForm<std::string>("error code", std::move(errors)),
                                       "Kafka's error code, or NONE.")},
                             ApiFields(fields, &RawResult::fields, FieldUse::kAnswer));
}

Form<Returns> RawReturns(Form<RawResult> form) {
  return Form<Returns>{
      form.schema, [form](const Node& node, Reader& reader) {
        std::optional<RawResult> result = form.read(node, reader);
        return result ? std::optional(Returns{std::move(*result), node.mark}) : std::nullopt;
      }};
}

}  // namespace

Form<Operation> RawRequestForm() {
  std::vector<SchemaRef> schemas;
  for (const Api& api : RawApis()) schemas.push_back(RequestForm(api).schema);
  return Form<Operation>{
      AnyOf(schemas), [](const Node& node, Reader& reader) -> std::optional<Operation> {
        const Node* name = node.Find("api");
        const Api* api = name == nullptr ? nullptr : FindRawApi(name->text);
        if (name == nullptr) {
          reader.Error(node.mark, "a raw request needs the key 'api'");
        } else if (api == nullptr) {
          reader.Unknown(name->mark, "API", name->text, "raw requests", RawApiNames());
        } else if (std::optional<RawRequest> request = RequestForm(*api).read(node, reader)) {
          return Operation(std::move(*request));
        }
        return std::nullopt;
      }};
}

Form<Returns> RawResultForm(const Api& api) {
  return RawReturns(
      Mapping<RawResult>("what " + api.name + " answers", ResultFields(api.response)));
}

Form<Returns> RawResultForm() {
  std::vector<ApiField> all;
  for (const Api& api : RawApis()) {
    for (const ApiField& field : api.response) {
      const auto same = [&](const ApiField& known) { return known.name == field.name; };
      if (std::none_of(all.begin(), all.end(), same)) all.push_back(field);
    }
  }
  return RawReturns(Mapping<RawResult>("what a raw request returns", ResultFields(all)));
}

}  // namespace kafkasim::scenarios
