// A YAML document as a tree that remembers where everything stood. Strict YAML 1.2: what other
// loaders let pass (duplicate keys, aliases, tags, `yes` as a truth value) is an error or a plain
// word here.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/mark.h"
#include "scenarios/source.h"

namespace kafkasim::scenarios {

struct NodeEntry;

// A scalar, a sequence or a mapping.
struct Node {
  enum class Kind { kScalar, kSequence, kMapping };

  Kind kind = Kind::kScalar;
  Mark mark{};
  std::string text;                // scalars: the text without quotes
  bool quoted = false;             // scalars: written in quotes or as a block, hence never a number
  std::vector<Node> items;         // sequences
  std::vector<NodeEntry> entries;  // mappings, in the order of the file; keys are unique scalars

  bool is_scalar() const { return kind == Kind::kScalar; }
  bool is_sequence() const { return kind == Kind::kSequence; }
  bool is_mapping() const { return kind == Kind::kMapping; }

  // Nothing was written, or `null` or `~`.
  bool is_null() const;
  // The scalar as a decimal number, or as `true` or `false`; nullopt if it is not one or is quoted.
  std::optional<std::int64_t> AsInteger() const;
  std::optional<bool> AsBoolean() const;

  // The value of `key` in a mapping, or nullptr.
  const Node* Find(std::string_view key) const;
};

struct NodeEntry {
  Node key;
  Node value;
};

struct YamlLimits {
  int depth = 64;
  int nodes = 100'000;
};

struct YamlResult {
  std::optional<Node> root;  // missing if the text cannot be read as one document
  std::vector<Diagnostic> errors;
};

// Reads the one document of `source`, which has to be UTF-8 text; a byte order mark and CRLF line
// ends are accepted. Duplicate keys are reported and the first one counts; everything else that is
// wrong ends the reading: syntax errors, anchors, aliases, tags, a second document, an empty file,
// a key that is no plain word, or a limit reached.
[[nodiscard]] YamlResult ReadYaml(const Source& source, const YamlLimits& limits = {});

}  // namespace kafkasim::scenarios
