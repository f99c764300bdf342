import type { ProfileResult } from "./result.js";

/** Whether a result is about the decoder stack alone: its peak and step are then not those of a training step. */
export function isStackOnly({ workload }: ProfileResult): boolean {
  return workload.head === undefined;
}

/** What ran of a training step, e.g. `head verl_torch with entropy eager, adamw_fused, 2 micro-batches`. */
export function stepScope(result: ProfileResult): string {
  const { head = "none", entropy = "none", optimizer = "none", accumulation = 1, pass } = result.workload;
  if (isStackOnly(result)) return "the decoder stack alone, without head, loss and optimizer";
  const made = head === "none" ? "no head" : `head ${head}${entropy === "none" ? "" : ` with entropy ${entropy}`}`;
  if (pass === "logprob") return `forward only, ${made}`;
  const batches = accumulation === 1 ? [] : [`${accumulation} micro-batches`];
  return ["the whole step", made, optimizer === "none" ? "no optimizer" : optimizer, ...batches].join(", ");
}
