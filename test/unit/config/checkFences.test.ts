import { describe, expect, it } from "vitest";
import { checkDocument } from "../../../src/core/config/check.js";
import { applyFix } from "./checkedText.js";

function found(text: string): readonly string[] {
  const diagnostics = checkDocument("guide.md", text)?.diagnostics ?? [];
  return diagnostics.map(({ severity, code, span }) => `${severity} ${code}|${text.slice(span.start, span.end)}`);
}

const engine = (...lines: readonly string[]): string[] => [
  "model_engine: veomni",
  "actor_rollout_ref:",
  "  actor:",
  "    veomni:",
  ...lines.map((line) => `      ${line}`),
];
const fenced = (lines: readonly string[], indent = "", fence = "```yaml"): string =>
  ["# Guide", "", ...[fence, ...lines, "```"].map((line) => indent + line), "", "end", ""].join("\n");

describe("checkFences", () => {
  it.each([
    ["", "```yaml"],
    ["  ", "```yml"],
    ["> ", "```yaml title=a"],
    ["", "```{.yaml}"],
  ])("judges a block with %j before its lines at its place, and its fixes fit", (indent, fence) => {
    const text = fenced(engine("param_ofload: true"), indent, fence);
    expect(found(text)).toEqual(["error unknown-key|param_ofload"]);
    const fix = checkDocument("guide.md", text)?.diagnostics[0]?.fixes[0];
    expect(fix && applyFix(text, fix)).toBe(text.replace("param_ofload", "param_offload"));
  });

  it("leaves to the reader what is left to the reader", () => {
    const lines = engine("fsdp_size: <N>", "seed: {{ seed }}", "...", "basic_modules: [...]", "param_offload: ...");
    expect(found(fenced(lines))).toEqual([]);
  });

  it("judges each block for itself, beside the blocks of shell text", () => {
    const script =
      "```bash\npython3 -m verl.trainer.main_ppo model_engine=veomni actor_rollout_ref.actor.veomni.nope=1\n```\n";
    const text = fenced(engine("init_device: cpu")) + script + fenced(engine("fsdp_size: x"));
    expect(found(text)).toEqual(["error init-meta|cpu", "warning unknown-key|nope", "error wrong-type|x"]);
  });

  it("says nothing of what an excerpt of VeOmni's YAML leaves out", () => {
    const lines = [
      "model:",
      "  ops_implementation:",
      "    attn_implementation: eager",
      "data:",
      "  train_path: d",
      "train:",
      "  accelerator:",
      "    ulyses_size: 2",
    ];
    expect(checkDocument("train.yaml", lines.join("\n"))?.diagnostics.map(({ code }) => code)).toContain("missing-key");
    expect(found(fenced(lines)).filter((line) => line.includes("missing-key"))).toEqual([]);
    expect(found(fenced(lines)).length).toBeGreaterThan(0);
  });

  it("looks at no other language", () => {
    expect(checkDocument("guide.md", fenced(engine("nope: 1"), "", "```json"))).toBeUndefined();
  });
});
