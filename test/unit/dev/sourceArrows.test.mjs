import { describe, expect, test } from "vitest";
import { reachedFrom } from "../../../src/dev/arrows.mjs";
import { arrows, checkSourceArrows, circles, importsOf, sources, wrongArrows } from "../../../src/dev/sourceArrows.mjs";

describe("arrows between rooms of src", () => {
  test("the sources as they are keep them", () => {
    expect([...sources()].length).toBeGreaterThan(500);
    expect(() => checkSourceArrows()).not.toThrow();
  });

  test("a planted arrow inside core is named with both rooms, types included", () => {
    const planted = 'import type { BlockContext } from "../verl/blockRule.js";\n';
    expect(wrongArrows("core/config/rules/rule.ts", planted)).toEqual([
      "core/config/rules/rule.ts imports core/config/verl/blockRule.ts: core/config/rules may not know core/config/verl.",
    ]);
    expect(wrongArrows("core/config/overrides/calls.ts", planted)).toEqual([]);
  });

  test.each([
    ["core/modules/tree.ts", 'export { effectsOf } from "./estimate/estimate.js";', "core/modules/estimate"],
    ["core/base/json.ts", 'import {\n  check,\n} from "../config/check.js";', "core/config"],
    ["core/timeline/columns/columns.ts", 'const late = await import("../query/view.js");', "core/timeline/query"],
    ["core/profile/layers.ts", 'import "../sweep/plan.js";', "core/sweep"],
    ["webview/kit/table.ts", 'import { read } from "../../node/readTrace.js";', "node"],
    ["cli/io.ts", 'import { settings } from "../extension/settings.js";', "extension"],
  ])("%s finds %s", (path, text, room) => {
    expect(wrongArrows(path, text)).toEqual([expect.stringContaining(`may not know ${room}.`)]);
  });

  test("every app knows all of core", () => {
    const text = 'import { readConfig } from "../../core/config/readConfig.js";';
    for (const app of ["cli/some", "extension/some", "webview/modules", "webview/timeline/draw"]) {
      const up = app
        .split("/")
        .map(() => "..")
        .join("/");
      expect(wrongArrows(`${app}/file.ts`, text.replace("../..", up))).toEqual([]);
    }
  });

  test("pages know the kit, which knows none of them, nor do they know each other", () => {
    expect(wrongArrows("webview/sweep/a.ts", 'import { element } from "../kit/element.js";')).toEqual([]);
    for (const [path, from] of [
      ["webview/kit/a.ts", "../timeline/theme.js"],
      ["webview/sweep/a.ts", "../modules/treeList.js"],
    ]) {
      expect(wrongArrows(path, `import { a } from "${from}";`)).toHaveLength(1);
    }
  });

  test("rooms of the shell know models and documents, and features do not know each other", () => {
    expect(wrongArrows("extension/whatIf/a.ts", 'import { analyse } from "../document/documentAnalysis.js";')).toEqual(
      [],
    );
    expect(wrongArrows("extension/main.ts", 'await import("./whatIf/register.js");')).toEqual([]);
    for (const [path, from] of [
      ["extension/model/a.ts", "../document/subject.js"],
      ["extension/settings.ts", "./document/subject.js"],
      ["extension/whatIf/a.ts", "../profile/profileChoice.js"],
      ["extension/modules/a.ts", "../language/codeLens.js"],
      ["extension/language/a.ts", "../../timelineWorker/messages.js"],
    ]) {
      expect(wrongArrows(path, `import { a } from "${from}";`)).toHaveLength(1);
    }
  });

  test("a file outside of every room is refused, on either end", () => {
    expect(wrongArrows("core/stray.ts", "")[0]).toContain("lies in no room");
    expect(wrongArrows("core/base/json.ts", 'import { a } from "../stray.js";')[0]).toContain("lies in no room");
  });

  test("a planted circle is named, whatever its length; a file that two others take is none", () => {
    const planted = (...files) => new Map(files.map(([path, text]) => [path, importsOf(path, text)]));
    const two = planted(
      ["core/base/a.ts", 'import type { B } from "./b.js";'],
      ["core/base/b.ts", 'import { a } from "./a.js";'],
    );
    expect(circles(two)).toEqual([["core/base/a.ts", "core/base/b.ts"]]);
    const three = planted(
      ["core/base/a.ts", 'import { b } from "./b.js";'],
      ["core/base/b.ts", 'import { c } from "./c.js";'],
      ["core/base/c.ts", 'import { a } from "./a.js";'],
    );
    expect(circles(three)).toEqual([["core/base/a.ts", "core/base/b.ts", "core/base/c.ts"]]);
    const shared = planted(
      ["core/base/a.ts", 'import { b } from "./b.js"; import { c } from "./c.js";'],
      ["core/base/b.ts", 'import { c } from "./c.js";'],
      ["core/base/c.ts", ""],
    );
    expect(circles(shared)).toEqual([]);
  });

  test("no two rooms know each other, by whatever way", () => {
    for (const room of Object.keys(arrows)) expect([...reachedFrom(arrows, room)], room).not.toContain(room);
  });
});
