#include "tool/whole_step_flags.h"

#include <nlohmann/json.hpp>
#include <string>

#include "engine/profile/whole_step_request.h"

namespace offload {
namespace {

using Arguments = ToolArguments;
using Given = GivenFlag;

/// Reads a flag as the member of a request that it stands for.
void readAs(Arguments& to, const char* member, const nlohmann::json& value) {
  try {
    readWholeStepMember(to.request.wholeStep, member, value);
  } catch (const EngineError& error) {
    const Problem problem = error.problem();
    refuse(problem.message + (problem.cause.empty() ? "" : " " + problem.cause));
  }
}

bool isOn(const Given& given) {
  if (given.value() == "on") return true;
  if (given.value() == "off") return false;
  refuse(std::string(given.name) + " " + given.value() + ": use on or off.");
}

}  // namespace

std::vector<Flag<ToolArguments>> wholeStepFlags() {
  return {
      {"--head", "NAME", Takes::value, "on a simulated device: how logits and loss are computed, e.g. hf_eager (default none: the stack alone)",
       [](Arguments& to, const Given& given) { readAs(to, "head", given.value()); }},
      {"--entropy", "E", Takes::value, "of verl's heads: none, eager, chunked, checkpointed or compiled (default none)",
       [](Arguments& to, const Given& given) { readAs(to, "entropy", given.value()); }},
      {"--autocast", "on|off", Takes::value, "head and loss under autocast (default on for verl's heads, else off)",
       [](Arguments& to, const Given& given) { readAs(to, "autocast", isOn(given)); }},
      {"--loss-scaled", "on|off", Takes::value, "the loss has a factor other than 1 (default on with several micro-batches or ranks)",
       [](Arguments& to, const Given& given) { readAs(to, "lossScaled", isOn(given)); }},
      {"--head-chunk", "N", Takes::value, "rows that a chunked head takes at once (default its framework's)",
       [](Arguments& to, const Given& given) { readAs(to, "headChunk", wholeNumber(given)); }},
      {"--entropy-chunk", "N", Takes::value, "rows that a chunked entropy takes at once (default 2048)",
       [](Arguments& to, const Given& given) { readAs(to, "entropyChunk", wholeNumber(given)); }},
      {"--optimizer", "O", Takes::value, "none, adamw_fused, adamw_foreach or adamw_loop; a single step is then the second one, in which its states exist (default none)",
       [](Arguments& to, const Given& given) { readAs(to, "optimizer", given.value()); }},
      {"--master", "bf16|fp32", Takes::value, "type of stored parameters and states (default bf16)",
       [](Arguments& to, const Given& given) { readAs(to, "master", given.value()); }},
      {"--shard", "none|fsdp2", Takes::value, "with one rank fsdp2 shows the bf16 copies and fp32 buffers (default fsdp2 with several ranks)",
       [](Arguments& to, const Given& given) { readAs(to, "shard", given.value()); }},
      {"--reduce", "each|last", Takes::value, "micro-batches after which gradients are reduced over the ranks (default each)",
       [](Arguments& to, const Given& given) { readAs(to, "reduce", given.value()); }},
      {"--accumulation", "N", Takes::value, "micro-batches per optimizer step (default 1)",
       [](Arguments& to, const Given& given) { readAs(to, "accumulation", wholeNumber(given)); }},
      {"--clip", "on|off", Takes::value, "clip gradients by their norm, where there is an optimizer (default on)",
       [](Arguments& to, const Given& given) { readAs(to, "clip", isOn(given)); }},
      {"--pass", "train|logprob", Takes::value, "logprob: forward only, for log-probabilities (default train)",
       [](Arguments& to, const Given& given) { readAs(to, "pass", given.value()); }},
  };
}

}  // namespace offload
