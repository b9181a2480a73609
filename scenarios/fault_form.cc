#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "scenarios/mapping_form.h"
#include "scenarios/process_lookup.h"
#include "scenarios/reference_form.h"
#include "scenarios/step_form.h"

namespace kafkasim::scenarios {
namespace {

using HandleKind = Names::Handle::Kind;

// What may stand beside a fault, by its nature.
struct Beside {
  std::optional<HandleKind> handle;  // `as:`
  bool optional = false;             // `optional:`
};

// A fault `key: body`, where the body makes an F.
template <typename F>
FaultKind FaultForm(std::string key, Form<F> body, Beside beside, std::string description) {
  MappingForm<FaultStep> mapping{"a " + key + " step", {}};
  mapping.fields.push_back(Taking<FaultStep>(
      key, std::move(body),
      [](F fault, const Node& node, Reader&, FaultStep& step) {
        step.fault = std::move(fault);
        step.mark = node.mark;
        return true;
      },
      std::move(description)));
  mapping.fields.back().required = true;
  if (beside.handle) {
    const auto declare = [kind = *beside.handle](Name name, const Node&, Reader& reader,
                                                 FaultStep& step) {
      reader.DeclareHandle(name, kind);
      step.handle = std::move(name);
      return true;
    };
    mapping.fields.push_back(
        Taking<FaultStep>("as", HandleForm(), declare, "A name for later steps."));
  }
  mapping.fields.push_back(Optional("after", &FaultStep::after_us, DurationForm(),
                                    "So much later, while the script goes on."));
  if (beside.optional) {
    mapping.fields.push_back(Optional("optional", &FaultStep::optional, BooleanForm(),
                                      "It does not matter if there is nothing to be hit: no such "
                                      "message ever comes, the process is down already."));
  }
  return FaultKind{key, std::move(mapping)};
}

template <typename F>
Form<F> ProcessesForm() {
  return Map(OneOrManyForm(ProcessForm()),
             [](std::vector<ProcessName> processes) { return F{std::move(processes)}; });
}

// Applications with a program.
template <typename F>
Form<F> ProgramsForm() {
  const Form<F> form = ProcessesForm<F>();
  return {form.schema, [form](const Node& node, Reader& reader) -> std::optional<F> {
            std::optional<F> fault = form.read(node, reader);
            if (!fault) return std::nullopt;
            for (const ProcessName& process : fault->processes) {
              const Names::Actor* actor = process.kind == ProcessName::Kind::kActor
                                              ? reader.names.FindActor(process.name)
                                              : nullptr;
              if (actor != nullptr && actor->has_program) continue;
              reader.Error(process.mark, Quote(NameText(process)) + " has no program");
              return std::nullopt;
            }
            return fault;
          }};
}

// `broker-1`, or `{process: broker-1, loses: disk}`.
Form<Crash> CrashForm() {
  Notations<Crash> notations{"a process, a list, or {process: ..., loses: ...}"};
  notations.scalar = ProcessesForm<Crash>();
  notations.list = notations.scalar;
  notations.mapping = Mapping<Crash>(
      "crash",
      {Required("process", &Crash::processes, OneOrManyForm(ProcessForm()), "Who crashes."),
       Optional(
           "loses", &Crash::loses,
           ChoiceForm<sim::CrashKind>("loss", {{"memory", sim::CrashKind::kProcess},
                                               {"unflushed", sim::CrashKind::kMachine},
                                               {"disk", sim::CrashKind::kDisk}}),
           "memory: the process dies; unflushed: its machine, with what the disk does not have "
           "yet; disk: everything. Default: memory.")});
  return ByKind(std::move(notations));
}

// A process on two sides of a cut would be cut off from itself.
bool CheckSides(const Partition& partition, Reader& reader) {
  std::vector<std::string> seen;
  for (const std::vector<ProcessName>& group : partition.groups) {
    for (const ProcessName& process : group) {
      const std::string name = NameText(process);
      if (std::find(seen.begin(), seen.end(), name) != seen.end()) {
        reader.Error(process.mark, Quote(name) + " is in this partition twice");
        return false;
      }
      seen.push_back(name);
    }
  }
  return true;
}

Form<Partition> NetworkPartitionForm() {
  using Group = std::vector<ProcessName>;
  struct OneWay {
    Group from;
    Group to;
  };
  Notations<Partition> notations{"groups of processes, or {from: [...], to: [...]}"};
  const Form<std::vector<Group>> groups = ListForm(OneOrManyForm(ProcessForm()));
  notations.list = {groups.schema,
                    [groups](const Node& node, Reader& reader) -> std::optional<Partition> {
                      auto read = groups.read(node, reader);
                      if (!read) return std::nullopt;
                      if (read->size() >= 2) return Partition{std::move(*read), false};
                      reader.Error(node.mark, "a partition needs two groups: [[a], [b]]");
                      return std::nullopt;
                    }};
  notations.mapping =
      Map(Mapping<OneWay>(
              "a partition",
              {Required("from", &OneWay::from, OneOrManyForm(ProcessForm()), "Who is not heard."),
               Required("to", &OneWay::to, OneOrManyForm(ProcessForm()), "Who does not hear.")}),
          [](OneWay way) {
            return Partition{{std::move(way.from), std::move(way.to)}, true};
          });
  const Form<Partition> form = ByKind(std::move(notations));
  return {form.schema, [form](const Node& node, Reader& reader) -> std::optional<Partition> {
            std::optional<Partition> partition = form.read(node, reader);
            if (!partition.has_value() || !CheckSides(*partition, reader)) return std::nullopt;
            return partition;
          }};
}

// `all`, or the name that a fault of this kind got by `as:`.
Form<std::optional<Name>> HandleOrAllForm(HandleKind kind, std::string what) {
  Schema schema;
  schema.pattern = kNamePattern;
  return NotationForm<std::optional<Name>>(
      "all, or the name of a " + what, std::move(schema),
      [kind, what](const std::string& text, Mark mark,
                   Reader& reader) -> std::optional<std::optional<Name>> {
        if (text == "all") return std::optional<Name>();
        const Names::Handle* handle = reader.names.FindHandle(text);
        if (handle != nullptr && handle->kind == kind) return std::optional(Name{text, mark});
        std::vector<std::string> known = reader.names.HandleNames(kind);
        known.emplace_back("all");
        reader.Unknown(mark, what, text, "", known);
        return std::nullopt;
      });
}

std::vector<Field<MessageChoice>> MessageChoiceFields() {
  Notations<std::int64_t> count{"a number, or all"};
  const Form<std::int64_t> number = CountForm();
  const Form<std::int64_t> all = ChoiceForm<std::int64_t>("count", {{"all", MessageChoice::kAll}});
  count.scalar = {AnyOf({number.schema, all.schema}),
                  [number, all](const Node& node, Reader& reader) {
                    return node.text == "all" ? all.read(node, reader) : number.read(node, reader);
                  }};
  return Together<MessageChoice>(
      Within<MessageChoice>(&MessageChoice::pattern, MessageFields()),
      {Optional("nth", &MessageChoice::nth, CountForm(), "The first one hit. Default: 1."),
       Optional("count", &MessageChoice::count, ByKind(std::move(count)),
                "How many from there on, or all. Default: 1.")});
}

// A mapping of message fields and some of its own.
template <typename F>
Form<F> MessageFaultForm(std::string what, std::vector<Field<F>> own = {}) {
  MappingForm<F> mapping{
      what, Together<F>(Within<F>(&F::message, MessageChoiceFields()), std::move(own))};
  mapping.check = [what](const Node& node, Reader& reader, F& fault) {
    return HasOneOf(node, reader, what, {"request", "answer"}) &&
           SaysWhatIsAsked(node, reader, fault.message.pattern);
  };
  return Mapping(std::move(mapping));
}

Form<Elect> ElectForm() {
  MappingForm<Elect> mapping{"elect", {}};
  const auto take = [](auto what, const Node&, Reader&, Elect& elect) {
    elect.what = std::move(what);
    return true;
  };
  mapping.fields = {
      Taking<Elect>("partition", PartitionForm(), take, "The partition that gets a leader."),
      Taking<Elect>("coordinator_of", WithMark(TransactionalIdForm()), take,
                    "The transactional id whose coordinator moves."),
      Optional("leader", &Elect::leader, BrokerForm(),
               "The new leader. Default: the first live member of the ISR."),
      Optional("unclean", &Elect::unclean, BooleanForm(),
               "The new leader need not be in the ISR. Default: false.")};
  mapping.check = [](const Node& node, Reader& reader, Elect&) {
    return HasOneOf(node, reader, "elect", {"partition", "coordinator_of"});
  };
  return Mapping(std::move(mapping));
}

Form<LogTask> LogTaskForm(broker::LogOrder::Kind kind) {
  return Map(OneOrManyForm(PartitionForm()), [kind](std::vector<PartitionName> partitions) {
    return LogTask{kind, std::move(partitions)};
  });
}

}  // namespace

std::vector<FaultKind> FaultKinds() {
  const Beside processes{HandleKind::kProcesses, true};
  const Beside nothing{std::nullopt, true};
  const Beside messages{HandleKind::kMessages, true};
  const Form<Heal> heal = Map(HandleOrAllForm(HandleKind::kLinks, "partition"),
                              [](std::optional<Name> handle) { return Heal{std::move(handle)}; });
  const Form<Release> release =
      Map(HandleOrAllForm(HandleKind::kMessages, "hold"),
          [](std::optional<Name> handle) { return Release{std::move(handle)}; });
  const Form<Delay> delay = MessageFaultForm<Delay>(
      "delay", {Required("by", &Delay::by_us, DurationForm(), "How much later it arrives.")});
  const Form<Repeat> repeat = MessageFaultForm<Repeat>(
      "repeat",
      {Optional("times", &Repeat::times, CountForm(), "How many more copies. Default: 1."),
       Optional("after", &Repeat::after_us, DurationForm(), "Between one copy and the next.")});
  const Form<Drop> drop = MessageFaultForm<Drop>(
      "drop", {Optional("reset", &Drop::reset, BooleanForm(),
                        "The connection breaks, too, so that the client knows at once. Default: "
                        "false.")});
  return {
      FaultForm("crash", CrashForm(), processes,
                "Ends a process: what it had in memory is lost, what is on disk stays."),
      FaultForm("restart", ProcessesForm<Restart>(), nothing, "Starts a crashed process again."),
      FaultForm("pause", ProcessesForm<Pause>(), processes,
                "Stops a process for a while, as a long garbage collection does."),
      FaultForm("resume", ProcessesForm<Resume>(), nothing, "Lets a paused process go on."),
      FaultForm("start", ProgramsForm<Start>(), {}, "Lets an application begin with its program."),
      FaultForm("stop", ProgramsForm<Stop>(), {},
                "Lets an application leave its program and close its clients."),
      FaultForm("partition", NetworkPartitionForm(), Beside{HandleKind::kLinks, true},
                "Cuts the network between groups of processes."),
      FaultForm("heal", heal, nothing, "Ends a partition of the network, or all."),
      FaultForm("hold", MessageFaultForm<Hold>("hold"), messages,
                "Keeps a message in the network until it is released."),
      FaultForm("release", release, {}, "Lets held messages go on."),
      FaultForm("drop", drop, messages, "Loses a message."),
      FaultForm("delay", delay, messages, "Makes a message late."),
      FaultForm("repeat", repeat, messages, "Delivers a message more than once."),
      FaultForm("elect", ElectForm(), nothing, "Gives a partition another leader."),
      FaultForm("roll", LogTaskForm(broker::LogOrder::Kind::kRoll), {},
                "Begins a new segment of a log."),
      FaultForm("clean", LogTaskForm(broker::LogOrder::Kind::kClean), {},
                "Lets the log cleaner compact a log, however little is dirty."),
      FaultForm("check_retention", LogTaskForm(broker::LogOrder::Kind::kDeleteOldSegments), {},
                "Deletes the segments of a log that are too old or too many."),
  };
}

}  // namespace kafkasim::scenarios
