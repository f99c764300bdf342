// @slow: large inputs or many cases.
import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { constants, gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readTrace } from "../../../src/node/readTrace.js";
import { kernel, traceOf, tracePath } from "../timeline/import/chrome/traceSamples.js";

const q8 = tracePath("q8_s8k_gc_veomni.pt.trace.json.gz");
let directory = "";

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "read-trace-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

function written(name: string, bytes: string | Uint8Array): string {
  const path = join(directory, name);
  writeFileSync(path, bytes);
  return path;
}

async function code(path: string, signal?: AbortSignal): Promise<string> {
  const read = await readTrace(path, signal === undefined ? {} : { signal });
  return read.ok ? "" : read.problem.code;
}

describe("readTrace", () => {
  it("says how far it is", async () => {
    const said: number[] = [];
    const read = await readTrace(q8, { onProgress: ({ readBytes, ofBytes }) => said.push(readBytes / (ofBytes ?? 1)) });
    expect(read.ok).toBe(true);
    expect(said.length).toBeGreaterThan(10);
    expect(said.at(-1)).toBe(1);
    expect(said.every((share, at) => share >= (said[at - 1] ?? 0))).toBe(true);
  });

  it("gives what a broken gzip file holds before it breaks", async () => {
    const whole = readFileSync(q8);
    for (const bytes of [
      whole.subarray(0, whole.length / 2),
      Buffer.concat([whole.subarray(0, 700_000), Buffer.alloc(5_000, 0xaa)]),
    ]) {
      const read = await readTrace(written("cut.json.gz", bytes));
      expect(read.ok && read.value.report.isTruncated).toBe(true);
      expect(read.ok && read.value.report.kept).toBeGreaterThan(10_000);
    }
  });

  it("loses nothing of a text behind which a gzip file is broken", async () => {
    const text = traceOf(kernel(1, 1), kernel(3, 1), kernel(5, 1));
    const whole = gzipSync(text);
    const wrongSum = Buffer.from(whole);
    wrongSum[whole.length - 8] = (wrongSum[whole.length - 8] ?? 0) ^ 1;
    for (const [bytes, codes] of [
      [Buffer.concat([whole, Buffer.from("not gzip")]), ["TRAILING_BYTES"]],
      [Buffer.concat([whole, Buffer.of(0x1f, 0x8b, 1, 2)]), ["TRAILING_BYTES"]],
      [Buffer.concat([whole, Buffer.from("\n")]), ["TRAILING_BYTES"]],
      [Buffer.concat([whole, Buffer.alloc(512)]), []],
      [wrongSum, ["CHECKSUM_WRONG"]],
    ] as const) {
      const read = await readTrace(written("damaged.json.gz", bytes));
      expect(read.ok && read.value.report).toMatchObject({ total: 3, kept: 3, textBytes: text.length });
      expect(read.ok && read.value.report.isTruncated).toBe(false);
      expect(read.ok && read.value.report.lines.map((line) => line.code)).toEqual(codes);
    }
  });

  it("gives every element before the place where compressed data is damaged", async () => {
    const elements = Array.from({ length: 30_000 }, (_, at) => kernel(at * 2, 1));
    const text = traceOf(...elements);
    const whole = gzipSync(text);
    for (const share of [0.1, 0.5, 0.99]) {
      const at = Math.floor(whole.length * share);
      // A new block of the reserved type: whatever was decoded up to here is good, and nothing after it.
      const damaged = Buffer.concat([whole.subarray(0, at), Buffer.alloc(64, 0xff)]);
      const reference = gunzipSync(whole.subarray(0, at), { finishFlush: constants.Z_SYNC_FLUSH }).length;
      const read = await readTrace(written("flipped.json.gz", damaged));
      expect(read.ok && read.value.report.isTruncated).toBe(true);
      expect(read.ok && read.value.report.textBytes).toBeGreaterThanOrEqual(reference);
      expect(read.ok && read.value.report.kept).toBeGreaterThanOrEqual(Math.floor(30_000 * share * 0.8));
    }
  });

  it("reads several gzip members as one text", async () => {
    const text = traceOf(kernel(1, 1), kernel(3, 1));
    const read = await readTrace(
      written("two.json.gz", Buffer.concat([gzipSync(text.slice(0, 40)), gzipSync(text.slice(40))])),
    );
    expect(read.ok && read.value.report).toMatchObject({ total: 2, kept: 2, isTruncated: false });
  });

  it("stops a bomb", async () => {
    // Five hundred million spaces in half a megabyte.
    const piece = gzipSync(Buffer.alloc(100 * 2 ** 20, 0x20));
    const bomb = Buffer.concat([gzipSync('{"traceEvents":['), piece, piece, piece, piece, piece]);
    expect(await code(written("bomb.json.gz", bomb))).toBe("TRACE_INFLATES");
  });

  it("stops when it is told to", async () => {
    const abort = new AbortController();
    const read = await readTrace(q8, { signal: abort.signal, onProgress: () => abort.abort() });
    expect(read.ok ? "" : read.problem.code).toBe("IMPORT_CANCELLED");
  });

  it("has a problem for what is no readable file", async () => {
    expect(await code(join(directory, "absent.json"))).toBe("FILE_MISSING");
    expect(await code(directory)).toBe("FILE_UNREADABLE");
    expect(await code(written("empty.json", ""))).toBe("TRACE_EMPTY");
    expect(await code(written("no.gz", Uint8Array.of(0x1f, 0x8b, 0, 0)))).toBe("TRACE_EMPTY");
    const zstd = await code(written("z.json.zst", Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0, 0)));
    expect(["ZSTD_UNAVAILABLE", "TRACE_EMPTY"]).toContain(zstd);
  });

  it("calls an incomplete gzip file that, and names UTF-16", async () => {
    const problem = async (bytes: Uint8Array) => {
      const read = await readTrace(written("strange.json", bytes));
      return read.ok ? undefined : read.problem;
    };
    const empty = gzipSync("");
    expect(await problem(gzipSync(traceOf(kernel(1, 1))).subarray(0, 10))).toMatchObject({
      code: "TRACE_EMPTY",
      cause: "It is a broken or incomplete gzip file.",
    });
    expect(await problem(empty)).toMatchObject({ cause: "It is a gzip file of an empty text." });
    const text = traceOf(kernel(1, 1));
    for (const bytes of [
      Buffer.from(`\ufeff${text}`, "utf16le"),
      Buffer.from(text, "utf16le"),
      Buffer.from(`\ufeff${text}`, "utf16le").swap16(),
      gzipSync(Buffer.from(text, "utf16le")),
    ]) {
      expect(await problem(bytes)).toMatchObject({ code: "FILE_NOT_UTF8", cause: expect.stringContaining("UTF-16") });
    }
  });

  it("is not confused by a file that grows or shrinks meanwhile", async () => {
    const elements = Array.from({ length: 20_000 }, (_, at) => kernel(at * 2, 1));
    const path = written("growing.json", traceOf(...elements));
    let changed = false;
    const grown = await readTrace(path, {
      onProgress: () => {
        if (!changed) appendFileSync(path, "x".repeat(2 ** 21));
        changed = true;
      },
    });
    expect(grown.ok && grown.value.report.kept).toBe(20_000);
    const shrunk = await readTrace(path, { onProgress: () => truncateSync(path, 2 ** 19) });
    expect(shrunk.ok && shrunk.value.report.isTruncated).toBe(true);
  });
});
