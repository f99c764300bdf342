import { readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { ProfileRequest } from "../../../src/core/profile/request.js";
import type { ProfileResult } from "../../../src/core/profile/result.js";
import type { Simulate } from "../../../src/core/sweep/runSweep.js";
import { type Engine, loadEngine, readAnswer, requestText } from "../../../src/profiler/engine.js";

/** When a file changed last, ms; of a folder the newest file below it. */
function changedAt(path: string): number {
  const info = statSync(path, { throwIfNoEntry: false });
  if (info === undefined) return 0;
  if (!info.isDirectory()) return info.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => changedAt(join(path, name))));
}

/** The newest build of the engine; none on a machine that has not built it since its sources changed. */
function currentBuild(): readonly string[] {
  const builds = ["dist/native", "build/native"].map((folder) => join(process.cwd(), folder, "offload_lens.node"));
  const [newest = ""] = builds.sort((one, other) => changedAt(other) - changedAt(one));
  return changedAt(newest) > changedAt(join(process.cwd(), "native")) ? [newest] : [];
}

/**
 * The engine of this repository; absent where it is not built, or older than its sources. `npm test` runs the tests that need it once
 * more behind the build, and says so: then it must be there.
 */
export const engine: Engine | undefined = loadEngine(createRequire(import.meta.url), currentBuild()).engine;
if (engine === undefined && process.env.OFFLOAD_LENS_ENGINE === "built") throw new Error("the engine was not built");

/** Simulates with it, in this process. */
export const simulate: Simulate = async (request: ProfileRequest) => {
  if (engine === undefined) throw new Error("the engine is not built: npm run build");
  const answer = readAnswer(await engine.profile(requestText(request), () => undefined).promise);
  return answer.ok ? { ok: true, value: JSON.parse(answer.value.resultJson) as ProfileResult } : answer;
};

const dense = {
  architectures: ["Qwen3ForCausalLM"],
  model_type: "qwen3",
  head_dim: 128,
  vocab_size: 151936,
  num_key_value_heads: 8,
};

/** config.json of two recorded shapes, and of one with untied embeddings and few layers. */
export const MODELS = {
  small: JSON.stringify({
    ...dense,
    hidden_size: 1024,
    intermediate_size: 3072,
    num_hidden_layers: 28,
    num_attention_heads: 16,
    tie_word_embeddings: true,
  }),
  large: JSON.stringify({
    ...dense,
    hidden_size: 4096,
    intermediate_size: 12288,
    num_hidden_layers: 36,
    num_attention_heads: 32,
    tie_word_embeddings: false,
  }),
} as const;
