// @slow: large inputs or many cases.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ExportRequest, ProfileOverview, Question } from "../../../src/core/timeline/query/protocol.js";
import type { FileProgress, TimelineFile } from "../../../src/timelineWorker/messages.js";
import { packAnswer } from "../../../src/timelineWorker/packedAnswer.js";
import { WorkerTimelines } from "../../../src/timelineWorker/workerTimelines.js";
import { digested, tracePath } from "../timeline/import/chrome/traceSamples.js";

let directory = "";
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "worker-timelines-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

const rank = (number: number) => {
  const fileName = `fsdp2_q8x16_s8k_gc_veomni_rank${number}.pt.trace.json.gz`;
  return { fileName, path: tracePath(fileName) };
};
const profile = { fileName: "tiny.offload", path: "test/fixtures/profiles/qwen3-tiny-cpu.offload" };

async function opened(...files: TimelineFile[]) {
  const progress: FileProgress[] = [];
  const timelines = new WorkerTimelines();
  const outcome = await timelines.answer({ kind: "open", files }, (said) => progress.push(said));
  const overview = outcome.ok ? (outcome.value as ProfileOverview) : undefined;
  const ask = (question: Question) => timelines.answer({ kind: "ask", question }, () => undefined);
  const write = (request: ExportRequest, path: string) =>
    timelines.answer({ kind: "export", request, path }, () => undefined);
  return { outcome, progress, overview, ask, write };
}

describe("WorkerTimelines", () => {
  it("opens ranks side by side, aligned by their clocks", async () => {
    const { overview, progress, ask } = await opened(rank(0), rank(1));
    expect(overview?.kind).toBe("trace");
    expect(overview?.traces.map((one) => one.rank)).toEqual([0, 1]);
    expect(overview?.timelines.map((one) => one?.alignNs)).toEqual([0, -65184]);
    expect(progress.map(({ fileName }) => fileName)).toContain(rank(1).fileName);
    expect(await ask({ kind: "compare", run: 0, with: 1 })).toMatchObject({ ok: true, value: { steps: 1 } });
  });

  it("says which timelines come from the file that was added to compare with", async () => {
    expect((await opened(rank(0), rank(1))).overview?.addedRun).toBeNull();
    expect((await opened(rank(0), { ...rank(1), isAdded: true })).overview?.addedRun).toBe(1);
    const gone = { fileName: "gone.trace.json", path: join(directory, "gone.trace.json") };
    expect((await opened(rank(0), { ...gone, isAdded: true })).overview?.addedRun).toBeNull();
    // Nothing is left to compare it with.
    expect((await opened(gone, { ...rank(1), isAdded: true })).overview?.addedRun).toBeNull();
  });

  it("opens the ranks that can be read and names the others, whichever sorts first", async () => {
    const path = join(directory, "empty.trace.json");
    writeFileSync(path, "");
    const empty = { fileName: "empty.trace.json", path };
    const gone = { fileName: "gone.trace.json", path: join(directory, "gone.trace.json") };
    const { overview, ask } = await opened(empty, rank(0), gone, rank(1));
    expect(overview?.traces.map((one) => one.rank)).toEqual([0, 1]);
    expect(overview?.unread.map(({ fileName, problem }) => [fileName, problem.code])).toEqual([
      ["empty.trace.json", "TRACE_EMPTY"],
      ["gone.trace.json", "FILE_MISSING"],
    ]);
    expect(await ask({ kind: "findings", run: 1 })).toMatchObject({ ok: true });
    const none = await opened(empty, gone);
    expect(none.outcome).toMatchObject({
      problem: { code: "NO_FILE_READABLE", cause: "empty.trace.json: TRACE_EMPTY, gone.trace.json: FILE_MISSING." },
    });
  });

  it("opens a saved profile as one, and its runs beside a trace", async () => {
    expect((await opened(profile)).overview).toMatchObject({ kind: "profile", traces: [] });
    const beside = (await opened(rank(0), profile)).overview;
    expect(beside?.kind).toBe("trace");
    expect(beside?.traces[1]?.fileName).toMatch(/^tiny.offload: none/);
    expect(beside?.traces[1]?.report.format).toBe("offload");
  });

  it("answers views with buffers of their own, and nothing before a file is open", async () => {
    const { ask } = await opened(rank(0));
    const view = await ask({ kind: "view", run: 0, fromNs: 0, toNs: 1e8, pixelNs: 1e5 });
    const packed = packAnswer(view);
    // One buffer, whatever the rows: the editor loses those beyond 255 of a message.
    expect(packed.transfer).toHaveLength(1);
    expect(packed.value).toEqual(view);
    expect(packAnswer(await ask({ kind: "findings", run: 0 })).transfer).toEqual([]);
    const closed = await opened({ fileName: "absent", path: join(directory, "absent.json") });
    expect(closed.outcome).toMatchObject({ ok: false, problem: { code: "FILE_MISSING" } });
    expect(await closed.ask({ kind: "findings", run: 0 })).toMatchObject({ ok: false });
  });

  it("exports the events of a table in its order", async () => {
    const { write } = await opened(rank(0));
    const path = join(directory, "copies.csv");
    const request = {
      format: "csv",
      run: 0,
      filter: { role: "d2h", text: "", minBytes: 1000 },
      sort: { by: "duration", descending: true },
    } as const;
    expect(await write(request, path)).toEqual({ ok: true, value: null });
    const lines = readFileSync(path, "utf8").trim().split("\n");
    expect(lines).toHaveLength(16);
    expect(lines[1]).toMatch(/^9243731,1240029,d2h,stream 22,0,copyD2H,0,67108864,/);
  });

  it("saves what a tab shows and opens it again without an import", async () => {
    const { write, overview } = await opened(rank(0), rank(1));
    const path = join(directory, "ranks.offload");
    expect(await write({ format: "offload" }, path)).toMatchObject({ ok: true });
    const again = (await opened({ fileName: "ranks.offload", path })).overview;
    expect(digested(again)).toEqual(digested({ ...overview, fileName: "ranks.offload" }));
  });
});
