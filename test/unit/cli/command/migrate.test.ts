import { chmod, lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { migrate } from "../../../../src/cli/command/migrate.js";
import type { CliIo } from "../../../../src/cli/io.js";

const flat = [
  "model:",
  "  model_path: ./m",
  "data:",
  "  train_path: d",
  "train:",
  "  lr: 1.0e-5 # peak",
  "  enable_full_shard: true",
  "",
].join("\n");
const nested = [
  "model:",
  "  model_path: ./m",
  "data:",
  "  train_path: d",
  "train:",
  "  optimizer:",
  "    lr: 1.0e-5 # peak",
  "  # Not in the layout train-scoped: It was dropped together with FSDP1 (VeOmni #756).",
  "  # enable_full_shard: true",
  "",
].join("\n");

let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "offload-lens-migrate-"));
  await writeFile(join(folder, "flat.yaml"), flat);
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const written = { out: "", err: "" };
  const io: CliIo = {
    stdout: (text) => {
      written.out += text;
    },
    stderr: (text) => {
      written.err += text;
    },
    cwd: folder,
    env: {},
  };
  return { code: await migrate(args, io), ...written };
}

async function content(name: string): Promise<string> {
  return readFile(join(folder, name), "utf8");
}

describe("migrate", () => {
  it("prints the difference and changes nothing without --write", async () => {
    const { code, out, err } = await run("flat.yaml", "--to", "train-scoped");
    expect(code).toBe(0);
    expect(out).toBe(
      [
        "--- flat.yaml",
        "+++ flat.yaml",
        "@@ -3,5 +3,7 @@",
        " data:",
        "   train_path: d",
        " train:",
        "-  lr: 1.0e-5 # peak",
        "-  enable_full_shard: true",
        "+  optimizer:",
        "+    lr: 1.0e-5 # peak",
        "+  # Not in the layout train-scoped: It was dropped together with FSDP1 (VeOmni #756).",
        "+  # enable_full_shard: true",
        "",
      ].join("\n"),
    );
    expect(err).toBe(
      "train.enable_full_shard: no place in the layout train-scoped. It was dropped together with FSDP1 (VeOmni #756).\n",
    );
    expect(await content("flat.yaml")).toBe(flat);
  });

  it("prints edits and homeless keys as JSON, 1-based and end exclusive", async () => {
    const { code, out } = await run("flat.yaml", "--to=train-scoped", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      from: "flat",
      to: "train-scoped",
      edits: [{ line: 6, column: 1, endLine: 8, endColumn: 1, newText: nested.split("\n").slice(5).join("\n") }],
      homeless: ["train.enable_full_shard"],
    });
  });

  it("writes with --write, keeps the mode, goes through links, and leaves nothing else behind", async () => {
    await chmod(join(folder, "flat.yaml"), 0o640);
    await symlink("flat.yaml", join(folder, "link.yaml"));
    const { code, out } = await run("--to", "train-scoped", "--write", "link.yaml");
    expect([code, out]).toEqual([0, "link.yaml: converted from flat to train-scoped.\n"]);
    expect(await content("flat.yaml")).toBe(nested);
    expect((await stat(join(folder, "flat.yaml"))).mode & 0o777).toBe(0o640);
    expect((await lstat(join(folder, "link.yaml"))).isSymbolicLink()).toBe(true);
    expect(await readdir(folder)).toEqual(["flat.yaml", "link.yaml"]);
  });

  it("has nothing to do the second time, and does not touch the file", async () => {
    await run("flat.yaml", "--to", "train-scoped", "--write");
    const before = (await stat(join(folder, "flat.yaml"))).ino;
    const { code, out, err } = await run("flat.yaml", "--to", "train-scoped", "--write");
    expect([code, out, err]).toEqual([0, "", "flat.yaml is in the layout train-scoped already.\n"]);
    expect((await stat(join(folder, "flat.yaml"))).ino).toBe(before);
  });

  it("keeps a byte order mark and CRLF byte for byte", async () => {
    await writeFile(join(folder, "windows.yaml"), `\uFEFF${flat.replaceAll("\n", "\r\n")}`);
    expect((await run("windows.yaml", "--to", "train-scoped", "--write")).code).toBe(0);
    expect(await content("windows.yaml")).toBe(`\uFEFF${nested.replaceAll("\n", "\r\n")}`);
  });

  it("refuses to go backwards over keys, with exit code 1 and the list", async () => {
    const text = "model:\n  accelerator:\n    offload_config: {enable_async_activation: true}\n";
    await writeFile(join(folder, "new.yaml"), `${text}data: {train_path: d}\ntrain: {}\n`);
    const { code, out, err } = await run("new.yaml", "--to", "train-scoped", "--json", "--write");
    expect(code).toBe(1);
    const key = "model.accelerator.offload_config.enable_async_activation";
    expect(JSON.parse(out)).toEqual({ from: "model-scoped", to: "train-scoped", edits: [], homeless: [key] });
    expect(err).toMatch(/^MIGRATION_HOMELESS: The layout train-scoped has no place for model\.accelerator/);
    expect(err).toContain(`\n  ${key}: The key is newer than the layout train-scoped`);
    expect(await content("new.yaml")).toContain(text);
  });

  it("refuses to go backwards where no key would be lost either", async () => {
    const text = "model:\n  accelerator: {ulysses_size: 2}\ndata: {train_path: d}\ntrain: {}\n";
    await writeFile(join(folder, "new.yaml"), text);
    const { code, out, err } = await run("new.yaml", "--to", "train-scoped", "--json", "--write");
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual({ from: "model-scoped", to: "train-scoped", edits: [], homeless: [] });
    expect(err).toMatch(/^MIGRATION_BACKWARDS: The layout train-scoped is older than model-scoped/);
    expect(await content("new.yaml")).toBe(text);
  });

  it("says which errors stay", async () => {
    await writeFile(join(folder, "wrong.yaml"), flat.replace("1.0e-5", "high"));
    const { code, err } = await run("wrong.yaml", "--to", "model-scoped");
    expect(code).toBe(0);
    expect(err).toContain("The result has 1 error that no move settles; see offload-lens check wrong.yaml.\n");
  });

  it("prints the edits that it found though the file cannot be written", async () => {
    // Beside a name of this length there is no room for the one of the file that replaces it.
    const name = `${"n".repeat(245)}.yaml`;
    await writeFile(join(folder, name), flat);
    const { code, out, err } = await run(name, "--to", "train-scoped", "--json", "--write");
    expect([code, await content(name)]).toEqual([1, flat]);
    expect(JSON.parse(out)).toMatchObject({ from: "flat", to: "train-scoped" });
    expect(err).toMatch(/^FILE_NOT_WRITABLE/);
  });

  it.each([
    [[], /^ARGUMENT_MISSING: migrate needs a file\. Give FILE\./],
    [["flat.yaml"], /^ARGUMENT_MISSING: migrate needs a layout\. Give --to LAYOUT\./],
    [["flat.yaml", "--to"], /^FLAG_VALUE_MISSING: --to needs a value/],
    [["flat.yaml", "--to", "flat", "--to", "flat"], /^FLAG_REPEATED: --to is given twice/],
    [
      ["flat.yaml", "--to", "train_scoped"],
      /^FLAG_VALUE_WRONG: --to does not take train_scoped\. Did you mean train-scoped\?/,
    ],
    [["flat.yaml", "b.yaml", "--to", "flat"], /^ARGUMENT_UNEXPECTED: migrate takes one FILE, and 2 are given/],
    [["flat.yaml", "--to", "flat", "--force"], /^FLAG_UNKNOWN: migrate has no flag --force\./],
    [["absent.yaml", "--to", "flat"], /^PATH_MISSING: absent\.yaml does not exist/],
  ])("refuses %j as wrong usage", async (args, message) => {
    const { code, out, err } = await run(...args);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(message);
  });

  it("describes itself", async () => {
    const { code, out } = await run("--help");
    expect(code).toBe(0);
    for (const word of ["flat", "train-scoped+async", "model-scoped+template", "verl", "--write", "--json"]) {
      expect(out).toContain(word);
    }
  });
});
