// What the forms share while one file is read: the errors so far and the names declared so far.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/mark.h"
#include "scenarios/names.h"
#include "scenarios/source.h"
#include "scenarios/yaml_tree.h"

namespace kafkasim::scenarios {

// `text` in single quotes for a message, cut if it is long.
std::string Quote(std::string_view text);

// `a, b, c`; after twelve words only how many more there are.
std::string Listing(const std::vector<std::string>& words);

class Reader {
 public:
  void Error(Mark mark, std::string message, std::string suggestion = "");

  // "expected `what`, found ..." at the node.
  void Expected(const Node& node, std::string_view what);

  // "unknown `kind` 'word'`where`", with the likely meaning; if none is near, all valid words, or
  // of very many the nearest ones.
  void Unknown(Mark mark, std::string_view kind, std::string_view word, std::string_view where,
               const std::vector<std::string>& valid);

  // Declares what a step calls `as: name`; a name that is taken is an error.
  void DeclareHandle(const Name& name, Names::Handle::Kind kind, std::string verb = "");

  bool ok() const { return errors_.empty(); }

  // The errors in the order of the file, each once.
  std::vector<Diagnostic> TakeErrors();

  Names names;

 private:
  std::vector<Diagnostic> errors_;
};

}  // namespace kafkasim::scenarios
