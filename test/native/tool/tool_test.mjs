// Run by ctest: node --test tool_test.mjs, with the executable's path in OFFLOAD_TOOL.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout } from "node:timers/promises";

const tool = process.env.OFFLOAD_TOOL;
// A sanitizer maps terabytes of shadow memory before main: no such program starts below a limit of address space.
const needsAddressSpace = process.env.OFFLOAD_SANITIZER
  ? `maps shadow memory (${process.env.OFFLOAD_SANITIZER})`
  : false;
const folder = mkdtempSync(join(tmpdir(), "offload-tool-"));
after(() => rmSync(folder, { recursive: true }));

const config = {
  model_type: "qwen3",
  architectures: ["Qwen3ForCausalLM"],
  hidden_size: 64,
  intermediate_size: 96,
  num_hidden_layers: 4,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  head_dim: 16,
  vocab_size: 128,
};
const configPath = join(folder, "config.json");
writeFileSync(configPath, JSON.stringify(config));
const largePath = join(folder, "large.json");
writeFileSync(largePath, JSON.stringify({ ...config, hidden_size: 1024, intermediate_size: 4096, head_dim: 256 }));

/** Whether the process has installed its handler: bit 1 of SigCgt is SIGINT. */
function catchesInterrupt(pid) {
  const caught = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return (Number.parseInt(caught[1].slice(-1), 16) & 2) !== 0;
}

function run(...words) {
  return spawnSync(tool, words, { encoding: "utf8" });
}

test("the result is on stdout and alone there", () => {
  const out = join(folder, "run.offload");
  const { status, stdout, stderr } = run(
    "profile",
    "--model",
    folder,
    "--seq",
    "32",
    "--steps",
    "3",
    "--out",
    out,
    "--json",
  );
  assert.equal(stderr, "");
  assert.equal(status, 0);
  const result = JSON.parse(stdout);
  assert.equal(result.schema, "offload-profile/1");
  assert.deepEqual(
    result.runs.map((each) => each.gradients.equalToBaseline),
    [true, true],
  );
  assert.equal(readFileSync(out).subarray(0, 8).toString(), "OFFLENS1");
});

test("all strategies, and a wait left out under poison", () => {
  const small = ["--model", folder, "--seq", "16", "--steps", "1", "--device", "cpu"];
  const all = JSON.parse(run(...small, "--strategy", "all", "--gc", "both").stdout);
  assert.equal(all.runs.length, 10);
  assert.ok(all.runs.every((each) => each.gradients.equalToBaseline));
  const whole = JSON.parse(run(...small, "--strategy", "veomni_async", "--poison").stdout);
  assert.equal(whole.runs[0].gradients.equalToBaseline, true);
  const torn = JSON.parse(run(...small, "--strategy", "veomni_async", "--poison", "--drop-wait", "1").stdout);
  assert.equal(torn.runs[0].gradients.equalToBaseline, false);
  assert.ok(torn.warnings.some(({ code }) => code === "WAIT_DROPPED"));
});

test("help and version", () => {
  assert.match(run("--help").stdout, /^offload-lens-engine: .*\n\nUsage: /);
  const manifest = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
  assert.equal(run("--version").stdout, `offload-lens-engine ${manifest.version}\n`);
});

test("wrong usage is exit 2, a failed run exit 1, nothing on stdout", () => {
  const cases = [
    [2, /--nonsense/, "--nonsense"],
    [2, /needs Node/, "--model", folder, "--config", "a.yaml"],
    [2, /REQUEST_INVALID/, "--model", folder, "--steps", "4000000000"],
    [1, /^MODEL_CONFIG_MISSING/, "--config-json", join(folder, "none.json")],
    [1, /^DEVICE_UNKNOWN/, "--model", folder, "--device", "sim:nothing"],
    [1, /^CUDA_DRIVER_ABSENT: .*nvidia-smi/, "--model", folder, "--device", "cuda"],
    [1, /^CUDA_DRIVER_ABSENT/, "link", "--device", "cuda"],
    [2, /--seq is not a flag of link/, "link", "--seq", "8"],
    [1, /^TOO_FEW_LAYERS/, "--model", folder, "--strategy", "verl_sync", "--layers", "2"],
  ];
  for (const [code, message, ...words] of cases) {
    const { status, stdout, stderr } = run(...words);
    assert.equal(status, code, words.join(" "));
    assert.match(stderr, message);
    assert.equal(stdout, "");
  }
});

test("link prints the rates of a device", () => {
  const { status, stdout, stderr } = run("link", "--device", "cpu", "--json");
  assert.equal(stderr, "");
  assert.equal(status, 0);
  const { device, pinned, pageable, verified } = JSON.parse(stdout);
  assert.equal(device.kind, "cpu");
  assert.equal(verified, true);
  for (const rates of [pinned, pageable]) assert.ok(rates.d2hGBps > 0 && rates.h2dGBps > 0 && rates.bothGBps >= 0);
  assert.match(run("link", "--help").stdout, /^offload-lens-engine link/);
});

test("an output that takes nothing is said", { skip: !existsSync("/dev/full") }, () => {
  const { status, stderr } = spawnSync(
    "/bin/sh",
    ["-c", `"$0" --model "$1" --seq 8 --steps 1 > /dev/full`, tool, folder],
    {
      encoding: "utf8",
    },
  );
  assert.match(stderr, /^OUTPUT_FAILED/);
  assert.equal(status, 1);
});

test("a file that may not grow leaves nothing behind", () => {
  const out = join(folder, "limited.offload");
  const command = 'ulimit -f 1; exec "$0" --model "$1" --seq 8 --steps 1 --out "$2"';
  const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", command, tool, folder, out], { encoding: "utf8" });
  assert.match(stderr, /^SAVE_FAILED/);
  assert.equal(status, 1);
  // The run is over by then: what it came to is printed.
  assert.equal(JSON.parse(stdout).schema, "offload-profile/1");
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith("limited")),
    [],
  );
});

test("a cancelled run says so and ends, whatever the driver still has to unpin", async () => {
  const words = [
    "--config-json",
    configPath,
    "--device",
    "cuda",
    "--strategy",
    "veomni_async",
    "--seq",
    "8",
    "--steps",
    "10000",
  ];
  const env = { ...process.env, OFFLOAD_LENS_LIBCUDA: process.env.OFFLOAD_FAKE_CUDA, OFFLOAD_LENS_MATMUL: "own" };
  const child = spawn(tool, words, { env: { ...env, FAKE_CUDA_UNPINS_FOREVER: "1" } });
  let stderr = "";
  child.stderr.on("data", (data) => {
    stderr += data;
  });
  while (!catchesInterrupt(child.pid)) await setTimeout(10);
  await setTimeout(300);
  child.kill("SIGINT");
  assert.deepEqual(await once(child, "close"), [1, null]);
  assert.match(stderr, /^CANCELLED: .*\n$/);
});

test("an interrupt cancels cleanly and leaves no file", async () => {
  const out = join(folder, "cancelled.offload");
  const child = spawn(tool, ["--config-json", largePath, "--seq", "1024", "--steps", "10000", "--out", out]);
  let stderr = "";
  child.stderr.on("data", (data) => {
    stderr += data;
  });
  while (!catchesInterrupt(child.pid)) await setTimeout(10);
  await setTimeout(300);
  child.kill("SIGINT");
  const [code, signal] = await once(child, "exit");
  assert.equal(signal, null);
  assert.equal(code, 1);
  assert.match(stderr, /^CANCELLED/);
  assert.equal(existsSync(out), false);
});

test("a limit of the process is what is available, and is named", { skip: needsAddressSpace }, () => {
  const command = 'ulimit -v 600000; exec "$0" --config-json "$1" --device cpu --seq 65536 --micro-batch 8 --steps 1';
  const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", command, tool, configPath], { encoding: "utf8" });
  assert.equal(status, 1);
  assert.equal(stdout, "");
  assert.match(stderr, /_OUT_OF_MEMORY: .* are available\. This process may map 585 MiB in all \(ulimit -v\)\./);
  const [, available] = /, [^(]*\((\d+) bytes\) are available/.exec(stderr) ?? [];
  assert.ok(available === undefined || Number(available) < 600_000 * 1024, stderr);
});

test("names cannot steer the terminal or forge a line", () => {
  for (const words of [
    ["--model", "/no\u202e\u001b[2J\nOK: fine"],
    ["--\u2028flag\n::error::x"],
    ["link", "--d\u200b"],
  ]) {
    const { status, stderr } = run(...words);
    assert.notEqual(status, 0);
    assert.doesNotMatch(stderr, /[\p{Cf}\p{Zl}]|^OK|^::/mu);
    assert.ok(!stderr.includes("\u001b"));
    assert.match(stderr, /\\u(202e|2028|200b)/);
  }
});
