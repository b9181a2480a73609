#include "scenarios/application_form.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/config_form.h"
#include "scenarios/group_verbs.h"
#include "scenarios/mapping_form.h"
#include "scenarios/program_check.h"
#include "scenarios/program_form.h"
#include "scenarios/reference_form.h"

namespace kafkasim::scenarios {
namespace {

// `orders-0`, or `orders` for all of its partitions.
Form<std::vector<PartitionName>> AssignedForm() {
  const Form<Destination> destination = DestinationForm();
  return Form<std::vector<PartitionName>>{
      destination.schema,
      [destination](const Node& node, Reader& reader) -> std::optional<std::vector<PartitionName>> {
        const std::optional<Destination> what = destination.read(node, reader);
        if (!what) return std::nullopt;
        std::vector<PartitionName> partitions;
        const Names::Topic* topic = reader.names.FindTopic(what->topic);
        const std::int32_t count = topic == nullptr ? 1 : topic->partitions;
        for (std::int32_t i = 0; i < count; ++i) {
          if (!what->partition || *what->partition == i) {
            partitions.push_back(PartitionName{what->topic, i, node.mark});
          }
        }
        return partitions;
      }};
}

}  // namespace

Form<std::vector<PartitionName>> AssignForm() {
  return Map(OneOrManyForm(AssignedForm()), [](std::vector<std::vector<PartitionName>> lists) {
    std::vector<PartitionName> all;
    for (std::vector<PartitionName>& list : lists) {
      for (PartitionName& partition : list) all.push_back(std::move(partition));
    }
    return all;
  });
}

namespace {

Form<ApplicationSpec::ConsumerPart> ConsumerPartForm() {
  using C = ApplicationSpec::ConsumerPart;
  MappingForm<C> mapping{"consumer", Within<C>(&C::config, ConfigFields(ConsumerKeys())),
                         UnmodelledKeys<C>()};
  mapping.fields.push_back(Optional("subscribe", &C::subscribe, SubscriptionForm(),
                                    "The topics that it reads as a member of its group."));
  mapping.fields.push_back(
      Optional("assign", &C::assign, AssignForm(), "The partitions it reads: [orders-0]."));
  mapping.check = [](const Node& node, Reader& reader, C& consumer) {
    if (consumer.assign.empty() == consumer.subscribe.empty()) {
      reader.Error(node.mark, "the consumer of an application has either subscribe or assign");
      return false;
    }
    if (!consumer.subscribe.empty() && consumer.config.Find("group.id") == nullptr) {
      reader.Error(node.mark, "a consumer that subscribes needs a group.id");
      return false;
    }
    return true;
  };
  return Mapping(std::move(mapping));
}

Form<ApplicationSpec::ProducerPart> ProducerPartForm() {
  using P = ApplicationSpec::ProducerPart;
  return Mapping(MappingForm<P>{"producer", Within<P>(&P::config, ConfigFields(ProducerKeys())),
                                UnmodelledKeys<P>()});
}

// `restart: {after: 5s}`
Form<std::int64_t> RestartForm() {
  struct Restart {
    std::int64_t after_us = 0;
  };
  MappingForm<Restart> mapping{"restart",
                               {Required("after", &Restart::after_us, DurationForm(),
                                         "How long after the crash; more than 0.")}};
  mapping.check = [](const Node& node, Reader& reader, Restart& restart) {
    constexpr std::int64_t kLeast = 1'000;
    if (restart.after_us >= kLeast) return true;
    reader.Error(node.Find("after")->mark, "a process needs at least 1ms to start again",
                 "after: 1ms");
    return false;
  };
  return Map(Mapping(std::move(mapping)), [](Restart restart) { return restart.after_us; });
}

// `do:`-like lists that belong to the program but stand beside it.
std::vector<Field<ApplicationSpec>> ProgramFields() {
  using P = ProgramSpec;
  const auto program = [](ApplicationSpec& application) -> ProgramSpec& {
    if (!application.program.has_value()) application.program.emplace();
    return *application.program;
  };
  const Form<std::vector<ProgramLine>> lines = ProgramLinesForm();
  return Within<ApplicationSpec>(
      program,
      std::vector<Field<P>>{
          Optional("program", &P::lines, lines, "What it does, line by line."),
          Optional("on_assigned", &P::on_assigned, lines,
                   "ConsumerRebalanceListener.onPartitionsAssigned."),
          Optional("on_revoked", &P::on_revoked, lines,
                   "ConsumerRebalanceListener.onPartitionsRevoked."),
          Optional("on_lost", &P::on_lost, lines,
                   "ConsumerRebalanceListener.onPartitionsLost. Default: as on_revoked."),
          Optional("on_error", &P::on_error, ProgramHandlersForm(),
                   "What it does about exceptions; the first that fits, others end the process.")});
}

bool CheckApplication(const Node& node, Reader& reader, ApplicationSpec& application) {
  if (!application.consumer && !application.producer && !application.program) {
    reader.Error(node.mark, "an application has a consumer, a producer or a program");
    return false;
  }
  if (!application.program.has_value()) {
    if (!application.restart_after_us.has_value()) return true;
    reader.Error(node.mark, "restart needs a program that can begin again");
    return false;
  }
  if (application.program->lines.empty()) {
    reader.Error(node.mark, "a listener or on_error needs a program");
    return false;
  }
  return CheckProgram(application, *application.program, reader);
}

}  // namespace

Form<ApplicationSpec> ApplicationForm() {
  using A = ApplicationSpec;
  MappingForm<A> mapping{"application", {}};
  mapping.fields = {
      Optional("consumer", &A::consumer, ConsumerPartForm(), "Its consumer, with these settings."),
      Optional("producer", &A::producer, ProducerPartForm(), "Its producer, with these settings."),
      Optional("restart", &A::restart_after_us, RestartForm(),
               "Whoever runs it starts it again after a crash: {after: 5s}.")};
  mapping.fields = Together<A>(std::move(mapping.fields), ProgramFields());
  mapping.check = CheckApplication;
  return Mapping(std::move(mapping));
}

Form<StoreSpec> StoreForm() {
  using S = StoreSpec;
  return Mapping<S>("store", {Optional("unique", &S::unique, OneOrManyForm(TextForm()),
                                       "Columns that no two rows share: order_id."),
                              Optional("latency", &S::latency_us, DurationForm(),
                                       "From the change to the answer. Default: none.")});
}

Form<ApiSpec> ApiForm() {
  using A = ApiSpec;
  return Mapping<A>("api",
                    {Optional("idempotency_keys", &A::idempotency_keys, BooleanForm(),
                              "A second call with the same key has no effect. Default: false."),
                     Optional("answer", &A::answer, TextForm(),
                              "What it answers; {with} is what it was asked. Default: ok."),
                     Optional("fails", &A::fails, OneOrManyForm(CountForm()),
                              "Numbers of calls, from 1 on, that fail without an effect."),
                     Optional("latency", &A::latency_us, DurationForm(),
                              "From the effect to the answer. Default: none.")});
}

}  // namespace kafkasim::scenarios
