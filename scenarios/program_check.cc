#include "scenarios/program_check.h"

#include <algorithm>
#include <string>
#include <variant>

#include "scenarios/program_verbs.h"

namespace kafkasim::scenarios {
namespace {

using Needs = ProgramVerb::Needs;

// Where a line stands.
struct Place {
  bool in_for_each = false;
  bool in_handler = false;
  bool in_listener = false;
};

class Checker {
 public:
  Checker(const ApplicationSpec& application, Reader& reader)
      : application_(application), reader_(reader) {}

  bool Check(const std::vector<ProgramLine>& lines, Place place) {
    bool good = true;
    for (const ProgramLine& line : lines) {
      good &= CheckNeeds(line);
      good &= std::visit([&](const auto& what) { return Check(what, line, place); }, line.what);
    }
    return good;
  }

 private:
  bool Error(Mark mark, std::string message) {
    reader_.Error(mark, std::move(message));
    return false;
  }

  bool CheckNeeds(const ProgramLine& line) {
    for (const ProgramVerb& verb : LeafVerbs()) {
      if (verb.name != line.verb) continue;
      switch (verb.needs) {
        case Needs::kNothing:
          return true;
        case Needs::kProducer:
          return HasProducer(line);
        case Needs::kTransactions:
          return HasProducer(line) && HasTransactionalId(line);
        case Needs::kConsumer:
          return HasConsumer(line);
        case Needs::kGroup:
          return HasConsumer(line) && HasGroup(line);
        case Needs::kConsumerAndTransactions:
          return HasConsumer(line) && HasGroup(line) && HasProducer(line) &&
                 HasTransactionalId(line);
      }
    }
    return true;
  }

  bool HasProducer(const ProgramLine& line) {
    return application_.producer.has_value() ||
           Error(line.mark, line.verb + " needs a producer, and this application has none");
  }
  bool HasConsumer(const ProgramLine& line) {
    return application_.consumer.has_value() ||
           Error(line.mark, line.verb + " needs a consumer, and this application has none");
  }
  bool HasTransactionalId(const ProgramLine& line) {
    return application_.producer->config.Find("transactional.id") != nullptr ||
           Error(line.mark, line.verb + " needs a producer with a transactional.id");
  }
  bool HasGroup(const ProgramLine& line) {
    return application_.consumer->config.Find("group.id") != nullptr ||
           Error(line.mark, line.verb + " needs a consumer with a group.id");
  }

  bool CheckText(const client::TextTemplate& text, const ProgramLine& line, Place place) {
    if (place.in_for_each || !text.NeedsRecord()) return true;
    return Error(line.mark,
                 "this says something of a record, but no for_each gives one to " + line.verb);
  }

  template <typename Other>
  bool Check(const Other&, const ProgramLine&, Place) {
    return true;
  }
  bool Check(const ProgramSend& send, const ProgramLine& line, Place place) {
    return (!send.key.has_value() || CheckText(*send.key, line, place)) &&
           CheckText(send.value, line, place);
  }
  bool Check(const ProgramExternal& call, const ProgramLine& line, Place place) {
    return CheckText(call.with, line, place) &&
           (!call.idempotency_key.has_value() || CheckText(*call.idempotency_key, line, place)) &&
           std::all_of(call.row.begin(), call.row.end(),
                       [&](const auto& cell) { return CheckText(cell.second, line, place); });
  }
  bool Check(const ProgramBlock& block, const ProgramLine& line, Place place) {
    if (block.kind == client::Block::Kind::kForEach) {
      if (place.in_for_each) {
        return Error(line.mark, "a for_each inside a for_each would go through the same records");
      }
      if (!HasConsumer(line)) return false;
      place.in_for_each = true;
    }
    return Check(block.lines, place);
  }
  bool Check(const client::EndLine& end, const ProgramLine& line, Place place) {
    if (place.in_listener) {
      return Error(line.mark, line.verb +
                                  " has no place in the rebalance listener: it returns to "
                                  "the poll that called it");
    }
    if (end.kind == client::EndKind::kRetry && !place.in_handler) {
      return Error(line.mark, "retry stands in on_error: it runs the line that failed again");
    }
    return true;
  }

  const ApplicationSpec& application_;
  Reader& reader_;
};

}  // namespace

bool CheckProgram(const ApplicationSpec& application, const ProgramSpec& program, Reader& reader) {
  Checker checker(application, reader);
  bool good = checker.Check(program.lines, {});
  for (const auto* lines : {&program.on_assigned, &program.on_revoked, &program.on_lost}) {
    if (lines->has_value()) good &= checker.Check(**lines, {.in_listener = true});
  }
  for (const ProgramHandler& handler : program.on_error) {
    // The failed line may have stood in a for_each, or not: what needs a record cannot rely on it.
    good &= checker.Check(handler.lines, {.in_handler = true});
  }
  return good;
}

}  // namespace kafkasim::scenarios
