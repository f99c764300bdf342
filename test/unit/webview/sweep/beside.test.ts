import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Fits } from "../../../../src/core/sweep/fits.js";
import { Beside } from "../../../../src/webview/sweep/beside.js";

/** As much of an element as the section builds with. */
class FakeElement {
  hidden = false;
  children: (FakeElement | string)[] = [];
  constructor(readonly tag: string) {}
  get childElementCount(): number {
    return this.children.length;
  }
  setAttribute(): void {}
  append(...children: (FakeElement | string)[]): void {
    this.children.push(...children);
  }
  replaceChildren(...children: (FakeElement | string)[]): void {
    this.children = children;
  }
  /** The texts of all elements with a tag. */
  texts(tag: string): readonly string[] {
    const own = this.tag === tag ? [this.children.filter((child) => typeof child === "string").join("")] : [];
    return [...own, ...this.children.flatMap((child) => (typeof child === "string" ? [] : child.texts(tag)))];
  }
}

beforeAll(() => {
  vi.stubGlobal("document", { createElement: (tag: string) => new FakeElement(tag) });
});
afterAll(() => {
  vi.unstubAllGlobals();
});

const fits: Fits = {
  budgetBytes: 2 ** 36,
  unit: "sequences",
  answers: [
    {
      strategy: "none",
      microBatch: { surely: 3, barely: 4 },
      sequence: { surely: 512, barely: 1024 },
      ranks: { surely: null, barely: 8 },
    },
  ],
};

function shown(levers: readonly string[], of: Fits | null) {
  const beside = new Beside();
  beside.show({ type: "beside", levers, fits: of });
  return { beside, root: beside.root as unknown as FakeElement };
}

test("a table of what fits, and the levers in their order", () => {
  const { beside, root } = shown(["Single keys: peak 34.0 GiB", "a = 1: less", "b = 2: even less"], fits);
  expect(root.texts("td")).toEqual(["3 – 4", "512 – 1,024", "none – 8"]);
  expect(root.texts("th").slice(0, 2)).toEqual(["Fits 64.0 GiB (simulated)", "without offload"]);
  expect([root.texts("h2"), root.texts("li")]).toEqual([
    ["Single keys: peak 34.0 GiB"],
    ["a = 1: less", "b = 2: even less"],
  ]);
  expect(root.hidden).toBe(false);
  beside.clear();
  expect([root.hidden, root.children]).toEqual([true, []]);
});

test("nothing where nothing is known", () => {
  const { root } = shown([], null);
  expect([root.hidden, root.children]).toEqual([true, []]);
});
