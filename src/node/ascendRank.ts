import { readdir } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { ImportedTrace } from "../core/timeline/import/traceFormat.js";
import { attempt } from "./nodeFiles.js";

const OUTPUT_FOLDER = "ASCEND_PROFILER_OUTPUT";

/**
 * A trace of Ascend with the rank of its process. The trace itself does not hold it: torch_npu names it in `profiler_info_RANK.json`,
 * which it writes beside the folder of the trace. Without such a file, or with several, the trace stays as it is.
 */
export async function withAscendRank(path: string, trace: ImportedTrace): Promise<ImportedTrace> {
  const folder = dirname(path);
  if (typeof trace.timeline.rank === "number" || basename(folder) !== OUTPUT_FOLDER) return trace;
  const listed = await attempt(folder, () => readdir(dirname(folder)));
  if (!listed.ok) return trace;
  const ranks = listed.value.flatMap((name) => /^profiler_info_(\d{1,9})\.json$/.exec(name)?.[1] ?? []);
  const [rank] = ranks;
  if (rank === undefined || ranks.length > 1) return trace;
  return { ...trace, timeline: { ...trace.timeline, rank: Number(rank) } };
}
