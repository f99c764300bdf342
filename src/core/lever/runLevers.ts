import { simulatedMargin, trendOf } from "../base/noise.js";
import { fail, type Outcome, succeed } from "../base/outcome.js";
import { type CheckOptions, checkConfig } from "../config/check.js";
import { scalarOf } from "../config/document/configNode.js";
import type { TextEdit } from "../config/document/diagnostic.js";
import type { OffloadSettings } from "../config/document/offloadSettings.js";
import { type JobKeys, jobKeys } from "../config/jobKeys.js";
import { type Environment, type ReadConfig, readConfig, settingsOf } from "../config/readConfig.js";
import { syncSwitch } from "../config/veomni/offloadNames.js";
import { placedKey } from "../config/veomni/trainingContext.js";
import { type KeyValue, keyEdits } from "../config/write/keyEdit.js";
import { patternListEdit } from "../config/write/patternListEdit.js";
import type { ProfileRequest } from "../profile/request.js";
import type { ProfileResult } from "../profile/result.js";
import { ASYNC_OFFLOAD } from "../profile/strategies.js";
import { SAME_TIME } from "../sweep/choose.js";
import type { Simulate } from "../sweep/runSweep.js";
import { type LeverFigures, leverFigures } from "./leverFigures.js";
import { leverFindings, writtenAt } from "./leverFindings.js";
import { leverKeys } from "./leverKeys.js";
import { compareLevers, lowersPeak, type OrderedChange } from "./leverOrder.js";
import type { LeverQuestion } from "./leverRequest.js";
import type { Lever, LeverTable, LeverValue } from "./leverTable.js";

/** A block of a file, and how its step is asked for: once for all, so that a change goes through the same reader as the file. */
export interface LeverSubject {
  readonly read: ReadConfig;
  readonly block: OffloadSettings;
  readonly environment: Environment;
  readonly options: CheckOptions;
  /** Head or entropy are given by other than the file: what the file says of them is not judged. */
  readonly isHeadGiven?: boolean;
  requestOf(block: OffloadSettings): Outcome<LeverQuestion>;
  /** Called between two keys, each of which reads the file again: an editor lets other work through there. */
  pause?(): Promise<void>;
}

/**
 * Simulates the step of a block, and that of the file with each single key of its dialect changed. What the rules find an error in, what
 * the engine refuses and what is not known as well as the block's own step is no lever. Fails with the problems of the block's own
 * request, with the engine's for it, with `LEVERS_NO_BLOCK`, with `LEVERS_SYNCHRONOUS`, and with `CANCELLED`: `isCancelled` is asked between two simulations.
 */
export async function runLevers(
  simulate: Simulate,
  subject: LeverSubject,
  isCancelled: () => boolean = () => false,
): Promise<Outcome<LeverTable>> {
  const asked = subject.requestOf(subject.block);
  if (!asked.ok) return asked;
  const run = new LeverRun(simulate, subject, asked.value, isCancelled);
  return run.table();
}

interface Changed {
  readonly key: string;
  readonly value: LeverValue;
  readonly edit: TextEdit;
  readonly question: LeverQuestion;
}

class LeverRun {
  readonly #answers = new Map<string, Outcome<ProfileResult>>();
  readonly #errorsBefore: ReadonlySet<string>;

  constructor(
    private readonly simulate: Simulate,
    private readonly subject: LeverSubject,
    private readonly question: LeverQuestion,
    private readonly isCancelled: () => boolean,
  ) {
    this.#errorsBefore = refusals(subject.read, subject.options);
  }

  async table(): Promise<Outcome<LeverTable>> {
    const keys = jobKeys(this.subject.read, this.subject.block);
    if (keys === undefined) return fail(noBlock);
    if (offloadsSynchronously(keys)) return fail(synchronous);
    const own = await this.#ask(this.question.request);
    if (!own.ok) return own;
    const before = leverFigures(this.question, own.value);
    if (!before.ok) return before;
    const found: { readonly lever: Lever; readonly order: OrderedChange }[] = [];
    const withoutEffect: { key: string; value: KeyValue }[] = [];
    const take = async (changed: Changed): Promise<boolean> => {
      const result = await this.#ask(changed.question.request);
      const after = result.ok ? leverFigures(changed.question, result.value) : result;
      if (!after.ok) return true;
      const lever = leverOf(changed, before.value, after.value);
      found.push(lever);
      return moves(lever.order);
    };
    // Of the stack alone nothing can be said about the head.
    const judgesHead = this.question.scope.stackOnly === undefined && this.subject.isHeadGiven !== true;
    for (const { key, values, isNoLever, isOfHead } of leverKeys(keys)) {
      for (const value of values) {
        await this.subject.pause?.();
        if (this.isCancelled()) return fail(cancelled);
        const changed = this.#changed(key, value);
        if (changed === undefined) continue;
        const isMoving = !isSameStep(changed.question, this.question) && (await take(changed));
        const isExpected =
          isNoLever === true || (isOfHead === true && judgesHead && writtenAt(keys, key) !== undefined);
        if (!isMoving && isExpected) withoutEffect.push({ key, value });
      }
    }
    const listed = await this.#allLayers();
    if (listed !== undefined) await take(listed);
    if (this.isCancelled()) return fail(cancelled);
    const { peakBytes, phase, step, ranks } = before.value;
    const { head } = this.question.request;
    const moving = found.filter(({ order }) => moves(order));
    const lowering = moving.filter(({ order }) => lowersPeak(order));
    const others = moving.filter(({ order }) => !lowersPeak(order));
    const table = {
      deviceName: own.value.device.name,
      peakBytes,
      phase,
      stepMs: step.value,
      ranks,
      stackOnly: this.question.scope.stackOnly,
      unsure: this.question.step.unsure,
      levers: lowering.sort((a, b) => compareLevers(a.order, b.order)).map(({ lever }) => lever),
      others: others.sort((a, b) => a.order.costMsAfter - b.order.costMsAfter).map(({ lever }) => lever),
      withoutEffect,
    };
    return succeed({ ...table, findings: leverFindings(table, keys, head) });
  }

  /** The file with one key changed; `undefined` where it cannot be written, or would not run. */
  #changed(key: string, value: KeyValue): Changed | undefined {
    const { read, block } = this.subject;
    for (const edit of keyEdits(read, block, key, value)) {
      const question = this.#questionAfter(edit);
      if (question !== undefined) return { key, value, edit, question };
    }
    return undefined;
  }

  #questionAfter({ span, newText }: TextEdit): LeverQuestion | undefined {
    const { read, block, environment, options } = this.subject;
    const text = read.text.slice(0, span.start) + newText + read.text.slice(span.end);
    if (text === read.text) return undefined;
    const again = readConfig(read.path, text, read.options);
    const settings = again && settingsOf(again, environment).find(({ blockPath }) => blockPath === block.blockPath);
    if (again === undefined || settings === undefined) return undefined;
    for (const error of refusals(again, options)) if (!this.#errorsBefore.has(error)) return undefined;
    const question = this.subject.requestOf(settings);
    if (!question.ok) return undefined;
    return isComparable(question.value, this.question) ? question.value : undefined;
  }

  /** All layers in the place of a list that takes some of them; the engine knows what the model's list of layers is called. */
  async #allLayers(): Promise<Changed | undefined> {
    const { read, block } = this.subject;
    const { patterns } = block;
    if (block.enabled !== true || !Array.isArray(patterns) || patterns.length === 0) return undefined;
    const asked = await this.#ask({ ...this.question.request, patterns: [], strategies: [ASYNC_OFFLOAD], steps: 1 });
    const all = asked.ok ? asked.value.runs.find(({ strategy }) => strategy === ASYNC_OFFLOAD)?.patterns : undefined;
    if (all === undefined || all === null || all.length === 0) return undefined;
    const edit = patternListEdit(read, block, all);
    const question = edit.ok ? this.#questionAfter(edit.value) : undefined;
    if (!edit.ok || question === undefined || isSameStep(question, this.question)) return undefined;
    const path = block.blockPath.replace(/ \(\d+\)$/, "");
    const key = path === "" ? PATTERNS_KEY : `${path}.${PATTERNS_KEY}`;
    return { key, value: all, edit: edit.value, question };
  }

  async #ask(request: ProfileRequest): Promise<Outcome<ProfileResult>> {
    const key = JSON.stringify(request);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    if (this.isCancelled()) return fail(cancelled);
    const answer = await this.simulate(request);
    this.#answers.set(key, answer);
    return answer;
  }
}

const PATTERNS_KEY = "activation_offload_modules";

/** Warnings of what runs otherwise than it would be simulated: kernels that the family refuses, hooks that see no activations. */
const NOT_AS_SIMULATED: ReadonlySet<string> = new Set([
  "async-reentrant",
  "async-wan",
  "kernel-for-model",
  "reentrant",
]);

/** What keeps a job from running, or from running as it is simulated. */
function refusals(read: ReadConfig, options: CheckOptions): ReadonlySet<string> {
  const found = checkConfig(read, options).filter(
    ({ severity, code }) => severity === "error" || NOT_AS_SIMULATED.has(code),
  );
  return new Set(found.map(({ code, message }) => `${code} ${message}`));
}

/** Figures of the stack alone and of a whole step are not, nor those of more ranks than a number that nobody knows. */
function isComparable(one: LeverQuestion, other: LeverQuestion): boolean {
  if (one.scope.stackOnly !== other.scope.stackOnly) return false;
  return other.step.ranks.kind !== "unknown" || one.request.worldSize === other.request.worldSize;
}

function isSameStep(one: LeverQuestion, other: LeverQuestion): boolean {
  return (
    one.scope.accumulation === other.scope.accumulation && JSON.stringify(one.request) === JSON.stringify(other.request)
  );
}

function leverOf(
  { key, value, edit }: Changed,
  before: LeverFigures,
  after: LeverFigures,
): { readonly lever: Lever; readonly order: OrderedChange } {
  // Smaller micro-batches and more ranks share the work of an optimizer step otherwise: only times of the same work compare.
  const share = ((after.fullMs / before.fullMs) * before.tokens) / after.tokens;
  const stepMsAfter = before.step.value * share;
  const scale = stepMsAfter / after.step.value;
  const range = after.step.range?.map((ms) => ms * scale) as readonly [number, number] | undefined;
  const margin = simulatedMargin(before.step, { value: stepMsAfter, range });
  return {
    lever: {
      key,
      value,
      peakBytesAfter: after.peakBytes,
      phaseAfter: after.phase,
      stepMsAfter,
      stepTrend: trendOf(before.step.value, stepMsAfter, margin, true),
      ranksAfter: after.ranks,
      edit,
    },
    order: {
      peakBytesBefore: before.peakBytes,
      peakBytesAfter: after.peakBytes,
      costMsBefore: before.step.value,
      costMsAfter: (stepMsAfter * after.ranks) / before.ranks,
    },
  };
}

/** More than a simulation of the same step would differ by. */
function moves(change: OrderedChange): boolean {
  const { peakBytesBefore, peakBytesAfter, costMsBefore, costMsAfter } = change;
  return peakBytesAfter !== peakBytesBefore || Math.abs(costMsAfter / costMsBefore - 1) > SAME_TIME;
}

/** Where that is on the block's own step would be simulated without any offload. verl's engine refuses its switch. */
function offloadsSynchronously(keys: JobKeys): boolean {
  const value = keys.framework === "VeOmni" ? scalarOf(placedKey(keys.context, syncSwitch)?.entry.value) : undefined;
  return value?.type === "bool" && value.value;
}

const synchronous = {
  code: "LEVERS_SYNCHRONOUS",
  message: "Synchronous activation offload is on, and its step is not simulated.",
  cause: "Every other key would be compared with a step that does not run.",
  nextStep: "Switch enable_activation off, or compare strategies with --strategy save_on_cpu.",
};

const noBlock = {
  code: "LEVERS_NO_BLOCK",
  message: "This file has no block whose keys could be changed.",
  nextStep: "Give a verl config with actor_rollout_ref.actor.veomni, or VeOmni's training YAML.",
};

const cancelled = {
  code: "CANCELLED",
  message: "The simulations of single keys were cancelled.",
  nextStep: "Start them again when you want them.",
};
