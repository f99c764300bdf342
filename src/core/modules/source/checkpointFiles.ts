import type { FileSource } from "../../base/files.js";
import { fail, type Outcome, type Problem, succeed } from "../../base/outcome.js";
import { shownWord } from "../../base/shownWord.js";
import { parseJsonBytes } from "../../base/utf8.js";
import { type ScannedMap, scanWeightMap } from "./headerScan.js";
import { CountList, type NameSpans, spansOf, spanText } from "./nameSpans.js";
import { headerInvalid, headerListsTwice, readSafetensorsHeader } from "./safetensors.js";
import { TensorNames } from "./tensorNames.js";

/** Index files of the largest models have a few megabytes. */
const maxIndexBytes = 256 * 1024 * 1024;
const maxNameLength = 1024;
const maxSegments = 64;
/** Names that differ in more than their numbers; models have some hundred. */
const maxShapes = 65_536;
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
): Promise<Outcome<TensorNames>> {
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
  shards: readonly string[],
): Promise<Outcome<TensorNames>> {
  const names = new TensorNames();
  const stored = await addStored(files, directory, shards, names);
  if (!stored.ok) return stored;
  return names.size === 0 ? fail(noTensors(directory)) : succeed(names);
}

/** How many headers are asked for at once; each may have 100 MiB. */
const readAtOnce = 8;

/** Adds what the headers name to the names, and gives by number of the name the file that has it, from 1 on; 0 means none. */
async function addStored(
  files: FileSource,
  directory: string,
  shards: readonly string[],
  names: TensorNames,
): Promise<Outcome<CountList>> {
  const storedIn = new CountList();
  for (let name = 0; name < names.size; name += 1) storedIn.push(0);
  for (let first = 0; first < shards.length; first += readAtOnce) {
    const batch = shards.slice(first, first + readAtOnce);
    const paths = batch.map((file) => files.join(directory, file));
    const headers = await Promise.all(paths.map((path) => readSafetensorsHeader(files, path)));
    for (const [at, header] of headers.entries()) {
      if (!header.ok) return header.problem.code === "FILE_MISSING" ? fail(leadsNowhere(directory, batch[at])) : header;
      const problem = addHeader(header.value, names, storedIn, {
        directory,
        file: batch[at] ?? "",
        path: paths[at] ?? "",
        number: first + at + 1,
      });
      if (problem !== undefined) return fail(problem);
    }
  }
  const bad = firstBadName(names);
  return bad === undefined ? succeed(storedIn) : fail(badName(directory, bad));
}

interface HeaderPlace {
  readonly directory: string;
  readonly file: string;
  readonly path: string;
  readonly number: number;
}

function addHeader(
  header: NameSpans,
  names: TensorNames,
  storedIn: CountList,
  { directory, file, path, number }: HeaderPlace,
): Problem | undefined {
  for (let at = 0; at < header.count; at += 1) {
    const length = (header.ends[at] ?? 0) - (header.starts[at] ?? 0);
    if (length > maxNameLength) return badName(directory, spanText(header, at));
    const name = names.add(header, at);
    if (names.shapes.length > maxShapes) return tooManyNames(directory);
    if (name === storedIn.length) storedIn.push(0);
    const before = storedIn.values[name] ?? 0;
    if (before === number) return headerInvalid(path, headerListsTwice);
    if (before !== 0) return duplicate(directory, spanText(header, at), file);
    storedIn.values[name] = number;
  }
  return undefined;
}

/** Shards that number themselves but have no index: all of them must be there. */
function namesOfShards(files: FileSource, directory: string, shards: readonly string[]): Promise<Outcome<TensorNames>> {
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
): Promise<Outcome<TensorNames>> {
  const path = files.join(directory, indexName);
  const info = await files.info(path);
  if (!info.ok) return info;
  if (info.value.sizeBytes > maxIndexBytes) return fail(indexInvalid(path, "It is larger than 256 MiB."));
  const bytes = await files.readBytes(path, 0, info.value.sizeBytes);
  if (!bytes.ok) return bytes;
  const map = readWeightMap(bytes.value);
  if (typeof map === "string") return fail(indexInvalid(path, map));
  const present = new Set(entries);
  const shards = [...map.shards].sort();
  for (const shard of shards) if (!present.has(shard)) return fail(shardMissing(directory, shard));
  return namesOfMap(files, directory, map, shards);
}

/** The names of the index; the shards may hold more, which the library does not load. */
async function namesOfMap(
  files: FileSource,
  directory: string,
  map: ScannedMap,
  shards: readonly string[],
): Promise<Outcome<TensorNames>> {
  const names = new TensorNames();
  const shardOf = new CountList();
  for (let at = 0; at < map.count; at += 1) {
    const name = names.add(map, at);
    if (names.shapes.length > maxShapes) return fail(tooManyNames(directory));
    if (name === shardOf.length) shardOf.push(0);
    shardOf.values[name] = map.shardOf[at] ?? 0;
  }
  const { size } = names;
  const stored = await addStored(files, directory, shards, names);
  if (!stored.ok) return stored;
  for (let name = 0; name < size; name += 1) {
    if (stored.value.values[name] !== 0) continue;
    const text = quote(names.textOf(name));
    const shard = map.shards[shardOf.values[name] ?? 0] ?? "";
    const cause = `It says that ${text} is in ${shard}, which has no such tensor.`;
    return fail(indexInvalid(files.join(directory, indexName), cause));
  }
  return succeed(names.size === size ? names : names.first(size));
}

/** The shard of each tensor, or what is wrong with the index in one sentence. */
function readWeightMap(bytes: Uint8Array): ScannedMap | string {
  const scanned = scanWeightMap(bytes);
  if (scanned?.shards.every((shard) => plainShard.test(shard)) === true) return scanned;
  const parsed = parseJsonBytes(bytes);
  return "cause" in parsed ? parsed.cause : weightMap(parsed.value);
}

const plainShard = /^[\w][\w.@+-]*\.safetensors$/;

/** The index's map, with plain file names only: a path could lead out of the directory. */
function weightMap(json: unknown): ScannedMap | string {
  const map = typeof json === "object" && json !== null && "weight_map" in json ? json.weight_map : undefined;
  if (typeof map !== "object" || map === null || Array.isArray(map)) return 'It has no "weight_map" object.';
  const entries = map as Readonly<Record<string, unknown>>;
  const names = Object.keys(map);
  const shardOf = new Int32Array(names.length);
  const shards = new Map<string, number>();
  for (const [at, name] of names.entries()) {
    const shard = entries[name];
    if (typeof shard !== "string" || !(shards.has(shard) || plainShard.test(shard))) {
      return `It places ${quote(name)} in ${quote(String(shard))}, which is not a .safetensors file of this directory.`;
    }
    shardOf[at] = shards.get(shard) ?? shards.size;
    shards.set(shard, shardOf[at] ?? 0);
  }
  return names.length === 0 ? "It names no tensors." : { ...spansOf(names), shards: [...shards.keys()], shardOf };
}

/** The first name that cannot belong to a module; the numbers in it do not matter. */
function firstBadName(names: TensorNames): string | undefined {
  const bad = names.shapes.map((shape) => !isModuleName(shape));
  if (!bad.includes(true)) return undefined;
  for (let name = 0; name < names.size; name += 1) if (bad[names.shapeOf(name)] === true) return names.textOf(name);
  return undefined;
}

function isModuleName(name: string): boolean {
  if (name === "" || name.startsWith(".") || name.endsWith(".") || name.includes("..")) return false;
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

/** The message becomes a note of the tree (`treeWithoutWeights`), so that it names no folder: a variable may have given it. */
function shardMissing(directory: string, shard: string): Problem {
  const message = `The checkpoint lacks the shard ${shard}.`;
  return {
    code: "CHECKPOINT_SHARD_MISSING",
    message,
    nextStep: `Download the missing file into ${directory}, or the whole checkpoint again.`,
  };
}

/** The directory lists the file, and yet there is none: a link of the hub cache into `blobs`, whose download was not finished. */
function leadsNowhere(directory: string, shard = ""): Problem {
  return { ...shardMissing(directory, shard), cause: "Its link leads nowhere: the download was not finished." };
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

function tooManyNames(directory: string): Problem {
  const message = `The checkpoint in ${directory} holds more than ${maxShapes} tensor names that differ in more than their numbers.`;
  const cause = "No model has so many kinds of tensors.";
  return { code: "CHECKPOINT_TENSOR_NAME_INVALID", message, cause, nextStep: "Save the checkpoint again." };
}

function noTensors(directory: string): Problem {
  const message = `The checkpoint in ${directory} holds no tensors.`;
  return { code: "CHECKPOINT_EMPTY", message, nextStep: "Download or save the checkpoint again." };
}

function quote(text: string): string {
  return JSON.stringify(shownWord(text));
}
