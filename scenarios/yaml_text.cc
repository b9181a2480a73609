#include "scenarios/yaml_text.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

namespace kafkasim::scenarios {
namespace {

constexpr std::size_t kWidth = 100;

// Whether YAML takes the words as they stand, everywhere in a file.
bool IsPlain(std::string_view text) {
  constexpr std::string_view kIndicators = "!&*|>@%`'# ";
  constexpr std::string_view kNowhere = "{}[],\"\\";
  if (text.empty() || kIndicators.find(text.front()) != std::string_view::npos) return false;
  if (text.back() == ' ' || text.back() == ':') return false;
  // `-1` is a number, `- 1` a list.
  const bool may_be_list = std::string_view("-?:").find(text.front()) != std::string_view::npos;
  if (may_be_list && (text.size() == 1 || text[1] == ' ')) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < ' ' || c == 0x7f || kNowhere.find(text[i]) != std::string_view::npos) return false;
    const char next = i + 1 < text.size() ? text[i + 1] : ' ';
    if ((text[i] == ':' && next == ' ') || (text[i] == '#' && text[i - 1] == ' ')) return false;
  }
  return text != "---" && text != "..." && text != "<<";
}

// Whether a plain scalar would be read as something else than words.
bool IsNoWord(std::string_view text) {
  Node node;
  node.text = text;
  return node.is_null() || node.AsInteger().has_value() || node.AsBoolean().has_value();
}

std::string InQuotes(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (c == '\n') {
      quoted += "\\n";
    } else if (c == '\t') {
      quoted += "\\t";
    } else if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) {
      quoted += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string ScalarText(const Node& node) {
  if (!node.quoted)
    return node.text.empty() || IsPlain(node.text) ? node.text : InQuotes(node.text);
  return IsPlain(node.text) && !IsNoWord(node.text) ? node.text : InQuotes(node.text);
}

// On one line: `{a: 1, b: [c]}`.
std::string FlowText(const Node& node) {
  std::string text;
  const auto separate = [&] {
    if (!text.empty()) text += ", ";
  };
  if (node.is_sequence()) {
    for (const Node& item : node.items) {
      separate();
      text += FlowText(item);
    }
    return '[' + text + ']';
  }
  if (node.is_mapping()) {
    for (const NodeEntry& entry : node.entries) {
      separate();
      text += ScalarText(entry.key) + ": " + FlowText(entry.value);
    }
    return '{' + text + '}';
  }
  return ScalarText(node);
}

int DepthOf(const Node& node) {
  int depth = 0;
  for (const Node& item : node.items) depth = std::max(depth, DepthOf(item));
  for (const NodeEntry& entry : node.entries) depth = std::max(depth, DepthOf(entry.value));
  return node.is_scalar() ? 0 : depth + 1;
}

// Whether people would write it on one line.
bool IsShort(const Node& node, std::size_t column) {
  constexpr int kDeepest = 3;
  if (node.is_scalar()) return true;
  const auto is_list_of_lists = [](const NodeEntry& entry) {
    return entry.value.is_sequence() && DepthOf(entry.value) > 1;
  };
  const bool holds_lists =
      std::any_of(node.entries.begin(), node.entries.end(), is_list_of_lists) ||
      (node.is_sequence() && DepthOf(node) > 1);
  return node.items.empty() && node.entries.empty()
             ? true
             : DepthOf(node) < kDeepest && !holds_lists && column + FlowText(node).size() <= kWidth;
}

void Write(const Node& node, std::size_t indent, std::string& out);

void WriteEntries(const Node& node, std::size_t indent, bool continues, std::string& out) {
  for (const NodeEntry& entry : node.entries) {
    if (!std::exchange(continues, false)) out += std::string(indent, ' ');
    const std::string key = ScalarText(entry.key) + ':';
    out += key;
    if (IsShort(entry.value, indent + key.size() + 1) && indent > 0) {
      const std::string value = FlowText(entry.value);
      out += (value.empty() ? "" : " ") + value + '\n';
    } else if (entry.value.is_scalar()) {
      out += ' ' + ScalarText(entry.value) + '\n';
    } else if (entry.value.items.empty() && entry.value.entries.empty()) {
      out += ' ' + FlowText(entry.value) + '\n';
    } else {
      out += '\n';
      Write(entry.value, entry.value.is_sequence() ? indent : indent + 2, out);
    }
  }
}

void Write(const Node& node, std::size_t indent, std::string& out) {
  if (node.is_mapping()) {
    WriteEntries(node, indent, /*continues=*/false, out);
    return;
  }
  for (const Node& item : node.items) {
    out += std::string(indent, ' ') + "- ";
    if (item.is_mapping() && (item.entries.size() > 1 || !IsShort(item, indent + 2))) {
      WriteEntries(item, indent + 2, /*continues=*/true, out);
    } else if (item.is_mapping()) {
      const NodeEntry& only = item.entries.front();
      out += ScalarText(only.key) + ": " + FlowText(only.value) + '\n';
    } else {
      out += FlowText(item) + '\n';
    }
  }
}

}  // namespace

std::string YamlText(const Node& root) {
  std::string text;
  Write(root, 0, text);
  return text;
}

std::string YamlScalar(std::string_view text) {
  return IsPlain(text) && !IsNoWord(text) ? std::string(text) : InQuotes(text);
}

std::string YamlBlock(std::string_view text) {
  std::string block = "|2\n";
  while (!text.empty()) {
    const std::size_t end = text.find('\n') + 1;
    if (end > 1) block += "  ";
    block += text.substr(0, end);
    text.remove_prefix(end);
  }
  return block;
}

Node ScalarNode(std::string text) {
  Node node;
  node.text = std::move(text);
  return node;
}

Node TextNode(std::string text) {
  Node node = ScalarNode(std::move(text));
  node.quoted = true;
  return node;
}

NodeEntry EntryOf(std::string key, Node value) {
  return {.key = ScalarNode(std::move(key)), .value = std::move(value)};
}

Node MappingNode(std::vector<NodeEntry> entries) {
  Node node;
  node.kind = Node::Kind::kMapping;
  node.entries = std::move(entries);
  return node;
}

Node SequenceNode(std::vector<Node> items) {
  Node node;
  node.kind = Node::Kind::kSequence;
  node.items = std::move(items);
  return node;
}

}  // namespace kafkasim::scenarios
