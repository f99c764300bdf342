import type { ConfigDocument } from "../../document/configDocument.js";
import { asMapping, type ConfigNode, entryOf, nodeAt } from "../../document/configNode.js";
import { booleanIn, integerIn } from "../../document/literalValues.js";
import { fileExample } from "../../rules/example.js";
import type { Finding, RuleFacts } from "../../rules/rule.js";
import type { DocumentKind } from "../recognise.js";
import { ppoDefaults } from "../verlDefaults.js";
import { buildsCritic } from "./buildsCritic.js";

function withMiniBatch(size: number) {
  return fileExample(
    "model_engine: veomni",
    "trainer:",
    "  nnodes: 1",
    "  n_gpus_per_node: 8",
    "actor_rollout_ref:",
    "  actor:",
    `    ppo_mini_batch_size: ${size}`,
    "    veomni:",
    "      ulysses_parallel_size: 1",
    "  rollout:",
    "    n: 1",
  );
}

/** Batch sizes and numbers of GPUs by which verl divides. */
export const batchSizes: RuleFacts = {
  code: "batch-multiple",
  severities: ["error"],
  explanation:
    "verl divides batches by the GPUs. Without dynamic batch, train_batch_size times rollout.n must be a multiple of the GPUs, and train_batch_size at least ppo_mini_batch_size. ppo_mini_batch_size times rollout.n must be a multiple of the data-parallel size (GPUs over ulysses_parallel_size), the share of one GPU a multiple of its micro-batch, and the GPUs one of the rollout's parallel sizes. 0 raises ZeroDivisionError; so does a save_freq or test_freq of 0 in the SFT trainer. Only what the file (of a whole call: with verl's defaults) shows is judged.",
  example: { ...withMiniBatch(12), right: withMiniBatch(16).text },
};

/** Defaults of verl's PPO configuration. */
const shipped: ReadonlyMap<string, number | boolean | string> = new Map<string, number | boolean | string>([
  ...ppoDefaults,
  ["data.train_batch_size", 1024],
  ["actor_rollout_ref.actor.veomni.ulysses_parallel_size", 1],
  ["critic.veomni.ulysses_parallel_size", 1],
  ["actor_rollout_ref.rollout.tensor_model_parallel_size", 2],
  ["actor_rollout_ref.rollout.data_parallel_size", 1],
  ["actor_rollout_ref.rollout.pipeline_model_parallel_size", 1],
]);

/** `isWhole`: what the text does not set is at verl's defaults. */
export function batchFindings(document: ConfigDocument, kind: DocumentKind, isWhole: boolean): readonly Finding[] {
  if (kind.form === "sft") return sftFindings(new Sizes(document.root, false));
  if (kind.form !== "composed") return [];
  const sizes = new Sizes(document.root, isWhole);
  const first = [
    ...trainingFindings(sizes),
    ...roleFindings(sizes, "actor_rollout_ref.actor"),
    ...(buildsCritic(document.root) ? roleFindings(sizes, "critic") : []),
    ...rolloutFindings(sizes),
  ];
  return first.filter(({ span }, at) => first.findIndex((other) => other.span.start === span.start) === at);
}

/** What a file gives at dotted paths, references followed. */
class Sizes {
  constructor(
    private readonly root: ConfigNode | undefined,
    private readonly isWhole: boolean,
  ) {}

  /** Undefined where it is not known. */
  count(path: string): number | undefined {
    const { parent, key } = this.#place(path);
    if (entryOf(parent, key) !== undefined) return integerIn(this.root, parent, key);
    const value = this.isWhole ? shipped.get(path) : undefined;
    return typeof value === "number" ? value : undefined;
  }

  isFalse(path: string): boolean {
    const { parent, key } = this.#place(path);
    if (entryOf(parent, key) !== undefined) return booleanIn(this.root, parent, key) === false;
    return this.isWhole && shipped.get(path) === false;
  }

  isWritten(path: string): boolean {
    const { parent, key } = this.#place(path);
    return entryOf(parent, key) !== undefined;
  }

  /** At the first of the keys that the text writes; nothing where it writes none. */
  finding(paths: readonly string[], why: string): readonly Finding[] {
    const entries = paths.map((path) => ({ path, ...this.#place(path) }));
    const written = entries.find(({ parent, key }) => entryOf(parent, key) !== undefined);
    const entry = entryOf(written?.parent, written?.key ?? "");
    return entry === undefined ? [] : [{ span: entry.value.span, severity: "error", message: why }];
  }

  get gpus(): number | undefined {
    const nodes = this.count("trainer.nnodes");
    const perNode = this.count("trainer.n_gpus_per_node");
    return nodes === undefined || perNode === undefined ? undefined : nodes * perNode;
  }

  #place(path: string) {
    const above = path.split(".");
    const key = above.pop() ?? "";
    return { parent: asMapping(nodeAt(this.root, above)), key };
  }
}

const gpuKeys = ["trainer.n_gpus_per_node", "trainer.nnodes"];
const trainKey = "data.train_batch_size";
const samplesKey = "actor_rollout_ref.rollout.n";
const byZero = "raises ZeroDivisionError";

/** verl's `validate_config`, and the steps of an epoch. */
function trainingFindings(sizes: Sizes): readonly Finding[] {
  const train = sizes.count(trainKey);
  if (train === 0) return sizes.finding([trainKey], `${trainKey} is 0: counting the steps of an epoch ${byZero}.`);
  const { gpus } = sizes;
  if (!sizes.isFalse("actor_rollout_ref.actor.use_dynamic_bsz") || gpus === undefined) return [];
  if (gpus === 0) {
    return sizes.finding(
      zeroFirst(sizes, gpuKeys),
      `There are 0 GPUs: the check of the batch size divides by them and ${byZero}.`,
    );
  }
  const samples = sizes.count(samplesKey);
  if (train === undefined || samples === undefined || gpus < 0 || (train * samples) % gpus === 0) return [];
  return sizes.finding(
    [trainKey, samplesKey, ...gpuKeys],
    `train_batch_size ${train} times rollout.n ${samples} is no multiple of the ${gpus} GPUs, which verl asserts without dynamic batch.`,
  );
}

/** What `ActorConfig`, `CriticConfig` and the worker's update do with the batch of one role. */
function roleFindings(sizes: Sizes, role: string): readonly Finding[] {
  const miniKey = `${role}.ppo_mini_batch_size`;
  // The critic takes over the actor's.
  const actorKey = "actor_rollout_ref.actor.ppo_mini_batch_size";
  const mini = sizes.isWritten(miniKey) ? sizes.count(miniKey) : sizes.count(actorKey);
  if (mini === 0) return sizes.finding([miniKey], `${miniKey} is 0: the update divides its batch by it and ${byZero}.`);
  const dynamicKey = `${role}.use_dynamic_bsz`;
  const isStatic = sizes.isFalse(sizes.isWritten(dynamicKey) ? dynamicKey : "actor_rollout_ref.actor.use_dynamic_bsz");
  return [
    ...(isStatic ? staticFindings(sizes, role, mini) : []),
    ...(mini === undefined ? [] : updateFindings(sizes, role, mini, isStatic)),
  ];
}

function staticFindings(sizes: Sizes, role: string, mini: number | undefined): readonly Finding[] {
  const miniKey = `${role}.ppo_mini_batch_size`;
  const microKey = `${role}.ppo_micro_batch_size`;
  const shareKey = `${role}.ppo_micro_batch_size_per_gpu`;
  const micro = sizes.count(microKey);
  if (sizes.count(shareKey) === 0) {
    return sizes.finding([shareKey], `${shareKey} is 0: cutting a batch into micro-batches ${byZero}.`);
  }
  if (micro === 0) return sizes.finding([microKey], `${microKey} is 0: dividing ppo_mini_batch_size by it ${byZero}.`);
  if (micro !== undefined && mini !== undefined && mini % micro !== 0) {
    const why = `ppo_mini_batch_size ${mini} is no multiple of ppo_micro_batch_size ${micro}: verl raises ValueError.`;
    return sizes.finding([microKey, miniKey], why);
  }
  const { gpus } = sizes;
  // parallel-sizes judges the critic's, with its sequence-parallel size.
  if (role !== "critic" && micro !== undefined && micro > 0 && gpus !== undefined && micro < gpus) {
    const why = `ppo_micro_batch_size ${micro} is less than the ${gpus} GPUs: verl raises ValueError.`;
    return sizes.finding([microKey, ...gpuKeys], why);
  }
  const train = sizes.count(trainKey);
  if (train === undefined || mini === undefined || train >= mini) return [];
  const why = `train_batch_size ${train} is less than ppo_mini_batch_size ${mini}: verl raises ValueError without dynamic batch.`;
  return sizes.finding([trainKey, miniKey], why);
}

function updateFindings(sizes: Sizes, role: string, mini: number, isStatic: boolean): readonly Finding[] {
  const { gpus } = sizes;
  const samples = sizes.count(samplesKey);
  const sequence = sizes.count(`${role}.veomni.ulysses_parallel_size`);
  if (gpus === undefined || samples === undefined || sequence === undefined) return [];
  if (gpus <= 0 || sequence <= 0 || gpus % sequence !== 0) return [];
  const ranks = gpus / sequence;
  const keys = [`${role}.ppo_mini_batch_size`, samplesKey, `${role}.veomni.ulysses_parallel_size`, ...gpuKeys];
  if ((mini * samples) % ranks !== 0) {
    const why = `ppo_mini_batch_size ${mini} times rollout.n ${samples} is no multiple of the data-parallel size ${ranks}: the first update fails at an assertion.`;
    return sizes.finding(keys, why);
  }
  const share = isStatic ? sizes.count(`${role}.ppo_micro_batch_size_per_gpu`) : undefined;
  const perRank = (mini * samples) / ranks;
  if (share === undefined || share <= 0 || perRank % share === 0) return [];
  const why = `ppo_micro_batch_size_per_gpu ${share} does not divide the ${perRank} samples that a GPU has in a mini-batch: the first update fails at an assertion.`;
  return sizes.finding([`${role}.ppo_micro_batch_size_per_gpu`, ...keys], why);
}

/** The rollout of a worker that trains, too; with `hybrid_engine` off the GPUs are others. */
function rolloutFindings(sizes: Sizes): readonly Finding[] {
  const rollout = "actor_rollout_ref.rollout";
  const keys = ["tensor_model", "data", "pipeline_model"].map((name) => `${rollout}.${name}_parallel_size`);
  const zero = keys.find((key) => sizes.count(key) === 0);
  if (sizes.isWritten("actor_rollout_ref.hybrid_engine")) return [];
  if (zero !== undefined) return sizes.finding([zero], `${zero} is 0: dividing the GPUs by it ${byZero}.`);
  const { gpus } = sizes;
  const product = keys
    .map((key) => sizes.count(key))
    .reduce((all, each) => (all === undefined || each === undefined ? undefined : all * each), 1);
  if (gpus === undefined || gpus <= 0 || product === undefined || product < 0 || gpus % product === 0) return [];
  const why = `The rollout's parallel sizes make ${product}, which does not divide the ${gpus} GPUs: the start-up fails at an assertion.`;
  return sizes.finding([...keys, ...gpuKeys], why);
}

function sftFindings(sizes: Sizes): readonly Finding[] {
  const zero = (path: string, what: string) =>
    sizes.count(path) === 0 ? sizes.finding([path], `${path} is 0: ${what}.`) : [];
  const isStatic = sizes.isFalse("data.use_dynamic_bsz");
  return [
    ...zero(trainKey, "the data loader refuses a batch of 0 (ValueError)"),
    ...(isStatic ? zero("data.micro_batch_size_per_gpu", `cutting a batch into micro-batches ${byZero}`) : []),
    ...zero("trainer.save_freq", `the SFT trainer takes each step modulo it and ${byZero}; -1 turns it off`),
    ...zero("trainer.test_freq", `the SFT trainer takes each step modulo it and ${byZero}; -1 turns it off`),
  ];
}

function zeroFirst(sizes: Sizes, paths: readonly string[]): readonly string[] {
  return [...paths].sort((left, right) => Number(sizes.count(right) === 0) - Number(sizes.count(left) === 0));
}
