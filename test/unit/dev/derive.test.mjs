import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { derivedTexts, gpuNames, manifestWith, readmeWith } from "../../../src/dev/derive.mjs";
import { root } from "../../../src/dev/places.mjs";

const read = (path) => readFileSync(join(root, path), "utf8");

test.each(derivedTexts())("$path says what is known elsewhere; `npm run derive` writes it", ({ is, has }) => {
  expect(is).toBe(has);
});

const gpu = (name, gib, matmulTflops = 100) => ({ name, memoryBytes: gib * 2 ** 30, matmulTflops });

test("GPUs stand by memory, in whole GiB, then by speed", () => {
  const gpus = [gpu("slow", 79.6, 312), gpu("small", 24), gpu("fast", 80, 989), gpu("large", 140)];
  expect(gpuNames(gpus)).toEqual(["large", "fast", "slow", "small"]);
});

test("a GPU and a strategy more appear in the settings and in the README", () => {
  const gpus = ["B200", "RTX 9090"];
  const strategies = {
    none: { runsByDefault: true },
    fake_async: { runsByDefault: true },
    other: { runsByDefault: false },
  };
  const manifest = JSON.parse(manifestWith(read("package.json"), { gpus, strategies }));
  const settings = manifest.contributes.configuration.properties;
  expect(settings["offloadLens.profile.strategies"].items.enum).toEqual(["none", "fake_async", "other"]);
  expect(settings["offloadLens.profile.strategies"].default).toEqual(["none", "fake_async"]);
  expect(settings["offloadLens.simulation.device"].markdownDescription).toContain("`B200`, `RTX 9090`, or the path");
  expect({ ...manifest, contributes: undefined }).toEqual({
    ...JSON.parse(read("package.json")),
    contributes: undefined,
  });

  const readme = readmeWith(read("README.md"), { gpus, strategies });
  expect(readme).toContain("| B200, RTX 9090 or a GPU that");
  expect(readme).toContain("| `none`, `fake_async` and `other`, with and without");
  const table = readme.split("\n").filter((line) => /^\| (Simulation|Engine|Timeline) /.test(line));
  expect(new Set(table.map((line) => line.length))).toHaveLength(1);
});

test("a text without the place for a list is refused, not left as it was", () => {
  expect(() => readmeWith("# Nothing", { gpus: [], strategies: { a: {}, b: {} } })).toThrow('no "| Simulation');
});
