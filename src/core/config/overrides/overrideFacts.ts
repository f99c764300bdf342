import type { Severity } from "../document/diagnostic.js";
import { scriptExample } from "../rules/example.js";
import type { RuleFacts } from "../rules/rule.js";
import type { TrapCode } from "../shell/overrides.js";
import { carriageReturns } from "./carriageReturns.js";

const call = "python3 -m verl.trainer.main_ppo model_engine=veomni \\";
const block = "actor_rollout_ref.actor.veomni";

function script(...words: readonly string[]): RuleFacts["example"] {
  return scriptExample(call, `  ${block}.enable_async_activation_offload=true \\`, ...words.map((word) => `  ${word}`));
}

/** What the shell does to a value on its way, by the code of the trap. */
export const trapFacts: Readonly<Record<TrapCode, RuleFacts>> = {
  "quotes-lost": {
    code: "quotes-lost",
    severities: ["error", "warning"],
    explanation:
      "The shell removes one layer of quotes before Hydra reads the override, and Hydra needs quotes around texts with braces. Single quotes around the whole value keep the inner ones.",
    example: script(`${block}.activation_offload_modules=["model.layers.{*}"]`),
  },
  "string-instead-of-list": {
    code: "string-instead-of-list",
    severities: ["warning", "error"],
    explanation:
      "When quotes reach Hydra around the whole value, or no brackets do, the value is one text. The framework takes it apart into single characters; a * among them selects the model itself.",
    example: script(`${block}.activation_offload_modules='"[model.layers.*]"'`),
  },
  "word-split": {
    code: "word-split",
    severities: ["error"],
    explanation: "A blank outside quotes ends the word: the rest of the list reaches the program as a word of its own.",
    example: script(`${block}.basic_modules=["A", "B"]`),
  },
  "brace-expansion": {
    code: "brace-expansion",
    severities: ["warning", "error"],
    explanation: "bash makes one word of each alternative in braces before the program starts, and the last one wins.",
    example: script(`${block}.activation_offload_modules=[model.layers.{0,1}]`),
  },
  "truthy-word": {
    code: "truthy-word",
    severities: ["warning"],
    explanation:
      "Hydra knows true and false only. yes, no, on and off stay texts, and every text that is not empty counts as true in Python.",
    example: script(`${block}.param_offload=no`),
  },
  "cut-off": {
    code: "cut-off",
    severities: ["error"],
    explanation:
      "A comment or an empty line ends the command, even behind a backslash. What follows runs as a command of its own, so its settings never reach the program.",
    example: {
      ...scriptExample(call, "  # the actor", `  ${block}.enable_async_activation_offload=true`),
      right: scriptExample("# the actor", call, `  ${block}.enable_async_activation_offload=true`).text,
    },
  },
  "bad-substitution": {
    code: "bad-substitution",
    severities: ["error"],
    explanation: "In double quotes or without any, bash reads ${…} itself and refuses a name with dots or colons.",
    example: script(`"${block}.seed=\${oc.env:SEED}"`),
  },
};

/** Rules on overrides that have no counterpart in YAML. */
export const overrideSyntax: RuleFacts = {
  code: "override-syntax",
  severities: ["error"],
  explanation: "What Hydra's grammar for overrides cannot read stops the program before it composes anything.",
  example: script(`'${block}.activation_offload_modules=[model.layers.{*}]'`),
};

export const overrideNeedsPlus: RuleFacts = {
  code: "override-needs-plus",
  severities: ["error"],
  explanation:
    "The key belongs to the dataclass but not to the shipped YAML, and Hydra sets existing keys only. A leading + adds it.",
  example: script(`${block}.entropy_from_logits_chunk_size=1024`),
};

export const overridePlusExisting: RuleFacts = {
  code: "override-plus-existing",
  severities: ["error", "warning"],
  explanation:
    "A leading + adds a key, and Hydra refuses to add one that the shipped YAML holds already. ++ does either.",
  example: script(`+${block}.seed=1`),
};

export const overrideRepeated: RuleFacts = {
  code: "override-repeated",
  severities: ["warning", "hint"],
  explanation: "Of two overrides of one key in a call the later one wins without a word.",
  example: script(`${block}.seed=1 \\`, `${block}.seed=2`),
};

export const overrideNeedsEngine: RuleFacts = {
  code: "override-needs-engine",
  severities: ["error", "information"],
  explanation:
    "The veomni blocks exist only with model_engine=veomni. Without it Hydra refuses the override at composition, unless the config that the call names selects the engine itself.",
  example: {
    ...scriptExample(`python3 -m verl.trainer.main_ppo data.train_files=a.parquet ${block}.seed=1`),
    right: script("data.train_files=a.parquet \\", `${block}.seed=1`).text,
  },
};

/** Every rule on overrides. */
export const overrideFacts: readonly RuleFacts[] = [
  ...Object.values(trapFacts),
  overrideSyntax,
  overrideNeedsPlus,
  overridePlusExisting,
  overrideRepeated,
  overrideNeedsEngine,
  carriageReturns,
];

/** How bad a trap is; what the program refuses outright is an error. */
export function trapSeverity(code: TrapCode, refused: boolean): Severity {
  if (refused || code === "word-split" || code === "bad-substitution" || code === "cut-off") return "error";
  return "warning";
}
