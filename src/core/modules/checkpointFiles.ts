import type { FileSource } from "../files.js";
import { fail, type Outcome, type Problem, succeed } from "../outcome.js";
import { scanWeightMap } from "./headerScan.js";
import { readSafetensorsHeader } from "./safetensors.js";
import { decodeUtf8, parseJsonBytes } from "./utf8.js";

/** Index files of the largest models have a few megabytes. */
const maxIndexBytes = 256 * 1024 * 1024;
const maxNameLength = 1024;
const maxSegments = 64;
const single = "model.safetensors";
const indexName = "model.safetensors.index.json";

/**
 * Names of all tensors of a checkpoint directory, from the safetensors headers and, if there is one, the index. Looks for
 * `model.safetensors`, then the index, then numbered shards without an index, then one lone `.safetensors` file.
 * `entries` are the names in the directory.
 */
export async function readTensorNames(
  files: FileSource,
  directory: string,
  entries: readonly string[],
): Promise<Outcome<ReadonlySet<string>>> {
  if (entries.includes(single)) return namesOfFiles(files, directory, [single]);
  if (entries.includes(indexName)) return namesByIndex(files, directory, entries);
  const weights = entries.filter((name) => name.endsWith(".safetensors") && !name.startsWith("adapter_"));
  const shards = weights.filter((name) => /-\d{5}-of-\d{5}\.safetensors$/.test(name));
  if (shards.length > 0) return namesOfShards(files, directory, shards);
  if (weights.length === 1) return namesOfFiles(files, directory, weights);
  return fail(noSafetensors(directory, entries, weights));
}

async function namesOfFiles(
  files: FileSource,
  directory: string,
  names: readonly string[],
): Promise<Outcome<ReadonlySet<string>>> {
  const found = new Set<string>();
  for (const file of names) {
    const rows = await readSafetensorsHeader(files, files.join(directory, file));
    if (!rows.ok) return rows;
    for (const { name } of rows.value) {
      const before = found.size;
      found.add(name);
      if (found.size === before) return fail(duplicate(directory, name, file));
      if (!isModuleName(name)) return fail(badName(directory, name));
    }
  }
  if (found.size === 0) return fail(noTensors(directory));
  return succeed(found);
}

/** Shards that number themselves but have no index: all of them must be there. */
function namesOfShards(
  files: FileSource,
  directory: string,
  shards: readonly string[],
): Promise<Outcome<ReadonlySet<string>>> {
  const total = Number(/-of-(\d{5})\.safetensors$/.exec(shards[0] ?? "")?.[1] ?? "0");
  for (let number = 1; number <= total; number += 1) {
    const mark = `-${String(number).padStart(5, "0")}-of-${String(total).padStart(5, "0")}.safetensors`;
    if (!shards.some((name) => name.endsWith(mark))) return Promise.resolve(fail(shardMissing(directory, `*${mark}`)));
  }
  return namesOfFiles(files, directory, shards);
}

async function namesByIndex(
  files: FileSource,
  directory: string,
  entries: readonly string[],
): Promise<Outcome<ReadonlySet<string>>> {
  const path = files.join(directory, indexName);
  const info = await files.info(path);
  if (!info.ok) return info;
  if (info.value.sizeBytes > maxIndexBytes) return fail(indexInvalid(path, "It is larger than 256 MiB."));
  const bytes = await files.readBytes(path, 0, info.value.sizeBytes);
  if (!bytes.ok) return bytes;
  const shardOf = readWeightMap(bytes.value);
  if (typeof shardOf === "string") return fail(indexInvalid(path, shardOf));
  const shards = [...new Set(shardOf.values())].sort();
  const present = new Set(entries);
  for (const shard of shards) if (!present.has(shard)) return fail(shardMissing(directory, shard));
  const stored = await namesOfFiles(files, directory, shards);
  if (!stored.ok) return stored;
  for (const [name, shard] of shardOf) {
    if (!stored.value.has(name))
      return fail(indexInvalid(path, `It says that ${quote(name)} is in ${shard}, which has no such tensor.`));
  }
  return succeed(stored.value.size === shardOf.size ? stored.value : new Set(shardOf.keys()));
}

/** The shard of each tensor, or what is wrong with the index in one sentence. */
function readWeightMap(bytes: Uint8Array): ReadonlyMap<string, string> | string {
  const text = decodeUtf8(bytes);
  const scanned = text === undefined ? undefined : scanWeightMap(text);
  if (scanned !== undefined && [...new Set(scanned.values())].every((shard) => plainShard.test(shard))) return scanned;
  const parsed = parseJsonBytes(bytes);
  return "cause" in parsed ? parsed.cause : weightMap(parsed.value);
}

const plainShard = /^[\w][\w.@+-]*\.safetensors$/;

/** The index's map, with plain file names only: a path could lead out of the directory. */
function weightMap(json: unknown): ReadonlyMap<string, string> | string {
  const map = typeof json === "object" && json !== null && "weight_map" in json ? json.weight_map : undefined;
  if (typeof map !== "object" || map === null || Array.isArray(map)) return 'It has no "weight_map" object.';
  const shardOf = new Map<string, string>();
  const plain = new Set<string>();
  const entries = map as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(map)) {
    const shard = entries[name];
    if (typeof shard !== "string" || !(plain.has(shard) || plainShard.test(shard))) {
      return `It places ${quote(name)} in ${quote(String(shard))}, which is not a .safetensors file of this directory.`;
    }
    plain.add(shard);
    shardOf.set(name, shard);
  }
  return shardOf.size === 0 ? "It names no tensors." : shardOf;
}

function isModuleName(name: string): boolean {
  if (name === "" || name.length > maxNameLength) return false;
  if (name.startsWith(".") || name.endsWith(".") || name.includes("..")) return false;
  return name.length < maxSegments * 2 || name.split(".").length <= maxSegments;
}

function noSafetensors(directory: string, entries: readonly string[], weights: readonly string[]): Problem {
  const code = "SAFETENSORS_MISSING";
  const message = `There are no safetensors weights in ${directory}.`;
  if (weights.length > 1) {
    const cause = `There are ${weights.length} .safetensors files but no index that says which belong together.`;
    return { code, message, cause, nextStep: `Add ${indexName}.` };
  }
  if (entries.some((name) => name.startsWith("adapter_"))) {
    return { code, message, cause: "It holds an adapter only.", nextStep: "Give the directory of the base model." };
  }
  if (entries.some((name) => name.endsWith(".bin") || name.endsWith(".pt") || name.endsWith(".pth"))) {
    const cause = "It holds pickled PyTorch weights, which cannot be read safely.";
    return { code, message, cause, nextStep: "Save the model again with safe_serialization=True." };
  }
  return { code, message, nextStep: "Give the directory that holds model.safetensors or its index." };
}

function shardMissing(directory: string, shard: string): Problem {
  const message = `The checkpoint in ${directory} lacks the shard ${shard}.`;
  return {
    code: "CHECKPOINT_SHARD_MISSING",
    message,
    nextStep: "Download the missing file, or the whole checkpoint again.",
  };
}

function indexInvalid(path: string, cause: string): Problem {
  const message = `The checkpoint index ${path} cannot be used.`;
  return { code: "CHECKPOINT_INDEX_INVALID", message, cause, nextStep: "Download or save the checkpoint again." };
}

function duplicate(directory: string, name: string, file: string): Problem {
  const message = `The checkpoint in ${directory} holds the tensor ${quote(name)} twice; the second time in ${file}.`;
  return { code: "CHECKPOINT_TENSOR_DUPLICATE", message, nextStep: "Remove files of another model or save it again." };
}

function badName(directory: string, name: string): Problem {
  const message = `The checkpoint in ${directory} holds a tensor whose name cannot belong to a module: ${quote(name)}.`;
  return { code: "CHECKPOINT_TENSOR_NAME_INVALID", message, nextStep: "Save the checkpoint again." };
}

function noTensors(directory: string): Problem {
  const message = `The checkpoint in ${directory} holds no tensors.`;
  return { code: "CHECKPOINT_EMPTY", message, nextStep: "Download or save the checkpoint again." };
}

function quote(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
