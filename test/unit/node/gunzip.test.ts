import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { gunzipStart, gunzipTree } from "../../../src/node/gunzip.js";

const text = new TextDecoder();

describe("gunzipStart", () => {
  it("gives what the beginning of a cut file holds", () => {
    const letters = Array.from({ length: 20_000 }, (_, at) => String.fromCharCode(97 + ((at * at) % 23))).join("");
    const whole = gzipSync(letters);
    const start = gunzipStart(whole.subarray(0, whole.length / 2), 1e6);
    expect(start === undefined ? 0 : start.length).toBeGreaterThan(100);
    expect(letters.startsWith(text.decode(start))).toBe(true);
    expect(text.decode(gunzipStart(whole, 1e6))).toBe(letters);
  });

  it("gives nothing for damaged bytes and for more than is wanted", () => {
    expect(gunzipStart(new Uint8Array([0x1f, 0x8b, 9, 9, 9]), 1e6)).toBeUndefined();
    expect(gunzipStart(gzipSync(new Uint8Array(2e6)), 1e6)).toBeUndefined();
  });
});

describe("gunzipTree", () => {
  it("gives the whole file or the reason", () => {
    const packed = gunzipTree(gzipSync("{}"));
    expect(packed.ok && text.decode(packed.value)).toBe("{}");
    const cut = gunzipTree(gzipSync("{}").subarray(0, 12));
    expect(cut).toMatchObject({ ok: false, problem: { code: "TREE_FILE_NOT_GZIP" } });
  });
});
