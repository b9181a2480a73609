#include "scenarios/program_assembly.h"

#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "scenarios/step_text.h"

namespace kafkasim::scenarios {
namespace {

class ProgramAssembler {
 public:
  ProgramAssembler(const NameTable& names, const Source* source) : names_(names), source_(source) {}

  client::ProgramRef Run(const ProgramSpec& spec) {
    AddBlock({.kind = client::Block::Kind::kOnce}, spec.lines);
    program_.on_assigned = AddCallback(spec.on_assigned);
    program_.on_revoked = AddCallback(spec.on_revoked);
    program_.on_lost = AddCallback(spec.on_lost);
    for (const ProgramHandler& written : spec.on_error) {
      client::ErrorHandler handler = written.catches;
      handler.block = AddBlock({.kind = client::Block::Kind::kOnce}, written.lines);
      program_.on_error.push_back(std::move(handler));
    }
    return std::make_shared<const client::Program>(std::move(program_));
  }

 private:
  using What = client::Line::What;

  client::BlockId AddBlock(client::Block block, const std::vector<ProgramLine>& written) {
    const client::BlockId id(static_cast<std::int32_t>(program_.blocks.size()));
    program_.blocks.emplace_back();  // its place, before those inside
    for (const ProgramLine& line : written) {
      client::Line made{.verb = line.verb,
                        .text = source_ == nullptr ? line.verb : StepText(*source_, line.mark),
                        .number = line.mark.line,
                        .index = program_.line_count++};
      made.what = std::visit([this](const auto& what) { return Translate(what); }, line.what);
      block.lines.push_back(std::move(made));
    }
    program_.blocks[static_cast<std::size_t>(id.value())] = std::move(block);
    return id;
  }

  std::optional<client::BlockId> AddCallback(const std::optional<std::vector<ProgramLine>>& lines) {
    if (!lines.has_value()) return std::nullopt;
    return AddBlock({.kind = client::Block::Kind::kOnce}, *lines);
  }

  template <typename Same>
  What Translate(const Same& line) {
    return line;
  }
  What Translate(const ProgramSend& send) {
    return client::SendLine{
        .topic = names_.topics->FindTopicId(send.to.topic).value_or(broker::TopicId(-1)),
        .partition = send.to.partition,
        .key = send.key,
        .value = send.value};
  }
  What Translate(const ProgramExternal& call) {
    return client::ExternalLine{
        .to = names_.FindProcess(call.actor.value).value_or(sim::kNoProcess),
        .verb = call.verb,
        .with = call.with,
        .idempotency_key = call.idempotency_key,
        .row = call.row,
        .skip_duplicates = call.skip_duplicates,
        .timeout = sim::Micros(call.timeout_us)};
  }
  What Translate(const ProgramBlock& block) {
    return client::InnerLine{AddBlock(
        {.kind = block.kind, .times = block.times, .condition = block.condition}, block.lines)};
  }

  const NameTable& names_;
  const Source* source_;
  client::Program program_;
};

}  // namespace

client::ProgramRef AssembleProgram(const ProgramSpec& program, const NameTable& names,
                                   const Source* source) {
  return ProgramAssembler(names, source).Run(program);
}

}  // namespace kafkasim::scenarios
