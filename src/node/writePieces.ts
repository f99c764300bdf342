import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { fail, type Outcome, succeed } from "../core/outcome.js";
import { fileProblem } from "./nodeFiles.js";

/**
 * Writes pieces of text or bytes to `path`, compressed where its name ends with `.gz`; the file appears whole or not at all.
 * Fails with the codes of `fileProblem`.
 */
export async function writePieces(path: string, pieces: Iterable<string | Uint8Array>): Promise<Outcome<null>> {
  const unfinished = `${path}.${process.pid}.part`;
  try {
    const target = createWriteStream(unfinished);
    const source = Readable.from(pieces);
    await (path.endsWith(".gz") ? pipeline(source, createGzip(), target) : pipeline(source, target));
    await rename(unfinished, path);
    return succeed(null);
  } catch (error) {
    await rm(unfinished, { force: true });
    return fail(fileProblem(path, error));
  }
}
