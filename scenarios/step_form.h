// Forms of the steps and of their parts, one function for each kind.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/form.h"
#include "scenarios/mapping_form.h"
#include "scenarios/steps.h"

namespace kafkasim::scenarios {

// Any step of the script.
Form<Step> StepForm();

// Whether a step may begin with this word, so that no actor can be called so.
bool IsStepKey(std::string_view word);

// `actor: verb` with what may stand beside it.
Form<Step> ActionForm();

// A fault `key: ...` with what may stand beside it; one for each verb.
struct FaultKind {
  std::string key;
  MappingForm<FaultStep> mapping;
};
std::vector<FaultKind> FaultKinds();

// A protocol point at which a fault can strike, by the key that names its event.
struct TriggerKind {
  std::string key;
  MappingForm<Trigger> mapping;
};
std::vector<TriggerKind> TriggerKinds();

// `{transaction_record: ...}`, `{marker: ...}`, `{request: ...}` or `{answer: ...}`.
Form<Trigger> TriggerForm();

// The claims of an `expect:`.
Form<Expectations> ExpectationsForm();

// One offset of a log or one record, in short or as a mapping.
Form<EntryPattern> EntryForm();

// A record of the transaction log, in short or as a mapping.
Form<TransactionRecordPattern> TransactionRecordForm();

// A transaction state in either spelling, made canonical.
Form<std::string> TransactionStateForm();

// `request:` or `answer:`, and what narrows the messages down.
std::vector<Field<MessagePattern>> MessageFields();

// Of the keys, the mapping has to have one and only one.
// Whether messages of this API say what the pattern asks of them; if not, that is reported.
bool SaysWhatIsAsked(const Node& node, Reader& reader, const MessagePattern& pattern);

bool HasOneOf(const Node& node, Reader& reader, const std::string& what,
              const std::vector<std::string>& keys);

}  // namespace kafkasim::scenarios
