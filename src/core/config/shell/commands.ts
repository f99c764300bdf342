import type { TextSpan } from "../document/diagnostic.js";
import { UNKNOWN_MARK } from "../hydra/value.js";
import { readShell, type ShellReading, type ShellWord } from "./readShell.js";

/** A call of a trainer, or of something that receives its arguments. */
export interface ProgramCall {
  readonly dialect: "verl" | "veomni";
  /** The word that named the trainer (`verl.trainer.main_ppo`); undefined when only the arguments give it away. */
  readonly program: string | undefined;
  /** The words behind the name of the trainer. */
  readonly args: readonly ShellWord[];
  readonly span: TextSpan;
  /** `-m` or `--multirun`: sweeps are allowed. */
  readonly multirun: boolean;
  /** The call stands in text that a second shell reads (`bash -c '…'`): quoting there is not ours to rewrite. */
  readonly nested: boolean;
  /**
   * verl's own PPO trainer with the config that it ships, and no words that only the run can tell: what the call does not set is at its
   * default.
   */
  readonly isWhole: boolean;
  /** The trainer of verl whose shipped configuration the call composes with nothing but these words. */
  readonly composes?: "ppo" | "sft";
  /** The first word, when it is an override where a program is expected: the command above ended too early. */
  readonly cutOff?: ShellWord;
  /** Documentation that lists overrides without a command; nothing is run. */
  readonly isExcerpt?: true;
}

const VERL_ENTRY = /(?:^|[./])(?:main_ppo|\w*sft_trainer\w*)(?:\.py)?$|^(?:verl|recipe)\.(?:\w+\.)*main\w*$/;
const SHIPPED_CONFIG_ENTRY = /^verl\.trainer\.main_ppo$|(?:^|\/)verl\/trainer\/main_ppo\.py$/;
const SHIPPED_SFT_ENTRY = /^verl\.trainer\.sft_trainer(?:_ray)?$|(?:^|\/)verl\/trainer\/sft_trainer(?:_ray)?\.py$/;
/** Options that name another config, and words that may hold anything. */
const OTHER_CONFIG = new RegExp(`^(?:--config-|-c[npd]|\\+{0,2}hydra[./]|${UNKNOWN_MARK})`);
const VEOMNI_TASK = /(?:^|\/)tasks\/(?:[\w-]+\/)*\w*train\w*\.py$/;
/** Names that many projects have; the flags have to say the rest. */
const VEOMNI_LIKELY_TASK = /(?:^|\/)train_\w+\.py$|(?:^|\/)train\.sh$/;
const VEOMNI_FLAG = /^--(?:train|model|data)\.[A-Za-z_]/;
/** Only VeOmni has these; `--model.…` and `--data.…` belong to other trainers too. */
const VEOMNI_OWN_FLAG =
  /^--(?:(?:train|model)\.(?:accelerator|ops_implementation)\.|train\.(?:checkpoint\.|enable_activation_offload|activation_gpu_limit)|data\.train_path)/;
const YAML_FILE = /\.ya?ml$/;
/** These only look at text, whatever stands in it. */
const TEXT_TOOL =
  /^(?:\S*\/)?(?:echo|printf|[ef]?grep|rg|ag|sed|g?awk|cat|ls|less|head|tail|diff|git|find|cp|mv|rm|test|\[{1,2})$/;
const VERL_TOKEN = /^(?:~|\+{0,2})[\w./@-]*\.veomni(?:\.|=|@)/;
const ENGINE_TOKEN = /^(?:\+{0,2})(?:model_engine|engine)(?:@[\w.]*)?=(.*)$/s;
const OVERRIDE = /^\+{0,2}[A-Za-z_][\w./@-]*=/;
/** Cheap test whether the text of a nested shell is worth reading. */
const INTERESTING = /main_ppo|sft_trainer|\.veomni\.|--(?:train|model|data)\./;
/** Every word of theirs may be the script of a shell. */
const HANDS_WORDS_ON = /^(?:\S*\/)?(?:ssh|tmux|screen)$/;
const MAX_NESTING = 3;

/**
 * Finds what matters in a script: verl trainers run with the VeOmni engine (by module, by file, or any command with
 * tokens that contain `.veomni.`) and VeOmni tasks with their flags, behind launchers of any kind (`torchrun`,
 * `python3 -m`, `accelerate launch`, `env A=b`, `srun`, `ray job submit -- …`, `nohup`, `bash -c '…'`). Assignments with
 * such tokens that reach none of these calls come last, as calls without a program.
 */
export function findProgramCalls(reading: ShellReading): readonly ProgramCall[] {
  const calls = callsOf(reading, 0);
  const reached = new Set(calls.flatMap((call) => call.args.map((word) => word.starts[0])));
  for (const { words } of reading.assignments()) {
    const args = words.filter((word) => !reached.has(word.starts[0]));
    if (!args.some((word) => VERL_TOKEN.test(word.text))) continue;
    for (const word of args) reached.add(word.starts[0]);
    calls.push(verlCall(undefined, args, coverOf(args)));
  }
  return calls;
}

function callsOf(reading: ShellReading, depth: number): ProgramCall[] {
  return reading.commands.flatMap(({ words, span }) => {
    const nested = depth < MAX_NESTING ? words.flatMap((word, i) => nestedCalls(words, word, i, depth)) : [];
    const call = callIn(words, span);
    return call === undefined ? nested : [call, ...nested];
  });
}

function callIn(words: readonly ShellWord[], span: TextSpan): ProgramCall | undefined {
  if (TEXT_TOOL.test(words[0]?.text ?? "")) return undefined;
  const veomni = veomniCall(words, span);
  if (veomni !== undefined) return veomni;
  const entry = words.findIndex((word) => VERL_ENTRY.test(word.text));
  if (entry >= 0) {
    const args = words.slice(entry + 1);
    return usesVeomni(words) ? verlCall(words[entry]?.text, args, span) : undefined;
  }
  if (!words.some((word) => VERL_TOKEN.test(word.text))) return undefined;
  const call = verlCall(undefined, words, span);
  const [first] = words;
  return first !== undefined && OVERRIDE.test(first.text) ? { ...call, cutOff: first } : call;
}

function veomniCall(words: readonly ShellWord[], span: TextSpan): ProgramCall | undefined {
  const task = words.findLastIndex(({ text }) => VEOMNI_TASK.test(text) || VEOMNI_LIKELY_TASK.test(text));
  const flag = words.findIndex(({ text }) => VEOMNI_FLAG.test(text));
  if (!(task < 0 ? isVeomniByFlags(words, flag) : isVeomniTask(words, task, flag))) return undefined;
  const args = words.slice(task < 0 ? flag : task + 1);
  return { dialect: "veomni", program: words[task]?.text, args, span, multirun: false, nested: false, isWhole: false };
}

function isVeomniTask(words: readonly ShellWord[], task: number, flag: number): boolean {
  const args = words.slice(task + 1);
  if (VEOMNI_TASK.test(words[task]?.text ?? "")) return flag >= 0 || args.some(({ text }) => YAML_FILE.test(text));
  if (flag < 0) return false;
  const first = args[0]?.text ?? "";
  return YAML_FILE.test(first) || first.includes(UNKNOWN_MARK) || isVeomniByFlags(words, flag);
}

/** Flags that only VeOmni has, or those of its `train` block behind a task that only the run can tell. */
function isVeomniByFlags(words: readonly ShellWord[], flag: number): boolean {
  if (words.some(({ text }) => VEOMNI_OWN_FLAG.test(text))) return true;
  const mayBeTask = words.slice(0, Math.max(0, flag)).some(({ text }) => text.includes(UNKNOWN_MARK));
  return mayBeTask && words.some(({ text }) => text.startsWith("--train."));
}

/** An engine that is named, or that only the run can tell, or a token of the engine's own block. */
function usesVeomni(words: readonly ShellWord[]): boolean {
  return words.some((word) => {
    if (VERL_TOKEN.test(word.text)) return true;
    const engine = ENGINE_TOKEN.exec(word.text)?.[1];
    if (engine === undefined) return false;
    return engine === "veomni" || engine.includes(UNKNOWN_MARK) || word.assumesDefault;
  });
}

function verlCall(program: string | undefined, args: readonly ShellWord[], span: TextSpan): ProgramCall {
  const multirun = args.some((word) => word.text === "-m" || word.text === "--multirun");
  const hasOwnConfig = !args.some(({ text }) => OTHER_CONFIG.test(text));
  const isWhole = SHIPPED_CONFIG_ENTRY.test(program ?? "") && hasOwnConfig;
  const call = { dialect: "verl", program, args, span, multirun, nested: false, isWhole } as const;
  if (isWhole) return { ...call, composes: "ppo" };
  return SHIPPED_SFT_ENTRY.test(program ?? "") && hasOwnConfig ? { ...call, composes: "sft" } : call;
}

function coverOf(words: readonly ShellWord[]): TextSpan {
  const start = Math.min(...words.slice(0, 1000).map((word) => word.span.start));
  return { start, end: Math.max(start, ...words.slice(0, 1000).map((word) => word.span.end)) };
}

/** The calls in the script that another shell receives as one word (`bash -c`, `sbatch --wrap=`), with places in the original text. */
function nestedCalls(words: readonly ShellWord[], word: ShellWord, index: number, depth: number): ProgramCall[] {
  const before = words[index - 1]?.text ?? "";
  const isOption = /^-\w*c$|^--wrap$/.test(before) || word.text.startsWith("--wrap=");
  const isScript = isOption || (index > 0 && HANDS_WORDS_ON.test(words[0]?.text ?? ""));
  if (!isScript || !/\s/.test(word.text) || !INTERESTING.test(word.text)) return [];
  return callsOf(readShell(word.text), depth + 1).map((call) => ({
    ...call,
    nested: true,
    span: outerSpan(word, call.span),
    args: call.args.map((arg) => outerWord(word, arg)),
  }));
}

function outerSpan(outer: ShellWord, inner: TextSpan): TextSpan {
  const start = outer.starts[inner.start] ?? outer.span.start;
  const end = outer.ends[inner.end - 1] ?? start;
  return { start, end: Math.max(start, end) };
}

function outerWord(outer: ShellWord, inner: ShellWord): ShellWord {
  const spans = inner.starts.map((start, i) => outerSpan(outer, { start, end: inner.ends[i] ?? start }));
  return {
    ...inner,
    starts: spans.map((span) => span.start),
    ends: spans.map((span) => span.end),
    span: outerSpan(outer, inner.span),
    removedQuotes: inner.removedQuotes.map((quote) => ({ ...quote, span: outerSpan(outer, quote.span) })),
    badSubstitutions: inner.badSubstitutions.map((span) => outerSpan(outer, span)),
    ...(inner.braces && { braces: outerSpan(outer, inner.braces) }),
    ...(inner.splitFrom && { splitFrom: { ...inner.splitFrom, span: outerSpan(outer, inner.splitFrom.span) } }),
  };
}
