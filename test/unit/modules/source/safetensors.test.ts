import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FileSource } from "../../../../src/core/base/files.js";
import { type Outcome, succeed } from "../../../../src/core/base/outcome.js";
import { type NameSpans, spanText } from "../../../../src/core/modules/source/nameSpans.js";
import { readSafetensorsHeader } from "../../../../src/core/modules/source/safetensors.js";
import { memoryFiles, safetensorsFile, tensorFile } from "../memoryFiles.js";

async function read(bytes: Uint8Array) {
  return readSafetensorsHeader(memoryFiles(new Map([["f", bytes]])), "f");
}

async function causeOf(bytes: Uint8Array): Promise<string> {
  const rows = await read(bytes);
  return rows.ok ? "none" : `${rows.problem.code}: ${rows.problem.cause}`;
}

function textsOf(names: Outcome<NameSpans>): readonly string[] {
  return names.ok ? Array.from({ length: names.value.count }, (_, at) => spanText(names.value, at)) : [];
}

const tensor = (more: object = {}) => ({ dtype: "F32", shape: [1], data_offsets: [0, 4], ...more });
const lengthOnly = (length: bigint, rest = 0) => {
  const bytes = new Uint8Array(8 + rest);
  new DataView(bytes.buffer).setBigUint64(0, length, true);
  return bytes;
};

describe("readSafetensorsHeader", () => {
  it("names the tensors in the order of the header, whatever the order of their data", async () => {
    const header = {
      __metadata__: { format: "pt" },
      b: { dtype: "BF16", shape: [2, 3], data_offsets: [4, 16] },
      a: tensor(),
    };
    const rows = await read(safetensorsFile(header, 16));
    expect(textsOf(rows)).toEqual(["b", "a"]);
    const escaped = '{"\\u00e4.b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}';
    expect(textsOf(await read(safetensorsFile(escaped, 4)))).toEqual(["ä.b"]);
  });

  it("reads scalars, empty tensors and packed dtypes", async () => {
    const header = {
      scalar: tensor({ shape: [] }),
      empty: tensor({ shape: [0, 5], data_offsets: [4, 4] }),
      packed: { dtype: "F4", shape: [4], data_offsets: [4, 6] },
    };
    expect((await read(safetensorsFile(header, 6))).ok).toBe(true);
  });

  it.each<[string, Uint8Array, string]>([
    ["an empty file", new Uint8Array(0), "0 bytes"],
    ["a length without header", lengthOnly(10n), "truncated"],
    ["a huge length", lengthOnly(2n ** 63n, 100), "100 MiB"],
    ["a length beyond the file", lengthOnly(1000n, 100), "truncated"],
    ["a Git LFS pointer", new TextEncoder().encode("version https://git-lfs.github.com/spec/v1"), "Git LFS"],
    ["no JSON", safetensorsFile("{nope}"), "not valid JSON"],
    ["a list", safetensorsFile("[]"), "brace"],
    ["no UTF-8", safetensorsFile("{}").fill(0xff, 8), "UTF-8"],
    ["a tensor that is a number", safetensorsFile('{"a":1}'), "not described"],
    ["an unknown dtype", safetensorsFile({ a: tensor({ dtype: "F33" }) }, 4), "dtype"],
    ["a negative size", safetensorsFile({ a: tensor({ shape: [-1] }) }, 4), "shape"],
    ["a fractional offset", safetensorsFile({ a: tensor({ data_offsets: [0, 4.5] }) }, 4), "offsets"],
    ["reversed offsets", safetensorsFile({ a: tensor({ data_offsets: [4, 0] }) }, 4), "bytes"],
    ["a size that does not fit", safetensorsFile({ a: tensor({ shape: [2] }) }, 4), "shape [2]"],
    ["a product beyond all files", safetensorsFile({ a: tensor({ shape: [2 ** 50, 2 ** 50] }) }, 4), "larger than"],
    ["data beyond the file", safetensorsFile({ a: tensor() }, 2), "truncated"],
    ["an overlap", safetensorsFile({ a: tensor(), b: tensor() }, 4), "overlaps"],
    ["a hole", safetensorsFile({ a: tensor(), b: tensor({ data_offsets: [8, 12] }) }, 12), "hole"],
    ["trailing bytes", safetensorsFile({ a: tensor() }, 9), "holds 9"],
    [
      "a tensor twice",
      safetensorsFile(
        '{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"\\u0061":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}',
        4,
      ),
      "twice",
    ],
  ])("refuses %s", async (_, bytes, cause) => {
    const found = await causeOf(bytes);
    expect(found).toContain("SAFETENSORS_HEADER_INVALID");
    expect(found).toContain(cause);
  });

  it("asks for the header only, and for nothing before it checked the size", async () => {
    const bytes = tensorFile(["a", "b"]);
    const asked: [number, number][] = [];
    const source = memoryFiles(new Map([["f", bytes]]));
    const watching: FileSource = {
      ...source,
      readBytes: (path, offset, length) => {
        asked.push([offset, length]);
        return source.readBytes(path, offset, length);
      },
    };
    await readSafetensorsHeader(watching, "f");
    expect(asked).toEqual([
      [0, 8],
      [8, bytes.length - 8 - 8],
    ]);
    asked.length = 0;
    await readSafetensorsHeader({ ...watching, info: async () => succeed({ kind: "file", sizeBytes: 4 }) }, "f");
    expect(asked).toEqual([]);
  });

  it("never throws on damaged bytes", async () => {
    const valid = tensorFile(["a.b", "a.c"]);
    await fc.assert(
      fc.asyncProperty(fc.nat(valid.length - 1), fc.nat(255), fc.nat(valid.length), async (at, value, end) => {
        const damaged = valid.slice(0, end);
        if (at < end) damaged[at] = value;
        const rows = await read(damaged);
        return rows.ok || rows.problem.code === "SAFETENSORS_HEADER_INVALID";
      }),
      { numRuns: 2000 },
    );
  });
});
