// Run by ctest: node --test addon_test.mjs, with the addon's path in OFFLOAD_ADDON.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Worker } from "node:worker_threads";

const path = process.env.OFFLOAD_ADDON;
const addon = createRequire(import.meta.url)(path);

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
const small = { configJson: JSON.stringify(config), device: "cpu", seqLens: [32], steps: 2 };
/** Long enough that nobody waits for its end. */
const endless = {
  ...small,
  configJson: JSON.stringify({ ...config, hidden_size: 1024, intermediate_size: 4096, head_dim: 256 }),
  seqLens: [1024],
  steps: 10_000,
};

async function answer(request, onProgress = () => {}) {
  const text = typeof request === "string" ? request : JSON.stringify(request);
  return JSON.parse(await addon.profile(text, onProgress).promise);
}

test("the version is the package's", () => {
  const manifest = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
  assert.equal(addon.version(), manifest.version);
});

test("a run reports progress and resolves with its result", async () => {
  const progress = [];
  const result = await answer(small, (json) => progress.push(JSON.parse(json)));
  assert.equal(result.schema, "offload-profile/1");
  assert.equal(result.device.kind, "cpu");
  assert.deepEqual(
    result.runs.map((run) => run.strategy),
    ["none", "veomni_async"],
  );
  assert.ok(progress.length > 0);
  for (const { phase, fraction, message } of progress) {
    assert.ok(["prepare", "run", "save"].includes(phase), phase);
    assert.ok(fraction >= 0 && fraction <= 1, String(fraction));
    assert.equal(typeof message, "string");
  }
});

test("a result that cannot be saved comes with the reason", async () => {
  const folder = mkdtempSync(join(tmpdir(), "offload-addon-"));
  const leave = (json) => {
    if (JSON.parse(json).phase === "run") rmSync(folder, { recursive: true, force: true });
  };
  // Progress is told as it comes, and the run is long enough for its first word to arrive before the end.
  const { problem, resultJson } = await answer({ ...small, steps: 40, outPath: join(folder, "x.offload") }, leave);
  assert.equal(problem.code, "SAVE_FAILED");
  assert.equal(JSON.parse(resultJson).schema, "offload-profile/1");
});

test("runs side by side do not disturb each other", async () => {
  const results = await Promise.all([answer(small), answer(small), answer({ ...small, device: "nothing" })]);
  const [a, b, c] = results;
  assert.equal(a.runs[0].gradients.checksum, b.runs[0].gradients.checksum);
  assert.equal(c.problem.code, "DEVICE_UNKNOWN");
});

test("problems are values with a next step", async () => {
  const codes = {
    "not JSON": "REQUEST_INVALID",
    [JSON.stringify({ ...small, configJson: "\ud800" })]: "REQUEST_INVALID",
    [JSON.stringify({ ...small, configJson: "{" })]: "MODEL_CONFIG_INVALID",
    [JSON.stringify({ ...small, configJson: "{}" })]: "MODEL_DIMENSIONS",
    [JSON.stringify({ ...small, device: "cuda" })]: "CUDA_DRIVER_ABSENT",
  };
  for (const [request, code] of Object.entries(codes)) {
    const { problem } = await answer(request);
    assert.equal(problem?.code, code);
    assert.ok(problem.message.length > 0 && problem.nextStep.length > 0);
  }
});

test("cancel ends a long run with CANCELLED, and may come twice or late", async () => {
  const run = addon.profile(JSON.stringify(endless), () => run.cancel());
  const timer = setTimeout(() => run.cancel(), 200);
  const { problem } = JSON.parse(await run.promise);
  clearTimeout(timer);
  assert.equal(problem.code, "CANCELLED");
  run.cancel();
  run.cancel();
});

test("link measures a device and can be cancelled", async () => {
  const measured = JSON.parse(await addon.link("cpu", () => {}).promise);
  assert.equal(measured.device.kind, "cpu");
  assert.equal(measured.verified, true);
  assert.ok(measured.pageable.h2dGBps > 0);
  assert.equal(JSON.parse(await addon.link("cuda", () => {}).promise).problem.code, "CUDA_DRIVER_ABSENT");
  const run = addon.link("cpu", () => {});
  run.cancel();
  assert.equal(JSON.parse(await run.promise).problem.code, "CANCELLED");
});

test("wrong arguments are a TypeError", () => {
  assert.throws(() => addon.link("cpu"), TypeError);
  assert.throws(() => addon.profile("{}"), TypeError);
  assert.throws(() => addon.profile({}, () => {}), TypeError);
});

test("a worker that is terminated in the middle of a run ends", async () => {
  const program = `const { parentPort, workerData } = require("node:worker_threads");
    require(workerData.path).profile(workerData.request, () => parentPort.postMessage("running"));`;
  // Several times: the end must be harmless between any two messages of the run.
  for (let round = 0; round < 10; round++) {
    const worker = new Worker(program, { eval: true, workerData: { path, request: JSON.stringify(endless) } });
    await once(worker, "message");
    assert.equal(await worker.terminate(), 1);
  }
});

test("a process may exit in the middle of a run", () => {
  const program = `require(${JSON.stringify(path)}).profile(${JSON.stringify(JSON.stringify(endless))}, () => process.exit(7));`;
  const child = spawnSync(process.execPath, ["-e", program], { encoding: "utf8" });
  assert.equal(child.stderr, "");
  assert.equal(child.status, 7);
});
