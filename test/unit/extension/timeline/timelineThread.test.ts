// @slow: large inputs or many cases.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { serialize } from "node:v8";
import { build } from "esbuild";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { TimelineThread } from "../../../../src/extension/timeline/timelineThread.js";

let folder = "";
let thread: TimelineThread | undefined;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "timeline-thread-"));
  return () => rmSync(folder, { recursive: true });
});
afterEach(() => thread?.end({ code: "OVER", message: "", nextStep: "" }));

/** A thread that runs `body` for each packet of the line (core/channel.ts); `say` answers or reports on it. */
function threadOf(name: string, body: string, onProgress = () => {}): TimelineThread {
  const script = join(folder, `${name}.cjs`);
  writeFileSync(
    script,
    `const { parentPort: port } = require("node:worker_threads"); port.on("message", ({ id, body: request }) => { const say = (packet, body) => port.postMessage({ packet, id, body }); ${body} });`,
  );
  thread = new TimelineThread(script, onProgress);
  return thread;
}

const findings = { kind: "findings", run: 0 } as const;

const LAYERS = 8;

/** A trace of steps that are all alike: one kernel for each layer. */
function writeTrace(name: string, steps: number): string {
  const elements: string[] = [];
  for (let at = 0; at < steps * LAYERS; at++) {
    const place = '"pid":0,"tid":7';
    const args = `{"device":0,"stream":7,"correlation":${at + 1},"External id":${at},"grid":[1,2,3],"block":[128,1,1]}`;
    elements.push(
      `{"ph":"X","cat":"kernel","name":"gemm_${at % LAYERS}",${place},"ts":${at * 10}.125,"dur":8.5,"args":${args}}`,
    );
  }
  const path = join(folder, name);
  writeFileSync(path, `{"traceEvents":[${elements.join(",\n")}]}`);
  return path;
}

describe("an import beside the editor", () => {
  let script = "";
  beforeAll(async () => {
    script = join(folder, "timeline.cjs");
    const common = { bundle: true, platform: "node", format: "cjs", target: "node20" } as const;
    await build({ ...common, entryPoints: ["src/timelineWorker/main.ts"], outfile: script, logLevel: "error" });
  });

  /** Imports in a thread; `bytes` is what the host was sent, `busyShare` how much of the time its event loop was not free. */
  async function importBeside(path: string) {
    let bytes = 0;
    thread = new TimelineThread(script, (message) => {
      bytes += serialize(message).length;
    });
    const before = performance.eventLoopUtilization();
    const opened = await thread.open([{ fileName: "trace.json", path }]);
    const busyShare = performance.eventLoopUtilization(before).utilization;
    if (!opened.ok) throw new Error(opened.problem.message);
    const eventCount = opened.value.timelines[0]?.eventCount ?? 0;
    const overviewBytes = serialize(opened.value).length;
    thread.end({ code: "OVER", message: "", nextStep: "" });
    return { bytes, overviewBytes, eventCount, busyShare };
  }

  it("leaves the host free, and sends it no more for a file of 25 times the size", { timeout: 120_000 }, async () => {
    const small = await importBeside(writeTrace("small.json", 1_500));
    const large = await importBeside(writeTrace("large.json", 37_500));
    expect(large.eventCount).toBe(small.eventCount * 25);
    expect(large.overviewBytes).toBeLessThan(small.overviewBytes * 2);
    // One short message per tenth of a second and phase.
    expect(large.bytes).toBeLessThan(large.eventCount);
    expect(large.busyShare).toBeLessThan(0.25);
  });
});

describe("TimelineThread", () => {
  it("gives each question its own answer, in any order, and passes progress on", async () => {
    let progress = 0;
    const asked = threadOf(
      "answers",
      `if (request.kind === "open") { say("progress", { fileName: "a", progress: {} }); say("answer", { ok: true, value: request.files.length }); }
       else setTimeout(() => say("answer", { ok: true, value: id }), 40 - id * 10);`,
      () => progress++,
    );
    expect(await asked.open([{ fileName: "a", path: "/a" }])).toEqual({ ok: true, value: 1 });
    expect(await Promise.all([asked.ask(findings), asked.ask(findings)])).toEqual([
      { ok: true, value: 2 },
      { ok: true, value: 3 },
    ]);
    expect(progress).toBe(1);
  });

  it("fails what was asked when it is ended, and everything after", async () => {
    const busy = threadOf("busy", "for (;;);");
    const opened = busy.open([]);
    busy.end({ code: "IMPORT_CANCELLED", message: "cancelled", nextStep: "" });
    expect(await opened).toMatchObject({ ok: false, problem: { code: "IMPORT_CANCELLED" } });
    expect(await busy.ask(findings)).toMatchObject({ ok: false, problem: { code: "IMPORT_CANCELLED" } });
  });

  it("turns a crash into a problem", async () => {
    const crashing = threadOf("crash", 'throw new Error("out of memory");');
    const [opened, answer] = await Promise.all([crashing.open([]), crashing.ask(findings)]);
    expect(opened).toMatchObject({ ok: false, problem: { code: "TIMELINE_THREAD_ENDED" } });
    expect(answer).toMatchObject({ ok: false, problem: { cause: expect.stringContaining("out of memory") } });
  });
});
