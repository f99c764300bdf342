import { describe, expect, it } from "vitest";
import { jobIn, jobOf, jobText, shown } from "../jobs.js";

/** The static job with keys of its model, its actor and its engine's block. */
function job(given: { readonly model?: string; readonly actor?: string; readonly block?: string }) {
  const text = jobText("static.yaml")
    .replace(
      "    path: /models/Qwen3-8B\n",
      (line) => `${line}${given.model === undefined ? "" : `    ${given.model}\n`}`,
    )
    .replace("    strategy: veomni\n", (line) => `${line}${given.actor === undefined ? "" : `    ${given.actor}\n`}`)
    .replace("    veomni:\n", (line) => `${line}${given.block === undefined ? "" : `      ${given.block}\n`}`);
  return jobOf("c.yaml", text);
}

describe("the head under verl", () => {
  it("is flash-attn's cross entropy, which no file says", () => {
    expect(job({}).head).toMatchObject({ value: "verl_flash", from: [{ kind: "assumption" }] });
  });

  it("is VeOmni's chunked log-probabilities with fused kernels; by default full logits are made as well", () => {
    const trap = jobIn("fused-trap.yaml");
    expect([shown(trap.head), shown(trap.entropy)]).toEqual(["verl_chunked_eager", "eager"]);
    for (const loss of ["chunk_loss", "liger_kernel"]) {
      const fused = job({ model: "use_fused_kernels: true", block: `cross_entropy_loss_implementation: ${loss}` });
      expect(shown(fused.head)).toBe("verl_chunked");
    }
  });

  it("needs packed rows for fused kernels", () => {
    const padded = jobIn("padded.yaml");
    expect(shown(padded.head)).toBe("verl_flash");
  });

  it("walks tokens one by one in a deterministic run", () => {
    expect(shown(job({ block: "full_determinism: true" }).head)).toBe("verl_torch_rows");
  });

  it.each([{ model: "lora_rank: 16" }, { block: "expert_parallel_size: 4" }, { model: `use_fused_kernels: \${x.y}` }])(
    "is unknown with %j",
    (given) => {
      expect(shown(job(given).head)).toBe("?");
    },
  );
});

describe("the entropy", () => {
  const asked = { actor: "entropy_coeff: 0.001" };

  it.each([
    [{}, "none"],
    [{ actor: "entropy_coeff: 0.0" }, "none"],
    [asked, "eager"],
    [{ actor: "calculate_entropy: true" }, "eager"],
    [{ ...asked, block: "entropy_from_logits_with_chunking: true" }, "chunked"],
    [{ ...asked, block: "entropy_checkpointing: true" }, "checkpointed"],
    [{ ...asked, block: "use_torch_compile: true" }, "compiled"],
    [{ block: "entropy_checkpointing: true" }, "none"],
    [{ ...asked, block: "entropy_checkpointing: true\n      entropy_from_logits_with_chunking: true" }, "?"],
  ])("of %j is %s", (given, entropy) => {
    expect(shown(job(given).entropy)).toBe(entropy);
  });

  it("is compiled by default under FSDP, and used or not with fused kernels", () => {
    expect(shown(jobIn("fsdp2.yaml").entropy)).toBe("compiled");
    expect(shown(job({ ...asked, model: "use_fused_kernels: true" }).entropy)).toBe("eager");
    expect(shown(job({ model: "use_fused_kernels: true" }).entropy)).toBe("none");
  });
});
