import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { removeOtherFiles } from "../../../src/dev/bundle.mjs";

let folder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "offload-lens-bundle-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("removeOtherFiles", () => {
  test("takes away what an earlier build left, the style sheet's source map too, and keeps folders", () => {
    mkdirSync(join(folder, "native"));
    for (const name of ["cli.js", "cli.js.map", "webview.css", "webview.css.map", "old.cjs", "native/engine"]) {
      writeFileSync(join(folder, name), "");
    }
    removeOtherFiles(folder, [join(folder, "cli.js"), join(folder, "webview.css")]);
    expect(readdirSync(folder).sort()).toEqual(["cli.js", "native", "webview.css"]);
    expect(readdirSync(join(folder, "native"))).toEqual(["engine"]);
  });

  test("removes nothing that the build just wrote", () => {
    writeFileSync(join(folder, "cli.js.map"), "");
    removeOtherFiles(folder, [join(folder, "cli.js.map")]);
    expect(readdirSync(folder)).toEqual(["cli.js.map"]);
  });
});
