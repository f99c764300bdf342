import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TraceJson } from "../../../../src/core/timeline/traceJson.js";
import { kernel, traceOf } from "../../timeline/import/chrome/traceSamples.js";
import { runTrace } from "./runTrace.js";

let directory = "";
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "trace-input-"));
  mkdirSync(join(directory, "nothing"));
  writeFileSync(join(directory, "sound.json"), traceOf(kernel(1, 1)));
});
afterAll(() => rmSync(directory, { recursive: true }));

const run = (...args: string[]) => runTrace(directory, ...args);

async function json<T>(...args: string[]): Promise<T> {
  return JSON.parse((await run(...args, "--json")).stdout) as T;
}

describe("offload-lens trace, with files that are damaged, odd or of others", () => {
  it("says what is wrong with a file, and goes on with the next", async () => {
    writeFileSync(join(directory, "other.json"), "[1, 2");
    writeFileSync(join(directory, "text.json"), "hello");
    writeFileSync(join(directory, "empty.json"), "");
    const several = await run("text.json", "empty.json", "absent.json", "nothing", "sound.json", "--json");
    expect(several.code).toBe(1);
    for (const code of ["TRACE_FOREIGN", "TRACE_EMPTY", "FILE_MISSING", "FOLDER_WITHOUT_TRACES"])
      expect(several.stderr).toContain(code);
    const listed = JSON.parse(several.stdout) as TraceJson[];
    expect(listed.map(({ file, problem }) => [file, problem?.code])).toEqual([
      ["text.json", "TRACE_FOREIGN"],
      ["empty.json", "TRACE_EMPTY"],
      ["absent.json", "FILE_MISSING"],
      ["nothing", "FOLDER_WITHOUT_TRACES"],
      ["sound.json", undefined],
    ]);
    expect(several.stdout + several.stderr).not.toContain(directory);
    expect(await run("empty.json", "--json")).toMatchObject({ code: 1, stdout: "" });
    expect(await run("other.json", "--report")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(
        /^TRACE_FOREIGN: other\.json is a list without a single event\. None of its 2 elements .* It is no object\./,
      ),
    });
  });

  it("says of an event without a name that it has none", async () => {
    writeFileSync(join(directory, "nameless.json"), traceOf(kernel(1, 90, ""), kernel(10, 90, " ")));
    const { stdout, code } = await run("nameless.json", "--check");
    expect(code).toBe(1);
    expect(stdout).toMatch(/OVERLAP_IN_STREAM: .* \(such as at 0\s?ns: something without a name\)/u);
  });

  it("refuses a file of which no element is an event, and says what it is", async () => {
    writeFileSync(join(directory, "memory_timeline.raw.json"), "[[-1, 1, 37888, 7], [-1, 1, 512, 7], [12, 0, 512, 7]]");
    writeFileSync(
      join(directory, "execution_details.json"),
      '[{"file": "bs_32.json.gz", "batch_size": 32, "mode": "FULL"}]',
    );
    writeFileSync(join(directory, "timeless.json"), traceOf('{"ph":"X","name":"k","cat":"kernel","pid":0,"tid":7}'));
    writeFileSync(
      join(directory, "lfs.json"),
      `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 9\n`,
    );
    const memory = await run("memory_timeline.raw.json", "--check");
    expect(memory).toMatchObject({ code: 1, stdout: "" });
    expect(memory.stderr).toMatch(
      /^TRACE_FOREIGN: memory_timeline\.raw\.json is the memory timeline of torch\.profiler\.\s.*Open the trace that export_chrome_trace/s,
    );
    expect(await run("execution_details.json")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Its only element is no event"),
    });
    expect(await run("timeless.json")).toMatchObject({ code: 1, stderr: expect.stringContaining("It has no time") });
    expect(await run("lfs.json")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/a pointer of Git LFS.*git lfs pull/s),
    });
  });

  it("says that an empty list is no recording", async () => {
    for (const [name, text] of [
      ["none.json", '{"traceEvents":[]}'],
      ["names.json", '[{"ph":"M","name":"process_name","pid":1,"args":{"name":"p"}}]'],
    ] as const) {
      writeFileSync(join(directory, name), text);
      expect(await run(name)).toMatchObject({
        code: 1,
        stdout: "",
        stderr: expect.stringMatching(/^TRACE_EMPTY: .* Record it again/s),
      });
    }
  });

  it("says unasked that a second trace follows in the file", async () => {
    const one = traceOf(kernel(1, 1));
    for (const [name, text] of [
      ["twice.json", `${one}\n${one}`],
      ["lists.json", `[${JSON.stringify(kernel(1, 1))}][1]`],
    ] as const) {
      writeFileSync(join(directory, name), text);
      const said = await run(name, "--report");
      expect(said).toMatchObject({
        code: 0,
        stderr: expect.stringMatching(/^\S+: More text follows after the end of the trace/),
      });
      expect(said.stdout).toMatch(/1 in the file, 1 kept.*0 dropped/);
      expect(said.stdout).toMatch(/ignored 1: MORE_TEXT: .*, first at byte \d+/);
    }
    writeFileSync(join(directory, "padded.json"), `${one}\n\0\0\0`);
    expect((await run("padded.json")).stderr).toBe("");
  });

  it("says that no launch has work on the device, why, and what to do", async () => {
    const launches = [1, 2, 3, 4, 5].map((correlation) => ({
      ph: "X",
      cat: "cuda_runtime",
      name: "cudaLaunchKernel",
      pid: 1,
      tid: 1,
      ts: correlation * 10,
      dur: 4,
      args: { correlation },
    }));
    writeFileSync(join(directory, "blind.json"), traceOf(...launches));
    const { code, stdout } = await run("blind.json", "--check");
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /warning: LAUNCHES_WITHOUT_WORK: 5 of 5 launches have no work on the device in this recording.*CUPTI.*record again/,
    );
    // Kernels without ids: whether a launch has work cannot be told.
    writeFileSync(join(directory, "unlinked.json"), traceOf(...launches, kernel(12, 1)));
    expect((await run("unlinked.json")).stdout).not.toContain("LAUNCHES_WITHOUT_WORK");
  });

  it("says of copies without a size that they have none, and measures the others", async () => {
    const copy = (at: number, bytes: string) =>
      `{"ph":"X","cat":"gpu_memcpy","name":"Memcpy DtoH (Device -> Pinned)","pid":0,"tid":7,"ts":${at * 100},"dur":50,"args":{"device":0,"stream":7${bytes === "" ? "" : `,"bytes":${bytes}`}}}`;
    const put = (name: string, ...sizes: readonly string[]) =>
      writeFileSync(join(directory, name), `{"traceEvents":[${sizes.map((size, at) => copy(at, size)).join(",")}]}`);
    const line = async (name: string) => (await run(name)).stdout.match(/D2H copies .*/)?.[0];
    put("none-sized.json", "", "");
    expect(await line("none-sized.json")).toBe(
      "D2H copies  2, size not recorded; busy 100 us = hidden 0 ns + exposed 100 us",
    );
    put("some-sized.json", '"1000000"', "1000000", "1000000", "1e6", "1000000.0");
    expect(await line("some-sized.json")).toMatch(
      /^D2H copies {2}5, 3.81 MiB of 4 copies, size of 1 not recorded, 20.0 GB\/s; busy 250 us/,
    );
    put(
      "no-sizes.json",
      "-5",
      "9223372036854775808",
      "18446744073709551616",
      "1e308",
      '"12"',
      "null",
      "1.5",
      "9007199254740993",
      "281474976710656",
      "true",
      "[1]",
    );
    expect(await line("no-sizes.json")).toMatch(/^D2H copies {2}11, size not recorded; /);
    put("zero.json", "0");
    expect(await line("zero.json")).toMatch(/^D2H copies {2}1, 0 B; busy/);
    const [described] = (await json<TraceJson>("none-sized.json")).devices;
    expect(described?.d2h).toEqual({
      count: 2,
      sizedCount: 0,
      sizedBusyNs: 0,
      bytes: null,
      busyNs: 1e5,
      hiddenNs: 0,
      exposedNs: 1e5,
    });
    expect((await json<TraceJson>("zero.json")).devices[0]?.d2h).not.toHaveProperty("sizedCount");
    expect((await run("some-sized.json")).stdout).toMatch(
      /COPIES_WITHOUT_SIZE: 1 of 5 copies between host and device has no recorded size: .* could not be looked for/,
    );
    const compared = await run("none-sized.json", "some-sized.json", "--compare");
    expect(compared.stdout).toMatch(/^D2H bytes +not recorded +not recorded$/m);
    expect((await run("zero.json", "none-sized.json", "--compare")).stdout).toMatch(/^D2H bytes +0 B +not recorded$/m);
    for (const out of ["sizes.csv", "sizes.json", "sizes.offload"])
      expect((await run("no-sizes.json", "--out", out)).code).toBe(0);
    expect(readFileSync(join(directory, "sizes.csv"), "utf8")).toMatch(/,,0,"?Memcpy DtoH/);
    for (const again of ["sizes.json", "sizes.offload"])
      expect(await line(again)).toMatch(/^D2H copies {2}11, size not recorded; /);
    await run("zero.json", "--out", "zero-again.json");
    expect(await line("zero-again.json")).toMatch(/^D2H copies {2}1, 0 B; busy/);
  });
});
