import { describe, expect, test } from "vitest";
import { run, StepFailed } from "../../../src/dev/command.mjs";

const node = (code, options = {}) => run(process.execPath, ["-e", code], { quiet: true, ...options });

describe("run", () => {
  test("collects stdout and stderr", async () => {
    const { code, output } = await node("console.log('out'); console.error('err')");
    expect(code).toBe(0);
    expect(output.split("\n").sort()).toEqual(["", "err", "out"]);
  });

  test("accepts the exit codes that it was told of, and no others", async () => {
    expect((await node("process.exit(3)", { accept: [3] })).code).toBe(3);
    await expect(node("process.exit(3)")).rejects.toThrow(/ended with exit code 3/);
    await expect(node("process.exit(0)", { accept: [3] })).rejects.toThrow(StepFailed);
  });

  test("names the signal that ended the program", async () => {
    await expect(node("process.kill(process.pid, 'SIGKILL')")).rejects.toThrow(/signal SIGKILL/);
  });

  test("says which program is missing", async () => {
    await expect(run("no-such-program-here", ["--flag"])).rejects.toThrow(/no-such-program-here is not installed/);
  });
});
