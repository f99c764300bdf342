import type { JobWorkload } from "../config/document/jobWorkload.js";
import type { JobStep } from "./jobStep.js";
import { MOST_MICRO_BATCHES } from "./stepRequest.js";

/** What of the step is in the figures. */
export function scopeText({ job }: JobStep, stackOnly: string | undefined, accumulation: number | undefined): string {
  if (stackOnly !== undefined) return `Stack only: ${stackOnly}.`;
  const cut =
    accumulation === undefined
      ? ""
      : `, ${MOST_MICRO_BATCHES} of about ${accumulation.toLocaleString("en-US")} micro-batches`;
  const head = job === undefined ? "" : headText(job.head);
  const more =
    job?.makesLogitsToo === true ? " The model makes the full logits as well, which are not in the figures." : "";
  const what =
    job?.pass === "logprob" ? `Forward only, with the head ${head}` : `Whole step: head ${head}, optimizer${cut}`;
  return `${what}.${more}`;
}

/** The head, and what no file says about it: `verl_flash (flash-attn is installed, as verl pins it: assumed)`. */
function headText(head: JobWorkload["head"]): string {
  if (head.kind !== "value") return "";
  const assumed = head.from.flatMap((origin) => (origin.kind === "assumption" ? [origin.what] : []));
  return assumed.length === 0 ? head.value : `${head.value} (${assumed.join(", ")}: assumed)`;
}
