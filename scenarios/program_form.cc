#include "scenarios/program_form.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "scenarios/mapping_form.h"
#include "scenarios/program_verbs.h"
#include "scenarios/vocabulary.h"

namespace kafkasim::scenarios {
namespace {

using LineWhat = decltype(ProgramLine::what);
using Lines = std::vector<ProgramLine>;

std::optional<Lines> ReadLines(const Node& node, Reader& reader);

// Lines may hold lines; the schema of those inside refers to the one that is written.
SchemaRef InnerLinesSchema() {
  Schema schema;
  schema.name = "program";
  return std::make_shared<const Schema>(std::move(schema));
}

// How a line that holds others is written: `loop: [...]`, or `times: 3` with `do:` beside it.
struct BlockVerb {
  std::string name;
  ProgramBlock block;  // without its lines
  bool with_do = false;
  std::string description;
  SchemaRef schema{};  // of the value, if the lines stand in `do:`
};

SchemaRef RoundsSchema() {
  Schema schema;
  schema.types = {"integer"};
  schema.minimum = 1;
  return std::make_shared<const Schema>(std::move(schema));
}

SchemaRef RecordSchema() {
  Schema schema;
  schema.choices = {"record"};
  return std::make_shared<const Schema>(std::move(schema));
}

const std::vector<BlockVerb>& BlockVerbs() {
  using Kind = client::Block::Kind;
  using Condition = client::Block::Condition;
  const auto block = [](Kind kind, Condition condition = Condition::kRecords) {
    ProgramBlock made;
    made.kind = kind;
    made.condition = condition;
    return made;
  };
  const auto when = [&](Condition condition) { return block(Kind::kIf, condition); };
  static const std::vector<BlockVerb> verbs = {
      {"loop", block(Kind::kLoop), false, "Again and again, for ever."},
      {"times", block(Kind::kTimes), true, "So many times what stands in do.", RoundsSchema()},
      {"for_each", block(Kind::kForEach), true,
       "For each record of the last poll what stands in do: {for_each: record, do: [...]}.",
       RecordSchema()},
      {"if_records", when(Condition::kRecords), false, "If the last poll gave records."},
      {"unless_records", when(Condition::kNoRecords), false, "If the last poll gave none."},
      {"if_in_transaction", when(Condition::kInTransaction), false,
       "If the producer's transaction is open."},
      {"unless_in_transaction", when(Condition::kNotInTransaction), false,
       "If the producer has no open transaction."},
  };
  return verbs;
}

const BlockVerb* FindBlockVerb(const std::string& name) {
  const auto found = std::find_if(BlockVerbs().begin(), BlockVerbs().end(),
                                  [&](const BlockVerb& verb) { return verb.name == name; });
  return found == BlockVerbs().end() ? nullptr : &*found;
}

const ProgramVerb* FindLeafVerb(const std::string& name) {
  const auto found = std::find_if(LeafVerbs().begin(), LeafVerbs().end(),
                                  [&](const ProgramVerb& verb) { return verb.name == name; });
  return found == LeafVerbs().end() ? nullptr : &*found;
}

// What stands before the `do:`.
bool ReadRounds(const Node& value, Reader& reader, ProgramBlock& block) {
  if (block.kind == client::Block::Kind::kTimes) {
    const auto times = IntegerForm(1, 1'000'000, "a number of times").read(value, reader);
    if (times) block.times = *times;
    return times.has_value();
  }
  if (value.is_scalar() && value.text == "record") return true;
  reader.Error(value.mark, "a program goes through records: write for_each: record");
  return false;
}

std::optional<LineWhat> ReadBlock(const BlockVerb& verb, const Node& node, const NodeEntry& head,
                                  Reader& reader) {
  ProgramBlock block = verb.block;
  const Node* inside = node.Find("do");
  if (!verb.with_do) {
    if (inside != nullptr) {
      reader.Error(inside->mark, Quote(verb.name) + " has its lines right behind it, not in do");
      return std::nullopt;
    }
    inside = &head.value;
  } else if (!ReadRounds(head.value, reader, block)) {
    return std::nullopt;
  } else if (inside == nullptr) {
    reader.Error(head.key.mark, Quote(verb.name) + " needs do: [...] beside it");
    return std::nullopt;
  }
  std::optional<Lines> lines = ReadLines(*inside, reader);
  if (!lines) return std::nullopt;
  block.lines = std::move(*lines);
  return LineWhat(std::move(block));
}

std::optional<LineWhat> ReadLeaf(const ProgramVerb& verb, const Node& name, const Node* arguments,
                                 Reader& reader) {
  if (arguments == nullptr) {
    if (verb.bare) return verb.bare;
    reader.Error(name.mark, verb.name + " needs arguments: " + verb.example);
    return std::nullopt;
  }
  if (verb.arguments.read) return verb.arguments.read(*arguments, reader);
  reader.Error(arguments->mark, verb.name + " takes no arguments; write the word alone");
  return std::nullopt;
}

void UnknownVerb(const Node& name, Reader& reader) {
  reader.Unknown(name.mark, "verb", name.text, "a program", ProgramVerbs());
}

std::optional<ProgramLine> ReadMapping(const Node& node, Reader& reader) {
  const auto is_head = [](const NodeEntry& entry) { return entry.key.text != "do"; };
  const auto head = std::find_if(node.entries.begin(), node.entries.end(), is_head);
  if (head == node.entries.end()) {
    reader.Error(node.mark, "a line of a program begins with a verb");
    return std::nullopt;
  }
  const auto second = std::find_if(head + 1, node.entries.end(), is_head);
  if (second != node.entries.end()) {
    reader.Error(second->key.mark,
                 "a line does one thing: " + Quote(second->key.text) + " needs a line of its own");
    return std::nullopt;
  }
  ProgramLine line;
  line.verb = head->key.text;
  line.mark = head->key.mark;
  std::optional<LineWhat> what;
  if (const BlockVerb* block = FindBlockVerb(line.verb)) {
    what = ReadBlock(*block, node, *head, reader);
  } else if (const ProgramVerb* leaf = FindLeafVerb(line.verb)) {
    if (const Node* inside = node.Find("do")) {
      reader.Error(inside->mark, Quote(line.verb) + " has no do");
      return std::nullopt;
    }
    what = ReadLeaf(*leaf, head->key, &head->value, reader);
  } else {
    UnknownVerb(head->key, reader);
  }
  if (!what) return std::nullopt;
  line.what = std::move(*what);
  return line;
}

std::optional<ProgramLine> ReadLine(const Node& node, Reader& reader) {
  if (node.is_mapping()) return ReadMapping(node, reader);
  if (!node.is_scalar() || node.is_null()) {
    reader.Expected(node, "a line of a program: a verb, alone or with its arguments");
    return std::nullopt;
  }
  const ProgramVerb* verb = FindLeafVerb(node.text);
  if (verb == nullptr) {
    if (FindBlockVerb(node.text) == nullptr) {
      UnknownVerb(node, reader);
    } else {
      reader.Error(node.mark, Quote(node.text) + " needs lines to run");
    }
    return std::nullopt;
  }
  std::optional<LineWhat> what = ReadLeaf(*verb, node, nullptr, reader);
  if (!what) return std::nullopt;
  return ProgramLine{.what = std::move(*what), .verb = verb->name, .mark = node.mark};
}

std::optional<Lines> ReadLines(const Node& node, Reader& reader) {
  if (!node.is_sequence() || node.items.empty()) {
    reader.Expected(node, "a list of lines of a program");
    return std::nullopt;
  }
  Lines lines;
  for (const Node& item : node.items) {
    if (std::optional<ProgramLine> line = ReadLine(item, reader)) {
      lines.push_back(std::move(*line));
    }
  }
  if (lines.size() != node.items.size()) return std::nullopt;
  return lines;
}

SchemaRef LineSchema() {
  Schema bare;
  Schema full;
  full.types = {"object"};
  full.min_properties = 1;
  full.max_properties = 2;
  for (const ProgramVerb& verb : LeafVerbs()) {
    if (verb.bare) bare.choices.push_back(verb.name);
    if (verb.arguments.read) {
      full.properties.push_back({verb.name, verb.arguments.schema, verb.description, false});
    }
  }
  for (const BlockVerb& verb : BlockVerbs()) {
    full.properties.push_back(
        {verb.name, verb.with_do ? verb.schema : InnerLinesSchema(), verb.description, false});
  }
  full.properties.push_back({"do", InnerLinesSchema(), "What times and for_each run.", false});
  return AnyOf({std::make_shared<const Schema>(std::move(bare)),
                std::make_shared<const Schema>(std::move(full))});
}

SchemaRef LinesSchema() {
  Schema schema;
  schema.types = {"array"};
  schema.items = LineSchema();
  schema.min_items = 1;
  return Named("program", std::make_shared<const Schema>(std::move(schema)));
}

bool IsException(const std::string& word) {
  const std::vector<std::string>& names = ExceptionNames();
  return std::find(names.begin(), names.end(), word) != names.end();
}

// The words for what an application may do about an error (KIP-1050).
const std::vector<std::pair<std::string, client::ErrorClass>>& Classes() {
  static const std::vector<std::pair<std::string, client::ErrorClass>> classes = [] {
    std::vector<std::pair<std::string, client::ErrorClass>> all;
    for (const client::ErrorClass each :
         {client::ErrorClass::kRetriable, client::ErrorClass::kAbortable,
          client::ErrorClass::kFatal, client::ErrorClass::kMisuse}) {
      all.emplace_back(client::Name(each), each);
    }
    return all;
  }();
  return classes;
}

std::optional<client::ErrorHandler> ReadPattern(const Node& key, Reader& reader) {
  using Catches = client::ErrorHandler::Catches;
  client::ErrorHandler handler{.text = key.text};
  if (key.text == "any") return handler;
  std::vector<std::string> known{"any"};
  for (const auto& [word, error_class] : Classes()) {
    known.push_back(word);
    if (key.text != word) continue;
    handler.catches = Catches::kClass;
    handler.error_class = error_class;
    return handler;
  }
  if (const auto code = broker::ErrorCodeFromName(key.text)) {
    handler.catches = Catches::kCode;
    handler.code = *code;
    return handler;
  }
  if (IsException(key.text)) {
    handler.catches = Catches::kException;
    handler.exception = key.text;
    return handler;
  }
  for (const std::string& name : ErrorNames()) known.push_back(name);
  for (const std::string& name : ExceptionNames()) known.push_back(name);
  reader.Unknown(key.mark, "error", key.text, "on_error", known);
  return std::nullopt;
}

}  // namespace

std::vector<std::string> ProgramVerbs() {
  std::vector<std::string> names;
  for (const BlockVerb& verb : BlockVerbs()) names.push_back(verb.name);
  for (const ProgramVerb& verb : LeafVerbs()) names.push_back(verb.name);
  return names;
}

Form<Lines> ProgramLinesForm() {
  static const SchemaRef schema = LinesSchema();
  return Form<Lines>{schema, ReadLines};
}

Form<std::vector<ProgramHandler>> ProgramHandlersForm() {
  // One line may stand without its list.
  return TableForm<ProgramHandler>(
      "on_error", ".", AnyOf({ProgramLinesForm().schema, LineSchema()}),
      [](const Node& key, const Node& value, Reader& reader) -> std::optional<ProgramHandler> {
        std::optional<client::ErrorHandler> pattern = ReadPattern(key, reader);
        std::optional<Lines> lines;
        if (value.is_sequence()) {
          lines = ReadLines(value, reader);
        } else if (std::optional<ProgramLine> line = ReadLine(value, reader)) {
          lines.emplace();
          lines->push_back(std::move(*line));
        }
        if (!pattern || !lines) return std::nullopt;
        return ProgramHandler{std::move(*pattern), std::move(*lines), key.mark};
      });
}

}  // namespace kafkasim::scenarios
