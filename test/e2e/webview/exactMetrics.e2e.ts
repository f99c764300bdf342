import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { formatExactBytes, grouped } from "../../../src/core/base/quantities.js";
import { type Harness, startHarness } from "./harness.js";
import { pressKeys } from "./pageSteps.js";

/*
 * What the panel says of real traces, against metrics that were computed independently of this project, to the nanosecond.
 */

interface Covered {
  readonly busy_ns: number;
  readonly hidden_ns: number;
  readonly exposed_ns: number;
}

interface Expected {
  readonly events_total: number;
  /** A kind that a trace does not have is left out. */
  readonly gpu_counts: Readonly<Record<"kernel" | "htod" | "dtod" | "dtoh" | "memset", number>> & {
    readonly nccl?: number;
  };
  readonly copy_bytes: Readonly<Record<"htod" | "dtoh", number>>;
  readonly gpu_span_ns: number;
  readonly compute_busy_ns: number;
  readonly idle_ns: number;
  readonly dtoh: Covered;
  readonly htod: Covered;
  readonly collective: Covered;
  readonly copies_any: Covered;
}

const FOLDER = "test/fixtures/traces";
const all: Readonly<Record<string, Expected>> = JSON.parse(readFileSync(`${FOLDER}/expected.json`, "utf8"));

let harness: Harness;
let page: Page;

beforeAll(async () => {
  harness = await startHarness();
  page = harness.page;
});
afterAll(() => harness.close());

const exactNs = (title: string | null) => /: ([\d,]+) ns$/.exec(title ?? "")?.[1];
const fact = (name: string) => page.locator(`[data-metric="${name}"]`);

/** Count, exact bytes and the three exact times of a line of the table per role. */
async function roleLine(name: string): Promise<(string | null | undefined)[]> {
  const cells = page.locator(".metrics table").first().locator("tbody tr", { hasText: name }).first().locator("td");
  const titles = await cells.evaluateAll((found) => found.map((cell) => cell.getAttribute("title")));
  const count = await cells.first().textContent();
  return [count, titles[1], ...titles.slice(3).map(exactNs)];
}

const times = ({ busy_ns, hidden_ns, exposed_ns }: Covered) => [busy_ns, hidden_ns, exposed_ns].map(grouped);

it.each(Object.entries(all))("%s", async (name, expected) => {
  await harness.openTraces([{ name, bytes: readFileSync(`${FOLDER}/${name}`) }]);
  await pressKeys(page, "t");
  await page.locator(".metrics table").first().waitFor();
  for (const [label, ns] of [
    ["Span", expected.gpu_span_ns],
    ["Compute busy", expected.compute_busy_ns],
    ["Idle", expected.idle_ns],
  ] as const)
    expect(exactNs(await fact(label).getAttribute("title")), label).toBe(grouped(ns));
  const { gpu_counts: counts, copy_bytes: bytes } = expected;
  for (const [label, count] of [
    ["Kernels", counts.kernel],
    ["Memsets", counts.memset],
    ["D2D copies", counts.dtod],
  ] as const)
    expect(await fact(label).locator("dd").textContent(), label).toBe(grouped(count));
  const [d2h, h2d] = [formatExactBytes(bytes.dtoh), formatExactBytes(bytes.htod)];
  expect(await roleLine("D2H copies")).toEqual([grouped(counts.dtoh), d2h, ...times(expected.dtoh)]);
  expect(await roleLine("H2D copies")).toEqual([grouped(counts.htod), h2d, ...times(expected.htod)]);
  expect((await roleLine("Copies, both ways")).slice(2)).toEqual(times(expected.copies_any));
  expect((await roleLine("Collectives")).slice(2)).toEqual(times(expected.collective));
  expect((await roleLine("Collectives"))[0]).toBe(grouped(counts.nccl ?? 0));
  await pressKeys(page, "u");
  expect(await page.locator('[data-report="Elements"] dd').textContent()).toBe(grouped(expected.events_total));
});
