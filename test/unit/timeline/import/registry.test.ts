import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { succeed } from "../../../../src/core/base/outcome.js";
import { EventKind } from "../../../../src/core/timeline/columns/eventKind.js";
import { beginsWith } from "../../../../src/core/timeline/import/beginsWith.js";
import { completeTimeline } from "../../../../src/core/timeline/import/completeTimeline.js";
import { COMPRESSED_ENDINGS, offeredExtensions } from "../../../../src/core/timeline/import/recogniseFormat.js";
import { FORMATS } from "../../../../src/core/timeline/import/registry.js";
import { ReportBuilder } from "../../../../src/core/timeline/import/reportBuilder.js";
import type { ImportedTrace, StreamedFormat } from "../../../../src/core/timeline/import/traceFormat.js";
import { expandTraceArgument, loadFile, timelinesOf } from "../../../../src/node/timelineFiles.js";
import { WorkerTimelines } from "../../../../src/timelineWorker/workerTimelines.js";

const MAGIC = "TICKS\n";

/** A format that a newcomer adds: after its first line one kernel a line, `start duration` in ns. */
const ticks: StreamedFormat = {
  id: "ticks",
  name: "a list of ticks",
  endings: [".ticks"],
  reading: "streamed",
  recognises: ({ bytes }) => beginsWith(bytes, MAGIC),
  createImporter() {
    let text = "";
    let isTruncated = false;
    return {
      get events() {
        return text.split("\n").length - 2;
      },
      get textBytes() {
        return text.length;
      },
      refusal: undefined,
      push(bytes) {
        text += Buffer.from(bytes).toString("latin1");
      },
      markTruncated() {
        isTruncated = true;
      },
      finish: () => succeed(traceOfTicks(text, isTruncated)),
    };
  },
};

vi.mock("../../../../src/core/timeline/import/registry.js", async (original) => {
  const { FORMATS } = await original<typeof import("../../../../src/core/timeline/import/registry.js")>();
  // `ticks` is there only when the list is read.
  const get = (list: typeof FORMATS, key: string | symbol) => Reflect.get([...list, ticks], key);
  return { FORMATS: new Proxy(FORMATS, { get, has: (list, key) => key in [...list, ticks] }) };
});

function traceOfTicks(text: string, isTruncated: boolean): ImportedTrace {
  const lines = text.slice(MAGIC.length).split("\n").filter(Boolean);
  const numbers = lines.map((line) => line.split(" ").map(Number));
  const zeros = () => new Uint32Array(lines.length);
  const report = new ReportBuilder();
  report.total = lines.length;
  report.isTruncated = isTruncated;
  const timeline = completeTimeline(
    {
      lanes: [{ role: "compute", stream: "ticks" }],
      strings: ["tick"],
      events: {
        startNs: Float64Array.from(numbers, ([start]) => start ?? 0),
        durationNs: Float64Array.from(numbers, ([, duration]) => duration ?? 0),
        lane: zeros(),
        name: zeros(),
        layer: new Int32Array(lines.length).fill(-1),
        bytes: new Float64Array(lines.length),
        kind: new Uint8Array(lines.length).fill(EventKind.kernel),
        dependsOn: new Int32Array(lines.length).fill(-1),
      },
      memory: [],
      spans: [],
    },
    report,
  );
  return { timeline, report: report.build(ticks.id, text.length) };
}

let directory = "";
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "formats-"));
  const text = `${MAGIC}0 10\n20 5\n30 7\n`;
  writeFileSync(join(directory, "a.ticks"), text);
  writeFileSync(join(directory, "b.ticks.gz"), gzipSync(text));
  writeFileSync(join(directory, "c.ticks.gz"), gzipSync(text.repeat(1)).subarray(0, -4));
  writeFileSync(join(directory, "notes.txt"), "no trace");
});
afterAll(() => rmSync(directory, { recursive: true }));

describe("a format that was added to the registry", () => {
  it.each(["a.ticks", "b.ticks.gz", "c.ticks.gz"])("is imported by its first bytes: %s", async (name) => {
    const loaded = await loadFile(name, join(directory, name), {});
    if (!loaded.ok) throw new Error(loaded.problem.message);
    const [{ timeline, report } = { timeline: undefined, report: null }] = timelinesOf(name, loaded.value);
    expect([...(timeline?.events.durationNs ?? [])]).toEqual([10, 5, 7]);
    expect(report).toMatchObject({ format: "ticks", kept: 3, isTruncated: name.startsWith("c") });
  });

  it("is found in a folder, and what is no trace is named", async () => {
    const found = await expandTraceArgument("", directory);
    expect(found.ok && found.value.files).toEqual(["a.ticks", "b.ticks.gz", "c.ticks.gz"]);
    expect(found.ok && found.value.notes.join()).toContain("a text that is no JSON");
  });

  it("is offered by the dialog that asks for a trace", () => {
    expect(offeredExtensions()).toEqual(expect.arrayContaining(["json", "offload", "ticks", "gz", "zst"]));
  });

  it("is shown by the thread of an editor tab", async () => {
    const files = [{ fileName: "a.ticks", path: join(directory, "a.ticks") }];
    const opened = await new WorkerTimelines().answer({ kind: "open", files }, () => undefined);
    expect(opened).toMatchObject({ ok: true, value: { traces: [{ report: { format: "ticks" } }] } });
  });
});

describe("every format of the registry", () => {
  const folder = "test/fixtures/formats";
  const files = readdirSync(folder);

  it.each(FORMATS.filter(({ id }) => id !== "ticks").map((format) => [format.id, format] as const))(
    "%s knows its fixture alone, and imports it",
    async (id, format) => {
      const own = files.filter((name) => name.startsWith(`${id}.`));
      expect(own).toHaveLength(1);
      for (const name of own) {
        const head = { bytes: readFileSync(join(folder, name)), isWhole: true };
        expect(FORMATS.filter((other) => other.recognises(head))).toEqual([format]);
        const loaded = await loadFile(name, join(folder, name), {});
        if (!loaded.ok) throw new Error(loaded.problem.message);
        const timelines = timelinesOf(name, loaded.value);
        expect(timelines.map(({ timeline }) => timeline.events.startNs.length)).not.toContain(0);
        expect(timelines).not.toHaveLength(0);
      }
    },
  );

  it.each(FORMATS.filter(({ id }) => id !== "ticks").map((format) => [format.id, format] as const))(
    "%s can be opened from the Explorer: package.json names its endings",
    (_id, { reading, endings }) => {
      const { customEditors, menus } = JSON.parse(readFileSync("package.json", "utf8")).contributes;
      const opened = JSON.stringify(customEditors);
      for (const ending of endings) {
        const compressed = reading === "streamed" ? COMPRESSED_ENDINGS.map((more) => ending + more) : [];
        for (const each of [ending, ...compressed])
          expect(opened, "selectors of customEditors").toContain(`"*${each}"`);
        if (reading !== "streamed") continue;
        const [, pattern = ""] = /=~ \/(.+?)\/ /.exec(JSON.stringify(menus["explorer/context"])) ?? [];
        const isInMenu = new RegExp(JSON.parse(`"${pattern}"`));
        for (const each of [ending, ...compressed])
          expect(`a${each}`, "openTrace in explorer/context").toMatch(isInMenu);
      }
    },
  );

  it.each(["chrome", "kineto", "ascend"])(
    "the dialect %s of Chrome trace events is told from the others",
    async (dialect) => {
      const name = files.find((file) => file.startsWith(`${dialect}.`)) ?? "";
      const loaded = await loadFile(name, join(folder, name), {});
      expect(loaded.ok && loaded.value.kind === "trace" && loaded.value.trace.report.format).toBe(dialect);
    },
  );

  it("does not recognise what is none", () => {
    const texts = ["", "{", '{"a": 1}', "[1]", "OFFLENS", "OFFLTRC2________", "PK\u0003\u0004", '{"traceEvent": []}'];
    for (const text of texts) {
      const head = { bytes: Uint8Array.from(text, (letter) => letter.charCodeAt(0)), isWhole: true };
      expect(FORMATS.filter((format) => format.recognises(head)).map(({ id }) => id)).toEqual([]);
    }
  });
});
