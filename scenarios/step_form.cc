#include "scenarios/step_form.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "scenarios/action_form.h"
#include "scenarios/notation.h"
#include "scenarios/reference_form.h"

namespace kafkasim::scenarios {
namespace {

// A step of kind Body made of fields of the Body.
template <typename Body>
Form<Step> BodyForm(std::string what, std::vector<Field<Body>> fields) {
  const auto body = [](Step& step) -> Body& { return BodyOf<Body>(step); };
  return Mapping<Step>(std::move(what),
                       Together<Step>(Within<Step>(body, std::move(fields)), StepFields()));
}

Form<Step> WaitUntilForm() {
  using What = std::variant<Trigger, std::int64_t>;
  Notations<What> notations{"a protocol point or a time"};
  notations.scalar = Map(DurationForm(), [](std::int64_t us) { return What(us); });
  notations.mapping = Map(TriggerForm(), [](Trigger trigger) { return What(std::move(trigger)); });
  return BodyForm<WaitUntil>(
      "a wait_until step",
      {Required("wait_until", &WaitUntil::what, ByKind(std::move(notations)),
                "A protocol point, or a virtual time since the start: 60s."),
       Optional("within", &WaitUntil::within_us, DurationForm(),
                "How long to wait for the protocol point at most. Default: 60s.")});
}

Form<Step> WhenForm() {
  std::vector<Alternative<FaultStep>> faults;
  for (FaultKind& kind : FaultKinds()) {
    faults.push_back({kind.key, Mapping(std::move(kind.mapping))});
  }
  const Form<FaultStep> fault = Defined("fault", ByKey<FaultStep>("a fault", std::move(faults)));
  return BodyForm<When>(
      "a when step",
      {Required("when", &When::trigger, TriggerForm(), "The protocol point to strike at."),
       Required("do", &When::faults, OneOrManyForm(fault), "What goes wrong there."),
       Optional("optional", &When::optional, BooleanForm(),
                "It does not matter if the point is never reached. Default: false.")});
}

std::vector<Alternative<Step>> StepForms() {
  std::vector<Alternative<Step>> forms = {
      {"say", BodyForm<Say>("a say step", {Required("say", &Say::text, TextForm(),
                                                    "A sentence for the class.")})},
      {"wait", BodyForm<Wait>("a wait step", {Required("wait", &Wait::duration_us, DurationForm(),
                                                       "Lets virtual time pass.")})},
      {"wait_until", WaitUntilForm()},
      {"expect",
       BodyForm<Expect>(
           "an expect step",
           {Required("expect", &Expect::claims, ExpectationsForm(), "What has to be true now."),
            Optional("within", &Expect::within_us, DurationForm(),
                     "Or at some moment until then; the run goes on meanwhile.")})},
      {"await", AwaitForm()},
      {"when", WhenForm()},
  };
  for (FaultKind& kind : FaultKinds()) {
    forms.push_back(
        {kind.key, BodyForm<FaultStep>(kind.mapping.what, std::move(kind.mapping.fields))});
  }
  return forms;
}

}  // namespace

std::vector<std::string> StepKeys() {
  std::vector<std::string> keys{"say", "wait", "wait_until", "expect", "await", "when"};
  for (const FaultKind& kind : FaultKinds()) keys.push_back(kind.key);
  return keys;
}

bool IsStepKey(std::string_view word) {
  static const std::vector<std::string> keys = [] {
    std::vector<std::string> all = StepKeys();
    for (const char* beside : {"returns", "fails", "in", "background", "as", "only", "because",
                               "catches", "within", "after", "optional", "do"}) {
      all.emplace_back(beside);
    }
    return all;
  }();
  return std::find(keys.begin(), keys.end(), word) != keys.end();
}

Form<Name> VariantLabelForm() {
  Schema schema;
  schema.description = "A variant of the matrix: TV2.";
  return NotationForm<Name>(
      "a variant of the matrix", std::move(schema),
      [](const std::string& text, Mark mark, Reader& reader) -> std::optional<Name> {
        const std::vector<std::string>& labels = reader.names.variant_labels;
        if (!reader.names.variants_known ||
            std::find(labels.begin(), labels.end(), text) != labels.end()) {
          return Name{text, mark};
        }
        reader.Unknown(mark, "variant", text, "the matrix", labels);
        return std::nullopt;
      });
}

Form<Name> ActionHandleForm() {
  Schema schema;
  schema.pattern = kNamePattern;
  return NotationForm<Name>(
      "the name of an action in the background", std::move(schema),
      [](const std::string& text, Mark mark, Reader& reader) -> std::optional<Name> {
        const Names::Handle* handle = reader.names.FindHandle(text);
        if (handle != nullptr && handle->kind == Names::Handle::Kind::kAction) {
          return Name{text, mark};
        }
        reader.Unknown(mark, "background action", text, "",
                       reader.names.HandleNames(Names::Handle::Kind::kAction));
        return std::nullopt;
      });
}

std::vector<Field<Step>> StepFields() {
  return {Optional("only", &Step::only, OneOrManyForm(VariantLabelForm()),
                   "The variants of the matrix that have this step."),
          Optional("because", &Step::because, TextForm(),
                   "The reason, printed when this turns out otherwise."),
          Optional("catches", &Step::catches, OneOrManyForm(BugForm()),
                   "The bugs of this file that show here: with one of them on, this must fail.")};
}

namespace {

// Whether the step can turn out other than as claimed.
bool ClaimsSomething(const Step& step) {
  return std::holds_alternative<Action>(step.what) || std::holds_alternative<Await>(step.what) ||
         std::holds_alternative<Expect>(step.what) || std::holds_alternative<WaitUntil>(step.what);
}

}  // namespace

Form<Step> StepForm() {
  const Form<Step> any = ByKey("a step", StepForms(), ActionForm());
  return Defined(
      "step",
      Form<Step>{any.schema, [any](const Node& node, Reader& reader) -> std::optional<Step> {
                   std::optional<Step> step = any.read(node, reader);
                   if (!step || step->catches.empty() || ClaimsSomething(*step)) {
                     return step;
                   }
                   reader.Error(node.Find("catches")->mark,
                                "this step claims nothing; no bug can show in it");
                   return std::nullopt;
                 }});
}

}  // namespace kafkasim::scenarios
