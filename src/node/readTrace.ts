import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import * as zlib from "node:zlib";
import { fail, type Outcome, type Problem } from "../core/outcome.js";
import { type ImportedTrace, TraceImporter } from "../core/timeline/import/traceImporter.js";
import type { LoadingProgress } from "../core/timeline/protocol.js";
import { fileProblem } from "./nodeFiles.js";

const PIECE_BYTES = 2 ** 20;
/** No profile compresses better; text that does was made to fill a machine. */
const MAX_INFLATION = 250;
const INFLATION_FREE_BYTES = 256 * 2 ** 20;

export interface ReadTraceOptions {
  readonly signal?: AbortSignal;
  /** Called at most once per piece; `readBytes` counts bytes of the file. */
  readonly onProgress?: (progress: LoadingProgress) => void;
}

/**
 * Imports a trace from a file of any size: plain JSON, gzip, or zstd where this Node can decompress it. The file is read in
 * pieces up to the size that it has when it is opened, so one that is still being written or that shrinks is no special case.
 * A compressed file that breaks off gives what came before, marked as truncated.
 *
 * Fails with the codes of `fileProblem` and of `TraceImporter.finish`, with `IMPORT_CANCELLED`, `ZSTD_UNAVAILABLE` or
 * `TRACE_INFLATES`.
 */
export async function readTrace(path: string, options: ReadTraceOptions = {}): Promise<Outcome<ImportedTrace>> {
  let handle: FileHandle | undefined;
  try {
    // Without O_NONBLOCK, opening a pipe waits for a writer, perhaps for ever.
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = await handle.stat();
    if (!found.isFile()) return fail(fileProblem(path, Object.assign(new Error("not a file"), { code: "EISDIR" })));
    return await importFrom(handle, path, found.size, options);
  } catch (error) {
    return fail(fileProblem(path, error));
  } finally {
    await handle?.close();
  }
}

async function importFrom(
  handle: FileHandle,
  path: string,
  sizeBytes: number,
  options: ReadTraceOptions,
): Promise<Outcome<ImportedTrace>> {
  const head = Buffer.alloc(4);
  await handle.read(head, 0, 4, 0);
  const importer = new TraceImporter();
  const isGzip = head[0] === 0x1f && head[1] === 0x8b;
  const isZstd = head.readUInt32LE(0) === 0xfd2fb528;
  const decoder = isGzip ? zlib.createGunzip({ chunkSize: PIECE_BYTES }) : isZstd ? zstdDecoder() : undefined;
  if (isZstd && decoder === undefined) return fail(zstdUnavailable(path));
  const reading = new Reading(handle, path, sizeBytes, importer, options);
  const problem = decoder === undefined ? await reading.plain() : await reading.through(decoder);
  if (problem !== undefined) return fail(problem);
  reading.report("sorting");
  // Lets the report go out before the thread is busy.
  await nextTurn();
  const finished = importer.finish();
  return finished.ok ? finished : fail({ ...finished.problem, message: `${path}: ${finished.problem.message}` });
}

/** One pass over an open file. */
class Reading {
  /** Bytes of the file that were scanned; of a compressed one those that were read. */
  private readBytes = 0;
  /** Where the next piece begins. */
  private position = 0;
  private isCompressed = false;

  constructor(
    private readonly handle: FileHandle,
    private readonly path: string,
    private readonly sizeBytes: number,
    private readonly importer: TraceImporter,
    private readonly options: ReadTraceOptions,
  ) {}

  report(phase: LoadingProgress["phase"]): void {
    const { readBytes, sizeBytes: ofBytes } = this;
    this.options.onProgress?.({ readBytes, ofBytes, events: this.importer.events, phase });
  }

  async plain(): Promise<Problem | undefined> {
    // While one piece is scanned, the system fetches the next.
    let [filling, scanned] = [new Uint8Array(PIECE_BYTES), new Uint8Array(PIECE_BYTES)];
    let coming = this.next(filling);
    for (let piece = await coming; piece !== undefined; piece = await coming) {
      [filling, scanned] = [scanned, filling];
      coming = this.next(filling);
      const problem = this.take(piece);
      if (problem === undefined && this.importer.refusal === undefined) continue;
      await coming;
      return problem;
    }
    return undefined;
  }

  async through(decoder: zlib.Gunzip): Promise<Problem | undefined> {
    this.isCompressed = true;
    const feeding = this.feed(decoder);
    let problem: Problem | undefined;
    try {
      for await (const piece of decoder as AsyncIterable<Buffer>) {
        problem = this.take(piece) ?? this.inflation();
        if (problem !== undefined || this.importer.refusal !== undefined) break;
      }
    } catch {
      // Broken or cut off: what came before is good.
      this.importer.markTruncated();
    }
    decoder.destroy();
    await feeding;
    return problem;
  }

  private async feed(decoder: zlib.Gunzip): Promise<void> {
    try {
      for (;;) {
        // The decoder may keep what it is given: a buffer of its own for each piece.
        const piece = await this.next(new Uint8Array(PIECE_BYTES));
        if (piece === undefined || decoder.destroyed) break;
        if (!decoder.write(piece)) await drained(decoder);
      }
      if (!decoder.destroyed) decoder.end();
    } catch (error) {
      decoder.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  }

  private async next(buffer: Uint8Array): Promise<Uint8Array | undefined> {
    const wanted = Math.min(buffer.length, this.sizeBytes - this.position);
    if (wanted <= 0) return undefined;
    const { bytesRead } = await this.handle.read(buffer, 0, wanted, this.position);
    if (bytesRead === 0) return undefined;
    this.position += bytesRead;
    return buffer.subarray(0, bytesRead);
  }

  private take(piece: Uint8Array): Problem | undefined {
    if (this.options.signal?.aborted === true) return cancelled(this.path);
    this.importer.push(piece);
    this.readBytes = this.isCompressed ? this.position : this.readBytes + piece.length;
    this.report("reading");
    return undefined;
  }

  private inflation(): Problem | undefined {
    const { textBytes } = this.importer;
    if (textBytes < INFLATION_FREE_BYTES || textBytes < this.readBytes * MAX_INFLATION) return undefined;
    return {
      code: "TRACE_INFLATES",
      message: `${this.path} is not imported further.`,
      cause: `${this.readBytes} compressed bytes became more than ${textBytes}; no trace compresses like that.`,
      nextStep: "If it really is one, decompress it first and open the plain file.",
    };
  }
}

function drained(decoder: zlib.Gunzip): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      decoder.off("drain", done);
      decoder.off("close", done);
      resolve();
    };
    decoder.on("drain", done);
    decoder.on("close", done);
  });
}

/** Part of newer versions of Node than the oldest one that this runs on. */
function zstdDecoder(): zlib.Gunzip | undefined {
  const { createZstdDecompress } = zlib as { readonly createZstdDecompress?: (options: object) => zlib.Gunzip };
  return createZstdDecompress?.({ chunkSize: PIECE_BYTES });
}

function zstdUnavailable(path: string): Problem {
  return {
    code: "ZSTD_UNAVAILABLE",
    message: `${path} cannot be decompressed.`,
    cause: `This Node (${process.versions.node}) has no zstd; version 22.15 and newer have.`,
    nextStep: "Decompress it with `zstd -d` and open the plain file.",
  };
}

function cancelled(path: string): Problem {
  return {
    code: "IMPORT_CANCELLED",
    message: `The import of ${path} was cancelled.`,
    nextStep: "Open the file again to import it.",
  };
}
