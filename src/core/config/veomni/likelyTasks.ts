import type { RecordedTask } from "./fields/taskKeys.js";
import type { TrainingContext } from "./trainingContext.js";

/**
 * The tasks of VeOmni with keys of their own that read this: the one that the command starts, or those that alone declare some key of the
 * file's model block; what stands in the others was copied between configs.
 */
export function likelyTasks({ started, strays }: TrainingContext): readonly RecordedTask[] {
  if (started !== undefined) return started.kind === "recorded" ? [started.task] : [];
  return strays.flatMap(({ written, found }) =>
    found.kind === "task" && found.tasks.length === 1 && written.path.startsWith("model.") ? found.tasks : [],
  );
}
