import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scanSafetensorsHeader, scanWeightMap } from "../../../../src/core/modules/source/headerScan.js";
import { spanText } from "../../../../src/core/modules/source/nameSpans.js";

const row = '{"dtype":"BF16","shape":[2,3],"data_offsets":[0,12]}';
const scanned = { name: "a.weight", startByte: 0, endByte: 12 };
const encode = (text: string) => new TextEncoder().encode(text);

function rowsOf(text: string) {
  const found = scanSafetensorsHeader(encode(text));
  if (found === undefined) return undefined;
  return Array.from({ length: found.count }, (_, at) => ({
    name: spanText(found, at),
    startByte: found.startBytes[at],
    endByte: found.endBytes[at],
  }));
}

/** What a parser makes of a header: the reader may give up, but never differ. */
function parsedHeader(text: string): unknown {
  const { __metadata__: _, ...tensors } = JSON.parse(text) as Record<string, Record<string, unknown>>;
  return Object.entries(tensors).map(([name, { data_offsets: offsets }]) => {
    const [startByte, endByte] = offsets as number[];
    return { name, startByte, endByte };
  });
}

describe("scanSafetensorsHeader", () => {
  it("reads what programs write, with white space and members in any order", () => {
    expect(rowsOf(`{"a.weight":${row}}   `)).toEqual([scanned]);
    const loose =
      '{ "__metadata__" : {"format":"pt"} ,\n "a.weight": {"shape": [2, 3], "data_offsets":[0 ,12], "dtype": "BF16" } }';
    expect(rowsOf(loose)).toEqual([scanned]);
    expect(rowsOf(`{"__metadata__":{},"a.weight":${row}}`)).toEqual([scanned]);
  });

  it("leaves to the parser what is unusual or wrong", () => {
    const unusual = [
      "",
      "{}",
      `{"a\\u002eweight":${row}}`,
      `{"a\nweight":${row}}`,
      `{"1":${row}}`,
      `{"a":${row},}`,
      `{"a":${row}`,
      `{"a":${row}} x`,
      `{"a":{"dtype":"F32","shape":[01],"data_offsets":[0,4]}}`,
      `{"a":{"dtype":"F32","shape":[1e0],"data_offsets":[0,4]}}`,
      `{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}`,
      `{"a":{"dtype":"F32","shape":[1,],"data_offsets":[0,4]}}`,
      `{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,1234567890123456]}}`,
      `{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"more":1}}`,
      `{"a":{"dtype":"F32","dtype":"F32","shape":[1],"data_offsets":[0,4]}}`,
      `{"a":{"dtype":"F32","shape":[1]}}`,
      `{"__metadata__":{"a":1},"a":${row}}`,
      `{"__metadata__":{},"__metadata__":{},"a":${row}}`,
      '{"ä":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}',
      '{"a":{"dtype":"F33","shape":[1],"data_offsets":[0,4]}}',
      '{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}',
      '{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}}',
      '{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4,8]}}',
      '{"a',
      '{"a":{"dtype":"F32',
      '{"a":{"dtype":"F32","shape":[1',
    ];
    for (const text of unusual) expect(rowsOf(text), text).toBeUndefined();
  });

  it("never differs from a parser, whatever is changed in a good text", () => {
    const good = `{"__metadata__":{"format":"pt"},"a.weight":${row},"b":${row}}`;
    const characters = '{}[]",:0123456789 \\abnu\n\u0001';
    const edits = fc.array(fc.tuple(fc.nat(good.length), fc.nat(3), fc.constantFrom(...characters, "")), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(edits, (list) => {
        const text = list.reduce((now, [at, drop, put]) => now.slice(0, at) + put + now.slice(at + drop), good);
        const rows = rowsOf(text);
        if (rows === undefined) return;
        // Equal keys are the caller's to find.
        if (new Set(rows.map(({ name }) => name)).size < rows.length) return;
        expect(rows).toEqual(parsedHeader(text));
      }),
      { numRuns: 5000 },
    );
  });
});

describe("scanWeightMap", () => {
  const map = '"weight_map": {"a.weight": "m-1.safetensors", "b": "m-2.safetensors"}';
  const expected = [
    ["a.weight", "m-1.safetensors"],
    ["b", "m-2.safetensors"],
  ];
  const entries = (text: string) => {
    const found = scanWeightMap(encode(text));
    if (found === undefined) return undefined;
    const shardOf = new Map<string, string | undefined>();
    for (let at = 0; at < found.count; at += 1) shardOf.set(spanText(found, at), found.shards[found.shardOf[at] ?? -1]);
    return [...shardOf];
  };

  it("reads the outermost map, wherever it stands", () => {
    expect(entries(`{${map}}`)).toEqual(expected);
    expect(entries(`{"metadata": {"total_size": 12.5, "x": [1]},\n  ${map}\n}\n`)).toEqual(expected);
    expect(entries(`{${map}, "metadata": null}`)).toEqual(expected);
    expect(entries('{"weight_map": {"a": "x", "a": "y"}}')).toEqual([["a", "y"]]);
  });

  it("leaves to the parser what is unusual or wrong", () => {
    const unusual = [
      "",
      "{}",
      map,
      `{"metadata": {${map}}}`,
      `{"metadata": {${map}}, ${map}}`,
      `{${map}, ${map.replace("m-1", "m-3")}}`,
      `{${map}, "metadata": }`,
      `{"x": NaN, ${map}}`,
      `{"\\${map}}`,
      `[${map}]`,
      '{"weight_map": {}}',
      '{"weight_map": {"a": 1}}',
      '{"weight_map": {"1": "x"}}',
      '{"weight_map": {"a": "x",}}',
      '{"weight_map": {"a": "\\u0078"}}',
      '{"weight_map": {"a": "x"',
      '{"weight_map": "a"}',
      `{${map}, "deep": ${"[".repeat(300)}${"]".repeat(300)}}`,
    ];
    for (const text of unusual) expect(entries(text), text).toBeUndefined();
  });

  it("never differs from a parser, whatever is changed in a good text", () => {
    const good = `{"metadata": {"total_size": 1}, ${map}}`;
    const characters = '{}[]",:01 \\abw\n';
    const edits = fc.array(
      fc.tuple(fc.nat(good.length), fc.nat(3), fc.constantFrom(...characters, "", '"weight_map":', '{"a":"b"}')),
      { minLength: 1, maxLength: 3 },
    );
    fc.assert(
      fc.property(edits, (list) => {
        const text = list.reduce((now, [at, drop, put]) => now.slice(0, at) + put + now.slice(at + drop), good);
        const found = entries(text);
        if (found !== undefined) expect(found).toEqual(Object.entries(JSON.parse(text).weight_map));
      }),
      { numRuns: 5000 },
    );
  });
});
