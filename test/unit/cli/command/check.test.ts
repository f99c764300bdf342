import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { check } from "../../../../src/cli/command/check.js";
import type { CliIo } from "../../../../src/cli/io.js";

let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "offload-lens-check-"));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const header = "_target_: verl.workers.config.VeOmniEngineConfig\n";

async function write(path: string, content: string | Uint8Array): Promise<void> {
  const full = join(folder, path);
  await mkdir(join(full, ".."), { recursive: true });
  await writeFile(full, content);
}

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let out = "";
  let err = "";
  const io: CliIo = {
    stdout: (text) => {
      out += text;
    },
    stderr: (text) => {
      err += text;
    },
    cwd: folder,
    env: {},
  };
  return { code: await check(args, io), out, err };
}

describe("check", () => {
  it("prints the findings as JSON, 1-based and end exclusive, and exits 1 on errors", async () => {
    await write("a.yaml", `${header}parm_offload: true\n`);
    const { code, out, err } = await run("a.yaml", "--json");
    expect([code, err]).toEqual([1, ""]);
    expect(JSON.parse(out)).toEqual([
      {
        file: "a.yaml",
        dialect: "verl",
        line: 2,
        column: 1,
        endLine: 2,
        endColumn: 13,
        severity: "error",
        code: "unknown-key",
        message:
          "verl's VeOmni engine has no key parm_offload, so building its config fails. Did you mean param_offload?",
        fixes: [
          {
            title: "Rename to param_offload",
            edits: [{ line: 2, column: 1, endLine: 2, endColumn: 13, newText: "param_offload" }],
          },
          { title: "Remove parm_offload", edits: [{ line: 2, column: 1, endLine: 3, endColumn: 1, newText: "" }] },
        ],
      },
    ]);
  });

  it("exits 0 on warnings, and on nothing at all", async () => {
    await write("warning.yaml", `${header}activation_offload_modules: [a.*]\n`);
    await write("other.yaml", "services: {}\n");
    expect((await run("warning.yaml", "--json")).code).toBe(0);
    expect(await run("other.yaml", "--json")).toEqual({
      code: 0,
      out: "[]\n",
      err: "other.yaml: nothing to check. This configures neither verl's VeOmni engine nor VeOmni itself.\n",
    });
  });

  it("writes an aligned report with fixes and a summary", async () => {
    await write("a.yaml", `${header}parm_offload: true\nenable_async_activation_offload: 1\n`);
    const { out } = await run("a.yaml");
    expect(out.split("\n")).toEqual([
      "a.yaml:2:1   error        unknown-key  verl's VeOmni engine has no key parm_offload, so building its config fails. Did you mean param_offload?",
      "    fix: Rename to param_offload",
      "    fix: Remove parm_offload",
      "a.yaml:3:34  information  wrong-type   enable_async_activation_offload must be true or false. The number counts as true.",
      "    fix: Write true",
      "",
      "1 file checked: 1 error, 1 note.",
      "",
    ]);
  });

  it("walks folders in order, without hidden ones, node_modules and link loops", async () => {
    await write("b/two.yml", header);
    await write("b/note.txt", header);
    await write("a/one.yaml", `${header}parm_offload: true\n`);
    await write(".hidden/three.yaml", `${header}x: 1\n`);
    await write("node_modules/p/four.yaml", `${header}x: 1\n`);
    await symlink(folder, join(folder, "b", "loop"));
    await symlink(join(folder, "nowhere"), join(folder, "b", "dangling"));
    const { code, out, err } = await run(".", "--json");
    expect(JSON.parse(out).map((finding: { file: string }) => finding.file)).toEqual([join("a", "one.yaml")]);
    expect([code, err]).toEqual([1, ""]);
    expect((await run(".")).out).toContain("2 files checked: 1 error.");
  });

  it("reads what Hydra saved of a run", async () => {
    await write("outputs/.hydra/overrides.yaml", "- model_engine=veomni\n- actor_rollout_ref.actor.veomni.bogus=1\n");
    await write("outputs/.hydra/config.yaml", `${header}x: 1\n`);
    const { out } = await run(".", "--json");
    expect(JSON.parse(out).map((finding: { file: string }) => finding.file)).toEqual([
      join("outputs", ".hydra", "config.yaml"),
      join("outputs", ".hydra", "overrides.yaml"),
    ]);
  });

  it("checks a file once, however often it is named", async () => {
    await write("a.yaml", `${header}x: 1\n`);
    expect(JSON.parse((await run("a.yaml", "./a.yaml", ".", join(folder, "a.yaml"), "--json")).out)).toHaveLength(1);
  });

  it("says what it skips and what it cannot read", async () => {
    await write("run.toml", "a = 1\n");
    await write("latin.yaml", new Uint8Array([0x61, 0x3a, 0x20, 0xe9, 0x0a]));
    await write("good.yaml", header);
    expect(await run("run.toml", "good.yaml")).toEqual({
      code: 0,
      out: "1 file checked: no findings.\n",
      err: "run.toml: skipped. Checked are YAML, shell scripts and Markdown.\n",
    });
    const bad = await run("latin.yaml", "gone.yaml", "good.yaml", "--json");
    expect(bad.code).toBe(2);
    expect(bad.err).toContain("FILE_NOT_UTF8: latin.yaml");
    expect(bad.err).toContain("PATH_MISSING: gone.yaml");
    expect(bad.out).toBe("[]\n");
  });

  it("says only what failed when a named path cannot be read and nothing else was given", async () => {
    expect(await run("gone.yaml")).toMatchObject({ code: 2, out: "", err: expect.stringContaining("PATH_MISSING") });
    await write("notes/empty.txt", "");
    expect(await run("notes")).toMatchObject({ code: 0, out: "No VeOmni configuration found.\n" });
  });

  // The superuser may read every folder.
  it.skipIf(process.getuid?.() === 0)("fails for a named folder that it may not list", async () => {
    await write("closed/a.yaml", header);
    await chmod(join(folder, "closed"), 0);
    const { code, err } = await run("closed");
    await chmod(join(folder, "closed"), 0o700);
    expect(code).toBe(2);
    expect(err).toContain("PATH_UNREADABLE: closed cannot be read.");
  });

  it.each([
    [[], "ARGUMENT_MISSING: check needs a file or a folder. Give PATH."],
    [["--sarif", "--json", "a.yaml"], "FLAGS_CONFLICT: --json and --sarif exclude each other. Give one of them."],
    [["a.yaml", "--host-memory-gb", "0"], "FLAG_VALUE_WRONG: --host-memory-gb does not take 0."],
    [["a.yaml", "--host-memory-gb=lots"], "FLAG_VALUE_WRONG: --host-memory-gb does not take lots."],
    [["a.yaml", "--host-memory-gb"], "FLAG_VALUE_MISSING: --host-memory-gb needs a value."],
    [["--fix", "a.yaml"], "FLAG_UNKNOWN: check has no flag --fix."],
  ])("refuses %j as wrong usage", async (args, message) => {
    const { code, out, err } = await run(...args);
    expect([code, out]).toEqual([2, ""]);
    expect(err.startsWith(message)).toBe(true);
  });

  it("reads scripts and Markdown in folders, and says nothing about those without a call", async () => {
    const call = "python3 -m verl.trainer.main_ppo model_engine=veomni actor_rollout_ref.actor.veomni.ulysses_size=2\n";
    await write("a/run.sh", call);
    await write("a/guide.md", `\`\`\`bash\n${call}\`\`\`\n`);
    await write("a/other.sh", "echo hello\n");
    const { code, out, err } = await run("a", "--json");
    const found = JSON.parse(out).map((finding: { file: string; line: number; code: string }) => [
      finding.file,
      finding.line,
      finding.code,
    ]);
    expect(found).toEqual([
      [join("a", "guide.md"), 2, "foreign-key"],
      [join("a", "run.sh"), 1, "foreign-key"],
    ]);
    expect([code, err]).toEqual([1, ""]);
  });

  it("compares pinned memory with the host that is named", async () => {
    const lines = ["trainer: {n_gpus_per_node: 8}", "critic: {veomni: {enable_async_activation_offload: true}}", ""];
    await write("a.yaml", lines.join("\n"));
    const codes = async (gb: string) =>
      JSON.parse((await run("a.yaml", "--json", "--host-memory-gb", gb)).out).map(({ code }: { code: string }) => code);
    expect(await codes("16")).toEqual(["pinned-memory"]);
    expect(await codes("1024")).toEqual([]);
  });

  it("asks the scripts among its files for keys that a command line gives", async () => {
    const text = "model:\n  ops_implementation: {}\ndata:\n  train_path: a.jsonl\ntrain:\n  max_steps: 10\n";
    for (const name of ["given", "lacking", "unknown"]) await write(`job/configs/${name}.yaml`, text);
    const task = "torchrun tasks/train_text.py configs";
    await write("job/run.sh", `${task}/given.yaml --model.model_path x\n${task}/lacking.yaml\n`);
    const { code, out } = await run("job");
    expect(code).toBe(1);
    expect(out.match(/\w+\.yaml:\d+:\d+ +\w+/g)?.map((each) => each.replace(/ +/, " "))).toEqual([
      "lacking.yaml:1:1 error",
      "unknown.yaml:1:1 information",
    ]);
    expect(out).toContain("../run.sh, line 2, starts this file without --model.model_path");
    expect((await run("job/configs/lacking.yaml")).code).toBe(0);
    expect((await run("job/configs/lacking.yaml", "job/run.sh")).code).toBe(1);
  });

  it("writes SARIF with relative artifacts", async () => {
    await write("a b/ä.yaml", `${header}parm_offload: true\n`);
    const { code, out } = await run("--sarif", "a b");
    expect(code).toBe(1);
    const [result] = JSON.parse(out).runs[0].results;
    expect(result.ruleId).toBe("unknown-key");
    expect(result.locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: "a%20b/%C3%A4.yaml" },
      region: { startLine: 2, startColumn: 1, endLine: 2, endColumn: 13 },
    });
  });

  it("explains itself on --help", async () => {
    const { code, out } = await run("--help");
    expect(code).toBe(0);
    expect(out).toContain("Usage: offload-lens check PATH…");
  });

  it("fails for a folder in which something cannot be read, and says what, but checks the rest", async () => {
    await write("mixed/good.yaml", `${header}parm_offload: true\n`);
    await write("mixed/later.yaml", header);
    await write("mixed/wide.yaml", Buffer.from(`\ufeff${header}`, "utf16le"));
    for (const args of [["mixed"], ["mixed/wide.yaml"]]) {
      const { code, err } = await run(...args);
      expect(code).toBe(2);
      expect(err).toMatch(/^FILE_NOT_UTF8: mixed\/wide\.yaml is not UTF-8\./);
    }
    expect((await run("mixed")).out).toContain("mixed/good.yaml:2:1  error");
  });

  it("takes names after -- as paths", async () => {
    await write("-odd.yaml", header);
    expect((await run("--json", "--", "-odd.yaml")).code).toBe(0);
  });
});
