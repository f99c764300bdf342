import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TIMELINE_COMMANDS, type TimelineCommand } from "../../../src/core/timeline/query/protocol.js";
import { BINDINGS, BY_LETTER } from "../../../src/webview/timeline/keyBindings.js";
import { type Harness, startHarness } from "./harness.js";
import { pressKeys } from "./pageSteps.js";
import { sampleTrace } from "./sampleTrace.js";

/*
 * Every action of the page by its key alone: what a user would see or hear of it is read before and after. The page shows
 * two ranks, one with a planted race, so that there is something to compare, to point at and to report.
 */

let harness: Harness;
let page: Page;

beforeAll(async () => {
  harness = await startHarness();
  page = harness.page;
});
afterAll(() => harness.close());

const press = (...keys: string[]) => pressKeys(page, ...keys);

/** What can be seen or heard, by the name of the part. */
async function signs(): Promise<Readonly<Record<string, string>>> {
  return page.evaluate(() => {
    const text = (selector: string) => document.querySelector(selector)?.textContent ?? "";
    const state = window.harness.state as Readonly<Record<string, unknown>>;
    return {
      status: text(".for-readers[role=status]"),
      title: text(".details"),
      tab: JSON.stringify(state.tab),
      range: JSON.stringify(state.range ?? "all"),
      marks: JSON.stringify(state.marks),
      stacked: JSON.stringify(state.isStacked),
      side: JSON.stringify(state.isSideOpen ?? null),
      summary: JSON.stringify(state.isSummaryOpen),
      lanes: JSON.stringify(state.arrangement),
      told: JSON.stringify(
        window.harness.told.map((told) => (told.type === "export" ? told.request.format : told.type)),
      ),
      focus: document.activeElement?.getAttribute("placeholder") ?? "",
      help: String(document.querySelector(".help-shade")?.hasAttribute("hidden") === false),
    };
  });
}

type Part = keyof Awaited<ReturnType<typeof signs>> & string;

/** In an order in which each has something to do, with the part in which it must show. */
const WALK: readonly (readonly [TimelineCommand, Part, string?])[] = [
  ["zoomIn", "range"],
  ["panRight", "range"],
  ["panLeft", "range"],
  ["zoomOut", "range"],
  ["nextEvent", "title"],
  ["nextEvent", "title"],
  ["previousEvent", "title"],
  ["laneBelow", "title"],
  ["laneAbove", "title"],
  ["fit", "range"],
  ["selectTime", "status", "Selected"],
  ["fitAll", "range", '"all"'],
  ["mark", "marks"],
  ["laneBelow", "title"],
  ["nextEvent", "title"],
  ["mark", "marks"],
  ["fit", "range"],
  ["previousMark", "status", "Mark 2 of 2."],
  ["previousMark", "status", "Mark 1 of 2."],
  ["nextMark", "status", "Mark 2 of 2."],
  ["clearMarks", "marks", "[]"],
  ["showEvents", "tab", '"events"'],
  ["showMetrics", "tab", '"metrics"'],
  ["showCompare", "tab", '"compare"'],
  ["showReport", "tab", '"report"'],
  ["showDetails", "tab", '"details"'],
  ["clearSelection", "title"],
  ["nextMatch", "status", "Match 1 of"],
  ["nextMatch", "status", "Match 2 of"],
  ["previousMatch", "status", "Match 1 of"],
  ["pinLane", "lanes"],
  ["pinLane", "lanes"],
  ["foldLane", "lanes"],
  ["moveLaneUp", "lanes"],
  ["moveLaneDown", "lanes"],
  ["sideBySide", "stacked", "true"],
  ["toggleFindings", "side"],
  ["nextFinding", "status"],
  ["clearSelection", "title"],
  ["previousFinding", "title"],
  ["toggleSummary", "summary"],
  ["copy", "status", "Copied."],
  ["exportCsv", "told", '"csv"'],
  ["exportChrome", "told", '"chrome"'],
  ["exportProfile", "told", '"offload"'],
  ["addFile", "told", '"addFile"'],
  ["savePicture", "told", '"savePicture"'],
  ["help", "help", "true"],
];

/** The key of a command as it is pressed: `Shift+KeyE`. */
function keyOf(command: TimelineCommand): string {
  const letter = Object.entries(BY_LETTER).find(([, bound]) => bound === command);
  if (letter !== undefined) return letter[0];
  const binding = BINDINGS.find((one) => one.command === command);
  if (binding === undefined) throw new Error(`${command} has no key`);
  return binding.shift ? `Shift+${binding.code}` : binding.code;
}

it("does every action by its key alone", async () => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await harness.openTraces([
    { name: "rank0.json", bytes: Buffer.from(sampleTrace(0, 1, true)) },
    { name: "rank1.json", bytes: Buffer.from(sampleTrace(1)) },
  ]);
  for (const [command, part, wanted] of WALK) {
    const before = (await signs())[part];
    await press(keyOf(command));
    const shows = async () => {
      const after = (await signs())[part] ?? "";
      return wanted === undefined ? after !== before : after.includes(wanted);
    };
    await expect.poll(shows, { timeout: 10_000, message: `${command} shows in ${part}` }).toBe(true);
  }
  await press("Escape", keyOf("search"));
  expect((await signs()).focus).toMatch(/search/i);
  const walked = new Set<string>([...WALK.map(([command]) => command), "search"]);
  expect(TIMELINE_COMMANDS.filter((command) => !walked.has(command))).toEqual([]);
  expect(harness.errors).toEqual([]);
});
