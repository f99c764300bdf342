import { describe, expect, it } from "vitest";
import { describeBug, runCli } from "../../../src/cli/commands.js";
import type { CliIo } from "../../../src/cli/io.js";

async function run(...args: string[]) {
  const written = { stdout: "", stderr: "" };
  const io: CliIo = {
    stdout: (text) => {
      written.stdout += text;
    },
    stderr: (text) => {
      written.stderr += text;
    },
    cwd: "/nowhere",
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

describe("describeBug", () => {
  it("is one line without a stack", () => {
    const text = describeBug(new Error("boom\n    at somewhere (file.ts:1:2)"));
    expect(text.trimEnd().split("\n")).toHaveLength(1);
    expect(text).toMatch(/^INTERNAL_ERROR: .*boom\. .*report/);
  });
});
