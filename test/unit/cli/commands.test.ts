import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeBug, runCli } from "../../../src/cli/commands.js";
import type { CliIo } from "../../../src/cli/io.js";

function run(...args: string[]) {
  return runIn("/nowhere", ...args);
}

async function runIn(cwd: string, ...args: string[]) {
  const written = { stdout: "", stderr: "" };
  const io: CliIo = {
    stdout: (text) => {
      written.stdout += text;
    },
    stderr: (text) => {
      written.stderr += text;
    },
    cwd,
    env: {},
  };
  return { code: await runCli(args, io, "1.2.3"), ...written };
}

describe("runCli", () => {
  it("prints help and version on stdout", async () => {
    for (const flag of ["--help", "-h", "help"]) {
      const help = await run(flag);
      expect(help).toMatchObject({ code: 0, stderr: "" });
      for (const command of ["check", "match", "profile"])
        expect(help.stdout).toMatch(new RegExp(`^  ${command} `, "m"));
    }
    expect(await run("--version")).toEqual({ code: 0, stdout: "1.2.3\n", stderr: "" });
  });

  it("wants a command", async () => {
    const none = await run();
    expect(none).toMatchObject({ code: 2, stdout: "" });
    expect(none.stderr).toMatch(/^No command is given/);
  });

  it.each([
    ["chek", /Did you mean check\?/],
    ["profil", /Did you mean profile\?/],
    ["serve", /"serve" is not a command/],
    ["constructor", /"constructor" is not a command/],
    ["migrte", /Did you mean migrate\?/],
  ])("refuses %s with exit code 2", async (name, message) => {
    const refused = await run(name);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toMatch(message);
  });

  it("hands the rest of the line to the command", async () => {
    const wrong = await run("profile", "--stategy", "none");
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toMatch(/Did you mean --strategy/);
  });
});

describe("what leaves", () => {
  let directory = "";
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "commands-"));
    const engine = "_target_: verl.workers.config.VeOmniEngineConfig\n";
    writeFileSync(join(directory, "red.yaml"), `${engine}\u001b[31mred: 1\n`);
    const kernel = { ph: "X", cat: "kernel", name: "\u001b[2Jk", ts: 1, dur: 2, pid: 0, tid: 7, args: { device: 0 } };
    const again = { ...kernel, ts: 2 };
    writeFileSync(join(directory, "\u001b[31mred.json"), JSON.stringify({ traceEvents: [kernel, again] }));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it.each([
    [["check", "red.yaml"], "\\u001b[31mred"],
    [["check", "\u001b[31mabsent.yaml"], "\\u001b[31mabsent.yaml"],
    [["check", "--\u001b[31m"], "--\\u001b[31m"],
    [["match", "--model", "\u001b[31mabsent", "--auto"], "\\u001b[31mabsent"],
    [["trace", "\u001b[31mred.json"], "\\u001b[31mred.json"],
    [["trace", "\u001b[31mred.json", "--report"], "\\u001b[31mred.json"],
    [["trace", "\u001b[31mred.json", "\u001b[31mred.json", "--compare"], "before  \\u001b[31mred.json"],
    [["trace", "\u001b[31mabsent.json"], "\\u001b[31mabsent.json"],
    [["profile", "--config-json", "\u001b[31mabsent.json"], "\\u001b[31mabsent.json"],
    [["\u001b[31m"], "\\u001b[31m"],
  ])("%j cannot steer a terminal", async (args, shown) => {
    const { stdout, stderr } = await runIn(directory, ...args);
    expect(stdout + stderr).toContain(shown);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be there
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  });

  it("is the same JSON", async () => {
    const { stdout } = await runIn(directory, "trace", "\u001b[31mred.json", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ file: "\u001b[31mred.json" });
  });

  it("repeats no word of any length", async () => {
    const word = `--${"x".repeat(100_000)}`;
    for (const command of ["check", "match", "profile", "trace", "link", "migrate", "schema"]) {
      const { code, stderr } = await run(command, word);
      expect([command, code]).toEqual([command, 2]);
      expect(stderr.split("\n")[0]?.length).toBeLessThan(400);
    }
    expect((await run(word)).stderr.length).toBeLessThan(400);
  });
});

describe("describeBug", () => {
  it("is one line without a stack", () => {
    const text = describeBug(new Error("boom\n    at somewhere (file.ts:1:2)"));
    expect(text.trimEnd().split("\n")).toHaveLength(1);
    expect(text).toMatch(/^INTERNAL_ERROR: .*boom\. .*report/);
  });
});
