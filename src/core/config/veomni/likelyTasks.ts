import type { RecordedTask } from "./fields/taskKeys.js";
import { startedTask, type TrainingContext } from "./trainingContext.js";

/**
 * The tasks of VeOmni with keys of their own that read this: the one that the command starts, or those that alone declare some key of the
 * file's model block; what stands in the others was copied between configs.
 */
export function likelyTasks(context: TrainingContext): readonly RecordedTask[] {
  const started = startedTask(context);
  if (started !== undefined) return started.kind === "recorded" ? [started.task] : [];
  return context.strays.flatMap(({ written, found }) =>
    found.kind === "task" && found.tasks.length === 1 && written.path.startsWith("model.") ? found.tasks : [],
  );
}
