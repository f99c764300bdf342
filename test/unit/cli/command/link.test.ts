import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { linkWith } from "../../../../src/cli/command/link.js";
import type { CliIo } from "../../../../src/cli/io.js";
import { FakeProcess } from "../../profile/fakeProcess.js";
import { sampleLink } from "../../profile/sampleLink.js";

function session(...args: string[]) {
  const written = { stdout: "", stderr: "" };
  let interrupt: () => void = () => undefined;
  const io: CliIo = {
    stdout: (text) => {
      written.stdout += text;
    },
    stderr: (text) => {
      written.stderr += text;
    },
    cwd: "/",
    env: {},
    onInterrupt: (listener) => {
      interrupt = listener;
      return () => undefined;
    },
  };
  const process = new FakeProcess();
  const code = linkWith(process, args, io);
  return { process, written, code, interrupt: () => interrupt() };
}

describe("link", () => {
  it("prints a table, with a dash where the directions never met", async () => {
    const { process, written, code } = session("--device", "cuda");
    process.says({ kind: "finished", resultJson: JSON.stringify(sampleLink) });
    expect(await code).toBe(0);
    expect(process.sent).toEqual([{ kind: "link", device: "cuda" }]);
    expect(written.stdout).toBe(`NVIDIA H200, driver 580.159.04 (CUDA 13.0), memory node 1

GB/s (10^9)      D2H      H2D     both
pinned         55.26    55.15    98.18
pageable       14.45     6.41        -

The copied pattern came back whole.
`);
  });

  it("prints the engine's own text with --json", async () => {
    const resultJson = JSON.stringify(sampleLink);
    const { process, written, code } = session("--json");
    process.says({ kind: "finished", resultJson });
    expect(await code).toBe(0);
    expect(process.sent).toEqual([{ kind: "link", device: "auto" }]);
    expect(written).toEqual({ stdout: `${resultJson}\n`, stderr: "" });
  });

  it("says what a simulated device and missing pinned memory mean", async () => {
    const { process, written, code } = session("--device=sim:H200");
    const warnings = [{ code: "PINNING_FAILED", message: "The system pins nothing." }];
    const result = { ...sampleLink, pinned: null, pageable: null, verified: null, warnings };
    process.says({ kind: "finished", resultJson: JSON.stringify(result) });
    expect(await code).toBe(0);
    expect(written.stdout).toMatch(/pinned +- +- +-\npageable +- +- +-\n/);
    expect(written.stdout).toMatch(/nothing was verified\.\nThe system pins nothing\.\n$/);
  });

  it("fails with the engine's problem", async () => {
    const { process, written, code } = session("--device", "cuda");
    process.says({
      kind: "failed",
      problem: { code: "CUDA_DRIVER_ABSENT", message: "There is no driver.", nextStep: "Use the device cpu." },
    });
    expect(await code).toBe(1);
    expect(written.stdout).toBe("");
    expect(written.stderr).toMatch(/There is no driver\..*Use the device cpu\./s);
  });

  it("cancels on an interrupt", async () => {
    const { process, written, code, interrupt } = session();
    interrupt();
    process.exits(null, "SIGINT");
    expect(await code).toBe(1);
    expect(process.sent.at(-1)).toEqual({ kind: "cancel" });
    expect(written.stderr).toMatch(/cancelled/);
  });

  it("writes a calibration whole or not at all, and replaces nothing else", async () => {
    const directory = mkdtempSync(join(tmpdir(), "link-"));
    const path = join(directory, "mine.json");
    const profile = { name: "mine", matmulTflops: 400 };
    const calibrate = async () => {
      const { process, written, code } = session(`--calibrate=${path}`, "--device", "cpu");
      const started = await Promise.race([code, vi.waitUntil(() => process.sent.length > 0)]);
      if (started === true) process.says({ kind: "finished", resultJson: JSON.stringify({ ...sampleLink, profile }) });
      return { code: await code, ...written, sent: process.sent };
    };
    expect(await calibrate()).toMatchObject({ code: 0, stderr: expect.stringContaining(`Wrote ${path};`) });
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(profile);
    expect((await calibrate()).code).toBe(0);
    expect(readdirSync(directory)).toEqual(["mine.json"]);
    rmSync(path);
    execFileSync("mkfifo", [path]);
    expect(await calibrate()).toMatchObject({ code: 1, sent: [], stderr: expect.stringContaining("no regular file") });
    rmSync(path);
    writeFileSync(path, '{"notes": 1}');
    // Said before anything is measured.
    expect(await calibrate()).toMatchObject({
      code: 1,
      sent: [],
      stderr: expect.stringMatching(/^SAVE_FAILED: .*kind/),
    });
    expect(readFileSync(path, "utf8")).toBe('{"notes": 1}');
    rmSync(directory, { recursive: true });
  });

  it.each([
    [["--calibrate=a.json", "--calibrate", "b.json"], "FLAG_REPEATED: --calibrate is given twice."],
    [["--calibrate"], "FLAG_VALUE_MISSING: --calibrate needs a value. Give --calibrate FILE.json."],
    [["--calibrate="], "FLAG_VALUE_WRONG: --calibrate has an empty value."],
    [
      ["--calibrate", "a.txt"],
      "FLAG_VALUE_WRONG: --calibrate does not take a.txt. Use a file whose name ends in .json.",
    ],
    [["--device"], "FLAG_VALUE_MISSING: --device needs a value."],
    [["--device", "tpu"], "FLAG_VALUE_WRONG: --device does not take tpu. Use auto, cuda, cpu or sim:NAME."],
    [["--device", "cpu", "--device=cuda"], "FLAG_REPEATED: --device is given twice."],
    [["--seq"], "FLAG_UNKNOWN: link has no flag --seq."],
  ])("refuses %j with exit code 2", async (args, message) => {
    const { written, code, process } = session(...args);
    expect(await code).toBe(2);
    expect(written.stderr.startsWith(message)).toBe(true);
    expect(process.sent).toEqual([]);
  });

  it("explains itself", async () => {
    const { written, code } = session("--device", "cpu", "--help");
    expect(await code).toBe(0);
    expect(written.stdout).toMatch(/^offload-lens link: measure/);
  });
});
