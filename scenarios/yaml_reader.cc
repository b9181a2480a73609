// ReadYaml(): yaml-cpp scans and parses, a handler of its events builds the tree and refuses what
// strict YAML refuses. yaml-cpp's exceptions end here.

#include <algorithm>
#include <cstddef>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "scenarios/open_quote.h"
#include "scenarios/utf8.h"
#include "scenarios/yaml_hint.h"
#include "scenarios/yaml_tree.h"

namespace kafkasim::scenarios {
namespace {

// Ends the reading; thrown through yaml-cpp and caught in ReadYaml().
struct Refused {
  Diagnostic why;
};

// Turns yaml-cpp's byte offsets into marks. Offsets mostly ascend, so counting goes on from the
// last one: a file of one long line would take quadratic time otherwise.
class MarkFinder {
 public:
  explicit MarkFinder(const Source& source)
      : source_(source), skipped_(source.text().starts_with(kByteOrderMark) ? 3 : 0) {}

  std::size_t OffsetOf(const YAML::Mark& mark) const {
    return std::min(static_cast<std::size_t>(std::max(mark.pos, 0)) + skipped_,
                    source_.text().size());
  }

  Mark operator()(const YAML::Mark& mark) {
    const std::size_t offset = OffsetOf(mark);
    if (offset < offset_ || last_.line == 0) {
      last_ = source_.MarkAt(offset);
    } else {
      const auto between = std::string_view(source_.text()).substr(offset_, offset - offset_);
      const std::size_t line_end = between.rfind('\n');
      if (line_end == std::string_view::npos) {
        last_.column += static_cast<int>(CountCharacters(between));
      } else {
        last_.line += static_cast<int>(std::count(between.begin(), between.end(), '\n'));
        last_.column = static_cast<int>(CountCharacters(between.substr(line_end + 1))) + 1;
      }
    }
    offset_ = offset;
    return last_;
  }

 private:
  const Source& source_;
  std::size_t skipped_;
  std::size_t offset_ = 0;
  Mark last_{};
};

class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(const Source& source, const YamlLimits& limits)
      : source_(source), limits_(limits), marks_(source) {}

  Mark MarkOf(const YAML::Mark& mark) { return marks_(mark); }
  bool has_document() const { return documents_ > 0; }
  Node TakeRoot() { return std::move(root_); }
  std::vector<Diagnostic> TakeErrors() { return std::move(errors_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) Refuse(mark, "a second document begins here; a file holds one scenario");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    Add(NewNode(Node::Kind::kScalar, mark, "?"));
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t /*anchor*/,
                const std::string& value) override {
    Node node = NewNode(Node::Kind::kScalar, mark, tag);
    node.text = value;
    node.quoted = tag == "!";
    if (node.quoted) {
      const auto open = FindOpenQuoteAt(source_, marks_.OffsetOf(mark));
      if (open.has_value()) throw Refused{Diagnostic{open->mark, open->message, ""}};
    }
    Add(std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t /*anchor*/,
                       YAML::EmitterStyle::value /*style*/) override {
    Open(NewNode(Node::Kind::kSequence, mark, tag), mark);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t /*anchor*/,
                  YAML::EmitterStyle::value /*style*/) override {
    Open(NewNode(Node::Kind::kMapping, mark, tag), mark);
  }
  void OnSequenceEnd() override { Close(); }
  void OnMapEnd() override { Close(); }

  void OnAnchor(const YAML::Mark& mark, const std::string& name) override {
    Refuse(mark, "anchors and aliases are not part of the language: '&" + name + "'");
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    Refuse(mark, "anchors and aliases are not part of the language");
  }

 private:
  // A sequence or mapping whose end has not come yet.
  struct OpenNode {
    Node node;
    std::optional<Node> key;                  // mappings: the key whose value comes next
    std::set<std::string, std::less<>> keys;  // mappings: all keys so far
  };

  [[noreturn]] void Refuse(const YAML::Mark& mark, std::string message) {
    throw Refused{Diagnostic{marks_(mark), std::move(message), ""}};
  }

  Node NewNode(Node::Kind kind, const YAML::Mark& mark, const std::string& tag) {
    if (!tag.empty() && tag != "?" && tag != "!") {
      Refuse(mark, "tags are not part of the language: '" + tag + "'");
    }
    if (++nodes_ > limits_.nodes) {
      Refuse(mark, "too much in one file: more than " + std::to_string(limits_.nodes) + " values");
    }
    Node node;
    node.kind = kind;
    node.mark = marks_(mark);
    return node;
  }

  void Open(Node node, const YAML::Mark& mark) {
    if (static_cast<int>(open_.size()) >= limits_.depth) {
      Refuse(mark, "nested more than " + std::to_string(limits_.depth) + " levels deep");
    }
    open_.push_back(OpenNode{std::move(node), std::nullopt, {}});
  }

  void Close() {
    Node node = std::move(open_.back().node);
    open_.pop_back();
    Add(std::move(node));
  }

  void Add(Node node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    OpenNode& parent = open_.back();
    if (parent.node.is_sequence()) {
      parent.node.items.push_back(std::move(node));
    } else if (!parent.key) {
      if (!node.is_scalar()) {
        throw Refused{Diagnostic{node.mark, "a key has to be a plain word", ""}};
      }
      parent.key = std::move(node);
    } else {
      AddEntry(parent, std::move(*parent.key), std::move(node));
      parent.key.reset();
    }
  }

  void AddEntry(OpenNode& parent, Node key, Node value) {
    // yaml-cpp puts a value that was not written wherever the next word is.
    if (value.is_null()) value.mark = key.mark;
    if (parent.keys.insert(key.text).second) {
      parent.node.entries.push_back(NodeEntry{std::move(key), std::move(value)});
      return;
    }
    const auto same = [&](const NodeEntry& entry) { return entry.key.text == key.text; };
    const auto first =
        std::find_if(parent.node.entries.begin(), parent.node.entries.end(), same)->key.mark;
    std::ostringstream message;
    message << "duplicate key '" << key.text << "'; the first one is at " << first;
    errors_.push_back(Diagnostic{key.mark, message.str(), ""});
  }

  const Source& source_;
  YamlLimits limits_;
  MarkFinder marks_;
  int documents_ = 0;
  int nodes_ = 0;
  std::vector<OpenNode> open_;
  Node root_;
  std::vector<Diagnostic> errors_;
};

YamlResult Failed(Mark mark, std::string message) {
  YamlResult result;
  result.errors.push_back(Diagnostic{mark, std::move(message), ""});
  return result;
}

// yaml-cpp's own words, except where they hide what is wrong.
YamlResult SyntaxError(const Source& source, Mark mark, const std::string& message) {
  const std::string_view line = source.Line(mark.line);
  const std::size_t tab = line.substr(0, line.find_first_not_of(" \t")).find('\t');
  if (tab != std::string_view::npos) {
    return Failed(Mark{mark.line, static_cast<int>(tab) + 1},
                  "not valid YAML: this line is indented with a tab; use blanks");
  }
  if (const std::optional<OpenQuote> open = FindOpenQuote(source)) {
    return Failed(open->mark, "not valid YAML: " + open->message);
  }
  if (const std::optional<YamlHint> hint = HintFor(line)) {
    YamlResult result = Failed(mark, "not valid YAML: " + hint->problem);
    result.errors.back().suggestion = hint->suggestion;
    return result;
  }
  return Failed(mark, "not valid YAML: " + message);
}

}  // namespace

YamlResult ReadYaml(const Source& source, const YamlLimits& limits) {
  std::istringstream stream(source.text());
  TreeBuilder builder(source, limits);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const Refused& refused) {
    return Failed(refused.why.mark, refused.why.message);
  } catch (const YAML::Exception& exception) {
    return SyntaxError(source, builder.MarkOf(exception.mark), exception.msg);
  }
  if (!builder.has_document()) return Failed(Mark{1, 1}, "the file is empty");
  YamlResult result;
  result.errors = builder.TakeErrors();
  result.root = builder.TakeRoot();
  return result;
}

}  // namespace kafkasim::scenarios
