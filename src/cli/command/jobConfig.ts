import { resolve } from "node:path";
import type { FileSource } from "../../core/base/files.js";
import { fail, type Outcome, type Problem, succeed } from "../../core/base/outcome.js";
import { decodeUtf8 } from "../../core/base/utf8.js";
import { maxConfigLength } from "../../core/config/document/configDocument.js";
import type { JobWorkload } from "../../core/config/document/jobWorkload.js";
import type { OffloadSettings } from "../../core/config/document/offloadSettings.js";
import { type ReadConfig, readConfig, settingsOf } from "../../core/config/readConfig.js";
import { fsdpJob } from "../../core/config/verl/fsdpJob.js";
import type { CliIo } from "../io.js";
import { notUtf8 } from "./configFiles.js";

/** What a config says of its job. */
export interface JobConfig {
  /** Empty where another engine than VeOmni's trains. */
  readonly blocks: readonly OffloadSettings[];
  /** The job of the block that decides, else of the actor that FSDP trains. */
  readonly workload: JobWorkload | undefined;
  readonly microBatch: number | undefined;
  /** Absent for a file that only the reader of FSDP's jobs knows. */
  readonly read: ReadConfig | undefined;
}

/** The block of a config whose step runs: the first that offloads, else the first. */
export function blockOf({ blocks }: Pick<JobConfig, "blocks">): OffloadSettings | undefined {
  return blocks.find(({ enabled }) => enabled === true) ?? blocks[0];
}

/** Reads the config of `--config`. Fails with the problems of reading, and with `CONFIG_FOREIGN`. */
export async function readJobConfig(files: FileSource, configPath: string, io: CliIo): Promise<Outcome<JobConfig>> {
  const path = resolve(io.cwd, configPath);
  const info = await files.info(path);
  if (!info.ok) return info;
  if (info.value.sizeBytes > maxConfigLength) return fail(tooLong(path));
  const bytes = await files.readBytes(path, 0, info.value.sizeBytes);
  if (!bytes.ok) return bytes;
  const text = decodeUtf8(bytes.value);
  if (text === undefined) return fail(notUtf8(path));
  const read = readConfig(path, text);
  const blocks = read === undefined ? [] : settingsOf(read, io.env);
  const block = blockOf({ blocks });
  const workload = block === undefined ? fsdpJob(text) : block.workload;
  if (block !== undefined || workload !== undefined) {
    return succeed({ blocks, workload, microBatch: block?.microBatch, read });
  }
  return fail({
    code: "CONFIG_FOREIGN",
    message: `${path} has no VeOmni engine block.`,
    nextStep: "Give a verl config with actor_rollout_ref.actor.veomni, or an engine file, or leave --config out.",
  });
}

function tooLong(path: string): Problem {
  return {
    code: "FILE_TOO_LARGE",
    message: `${path} is larger than ${maxConfigLength} bytes and is not read.`,
    nextStep: "Check whether this is a config at all.",
  };
}
