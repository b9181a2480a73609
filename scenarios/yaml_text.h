// A YAML tree as the text of a file, for scenarios that the program makes or changes. ReadYaml of
// the text gives the same tree again, places aside; comments are not part of a tree.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/yaml_tree.h"

namespace kafkasim::scenarios {

[[nodiscard]] std::string YamlText(const Node& root);

// A scalar as it can stand behind `key: `, in quotes where it needs them.
[[nodiscard]] std::string YamlScalar(std::string_view text);

// `text` as a literal block behind `key: `, its lines set in by two blanks. `text` has lines of
// printable characters that end in a line feed.
[[nodiscard]] std::string YamlBlock(std::string_view text);

// For building trees.
[[nodiscard]] Node ScalarNode(std::string text);
[[nodiscard]] Node TextNode(std::string text);  // in quotes: never a number or a truth value
[[nodiscard]] NodeEntry EntryOf(std::string key, Node value);
[[nodiscard]] Node MappingNode(std::vector<NodeEntry> entries);
[[nodiscard]] Node SequenceNode(std::vector<Node> items);

}  // namespace kafkasim::scenarios
