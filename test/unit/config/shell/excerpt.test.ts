import { describe, expect, it } from "vitest";
import { checkDocument } from "../../../../src/core/config/check.js";
import { readExcerpt } from "../../../../src/core/config/shell/excerpt.js";

const block = "actor_rollout_ref.actor.veomni";

function found(lines: readonly string[], path = "README.md"): readonly string[] {
  const text = path === "README.md" ? ["```bash", ...lines, "```", ""].join("\n") : lines.join("\n");
  const diagnostics = checkDocument(path, text)?.diagnostics ?? [];
  return diagnostics.map(({ severity, code, span }) => `${severity} ${code}|${text.slice(span.start, span.end)}`);
}

describe("an excerpt", () => {
  const listed = [
    "# backend",
    "model_engine=veomni",
    "",
    `${block}.fsdp_size=16`,
    "# memory",
    `${block}.param_offload=True`,
    `${block}.activation_gpu_limit=1`,
  ];

  it("is judged line by line, and nothing in it is cut off", () => {
    expect(found(listed)).toEqual(["error removed-key|activation_gpu_limit"]);
  });

  it("may end its lines in backslashes, stand in a list and hold what the reader fills in", () => {
    const lines = [
      `${block}.fsdp_size=<N> \\`,
      `- ${block}.seed=...`,
      `* ${block}.param_offload=True/False`,
      `${block}.ulysses_parallel_size={{ n }}`,
      `+${block}.nope=1 # no such key`,
    ];
    expect(found(lines)).toEqual(["warning unknown-key|nope"]);
  });

  it("shows the values of a key, which are not set one over the other", () => {
    expect(found([`${block}.param_offload=True`, `${block}.param_offload=False`])).toEqual([]);
  });

  it("needs a key of the engine", () => {
    expect(readExcerpt("trainer.nnodes=1\n", { start: 0, end: 17 })).toBeUndefined();
  });

  it.each<[string, readonly string[], string]>([
    [
      "a command in documentation",
      ["python3 -m verl.trainer.main_ppo model_engine=veomni \\", "# x", `${block}.seed=1`],
      "README.md",
    ],
    ["a script", listed.slice(3, 4), "run.sh"],
  ])("is not %s", (_, lines, path) => {
    expect(found(lines, path).filter((line) => line.startsWith("error cut-off"))).toHaveLength(1);
  });

  it("is told about a command above only where there is one", () => {
    const message = checkDocument("run.sh", `${block}.seed=1\n`)?.diagnostics[0]?.message;
    expect(message).toContain("no command above");
  });
});
