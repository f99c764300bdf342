import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { JobWorkload, WorkloadField } from "../../../src/core/config/document/jobWorkload.js";
import { readOffloadSettings } from "../../../src/core/config/readConfig.js";
import { fsdpJob } from "../../../src/core/config/verl/fsdpJob.js";

const folder = join(import.meta.dirname, "../../fixtures/config/workload");

/** The text of a recorded job. */
export function jobText(name: string): string {
  return readFileSync(join(folder, name), "utf8");
}

/** The job of a block of a recorded file; without a path, of its first block or its actor under FSDP. */
export function jobIn(name: string, blockPath?: string): JobWorkload {
  return jobOf(name, jobText(name), blockPath);
}

export function jobOf(path: string, text: string, blockPath?: string): JobWorkload {
  const blocks = readOffloadSettings(path, text);
  const block = blockPath === undefined ? blocks[0] : blocks.find((each) => each.blockPath === blockPath);
  const job = block?.workload ?? fsdpJob(text);
  if (job === undefined) throw new Error(`no job in ${path}`);
  return job;
}

/** A field as one word: its value, `least..likely..most`, or `?`. */
export function shown(field: WorkloadField<unknown>): unknown {
  if (field.kind === "unknown") return "?";
  return field.kind === "value" ? field.value : `${field.least}..${field.likely}..${field.most ?? ""}`;
}

/** The figures of a job in one object. */
export function figuresOf(job: JobWorkload): Readonly<Record<string, unknown>> {
  const { tokensPerRow, rows, accumulation, ranks, sequenceParallel, master, optimizer, head, entropy, reduce } = job;
  const fields = {
    tokensPerRow,
    rows,
    accumulation,
    ranks,
    sequenceParallel,
    master,
    optimizer,
    head,
    entropy,
    reduce,
  };
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, shown(field)]));
}
