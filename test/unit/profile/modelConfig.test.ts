import { describe, expect, it } from "vitest";
import type { FileInfo, FileSource } from "../../../src/core/base/files.js";
import { fail, succeed } from "../../../src/core/base/outcome.js";
import { MOST_CONFIG_BYTES, readModelConfig } from "../../../src/core/profile/modelConfig.js";

const encoder = new TextEncoder();
const missing = fail({ code: "FILE_MISSING", message: "missing", nextStep: "look" });
const forbidden = fail({ code: "FILE_FORBIDDEN", message: "forbidden", cause: "EACCES", nextStep: "chmod" });

/** Files by path; a path without content is a directory, `null` is forbidden. */
function fakeFiles(entries: Record<string, string | Uint8Array | FileInfo | null>): FileSource {
  const bytesOf = (path: string) => {
    const entry = entries[path];
    return typeof entry === "string" ? encoder.encode(entry) : entry;
  };
  return {
    info: async (path) => {
      if (!(path in entries)) return missing;
      const entry = bytesOf(path);
      if (entry === null || entry === undefined) return forbidden;
      return succeed(entry instanceof Uint8Array ? { kind: "file", sizeBytes: entry.length } : entry);
    },
    readBytes: async (path, offset, length) => {
      const entry = bytesOf(path);
      return entry instanceof Uint8Array ? succeed(entry.slice(offset, offset + length)) : forbidden;
    },
    list: async () => missing,
    join: (directory, name) => `${directory}/${name}`,
  };
}

const directory: FileInfo = { kind: "directory", sizeBytes: 0 };

async function codeFor(entries: Parameters<typeof fakeFiles>[0], kind: "directory" | "configJson" = "directory") {
  const path = kind === "directory" ? "m" : "m/config.json";
  const outcome = await readModelConfig(fakeFiles(entries), { kind, path });
  return outcome.ok ? "ok" : outcome.problem.code;
}

describe("readModelConfig", () => {
  it("gives the text as it is in the file", async () => {
    const text = '{\n  "hidden_size": 64, "note": "ü" }\n';
    const files = fakeFiles({ m: directory, "m/config.json": text });
    expect(await readModelConfig(files, { kind: "directory", path: "m" })).toEqual(succeed(text));
    expect(await readModelConfig(files, { kind: "configJson", path: "m/config.json" })).toEqual(succeed(text));
  });

  it.each([
    ["MODEL_DIRECTORY_MISSING", {}],
    ["MODEL_DIRECTORY_MISSING", { m: "a file" }],
    ["MODEL_CONFIG_UNREADABLE", { m: null }],
    ["MODEL_CONFIG_MISSING", { m: directory }],
    ["MODEL_CONFIG_UNREADABLE", { m: directory, "m/config.json": null }],
    ["MODEL_CONFIG_INVALID", { m: directory, "m/config.json": directory }],
    ["MODEL_CONFIG_INVALID", { m: directory, "m/config.json": "" }],
    ["MODEL_CONFIG_INVALID", { m: directory, "m/config.json": "[]" }],
    ["MODEL_CONFIG_INVALID", { m: directory, "m/config.json": "null" }],
    ["MODEL_CONFIG_INVALID", { m: directory, "m/config.json": '{"hidden_size": }' }],
    ["MODEL_CONFIG_INVALID", { m: directory, "m/config.json": new Uint8Array([0x7b, 0xff, 0x7d]) }],
    ["MODEL_CONFIG_TOO_LARGE", { m: directory, "m/config.json": { kind: "file", sizeBytes: MOST_CONFIG_BYTES + 1 } }],
  ] as const)("says %s for %j", async (code, entries) => {
    expect(await codeFor(entries)).toBe(code);
  });

  it("does not need the directory when the file is given", async () => {
    expect(await codeFor({}, "configJson")).toBe("MODEL_CONFIG_MISSING");
    expect(await codeFor({ "m/config.json": "{}" }, "configJson")).toBe("ok");
  });
});
