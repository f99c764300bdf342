import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "../../../src/cli/commands.js";

/** Names that would begin lines of their own, give orders to CI systems, or change what is seen. */
const evil = [
  "x\n::error file=README.md,line=1::forged\n1 file checked: no findings.",
  "x\r\n##vso[task.complete result=Succeeded]forged",
  "x\u2028##[error]forged\u2029\u0085##teamcity[buildStatus text='forged']",
  "x\u202e\u200b\u2066\ufeff\u001b[2Jforged",
];
let directory = "";

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "forged-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Runs a command and gives all that it printed; nobody's terminal, and no CI system unless `env` says so. */
async function printed(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  let text = "";
  const stdout = (part: string) => {
    text += part;
  };
  await runCli(args, { stdout, stderr: stdout, cwd: directory, env }, "0");
  return text;
}

function expectHarmless(text: string): void {
  expect(text).not.toBe("");
  const lines = text.split("\n");
  for (const line of lines) {
    expect(line).not.toMatch(/^\s*(?:::|forged|1 file checked: no findings\.$)/);
    expect(line).not.toMatch(/##(?:vso|teamcity)?\[/);
  }
  expect(text.replaceAll("\n", "").replaceAll("\t", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
}

const engine = (key: string, pattern: string) =>
  `actor_rollout_ref:\n  model:\n    path: ${JSON.stringify(key)}\n  actor:\n    strategy: veomni\n    veomni:\n      strategy: veomni\n` +
  `      ${JSON.stringify(key)}: 1\n      activation_offload_modules: [${JSON.stringify(pattern)}]\n`;

describe("no command prints a line that its input wrote", () => {
  it.each(evil)("check, migrate and match on a configuration with %j", async (name) => {
    writeFileSync(join(directory, "c.yaml"), engine(name, name));
    for (const format of ["text", "json", "sarif"])
      expectHarmless(await printed(["check", "--format", format, "c.yaml"]));
    expectHarmless(await printed(["match", "--config", "c.yaml"]));
    expectHarmless(await printed(["profile", "--config", "c.yaml", "--model", name]));
    expectHarmless(await printed(["sweep", "--model", name]));
  });

  it.each(evil)("match on a tree whose names are %j", async (name) => {
    const modules = [
      ["", name],
      ["model", name],
      [`model.${name}`, name],
    ];
    const tree = {
      model_type: name,
      architecture: name,
      no_split_modules: [name],
      containers: [],
      named_modules: modules,
    };
    writeFileSync(join(directory, "t.json"), JSON.stringify(tree));
    for (const more of [[], ["--explain"], ["--json"]]) {
      expectHarmless(await printed(["match", "--tree", "t.json", "--pattern", "*.*", name, ...more]));
      expectHarmless(await printed(["match", "--tree", "t.json", "--auto", ...more]));
    }
  });

  it.each(evil)("every command on paths and arguments with %j", async (name) => {
    for (const command of ["check", "match", "migrate", "trace", "profile", "sweep", "link", "schema"])
      expectHarmless(await printed([command, name]));
    expectHarmless(await printed([name]));
    expectHarmless(await printed(["trace", "--compare", name, name]));
    expectHarmless(await printed(["migrate", "--write", name]));
  });

  it.each(evil)("trace on events and files with %j", async (name) => {
    const event = { ph: "X", cat: "kernel", name, pid: 0, tid: 7, ts: 1, dur: 2, args: { device: 0, stream: 7 } };
    const copy = { ...event, cat: "gpu_memcpy", name: `Memcpy DtoH ${name}`, ts: 5, args: { device: 0, stream: 8 } };
    writeFileSync(join(directory, "trace.json"), JSON.stringify({ traceEvents: [event, copy] }));
    for (const more of [[], ["--json"], ["--report"]]) expectHarmless(await printed(["trace", "trace.json", ...more]));
    expectHarmless(await printed(["trace", "--compare", "trace.json", "trace.json"]));
  });

  it("names of files and headers of a difference", async () => {
    const file = "e\n::error::forged\u202e.yaml";
    mkdirSync(join(directory, "::error::dir"));
    const old = "actor:\n  veomni:\n    strategy: veomni\n    ulysses_parallel_size: 1\n";
    for (const path of [file, "::error::dir/a.yaml"]) {
      writeFileSync(join(directory, path), engine("k", "a.*") + old);
      expectHarmless(await printed(["check", path]));
      expectHarmless(await printed(["migrate", path], { CI: "true" }));
      expectHarmless(await printed(["migrate", "--write", path]));
    }
  });
});
