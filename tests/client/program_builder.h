// Programs for tests, written as they would be read: Program({Leaf("poll"), Loop({...})}).
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "client/program.h"

namespace kafkasim::client {

struct TestBlock;

// A line: what it does, or a block.
struct TestLine {
  std::string verb;
  std::variant<Line::What, std::shared_ptr<TestBlock>> what;
};
using TestLines = std::vector<TestLine>;

struct TestBlock {
  Block block;
  TestLines lines;
};

inline TestLine Leaf(std::string verb, Line::What what) {
  return {std::move(verb), std::move(what)};
}
// A call of a client without arguments.
template <typename Call>
TestLine Does(std::string verb, Call call) {
  return {std::move(verb), Line::What(CallLine{std::move(call)})};
}
inline TestLine Inner(Block block, TestLines lines) {
  return {"block", std::make_shared<TestBlock>(TestBlock{std::move(block), std::move(lines)})};
}
inline TestLine Loop(TestLines lines) {
  return Inner({.kind = Block::Kind::kLoop}, std::move(lines));
}
inline TestLine Times(int64_t times, TestLines lines) {
  return Inner({.kind = Block::Kind::kTimes, .times = times}, std::move(lines));
}
inline TestLine ForEach(TestLines lines) {
  return Inner({.kind = Block::Kind::kForEach}, std::move(lines));
}
inline TestLine If(Block::Condition condition, TestLines lines) {
  return Inner({.kind = Block::Kind::kIf, .condition = condition}, std::move(lines));
}
inline TestLine Ends(EndKind kind) { return Leaf("end", EndLine{kind}); }

class ProgramBuilder {
 public:
  explicit ProgramBuilder(const TestLines& lines) { Add({}, lines); }

  ProgramBuilder& OnError(ErrorHandler handler, const TestLines& lines) {
    handler.block = Add({}, lines);
    program_.on_error.push_back(std::move(handler));
    return *this;
  }
  ProgramBuilder& OnRevoked(const TestLines& lines) {
    program_.on_revoked = Add({}, lines);
    return *this;
  }
  ProgramRef Build() { return std::make_shared<const Program>(program_); }

 private:
  BlockId Add(Block block, const TestLines& lines) {
    const BlockId id(static_cast<int32_t>(program_.blocks.size()));
    program_.blocks.emplace_back();
    for (const TestLine& line : lines) {
      Line made{.verb = line.verb,
                .text = line.verb,
                .number = program_.line_count + 1,
                .index = program_.line_count};
      ++program_.line_count;
      if (const auto* inner = std::get_if<std::shared_ptr<TestBlock>>(&line.what)) {
        made.what = InnerLine{Add((*inner)->block, (*inner)->lines)};
      } else {
        made.what = std::get<Line::What>(line.what);
      }
      block.lines.push_back(std::move(made));
    }
    program_.blocks[static_cast<size_t>(id.value())] = std::move(block);
    return id;
  }

  Program program_;
};

}  // namespace kafkasim::client
