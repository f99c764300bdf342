import type { WholeStep } from "../profile/wholeStep.js";
import type { JobStep } from "./jobStep.js";
import { MOST_MICRO_BATCHES, type StepRequest } from "./stepRequest.js";

/** The engine's name of the head that does so. */
const FULL_LOGITS_TOO = "verl_chunked_eager";

/** What of the step is in the figures of a request. */
export function scopeText({ job }: JobStep, { members, stackOnly, accumulation }: StepRequest): string {
  if (stackOnly !== undefined) return `Stack only: ${stackOnly}.`;
  const cut =
    accumulation === undefined
      ? ""
      : `, ${MOST_MICRO_BATCHES} of about ${accumulation.toLocaleString("en-US")} micro-batches`;
  const more = members.head === FULL_LOGITS_TOO ? " The model makes all logits as well and reads none of them." : "";
  const optimizer = isGiven(members.optimizer) ? "optimizer" : "no optimizer";
  const what =
    members.pass === "logprob"
      ? `Forward only, ${headText(members, job)}`
      : `Whole step: ${headText(members, job)}, ${optimizer}${cut}`;
  return `${what}.${more}`;
}

function isGiven(name: string | undefined): boolean {
  return name !== undefined && name !== "none";
}

/** The head, and what no file says about it: `verl_flash (flash-attn is installed, as verl pins it: assumed)`. */
function headText({ head }: WholeStep, job: JobStep["job"]): string {
  if (head === undefined || head === "none") return "no head";
  const field = job?.head;
  const isTheJobs = field?.kind === "value" && field.value === head;
  const origins = isTheJobs ? field.from : [];
  const assumed = origins.flatMap((origin) => (origin.kind === "assumption" ? [origin.what] : []));
  return `head ${head}${assumed.length === 0 ? "" : ` (${assumed.join(", ")}: assumed)`}`;
}
