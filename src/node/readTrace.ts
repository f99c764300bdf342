import type { FileHandle } from "node:fs/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import * as zlib from "node:zlib";
import { fail, type Outcome, type Problem, succeed } from "../core/base/outcome.js";
import type { ReportLine } from "../core/timeline/columns/importReport.js";
import { streamedFormatOf } from "../core/timeline/import/recogniseFormat.js";
import type { ImportedTrace, StreamImporter } from "../core/timeline/import/traceFormat.js";
import type { LoadingProgress } from "../core/timeline/query/protocol.js";
import { withAscendRank } from "./ascendRank.js";
import { type Compression, compressionOf, decompressedHead, RAW_HEAD_BYTES } from "./fileHead.js";
import { fileProblem, openFile } from "./nodeFiles.js";

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
 * Imports a trace from a file of any size and of the streamed format that it begins like: plain, gzip, or zstd where this Node can decompress it. The file is read in
 * pieces up to the size that it has when it is opened, so one that is still being written or that shrinks is no special case.
 * A compressed file that breaks off gives what came before, marked as truncated; wrong checksums and bytes after the compressed
 * text stand in the report.
 *
 * Fails with the codes of `fileProblem` and of `StreamImporter.finish`, with `FILE_NOT_UTF8`, `IMPORT_CANCELLED`,
 * `ZSTD_UNAVAILABLE` or `TRACE_INFLATES`.
 */
export async function readTrace(path: string, options: ReadTraceOptions = {}): Promise<Outcome<ImportedTrace>> {
  let handle: FileHandle | undefined;
  try {
    const opened = await openFile(path);
    handle = opened.handle;
    return await importFrom(handle, path, opened.sizeBytes, options);
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
  const buffer = new Uint8Array(RAW_HEAD_BYTES);
  const { bytesRead } = await handle.read(buffer, 0, RAW_HEAD_BYTES, 0);
  const raw = buffer.subarray(0, bytesRead);
  const compression = compressionOf(raw);
  const createDecoder = compression === undefined ? undefined : DECODERS[compression];
  if (compression !== undefined && createDecoder === undefined) return fail(zstdUnavailable(path));
  const reading = new Reading(handle, path, sizeBytes, importerFor(raw, compression), options);
  const problem = createDecoder === undefined ? await reading.plain() : await reading.through(createDecoder);
  if (problem !== undefined) return fail(problem);
  reading.report("sorting");
  // Lets the report go out before the thread is busy.
  await nextTurn();
  const finished = reading.importer.finish();
  if (finished.ok) return succeed(withLine(await withAscendRank(path, finished.value), reading.damage));
  const isNothing = finished.problem.code === "TRACE_EMPTY" && compression !== undefined;
  const cause = reading.isCutOff
    ? `It is a broken or incomplete ${compression} file.`
    : `It is a ${compression} file of an empty text.`;
  return fail({
    ...finished.problem,
    message: `${path}: ${finished.problem.message}`,
    ...(isNothing ? { cause } : {}),
  });
}

function importerFor(raw: Uint8Array, compression: Compression | undefined): StreamImporter {
  const plain = { bytes: raw, isWhole: raw.length < RAW_HEAD_BYTES };
  const head = compression === undefined ? plain : decompressedHead(raw, compression);
  return streamedFormatOf(head ?? { bytes: new Uint8Array(), isWhole: false }).createImporter();
}

/** What happened to the file around the text of the trace belongs into the report, but to none of its counts of elements. */
function withLine(trace: ImportedTrace, line: ReportLine | undefined): ImportedTrace {
  if (line === undefined) return trace;
  return { ...trace, report: { ...trace.report, lines: [...trace.report.lines, line] } };
}

/**
 * How finely a decoder is fed where the one before it failed. One that fails keeps to itself what it made of the bytes that it was
 * fed last: fed one by one, that is nothing.
 */
const FEEDING_STEPS = [PIECE_BYTES, 256, 1] as const;

/** How far a decoder came: bytes of the file, and bytes of the text that they became. */
interface DecodedPart {
  readonly fileBytes: number;
  readonly textBytes: number;
}

/** Why a text is not read on, though there may be more of it. */
type Stop = { readonly problem: Problem | undefined } | { readonly bug: unknown };

interface DecoderPass extends DecodedPart {
  readonly stopped: Stop | undefined;
  readonly failure: unknown;
}

type CreateDecoder = () => zlib.Gunzip;

/** Reading of one open file. */
class Reading {
  /** Bytes of the file that were scanned; of a compressed one those that were read. */
  private readBytes = 0;
  /** Where the next piece begins. */
  private position = 0;
  private isCompressed = false;
  /** The compressed data ended before the text did. */
  isCutOff = false;
  /** What was wrong with the compressed file, where the text is whole all the same. */
  damage: ReportLine | undefined;

  constructor(
    private readonly handle: FileHandle,
    private readonly path: string,
    private readonly sizeBytes: number,
    readonly importer: StreamImporter,
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

  async through(createDecoder: CreateDecoder): Promise<Problem | undefined> {
    this.isCompressed = true;
    let good: DecodedPart = { fileBytes: 0, textBytes: 0 };
    let failure: unknown;
    for (const stepBytes of FEEDING_STEPS) {
      const pass = await this.decode(createDecoder(), good, stepBytes);
      if (pass.stopped !== undefined && "bug" in pass.stopped) throw pass.stopped.bug;
      if (pass.stopped !== undefined) return pass.stopped.problem;
      if (pass.failure === undefined) return undefined;
      ({ failure } = pass);
      good = pass;
    }
    const isTrailing = await this.isOneByteLong(good.textBytes);
    if (good.textBytes > 0) this.damage = isTrailing ? TRAILING_BYTES : damageOf(failure);
    this.isCutOff = this.damage === undefined;
    if (this.isCutOff) this.importer.markTruncated();
    return undefined;
  }

  /** Whether the file without its last byte (a line feed, say) ends as gzip does: with the length of the text. One byte alone looks cut off. */
  private async isOneByteLong(textBytes: number): Promise<boolean> {
    if (this.sizeBytes < 5) return false;
    const length = Buffer.alloc(4);
    await this.handle.read(length, 0, 4, this.sizeBytes - 5);
    return length.readUInt32LE(0) === textBytes % 2 ** 32;
  }

  /** Decodes from the start of the file, and takes what comes after the part that is known from the pass before. */
  private async decode(decoder: zlib.Gunzip, known: DecodedPart, stepBytes: number): Promise<DecoderPass> {
    let textBytes = 0;
    let stopped: Stop | undefined;
    // Not by iteration: that forgets what is still queued when the decoder fails.
    decoder.on("data", (piece: Buffer) => {
      const fresh = piece.subarray(Math.max(0, known.textBytes - textBytes));
      textBytes += piece.length;
      stopped ??= this.tryTake(fresh);
      if (stopped !== undefined) decoder.destroy();
    });
    const ended = new Promise<unknown>((resolve) => {
      decoder.on("error", resolve);
      for (const event of ["end", "close"]) decoder.on(event, () => resolve(undefined));
    });
    const feeding = this.feed(decoder, known.fileBytes, stepBytes);
    const failure = await ended;
    decoder.destroy();
    await feeding;
    return { stopped, failure, fileBytes: decoder.bytesWritten, textBytes };
  }

  private tryTake(piece: Uint8Array): Stop | undefined {
    try {
      const problem = this.take(piece) ?? this.inflation();
      return problem === undefined && this.importer.refusal === undefined ? undefined : { problem };
    } catch (bug) {
      // Thrown from within an event, it would end the process.
      return { bug };
    }
  }

  /** Feeds the whole file: in large pieces up to `fineFrom`, then in steps. */
  private async feed(decoder: zlib.Gunzip, fineFrom: number, stepBytes: number): Promise<void> {
    this.position = 0;
    try {
      for (;;) {
        // The decoder may keep what it is given: a buffer of its own for each piece.
        const coarseBytes = Math.min(PIECE_BYTES, fineFrom - this.position);
        const piece = await this.next(new Uint8Array(coarseBytes > 0 ? coarseBytes : PIECE_BYTES));
        if (piece === undefined || decoder.destroyed) break;
        const step = coarseBytes > 0 ? piece.length : stepBytes;
        for (let at = 0; at < piece.length && !decoder.destroyed; at += step)
          if (!decoder.write(piece.subarray(at, at + step))) await drained(decoder);
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
    if (this.importer.textBytes === 0 && isUtf16(piece)) return notUtf8(this.path);
    this.importer.push(piece);
    this.readBytes = this.isCompressed ? Math.max(this.readBytes, this.position) : this.readBytes + piece.length;
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

const { createZstdDecompress } = zlib as { readonly createZstdDecompress?: (options: object) => zlib.Gunzip };

/** zstd is part of newer versions of Node than the oldest one that this runs on. */
const DECODERS: Readonly<Record<Compression, CreateDecoder | undefined>> = {
  gzip: () => zlib.createGunzip({ chunkSize: PIECE_BYTES }),
  zstd: createZstdDecompress && (() => createZstdDecompress({ chunkSize: PIECE_BYTES })),
};

const TRAILING_BYTES = damage(
  "TRAILING_BYTES",
  "Bytes that are not compressed follow the compressed text; they are ignored.",
);
const CHECKSUM_WRONG = damage("CHECKSUM_WRONG", "The checksum of the compressed text is wrong: it may hold errors.");

function damage(code: string, reason: string): ReportLine {
  return { outcome: "repaired", code, reason, count: 1, firstByteOffset: null, firstExample: "" };
}

/** What is wrong with a compressed file whose text came out whole; `undefined` where the text breaks off. */
function damageOf(failure: unknown): ReportLine | undefined {
  // The words of zlib: there is one error code for all of them.
  const said = failure instanceof Error ? failure.message : "";
  if (/incorrect header check|unknown compression method|unknown header flags/.test(said)) return TRAILING_BYTES;
  return /incorrect (data|length) check/.test(said) ? CHECKSUM_WRONG : undefined;
}

function isUtf16(start: Uint8Array): boolean {
  const [first, second] = start;
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || (first === 0) !== (second === 0);
}

function notUtf8(path: string): Problem {
  return {
    code: "FILE_NOT_UTF8",
    message: `${path} is not UTF-8.`,
    cause: "It begins as UTF-16 does; JSON in files is UTF-8.",
    nextStep: "Save the file as UTF-8.",
  };
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
