// @slow: large inputs or many cases.
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DumpRequest, dumpTree } from "../../../src/node/pythonDump.js";

const tree = { named_modules: [["", "T"]], containers: [], no_split_modules: [] };
const script = resolve("media/python/dump_modules.py");
let directory = "";

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "dump-"));
  writeFileSync(join(directory, "config.json"), "{}");
});
afterAll(() => rmSync(directory, { recursive: true }));

/** An interpreter that is a shell script; `$2` is the dump script, the rest its arguments. */
function interpreter(name: string, body: string): string {
  const path = join(directory, name);
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}

const dump = (python: string, more: Partial<DumpRequest> = {}) =>
  dumpTree({ script, python, config: join(directory, "config.json"), timeLimitSeconds: 20, env: process.env, ...more });
const codeOf = async (python: string, more: Partial<DumpRequest> = {}) => {
  const result = await dump(python, more);
  return result.ok ? "fine" : result.problem.code;
};

describe("dumpTree", () => {
  it("gives the script its arguments, reads the tree and reports progress", async () => {
    const lines: string[] = [];
    const python = interpreter(
      "good",
      `echo "$@" >"${directory}/args"; echo "progress: building" >&2; echo '${JSON.stringify(tree)}'`,
    );
    const result = await dump(python, { onProgress: (text) => lines.push(text) });
    expect(result).toMatchObject({ ok: true, value: { source: "python-dump", exact: true } });
    expect(lines).toEqual(["building"]);
    const args = readFileSync(join(directory, "args"), "utf8");
    expect(args).toMatch(/^-u .*dump_modules\.py --config .*config\.json --time-limit 20\n$/);
  });

  it("shows no secret that the interpreter prints", async () => {
    const env = { ...process.env, HF_TOKEN: "hf_abcdefgh", HTTPS_PROXY: "http://me:word@proxy:1", PLAIN: "building" };
    const lines: string[] = [];
    const python = interpreter(
      "telling",
      'echo "progress: $PLAIN with $HF_TOKEN" >&2; echo "OSError: $HF_TOKEN by $HTTPS_PROXY $PLAIN" >&2; exit 1',
    );
    const result = await dump(python, { env, onProgress: (text) => lines.push(text) });
    expect(lines).toEqual(["building with $HF_TOKEN"]);
    const told = JSON.stringify(result);
    expect(told).toContain("$HF_TOKEN by $HTTPS_PROXY building");
    expect(told).not.toMatch(/hf_abcdefgh|word@/);
  });

  it("keeps a dump until config.json or a version changes", async () => {
    const cacheDirectory = join(directory, "cache");
    const python = interpreter(
      "counting",
      `case "$3" in --versions) echo '{"torch": "'$TORCH'"}';; *) echo x >>"${directory}/runs"; echo '${JSON.stringify(tree)}';; esac`,
    );
    const runs = () => readFileSync(join(directory, "runs"), "utf8").length / 2;
    const env = { ...process.env, TORCH: "2.1" };
    const kept: string[] = [];
    const onKept = (path: string) => kept.push(path);
    for (let at = 0; at < 3; at += 1) expect((await dump(python, { cacheDirectory, env, onKept })).ok).toBe(true);
    expect(runs()).toBe(1);
    expect(kept).toEqual(Array(3).fill(join(cacheDirectory, readdirSync(cacheDirectory)[0] ?? "")));
    expect((await dump(python, { cacheDirectory, env: { ...env, TORCH: "2.2" } })).ok).toBe(true);
    expect(runs()).toBe(2);
    expect(readdirSync(cacheDirectory)).toHaveLength(2);
  });

  it("does not need a cache that can be written", async () => {
    const python = interpreter("uncached", `echo '${JSON.stringify(tree)}'`);
    const onKept = () => expect.fail("nothing can be kept there");
    expect(await codeOf(python, { cacheDirectory: join(directory, "config.json", "x"), onKept })).toBe("fine");
  });

  it("translates failures", async () => {
    expect(await codeOf(join(directory, "absent"))).toBe("PYTHON_MISSING");
    const loop = join(directory, "loop");
    symlinkSync(loop, loop);
    for (const thrown of [loop, "x".repeat(5000), "a\0b"]) expect(await codeOf(thrown)).toBe("PYTHON_MISSING");
    const missing = interpreter("bare", "echo \"failed: TRANSFORMERS_MISSING No module named 'torch'\" >&2; exit 3");
    expect(await codeOf(missing)).toBe("TRANSFORMERS_MISSING");
    const broken = interpreter("broken", "echo Traceback >&2; echo \"KeyError: 'x'\" >&2; exit 1");
    expect(await dump(broken)).toMatchObject({ problem: { code: "DUMP_FAILED", cause: "KeyError: 'x'." } });
    expect(await codeOf(interpreter("silent", "exit 0"))).toBe("DUMP_FAILED");
    expect(await codeOf(interpreter("killed", "kill -9 $$"))).toBe("DUMP_FAILED");
  });

  it("stops an interpreter that does not end, with what it started", async () => {
    const python = interpreter("slow", `(sleep 60; touch "${directory}/late") & sleep 60`);
    expect(await codeOf(python, { timeLimitSeconds: 1 })).toBe("DUMP_TIMED_OUT");
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 50);
    expect(await codeOf(python, { signal: abort.signal })).toBe("DUMP_CANCELLED");
    expect(existsSync(join(directory, "late"))).toBe(false);
  });

  it("does not wait for a process that was left behind with the pipes", async () => {
    const daemon = interpreter("daemon", `setsid sleep 20 & echo '${JSON.stringify(tree)}'`);
    const started = performance.now();
    expect(await codeOf(daemon)).toBe("fine");
    expect(await codeOf(interpreter("empty-daemon", "setsid sleep 20 & exit 0"))).toBe("DUMP_FAILED");
    const held = interpreter("held", "setsid sleep 20 & sleep 60");
    expect(await codeOf(held, { signal: AbortSignal.timeout(100) })).toBe("DUMP_CANCELLED");
    expect(await codeOf(held, { timeLimitSeconds: 1 })).toBe("DUMP_TIMED_OUT");
    expect(performance.now() - started).toBeLessThan(15_000);
  }, 20_000);

  it("ends what stays behind in the process group", async () => {
    const python = interpreter("leaves", `(sleep 2; touch "${directory}/left") & echo '${JSON.stringify(tree)}'`);
    expect(await codeOf(python)).toBe("fine");
    await new Promise((done) => setTimeout(done, 2500));
    expect(existsSync(join(directory, "left"))).toBe(false);
  });

  it("holds its limit and the first cancel while it asks for the versions", async () => {
    const cacheDirectory = join(directory, "cache-of-slow");
    const python = interpreter("slow-versions", "sleep 60");
    const dumped = await dump(python, { cacheDirectory, timeLimitSeconds: 1 });
    expect(dumped).toMatchObject({ problem: { code: "DUMP_TIMED_OUT" } });
    expect(await codeOf(python, { cacheDirectory, signal: AbortSignal.timeout(50) })).toBe("DUMP_CANCELLED");
    expect(await codeOf(join(directory, "absent"), { signal: AbortSignal.abort() })).toBe("DUMP_CANCELLED");
  });

  it("names too much output for what it is", async () => {
    const python = interpreter("endless", "exec head -c 1G /dev/zero");
    expect(await dump(python)).toMatchObject({
      problem: {
        code: "DUMP_TOO_LARGE",
        message: expect.stringMatching(/wrote more than 256.* to standard output and was stopped\.$/),
      },
    });
    const cacheDirectory = join(directory, "cache-of-endless");
    expect(await codeOf(python, { cacheDirectory })).toBe("DUMP_TOO_LARGE");
  });
});
