// @slow: large inputs or many cases.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TraceJson } from "../../../../src/core/timeline/traceJson.js";
import { kernel, traceOf } from "../../timeline/import/chrome/traceSamples.js";
import { runTrace } from "./runTrace.js";

const fixtures = new URL("../../../fixtures/", import.meta.url).pathname;
const q8 = join(fixtures, "traces/q8_s8k_gc_veomni.pt.trace.json.gz");
const ranks = [0, 1].map((rank) => `fsdp2_q8x16_s8k_gc_veomni_rank${rank}.pt.trace.json.gz`);
const profile = join(fixtures, "profiles/qwen3-tiny-cpu.offload");
let directory = "";

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "trace-"));
  mkdirSync(join(directory, "ranks"));
  for (const name of ranks) symlinkSync(join(fixtures, "traces", name), join(directory, "ranks", name));
  writeFileSync(join(directory, "small.json"), SMALL);
});
afterAll(() => rmSync(directory, { recursive: true }));

const run = (...args: string[]) => runTrace(directory, ...args);

async function json<T>(...args: string[]): Promise<T> {
  return JSON.parse((await run(...args, "--json")).stdout) as T;
}

describe("offload-lens trace", () => {
  it("prints the metrics of a trace in the documented shape", async () => {
    const printed = await json<TraceJson>(q8);
    expect(printed).toMatchObject({
      file: q8,
      events: { total: 82383, kept: 82383, repaired: 0, overlapped: 0, dropped: 0 },
    });
    expect(printed.devices).toEqual([
      {
        device: 0,
        name: "NVIDIA H200",
        spanNs: 1117599803,
        computeBusyNs: 1099230214,
        idleNs: 13814977,
        counts: { kernel: 7740, memset: 1020, dtod: 147 },
        d2h: { count: 36, bytes: 2348810241, busyNs: 42665763, hiddenNs: 41400746, exposedNs: 1265017 },
        h2d: { count: 35, bytes: 2348810240, busyNs: 43842431, hiddenNs: 40552836, exposedNs: 3289595 },
        copiesAny: { busyNs: 86508194, hiddenNs: 81953582, exposedNs: 4554612 },
        collective: { count: 0, busyNs: 0, hiddenNs: 0, exposedNs: 0 },
      },
    ]);
    expect(Array.isArray(printed.findings)).toBe(true);
  });

  it("says unasked that a trace is cut off", async () => {
    writeFileSync(
      join(directory, "cut.json"),
      '{"traceEvents":[{"ph":"X","cat":"kernel","name":"k","ts":1,"dur":2},{"ph":"X"',
    );
    const { code, stdout, stderr } = await run("cut.json");
    expect([code, stderr]).toEqual([0, "cut.json: It is cut off; the figures are those of the part that is there.\n"]);
    expect(stdout).toContain("2 in the file, 1 kept");
  });

  it("invents no device where nothing ran on one", async () => {
    writeFileSync(
      join(directory, "host.json"),
      '{"traceEvents":[{"ph":"X","cat":"cpu_op","name":"aten::add","ts":1,"dur":2,"pid":1,"tid":1}]}',
    );
    const { code, stdout } = await run("host.json");
    expect(code).toBe(0);
    expect(stdout).toContain("  no kernels or copies of a device\n");
    expect(stdout).not.toContain("device 0");
  });

  it("prints a list for several files and for a folder of ranks", async () => {
    const listed = await json<TraceJson[]>("ranks");
    expect(listed.map(({ file, rank }) => [file, rank])).toEqual(
      ranks.map((name, rank) => [join("ranks", name), rank]),
    );
    expect((await json<TraceJson[]>(q8, profile)).length).toBeGreaterThan(2);
  });

  it("passes real traces with --check and fails a planted race", async () => {
    expect((await run(q8, join("ranks", ranks[0] ?? ""), "--check")).code).toBe(0);
    const text = gunzipSync(readFileSync(q8)).toString();
    const planted = join(directory, "planted.json.gz");
    writeFileSync(planted, gzipSync(plantRace(text)));
    const checked = await run(planted, "--check");
    expect(checked.code).toBe(1);
    expect(checked.stdout).toContain("error: RELOAD_BEFORE_OFFLOAD_END");
    expect((await run(planted)).code).toBe(0);
  });

  it("compares two files", async () => {
    const compared = await run(...ranks.map((name) => join("ranks", name)), "--compare");
    expect(compared.code).toBe(0);
    expect(compared.stdout).toMatch(/Collectives exposed +13\.0 ms +13\.5 ms/);
    expect(compared.stdout).toContain("nothing is known about the noise");
    expect((await run(q8, "--compare")).code).toBe(2);
  });

  it.each(["again.json.gz", "saved.offload"])("writes %s, whose metrics are the same", async (name) => {
    const rank = join("ranks", ranks[0] ?? "");
    expect(await run(rank, "--out", name)).toMatchObject({ code: 0, stderr: `Wrote ${name}\n` });
    const [before, after] = [await json<TraceJson>(rank), await json<TraceJson>(name)];
    expect(after.devices).toEqual(before.devices);
  });

  it("writes events as comma-separated values", async () => {
    expect((await run(join("ranks", ranks[1] ?? ""), "--out", "events.csv")).code).toBe(0);
    expect(readFileSync(join(directory, "events.csv"), "utf8").split("\n").length).toBeGreaterThan(20_000);
  });

  it.each(["mine.json", "mine.json.gz", "mine.csv", "mine.offload"])(
    "replaces with %s only what it wrote",
    async (name) => {
      const foreign = name.endsWith(".gz") ? gzipSync('{"schemaVersion": 1}') : Buffer.from('{"schemaVersion": 1}');
      writeFileSync(join(directory, name), foreign);
      const refused = await run("small.json", "--out", name);
      expect(refused).toMatchObject({
        code: 1,
        stdout: "",
        stderr: expect.stringMatching(/^SAVE_FAILED: .*another kind/),
      });
      expect(readFileSync(join(directory, name))).toEqual(foreign);
      rmSync(join(directory, name));
      for (const time of ["first", "again"]) {
        const written = await run("small.json", "--out", name);
        expect([time, written.code, written.stderr]).toEqual([time, 0, `Wrote ${name}\n`]);
      }
    },
  );

  it("never replaces what it reads, though it wrote it, nor a folder of ranks with one of them", async () => {
    expect((await run("small.json", "--out", "own.json")).code).toBe(0);
    symlinkSync("own.json", join(directory, "link.json"));
    const before = readFileSync(join(directory, "own.json"));
    for (const out of ["own.json", "./own.json", "link.json"]) {
      const { code, stderr } = await run("own.json", "--out", out);
      expect([code, stderr]).toEqual([1, expect.stringContaining("the file that was read")]);
    }
    expect(readFileSync(join(directory, "own.json"))).toEqual(before);
    expect(await run("ranks", "--out", "rank.json")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("holds 2"),
    });
  });

  it("prints a document without devices for a saved profile without timelines", async () => {
    writeFileSync(join(directory, "none.offload"), withoutTimelines(readFileSync(profile)));
    expect(await run("none.offload")).toMatchObject({ code: 0, stdout: "none.offload\n  no timelines\n" });
    const none = { file: "none.offload", devices: [], findings: [] };
    expect(await json("none.offload")).toMatchObject(none);
    expect(await json("none.offload", q8)).toMatchObject([none, { file: q8 }]);
    expect((await run("none.offload", "--out", "n.offload")).stderr).toContain("There is no timeline.");
  });

  it("takes names after -- as files", async () => {
    writeFileSync(join(directory, "--json"), "");
    expect((await run("--", "--json")).stderr).toContain("TRACE_EMPTY");
  });

  it("opens what a framework wrote into a folder, whatever it called it, and names the rest", async () => {
    const folder = join(directory, "profile");
    const trace = gzipSync(traceOf(kernel(1, 1)));
    const names = [0, 1].map(
      (rank) => `actor_actor-update_step2_rank${rank}-of-2_pid1${rank}_20260901101112123.json.gz`,
    );
    mkdirSync(join(folder, "actor"), { recursive: true });
    for (const name of names) writeFileSync(join(folder, "actor", name), trace);
    writeFileSync(join(folder, "memory_timeline.raw.json"), "[[-1, 1, 37888, 7]]");
    const said = await run("profile", "--json");
    expect(said.code).toBe(0);
    expect((JSON.parse(said.stdout) as TraceJson[]).map(({ file }) => file)).toEqual(
      names.map((name) => join("profile", "actor", name)),
    );
    expect(said.stderr).toBe(
      "profile: 1 file not opened (memory_timeline.raw.json): the memory timeline of torch.profiler.\n",
    );
    mkdirSync(join(directory, "wrong"));
    writeFileSync(join(directory, "wrong", "et.json"), '{"schema": "1.0.2", "pid": 1, "nodes": []}');
    expect(await run("wrong")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^FOLDER_WITHOUT_TRACES: wrong holds no traces\.\s+1 file not opened \(et\.json\): an execution trace/,
      ),
    });
  });

  it("shows the ranks of a folder beside one that is broken and sorts first", async () => {
    mkdirSync(join(directory, "job"));
    writeFileSync(join(directory, "job", "a.trace.json"), "");
    for (const name of ranks) symlinkSync(join(fixtures, "traces", name), join(directory, "job", name));
    const text = await run("job", "--check");
    expect(text.code).toBe(1);
    expect(text.stdout.match(/^ {2}device \d/gm)).toHaveLength(2);
    expect(text.stderr).toMatch(/^TRACE_EMPTY: .*a\.trace\.json.* The file has no bytes\. Record it again\.\n$/);
    const [broken, ...good] = await json<TraceJson[]>("job", "--check");
    expect(broken).toMatchObject({ file: join("job", "a.trace.json"), devices: [], problem: { code: "TRACE_EMPTY" } });
    expect(good.map(({ rank, problem }) => [rank, problem])).toEqual([
      [0, undefined],
      [1, undefined],
    ]);
  });

  it.each([
    [[]],
    [["--no-such-flag", "a"]],
    [["--out"]],
    [["a", "--out", "b.json", "--out=c.json"]],
    [["a", "--out="]],
    [["a", "b", "--out", "c.json"]],
    [["a", "--out", "c.txt"]],
  ])("refuses %j with exit code 2", async (args) => {
    expect((await run(...args)).code).toBe(2);
  });
});

const SMALL = '{"traceEvents":[{"ph":"X","cat":"kernel","name":"k","ts":1,"dur":2,"pid":0,"tid":7}]}';

/** A saved profile of which nothing but the result is left. */
function withoutTimelines(bytes: Buffer): Buffer {
  const end = 16 + Number(bytes.readBigUInt64LE(8));
  const header = Buffer.from(JSON.stringify({ ...JSON.parse(bytes.toString("utf8", 16, end)), timelines: [] }));
  const fixed = Buffer.from(bytes.subarray(0, 16));
  fixed.writeBigUInt64LE(BigInt(header.length), 8);
  return Buffer.concat([fixed, header, Buffer.alloc(8)]);
}

/** Moves the first reload of backward into the last offload of forward. */
function plantRace(text: string): string {
  const times = (direction: string) =>
    [
      ...text.matchAll(
        new RegExp(`"name": "Memcpy ${direction}[^{}]*"ts": ([\\d.]+)[^{}]*\\{[^{}]*"bytes": 67108864`, "g"),
      ),
    ].map((match) => match[1] ?? "");
  const byNumber = (a: string, b: string) => Number(a) - Number(b);
  const offload = times("DtoH").sort(byNumber).at(-1);
  const reload = times("HtoD").sort(byNumber)[0];
  return text.replaceAll(`"ts": ${reload}`, `"ts": ${(Number(offload) + 500).toFixed(3)}`);
}
