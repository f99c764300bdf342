import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { TimelineThread } from "../../../src/extension/timelineThread.js";

let folder = "";
let thread: TimelineThread | undefined;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "timeline-thread-"));
  return () => rmSync(folder, { recursive: true });
});
afterEach(() => thread?.end({ code: "OVER", message: "", nextStep: "" }));

/** A thread that runs `body` for each message. */
function threadOf(name: string, body: string, onProgress = () => {}): TimelineThread {
  const script = join(folder, `${name}.cjs`);
  writeFileSync(
    script,
    `const { parentPort: port } = require("node:worker_threads"); port.on("message", (message) => { ${body} });`,
  );
  thread = new TimelineThread(script, onProgress);
  return thread;
}

const findings = { kind: "findings", run: 0 } as const;

describe("TimelineThread", () => {
  it("gives each question its own answer, in any order, and passes progress on", async () => {
    let progress = 0;
    const asked = threadOf(
      "answers",
      `if (message.type === "open") { port.postMessage({ type: "progress", fileName: "a", progress: {} }); port.postMessage({ type: "opened", outcome: { ok: true, value: message.files.length } }); }
       else setTimeout(() => port.postMessage({ type: "answer", id: message.id, outcome: { ok: true, value: message.id } }), 30 - message.id * 10);`,
      () => progress++,
    );
    expect(await asked.open([{ fileName: "a", path: "/a" }])).toEqual({ ok: true, value: 1 });
    expect(await Promise.all([asked.ask(findings), asked.ask(findings)])).toEqual([
      { ok: true, value: 1 },
      { ok: true, value: 2 },
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
