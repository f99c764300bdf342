import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asked, type CliCommand } from "../../../src/cli/cliCommand.js";
import { COMMANDS, describeBug, runCli } from "../../../src/cli/commands.js";
import { type CliIo, ExitCode } from "../../../src/cli/io.js";
import { helpOf } from "../../../src/core/base/flagHelp.js";
import { commandTable, one, toggle } from "../../../src/core/base/flags.js";
import { succeed } from "../../../src/core/base/outcome.js";
import { wholeNumber } from "../../../src/core/base/valueKinds.js";

function run(...args: string[]) {
  return runIn("/nowhere", ...args);
}

async function runIn(cwd: string, ...args: string[]) {
  return runOf(COMMANDS, cwd, args);
}

async function runOf(commands: typeof COMMANDS, cwd: string, args: readonly string[]) {
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
  return { code: await runCli(args, io, "1.2.3", commands), ...written };
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
    expect(none.stderr).toMatch(
      /^COMMAND_MISSING: No command is given\. Give check, .* or schema\.\nSee `offload-lens --help`\.\n$/,
    );
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
    [["check", "red.yaml"], "\ufffd[31mred"],
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

describe("a command of one file and one line in the list", () => {
  const table = commandTable({
    name: "weigh",
    summary: "say how heavy a step is",
    flags: { "--layers": one("N", wholeNumber({ least: 1, most: 9 }), "how many"), "--json": toggle("as JSON") },
    read: ({ flags }) => succeed(flags),
  });
  const weigh: CliCommand = {
    table,
    run: async (args, io) => {
      const line = asked(table, args, io);
      if (!line.ok) return line.exitCode;
      io.stdout(`${line.request["--layers"]} ${line.request["--json"]}\n`);
      return ExitCode.fine;
    },
  };
  const runNew = (...args: string[]) => runOf({ ...COMMANDS, weigh: async () => weigh }, "/nowhere", args);

  it("is in the help and has its own", async () => {
    expect((await runNew("--help")).stdout).toContain("\n  weigh    say how heavy a step is\n");
    expect(await runNew("weigh", "--json", "--help")).toEqual({
      code: 0,
      stdout: helpOf("offload-lens", table),
      stderr: "",
    });
  });

  it("is suggested, and runs", async () => {
    expect((await runNew("weihg")).stderr).toMatch(/^COMMAND_UNKNOWN: .* Did you mean weigh\?/);
    expect(await runNew("weigh", "--layers", "3")).toEqual({ code: 0, stdout: "3 false\n", stderr: "" });
  });

  it("refuses what its table does not take, as all do", async () => {
    expect(await runNew("weigh", "--layers", "-1")).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "FLAG_VALUE_WRONG: --layers does not take -1. Use a whole number from 1 to 9.\nSee `offload-lens weigh --help`.\n",
    });
  });
});

describe("every command", () => {
  it.each(Object.keys(COMMANDS))(
    "%s is listed under the name of its table, which names its flags in one way",
    async (name) => {
      const command = await COMMANDS[name]?.();
      expect(command?.table.name).toBe(name);
      for (const [flag, { takes, valueName, help }] of Object.entries(command?.table.flags ?? {})) {
        expect(flag).toMatch(/^--[a-z]+(-[a-z]+)*$/);
        expect([flag, takes === "nothing"]).toEqual([flag, valueName === ""]);
        expect(help).not.toMatch(/\s\s|\n/);
      }
      for (const { of } of command?.table.choices ?? [])
        for (const flag of of) expect(Object.keys(command?.table.flags ?? {})).toContain(flag);
    },
  );

  it("refuses an unknown flag in the same words", async () => {
    for (const name of Object.keys(COMMANDS)) {
      const { code, stdout, stderr } = await run(name, "--no-such-flag-at-all");
      expect([name, code, stdout]).toEqual([name, 2, ""]);
      expect(stderr).toMatch(
        new RegExp(
          `^FLAG_UNKNOWN: ${name} has no flag --no-such-flag-at-all\\. .*\nSee \`offload-lens ${name} --help\`\\.\n$`,
        ),
      );
    }
  });
});

describe("describeBug", () => {
  it("is one line without a stack", () => {
    const text = describeBug(new Error("boom\n    at somewhere (file.ts:1:2)"));
    expect(text.trimEnd().split("\n")).toHaveLength(1);
    expect(text).toMatch(/^INTERNAL_ERROR: .*boom\. .*report/);
  });
});
