import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ExactTreeStore } from "../../../../src/extension/model/exactTreeStore.js";

const dumpName = `${"b".repeat(64)}.json`;
let directory = "";

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "store-"));
  writeFileSync(join(directory, dumpName), JSON.stringify({ named_modules: [["", "Kept"]] }));
});
afterEach(() => rmSync(directory, { recursive: true }));

const noteFile = () => join(directory, readdirSync(directory).find((name) => name.startsWith("last-")) ?? "");

describe("ExactTreeStore", () => {
  it("gives back what was noted, the last note for each file", async () => {
    const store = new ExactTreeStore(directory);
    await store.note({ config: "/m/config.json", configSha256: "1", dump: join(directory, dumpName) });
    await store.note({ config: "/m/config.json", configSha256: "2", dump: join(directory, dumpName) });
    expect(await store.recall("/m/config.json")).toMatchObject({ configSha256: "2", tree: { source: "python-dump" } });
    expect(await store.recall("/n/config.json")).toBeUndefined();
    await store.forget("/m/config.json");
    expect(await store.recall("/m/config.json")).toBeUndefined();
  });

  it.each([
    ["no JSON", "{"],
    ["null", "null"],
    ["a path that leads out", JSON.stringify({ config: "/m", configSha256: "1", dump: `../../${dumpName}` })],
    ["another config", JSON.stringify({ config: "/other", configSha256: "1", dump: dumpName })],
    ["too much", " ".repeat(70_000)],
  ])("makes nothing of a note that holds %s", async (_, text) => {
    const store = new ExactTreeStore(directory);
    await store.note({ config: "/m", configSha256: "1", dump: dumpName });
    writeFileSync(noteFile(), text);
    expect(await store.recall("/m")).toBeUndefined();
  });

  it("bears a directory that cannot be written", async () => {
    const store = new ExactTreeStore(join(directory, dumpName, "below-a-file"));
    await store.note({ config: "/m", configSha256: "1", dump: dumpName });
    await store.forget("/m");
    expect(await store.recall("/m")).toBeUndefined();
  });
});
