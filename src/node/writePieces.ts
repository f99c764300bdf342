import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { realpath, rename, rm, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createGzip, gunzipSync } from "node:zlib";
import { fail, type Outcome, type Problem, succeed } from "../core/base/outcome.js";
import { readRange } from "./nodeFiles.js";

/** As much of a file as tells what it is. */
const START_BYTES = 2 ** 16;

/** Which file may be replaced by what is written in its place; what else lies there, somebody still wants. */
export interface Replacing {
  /** Whether a file that begins like this (decompressed where its name ends with `.gz`) is of the kind that is written. */
  isReplaceable(start: Uint8Array): boolean;
  /** Files that were read for this one: they stay whatever they are. */
  readonly inputs?: readonly string[];
}

/**
 * Writes pieces of text or bytes to `path`, compressed where its name ends with `.gz`; through a link if the path is one. The file
 * appears whole or not at all. With `replacing` another file stays, without it whoever asks has asked the user.
 * Fails with `SAVE_FAILED`.
 */
export async function writePieces(
  path: string,
  pieces: Iterable<string | Uint8Array>,
  replacing?: Replacing,
): Promise<Outcome<null>> {
  const kept = replacing === undefined ? undefined : await whyKept(path, replacing);
  if (kept !== undefined) return fail(kept);
  let unfinished: string | undefined;
  try {
    const target = await behindLinks(path);
    unfinished = `${target}.${randomBytes(6).toString("hex")}.part`;
    const stream = createWriteStream(unfinished, { flags: "wx" });
    const source = Readable.from(pieces);
    await (path.endsWith(".gz") ? pipeline(source, createGzip(), stream) : pipeline(source, stream));
    await rename(unfinished, target);
    return succeed(null);
  } catch (error) {
    // Where no file can be, none can be removed.
    if (unfinished !== undefined) await rm(unfinished, { force: true }).catch(() => undefined);
    return fail(writingProblem(path, error));
  }
}

/** Why the file at `path` must stay; `undefined` where there is none, an empty one, or one that may be replaced. */
export async function whyKept(path: string, { isReplaceable, inputs }: Replacing): Promise<Problem | undefined> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) return saveFailed(path, "It is a folder.");
    if (!found.isFile()) return saveFailed(path, "It is no regular file.");
    for (const input of inputs ?? []) {
      const read = await stat(input);
      if (read.dev === found.dev && read.ino === found.ino)
        return saveFailed(path, "It is the file that was read, which is not replaced.");
    }
    const start = await readRange(path, 0, START_BYTES);
    if (start.length === 0 || isReplaceable(path.endsWith(".gz") ? unpacked(start) : start)) return undefined;
    return saveFailed(path, "There is a file of another kind, which is not replaced.");
  } catch (error) {
    return codeOf(error) === "ENOENT" ? undefined : writingProblem(path, error);
  }
}

/** Translates an error of `node:fs` while `path` was written. */
export function writingProblem(path: string, error: unknown): Problem {
  const code = codeOf(error);
  return saveFailed(path, WRITING_CAUSES[code] ?? `The system reports ${code === "" ? "an unknown error" : code}.`);
}

const WRITING_CAUSES: Readonly<Record<string, string>> = {
  ENOENT: "Its folder does not exist.",
  ENOTDIR: "Its folder is no folder.",
  EACCES: "It may not be written there.",
  EPERM: "It may not be written there.",
  EROFS: "The disk cannot be written to.",
  ENOSPC: "The disk is full.",
  EDQUOT: "The disk has no more room for this user.",
  EFBIG: "It is larger than a file may be there.",
  EISDIR: "It is a folder.",
  ELOOP: "It is a link that leads to itself.",
  ENAMETOOLONG: "Its name is too long.",
};

function saveFailed(path: string, cause: string): Problem {
  return {
    code: "SAVE_FAILED",
    message: `${path} could not be written.`,
    cause,
    nextStep: "Choose another place, or free this one.",
  };
}

/** Where a file has to be put to appear at `path`; a link that leads nowhere is replaced itself. */
async function behindLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return path;
    throw error;
  }
}

function unpacked(start: Uint8Array): Uint8Array {
  try {
    return gunzipSync(start, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 1_100 * START_BYTES });
  } catch {
    return start;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
