#include "scenarios/reader.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "scenarios/spelling.h"
#include "scenarios/utf8.h"

namespace kafkasim::scenarios {
namespace {

constexpr std::size_t kLongestQuote = 60;
constexpr std::size_t kLongestListing = 12;
constexpr std::size_t kNearest = 4;  // of a list that is longer

std::string Found(const Node& node) {
  if (node.is_sequence()) return node.items.empty() ? "an empty list" : "a list";
  if (node.is_mapping()) return node.entries.empty() ? "an empty mapping" : "a mapping";
  if (node.is_null()) return "nothing";
  return (node.quoted ? "the text in quotes " : "") + Quote(node.text);
}

// What there is, for somebody whose word is none of it.
std::string Known(std::string_view word, const std::vector<std::string>& valid) {
  if (valid.empty()) return "there is none";
  if (valid.size() <= kLongestListing) return "known: " + Listing(valid);
  return "the nearest of " + std::to_string(valid.size()) + ": " +
         Listing(NearestTo(word, valid, kNearest));
}

}  // namespace

std::string Quote(std::string_view text) {
  std::string quoted = "'";
  std::size_t length = 0;
  for (std::size_t i = 0; i < text.size(); ++length) {
    if (length == kLongestQuote) return quoted + "...'";
    const std::size_t bytes = std::max<std::size_t>(1, CharacterLength(text.substr(i)));
    quoted += text.substr(i, bytes);
    i += bytes;
  }
  return quoted + "'";
}

std::string Listing(const std::vector<std::string>& words) {
  std::string listing;
  const std::size_t shown = std::min(words.size(), kLongestListing);
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) listing += ", ";
    listing += words[i];
  }
  if (shown < words.size()) listing += " and " + std::to_string(words.size() - shown) + " more";
  return listing;
}

void Reader::Error(Mark mark, std::string message, std::string suggestion) {
  errors_.push_back(Diagnostic{mark, std::move(message), std::move(suggestion)});
}

void Reader::Expected(const Node& node, std::string_view what) {
  Error(node.mark, "expected " + std::string(what) + ", found " + Found(node));
}

void Reader::Unknown(Mark mark, std::string_view kind, std::string_view word,
                     std::string_view where, const std::vector<std::string>& valid) {
  std::string message = "unknown " + std::string(kind) + ' ' + Quote(word);
  if (!where.empty()) message += " in " + std::string(where);
  std::string suggestion = ClosestTo(word, valid);
  // A topic where its partitions are meant.
  const std::string first_partition = std::string(word) + "-0";
  if (std::find(valid.begin(), valid.end(), first_partition) != valid.end()) {
    suggestion = first_partition;
  }
  if (suggestion.empty()) message += " (" + Known(word, valid) + ")";
  Error(mark, std::move(message), std::move(suggestion));
}

void Reader::DeclareHandle(const Name& name, Names::Handle::Kind kind, std::string verb) {
  if (const Names::Handle* taken = names.FindHandle(name.value)) {
    Error(name.mark, "the name " + Quote(name.value) + " is already given in line " +
                         std::to_string(taken->mark.line));
  } else if (names.FindActor(name.value) != nullptr) {
    Error(name.mark, "the name " + Quote(name.value) + " is that of an actor");
  } else if (name.value == "all") {
    Error(name.mark, "the name 'all' is reserved");
  } else {
    names.handles.push_back(Names::Handle{name.value, kind, std::move(verb), name.mark});
  }
}

std::vector<Diagnostic> Reader::TakeErrors() {
  std::stable_sort(errors_.begin(), errors_.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return a.mark < b.mark; });
  errors_.erase(std::unique(errors_.begin(), errors_.end()), errors_.end());
  return std::move(errors_);
}

}  // namespace kafkasim::scenarios
